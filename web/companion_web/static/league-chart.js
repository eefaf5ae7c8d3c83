/**
 * Charts that answer. A chart is a picture until it is touched or clicked; then it becomes one
 * of uPlot (static/vendor), which tells the value of every line where the finger is. Without a
 * script it stays the picture.
 */

import { make } from "./js/dom.js";

const INK = "#1b1e23";
const GRID = { stroke: "#dcd8cf", width: 1 };
/** How high a chart is for its width, and at least. */
const SHAPE = 0.52;
const LOWEST_PX = 300;
let library = null;

function fetchLibrary({ script, sheet }) {
  library ??= new Promise((resolve, reject) => {
    const code = make("script", { src: script });
    code.addEventListener("load", resolve);
    code.addEventListener("error", reject);
    document.head.append(make("link", { rel: "stylesheet", href: sheet }), code);
  });
  return library;
}

/** What uPlot is told of a line. */
function series({ name, color }) {
  const points = { show: true, size: 6, fill: color, stroke: INK, width: 0.7 };
  return { label: name, stroke: color, width: 2.5, points, value: (_, y) => y ?? "–" };
}

function options(told, width) {
  const axis = { stroke: INK, grid: GRID, ticks: GRID };
  const whole = (_, values) => values.map((one) => (Number.isInteger(one) ? one : ""));
  return {
    width,
    height: Math.max(LOWEST_PX, width * SHAPE),
    scales: { x: { time: false }, y: { dir: told.is_downwards ? -1 : 1 } },
    axes: [
      { ...axis, label: told.x_label, values: whole },
      { ...axis, label: told.y_label, values: whole },
    ],
    series: [{ label: told.x_label }, ...told.lines.map(series)],
    cursor: { drag: { x: false, y: false } },
  };
}

async function open(section) {
  const picture = section.querySelector("picture");
  const reply = await fetch(section.dataset.lines);
  if (!reply.ok) throw new Error(String(reply.status));
  const told = await reply.json();
  await fetchLibrary(section.dataset);
  const steps = Math.max(...told.lines.map((line) => line.ys.length));
  const xs = Array.from({ length: steps }, (_, n) => n + told.start);
  const room = make("div", { className: "answers" });
  picture.replaceWith(room);
  const data = [xs, ...told.lines.map((line) => line.ys)];
  const chart = new window.uPlot(options(told, room.clientWidth), data, room);
  window.addEventListener("resize", () => {
    const width = room.clientWidth;
    chart.setSize({ width, height: Math.max(LOWEST_PX, width * SHAPE) });
  });
}

for (const section of document.querySelectorAll(".chart[data-lines]")) {
  const picture = section.querySelector("picture");
  let isOpen = false;
  const answer = () => {
    if (isOpen) return;
    isOpen = true;
    open(section).catch(() => { isOpen = false; });
  };
  picture?.addEventListener("click", answer);
}
