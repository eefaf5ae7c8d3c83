/** A television before a race: one code, one address, who is in. */

import { make } from "./dom.js";
import { joinCode, pinForm } from "./join-code.js";
import { rulesInShort } from "./lobby-rules.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

let drawn = "";

const person = ({ seat, name }) => make("li", { className: `car-${seat}` },
  make("span", { className: "badge" }, String(seat)), name);

function startButton() {
  const button = make("button", { type: "button", className: "go" }, say("Start the race"));
  button.addEventListener("click", async () => {
    const reply = await postAsReferee("/api/table", { table: "start" });
    if (!reply.ok) toast(refusalOf(reply));
  });
  return button;
}

/** Show who is in, and the code where the PIN is. */
export function showComingIn(table, section) {
  const { lobby } = table;
  section.hidden = !lobby;
  const now = JSON.stringify([lobby?.joined, lobby?.track, lobby?.laps, lobby?.options, Boolean(currentPin())]);
  if (!lobby || now === drawn) return;
  drawn = now;
  const hasPin = Boolean(currentPin());
  section.replaceChildren(hasPin ? joinCode() : pinForm(), make("div", {},
    hasPin ? null : make("p", { className: "how" }, say("To join, scan the code on the television or type the PIN here.")),
    lobby.joined.length ? make("ul", { className: "people" }, ...lobby.joined.map(person))
      : make("p", { className: "how" }, say("Nobody has joined yet.")),
    ...rulesInShort(lobby),
    hasPin && lobby.joined.length ? startButton() : null));
}
