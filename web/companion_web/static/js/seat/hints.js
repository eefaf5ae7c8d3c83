/** The hints for a first turn, each until it has been done once on this phone. */

import { byId, setText } from "../dom.js";
import { recall, remember } from "../net.js";
import { say } from "../words.js";

const HINTS = {
  gear: say("Your first turn: a gear chooses the die. One up at most."),
  roll: say("Roll that die on the table, then touch what it shows."),
  road: say("Roll that die, move your car, then touch where it stands."),
  throw: say("No die in the hand: tap, and the companion throws."),
  move: say("Move your car on the board, then touch where it stands."),
};
let open = ""; // the kind whose hint is shown

const isDone = (kind) => recall("localStorage", `hinted-${kind}`) !== null;

/** Show the hint of what the seat is asked; the one before has been followed. */
export function showHint({ asked: kind, throws, map }, hasKey) {
  const asked = throws ? "throw" : kind === "roll" && map?.ends.length ? "road" : kind;
  if (open && open !== asked) remember("localStorage", `hinted-${open}`, "1");
  open = hasKey && asked in HINTS && !isDone(asked) ? asked : "";
  byId("hint").hidden = !open;
  setText(byId("hint"), open ? HINTS[open] : "");
}
