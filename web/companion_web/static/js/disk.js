/**
 * What is wrong with the disk, for everybody: that it fails, or what it has lost. Whoever has the
 * PIN says that it was seen; so does any button of a seat.
 */

import { make } from "./dom.js";
import { post } from "./net.js";
import { currentPin } from "./pin.js";
import { inWords } from "./race.js";
import { say } from "./words.js";

const FAILING = ["storage", "disk-full"];
let drawn = "";

/** Show it; a stream's overlay only tells (`tells`), all else lets it be said that it was seen. */
export function showDisk({ disk }, section, { tells = false } = {}) {
  section.hidden = !disk;
  const now = JSON.stringify([disk, Boolean(currentPin())]);
  if (now === drawn) return;
  drawn = now;
  const rows = [make("p", {}, inWords(disk))];
  if (disk && !tells) {
    rows.push(make("p", {}, make("a", { href: "/rescue" }, say("What lies on the disk"))));
  }
  if (disk && !tells && currentPin() && !FAILING.includes(disk.key)) {
    const seen = make("button", { type: "button", className: "quiet" }, say("Seen"));
    seen.addEventListener("click", () => post("/api/table", { table: "seen" }, currentPin()));
    rows.push(make("p", { className: "actions" }, seen));
  }
  section.replaceChildren(...rows);
}
