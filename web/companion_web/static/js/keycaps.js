/**
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
}
