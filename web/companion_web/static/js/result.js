/** The classification, once the race is over. */

import { make } from "./dom.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { inWords, nameOf, seatOf, whyOut } from "./race.js";
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

const headed = (titles) => make("thead", {}, make("tr", {},
  ...titles.map((title) => make("th", { scope: "col" }, title))));

/** How a car has ended: at home, or out and why. */
function ending(table, { seat, status }) {
  const car = table.state.cars?.[seat] ?? { seat };
  return [say(`status.${status}`), whyOut(table, car)].filter(Boolean).join(" · ");
}

function carsTable(table, rows) {
  const hasPoints = rows.some((row) => row.points !== undefined && row.points !== null);
  const titles = [say("place"), say("seat-short"), say("name"), "", ...(hasPoints ? [say("points")] : [])];
  const lines = rows.map((row) => make("tr", { className: `car-${row.seat} is-${row.status}` },
    make("td", { className: "place" }, String(row.place)),
    make("td", {}, make("span", { className: "badge" }, String(row.seat))),
    make("td", {}, nameOf(table, row.seat)),
    make("td", {}, ending(table, row)),
    hasPoints ? make("td", { className: "points" }, String(row.points ?? "")) : null));
  return make("table", {}, headed(titles), make("tbody", {}, ...lines));
}

/** The teams by their points, with who drove for them. */
function teamsTable(table) {
  const teams = table.state.teams ?? [];
  if (!teams.length) return null;
  const members = (team) => (table.race?.seats ?? []).filter((entry) => entry.team === team);
  const lines = teams.toSorted((one, other) => one.place - other.place).map(({ team, place, points }) => {
    const seats = members(team).map((entry) => entry.seat);
    return make("tr", {},
      make("td", { className: "place" }, String(place ?? "")),
      make("td", {}, inWords(seatOf(table, seats[0]).team) || team),
      make("td", {}, seats.map((seat) => nameOf(table, seat)).join(", ")),
      make("td", { className: "points" }, String(points ?? "")));
  });
  return make("table", { className: "teams" },
    headed([say("place"), say("car-team"), say("name"), say("points")]), make("tbody", {}, ...lines));
}

let drawn = "";

/** Show the result of a finished race. */
export function showResult(table, section, body) {
  const rows = table.state?.phase === "finished" ? table.state.classification ?? [] : [];
  section.hidden = rows.length === 0;
  const now = JSON.stringify([rows, table.state?.teams, Boolean(currentPin())]);
  if (section.hidden || now === drawn) return;
  drawn = now;
  body.replaceChildren(...[carsTable(table, rows), teamsTable(table),
    currentPin() ? newRaceButton() : null].filter(Boolean));
}
