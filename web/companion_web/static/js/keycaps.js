/**
 * The numbers of the keys on the ends that a seat's buttons give now, and the ghost of a place that a seat
 * steps to: whoever plays by buttons finds the button by looking at the road.
 */

import { draw } from "./dom.js";

const number = (text) => {
  const element = draw("text", { "text-anchor": "middle", dy: "0.36em" });
  element.textContent = text;
  return element;
};

function cap({ button, mark, seat }, { x, y }) {
  return draw("g", { class: `keycap keycap-${mark}`, "data-seat-of": seat, transform: `translate(${x} ${y})` },
    draw("g", { class: "shape" },
      draw("rect", { x: -8, y: -8, width: 16, height: 16, rx: 4 }), number(button)));
}

function ghostAt({ seat }, { x, y }) {
  return draw("g", { class: `keyghost car-${seat}`, transform: `translate(${x} ${y})` },
    draw("g", { class: "shape" }, draw("circle", { r: 10 }), number(seat)));
}

/** The numbers of keys, where somebody has keys: on the road of a phone they mean nothing. */
export const keysOf = ({ keyed, seats }) => (keyed ?? []).filter((key) =>
  !seats?.length || seats.find(({ seat }) => seat === key.seat)?.buttons);

/** Draw keys and ghosts of a table on its board; `cellOf` finds the cell of a space. */
export function placeKeys(layer, table, cellOf) {
  for (const old of layer.querySelectorAll(".keycap, .keyghost")) old.remove();
  const put = (make, what, space) => {
    const cell = cellOf(space);
    if (cell) layer.append(make(what, cell.dataset));
  };
  for (const key of keysOf(table)) put(cap, key, key.to);
  for (const ghost of table.ghosts ?? []) put(ghostAt, ghost, ghost.space);
}
