/** The classification, once the race is over. */

import { make } from "./dom.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { nameOf } from "./race.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

/** Make room for the next race; the finished one is kept in its record. */
export function newRaceButton() {
  const button = make("button", { type: "button", className: "go" }, say("lobby"));
  button.addEventListener("click", async () => {
    const reply = await postAsReferee("/api/table", { table: "close" });
    if (!reply.ok) toast(refusalOf(reply));
  });
  return make("p", { className: "actions" }, button);
}

let drawn = "";

/** Show the result of a finished race. */
export function showResult(table, section, body) {
  const rows = table.state?.phase === "finished" ? table.state.classification ?? [] : [];
  section.hidden = rows.length === 0;
  const now = JSON.stringify([rows, Boolean(currentPin())]);
  if (section.hidden || now === drawn) return;
  drawn = now;
  const hasPoints = rows.some((row) => row.points !== undefined && row.points !== null);
  const head = make("tr", {},
    ...[say("place"), say("seat-short"), say("name"), "", hasPoints ? say("points") : null]
      .filter((text) => text !== null)
      .map((text) => make("th", { scope: "col" }, text)));
  const lines = rows.map((row) => make("tr", { className: `car-${row.seat} is-${row.status}` },
    make("td", { className: "place" }, String(row.place)),
    make("td", {}, make("span", { className: "badge" }, String(row.seat))),
    make("td", {}, nameOf(table, row.seat)),
    make("td", {}, say(`status.${row.status}`)),
    hasPoints ? make("td", { className: "points" }, String(row.points ?? "")) : null));
  body.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines)),
    ...(currentPin() ? [newRaceButton()] : []));
}
