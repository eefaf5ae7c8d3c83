/** "Watch a race": six bots on the board that is chosen, the table throws all their dice. */

import { make } from "./dom.js";
import { refusalOf } from "./net.js";
import { postAsReferee } from "./pin.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const NAMES = ["Alma", "Boris", "Clara", "Dario", "Edda", "Farid"];

/** The best levels first, each as often as the others. */
function header(lobby) {
  const levels = [...lobby.levels].reverse();
  const seats = NAMES.map((name, n) => ({ seat: n + 1, name, bot: levels[n % levels.length] }));
  return {
    game: lobby.game, track: lobby.track, laps: lobby.laps, seats,
    dice: { seats: seats.map(({ seat }) => seat) },
  };
}

/** The button, while nobody sits at the table; none where no bot can play. */
export function watchButton(lobby) {
  if (lobby.seats.length || !lobby.levels.length || !lobby.track) return null;
  const button = make("button", { type: "button", className: "quiet" }, say("Watch a race"));
  button.addEventListener("click", async () => {
    const reply = await postAsReferee("/api/table", { new: header(lobby) });
    if (!reply.ok) toast(refusalOf(reply));
  });
  return button;
}
