data.lines.forEach(line => add("line", {...line, stroke: "currentColor", "stroke-opacity": .3}));
const boxes = data.nodes.map(node => {
  const place = {x: node.x - 38, y: node.y - 14, width: 76, height: 28, rx: 6};
  add("rect", {...place, style: "fill:var(--pst-color-background)"});
  const box = add("rect", {...place, tabindex: 0,
    fill: colours[node.tree], "fill-opacity": .6, style: "cursor:pointer"});
  add("text", {x: node.x, y: node.y + 5, "text-anchor": "middle", fill: "currentColor", "font-size": 14,
    "pointer-events": "none"}, node.label);
  const show = () => {
    boxes.forEach((other, i) => other.setAttribute("fill-opacity", data.nodes[i].tree === node.tree ? .6 : .15));
    const same = data.nodes.filter(other => other.tree === node.tree).map(other => other.label);
    said.replaceChildren();
    const words = document.createElement("p"), tree = document.createElement("pre");
    words.textContent = node.label + (same.length > 1 ? " gives the same tree as " + same.filter(l => l !== node.label).join(", ")
      : " gives a tree of its own");
    tree.textContent = data.trees[node.tree];
    said.append(words, tree);
  };
  ["mouseenter", "click", "focus"].forEach(event => box.addEventListener(event, show));
  box.show = show;
  return box;
});
boxes[0].show();
