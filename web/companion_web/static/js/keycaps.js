/**
<<<<<<< HEAD
 * On each end in sight the number of the key that takes it, as it stands on the mover's own screen:
 * whoever sits at six wired buttons finds theirs by looking. A page of keys that is turned there is
 * turned here, as its stream tells it.
 */

import { draw } from "./dom.js";
import { getJson } from "./net.js";

let seat = null; // whose keys are shown
let source = null;
let ends = [];

function cap({ button, mark }, { x, y }) {
  return draw("g", { class: `keycap is-${mark ?? "free"}`, transform: `translate(${x} ${y})` },
    draw("g", { class: "shape" },
      draw("rect", { x: -9, y: -9, width: 18, height: 18, rx: 4 }),
      Object.assign(draw("text", { "text-anchor": "middle", dy: "0.36em" }),
        { textContent: String(button) })));
}

/** Follow the keys of the seat that is asked where it ended; `onChange` when they are others. */
export function followKeys(table, onChange) {
  const asked = (table.asks ?? []).find((ask) => ask.kind === "move" || ask.kind === "slipstream");
  if ((asked?.seat ?? null) === seat) return;
  source?.close();
  [seat, source, ends] = [asked?.seat ?? null, null, []];
  if (!asked) return;
  const mine = seat;
  source = new EventSource(`/api/seat/${mine}/stream`);
  source.addEventListener("picture", async () => {
    const view = await getJson(`/api/seat/${mine}/view`);
    if (seat !== mine) return;
    ends = (view?.map?.ends ?? []).filter((end) => end.button);
    onChange();
  });
}

/** Put the caps on their spaces; `pointOf` gives the middle of one, or null. */
export function placeKeycaps(marks, pointOf) {
  for (const old of marks.querySelectorAll(".keycap")) old.remove();
  for (const end of ends) {
    const point = pointOf(end.to);
    if (point) marks.append(cap(end, point));
  }
=======
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

/** Draw keys and ghosts of a table on its board; `cellOf` finds the cell of a space. */
export function placeKeys(layer, table, cellOf) {
  for (const old of layer.querySelectorAll(".keycap, .keyghost")) old.remove();
  const put = (make, what, space) => {
    const cell = cellOf(space);
    if (cell) layer.append(make(what, cell.dataset));
  };
  for (const key of table.keyed ?? []) put(cap, key, key.to);
  for (const ghost of table.ghosts ?? []) put(ghostAt, ghost, ghost.space);
>>>>>>> main
}
