/** A gear is always its die, a car always a car: the same shapes on every screen of a phone. */

import { draw } from "../dom.js";

const BLACK = 5; // of six corners, as the black die is drawn
const SHAPES = {
  1: "50,8 96,88 4,88",
  2: "9,9 91,9 91,91 9,91",
  3: "50,-1 101,50 50,101 -1,50",
  4: "50,5 96,38 78,92 22,92 4,38",
  5: "50,3 91,26 91,74 50,97 9,74 9,26",
  6: "64,6 88,23 96,50 88,77 64,94 36,94 12,77 4,50 12,23 36,6",
};
const LOWER = { 1: 66 }; // where the middle of a figure is; else at 50

/** Text in a drawing. */
export function text(content, attributes) {
  const element = draw("text", { "text-anchor": "middle", ...attributes });
  element.textContent = content;
  return element;
}

/** The die of a gear (0: the black one) with a figure on it. */
export function die(gear, figure = gear || "") {
  const told = String(figure);
  const size = told.length > 3 ? 24 : told.length > 2 ? 32 : gear === 1 ? 40 : 46;
  return draw("svg", { class: `die ${gear ? `die-${gear}` : "die-black"}`, viewBox: "-4 -4 108 108", "aria-hidden": "true" },
    draw("polygon", { points: SHAPES[gear || BLACK] }),
    text(told, { x: 50, y: (LOWER[gear] ?? 50) + size * 0.36, "font-size": size }));
}

/** A car from above in two colors, its number upright in a disc; nose to the right, or up. */
export function car(seat, { up = false } = {}) {
  const turned = draw("g", up ? { transform: "rotate(-90)" } : {},
    ...["edge", "paint"].map((layer) => draw("g", { class: layer, transform: "translate(-32 0)" },
      ...[[7, -15, 14, 9], [7, 6, 14, 9], [41, -14, 11, 7], [41, 7, 11, 7]].map(([x, y, width, height]) =>
        draw("rect", { class: "tyre", x, y, width, height, rx: 2 })),
      draw("path", { class: "wing", d: "M0-12h7v24H0ZM57-13h6v26h-6Z" }),
      draw("path", { class: "body", d: "M5-7L12-8L18-11.5L34-10.5L42-5.4L60-3.6V3.6L42 5.4L34 10.5L18 11.5L12 8L5 7Z" }),
      draw("path", { class: "wing", d: "M44-5L58-3.6V3.6L44 5Z" }))));
  const at = up ? { cx: 0, cy: 8 } : { cx: -8, cy: 0 };
  return draw("g", { class: `car car-${seat}` }, turned,
    draw("circle", { class: "disc", ...at, r: 10 }),
    text(seat, { x: at.cx, y: at.cy + 5, "font-size": 14 }));
}

/** A car beside a name. */
export const carMark = (seat, color) => {
  const mark = draw("svg", { class: "car-mark", viewBox: "-36 -18 70 36", "aria-hidden": "true" }, car(seat));
  if (color) for (const name of ["colour", "ink", "rim"]) {
    const of = { colour: "paint", ink: "ink", rim: "rim" }[name];
    mark.style.setProperty(`--car-${name}`, `var(--${of}-${color}, transparent)`);
  }
  return mark;
};
