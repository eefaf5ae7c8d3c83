/** One car left running: whoever may end the race is asked whether to wait for it. */

import { make, makeButton as button } from "./dom.js";
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
  const isDrawn = now === drawn;
  drawn = isAlone ? now : "";
  if (!isAlone || isDrawn) return;
  const end = async () => {
    const reply = await postAsReferee("/api/referee/end", {});
    if (!reply.ok) toast(refusalOf(reply));
  };
  const show = (says, ...keys) => section.replaceChildren(make("p", {}, says), ...keys);
  const offer = () => show(say("{name} is the last one running. End the race as it stands?", { name: nameOf(table, table.last) }),
    currentPin() ? button(say("End the race now"), ask, "go") : make("p", { className: "hint" }, say("Its seat has the key: menu, end.")));
  // It lies above what is touched all the time.
  const ask = () => {
    show(say("End the race? Running cars are classified as they stand."), button(say("Cancel"), offer, "quiet"), button(say("End the race now"), end, "go"));
    section.querySelector("button").focus();
  };
  section.className = `panel last car-${table.last}`;
  offer();
}
