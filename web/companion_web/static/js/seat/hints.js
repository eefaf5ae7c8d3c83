/** The hints for a first turn, each until it has been done once on this phone. */

import { byId, setText } from "../dom.js";
import { recall, remember } from "../net.js";
import { say } from "../words.js";

const KINDS = ["gear", "roll", "throw", "move"];
let open = ""; // the kind whose hint is shown

const isDone = (kind) => recall(localStorage, `hinted-${kind}`) !== null;

/** Show the hint of what the seat is asked; the one before has been followed. */
export function showHint({ asked: kind, throws }, hasKey) {
  const asked = throws ? "throw" : kind;
  if (open && open !== asked) remember(localStorage, `hinted-${open}`, "1");
  open = hasKey && KINDS.includes(asked) && !isDone(asked) ? asked : "";
  byId("hint").hidden = !open;
  setText(byId("hint"), open ? say(`hint-${open}`) : "");
}
