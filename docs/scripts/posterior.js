const X = x => 40 + 360 * x, Y = y => 20 + 180 * (1 - y) / .5;
const names = Object.keys(data.curves);
names.forEach((name, i) => {
  const points = data.curves[name].map(([x, y]) => X(x) + "," + Y(y)).join(" ");
  add("polyline", {points, fill: "none", stroke: colours[i], "stroke-width": 2.5});
  add("text", {x: X(.42 + .08 * i), y: 24, "font-size": 16, "font-weight": "bold", fill: colours[i]}, name);
});
[0, .5, 1].forEach(x => add("text", {x: X(x), y: 292, "text-anchor": "middle", "font-size": 13, fill: "currentColor"}, x));
[.5, .75, 1].forEach(y => add("text", {x: 32, y: Y(y) + 5, "text-anchor": "end", "font-size": 13, fill: "currentColor"}, y));
data.bars.forEach(([name, from, to, rank]) => add("rect", {x: X(from), y: 205 + 22 * (rank - 1), width: X(to) - X(from),
  height: 20, fill: colours[names.indexOf(name)], "fill-opacity": 1 - .3 * (rank - 1)}));
const line = add("line", {y1: 15, y2: 272, stroke: "currentColor", "stroke-dasharray": "4 3"});
const slider = document.createElement("input");
Object.assign(slider, {type: "range", min: 0, max: 1, step: .005, value: .3});
slider.style.width = "100%";
slider.setAttribute("aria-label", "probability of the second class");
const words = document.createElement("p"), order = document.createElement("p");
said.append(slider, words, order);
const height = (points, x) => {
  const i = Math.max(1, points.findIndex(point => point[0] >= x));
  const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
  return x1 === x0 ? y1 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
};
const move = () => {
  const x = Number(slider.value);
  line.setAttribute("x1", X(x));
  line.setAttribute("x2", X(x));
  const listed = data.bars.filter(bar => bar[1] <= x && x <= bar[2]).sort((one, other) => one[3] - other[3]);
  const seen = [...new Set(listed.map(bar => bar[0]))];
  words.textContent = "The second class has probability " + x.toFixed(2) + ": ask " + seen[0] + ".";
  order.textContent = "Right afterwards in " + names.map(name => name + ": " + (100 * height(data.curves[name], x)).toFixed(1)
    + " %").join(", ") + ". If " + seen[0] + " is on the path already: " + seen.slice(1).join(", then ") + ".";
};
slider.addEventListener("input", move);
move();
