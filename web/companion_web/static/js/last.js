/** One car left running: whoever may end the race is asked whether to wait for it. */

import { make } from "./dom.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { nameOf } from "./race.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

let drawn = "";

/** Show the offer while one car races alone. */
export function showLast(table, section) {
  const isAlone = Boolean(table.last) && table.state?.phase === "race";
  section.hidden = !isAlone;
  const now = JSON.stringify([table.id, table.last, Boolean(currentPin())]);
  if (!isAlone || now === drawn) return;
  drawn = now;
  const button = make("button", { type: "button", className: "go" }, say("End the race now"));
  button.addEventListener("click", async () => {
    const reply = await postAsReferee("/api/referee/end", {});
    if (!reply.ok) toast(refusalOf(reply));
  });
  section.className = `panel last car-${table.last}`;
  section.replaceChildren(make("p", {}, say("{name} is the last one running. End the race as it stands?", { name: nameOf(table, table.last) })),
    currentPin() ? button : make("p", { className: "hint" }, say("Its seat has the key: menu, end.")));
}
