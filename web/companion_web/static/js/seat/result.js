/** How a race has ended, on a phone: the podium, every car with its reason, and once more. */

import { standingsAfter } from "../after.js";
import { make, makeButton } from "../dom.js";
import { swatch } from "../downforce/words.js";
import { painted } from "../paint.js";
import { withRules } from "../rules.js";
import { say } from "../words.js";

const PODIUM = [2, 1, 3]; // as the steps stand

let drawn = "";

const points = (n, millions) => make("span", { className: "points" }, millions ? `${millions} M$` : n === 1 ? say("1 pt") : say("{n} pts", { n }));
const tinted = (element, { color }) => (color ? painted(element, color) : element);
const badge = ({ seat, cars }) => (cars ? make("span", { className: "owned" }, ...cars.map(swatch)) : make("span", { className: "badge" }, String(seat)));

function step(row) {
  return tinted(make("li", { className: `step is-${row.place}` },
    badge(row),
    make("strong", {}, make("bdi", {}, row.name)),
    make("span", { className: "place" }, String(row.place))), row);
}

function line(row, own) {
  return tinted(make("li", { className: `home${row.out ? " is-out" : ""}${row.seat === own ? " is-mine" : ""}` },
    make("span", { className: "place" }, row.out ? "–" : String(row.place)),
    badge(row),
    make("span", { className: "who" }, make("strong", {}, make("bdi", {}, row.name)),
      row.says ? make("small", {}, ...withRules(row.says)) : null),
    points(row.points, row.money)), row);
}

const team = (one) => make("li", { className: "home team" },
  make("span", { className: "place" }, String(one.place ?? "")),
  make("strong", { className: "who" }, one.name),
  points(one.points));

function actions({ race }, tellTable) {
  return make("p", { className: "actions" },
    tellTable && makeButton(say("Rematch"), () => tellTable("rematch"), "go"),
    tellTable && makeButton(say("Change the race"), () => tellTable("same")),
    race ? make("a", { className: "button", href: `/league/races/${encodeURIComponent(race)}` }, say("League")) : null);
}

/** Show the result, or nothing; `tellTable` says a word to the table, null: whoever looks has no seat. */
export function showResult(told, section, tellTable) {
  section.hidden = !told;
  const now = JSON.stringify([told, Boolean(tellTable)]);
  if (!told || now === drawn) return;
  drawn = now;
  const own = Number(document.body.dataset.seat);
  const steps = PODIUM.map((place) => told.rows.find((row) => row.place === place && !row.out));
  section.replaceChildren(
    make("ol", { className: "podium", "aria-hidden": "true" }, ...steps.filter(Boolean).map(step)),
    actions(told, tellTable),
    make("ol", { className: "homes" }, ...told.rows.map((row) => line(row, own))));
  if (told.brought?.length) {
    section.append(make("section", { className: "brought" }, make("h2", {}, say("What your cars and bets brought")), make("ul", {}, ...told.brought.map((text) => make("li", {}, text)))));
  }
  if (told.race) section.append(standingsAfter(told.race));
  if (told.teams.length) section.append(make("ol", { className: "homes teams" }, ...told.teams.map(team)));
}
