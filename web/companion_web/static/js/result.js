/** The classification, once the race is over. */

import { make, setChildren } from "./dom.js";
import { nameOf } from "./race.js";
import { say } from "./words.js";

/** Show the result of a finished race. */
export function showResult(table, section, body) {
  const rows = table.state?.phase === "finished" ? table.state.classification ?? [] : [];
  section.hidden = rows.length === 0;
  if (section.hidden) return;
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
  setChildren(body, [make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines))]);
}
