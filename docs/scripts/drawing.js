const svg = room.querySelector("svg"), said = room.querySelector(".said");
const colours = ["#0173b2", "#de8f05", "#029e73", "#cc78bc", "#ca9161", "#949494", "#d55e00", "#56b4e9"];
const add = (kind, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  svg.appendChild(element);
  return element;
};
