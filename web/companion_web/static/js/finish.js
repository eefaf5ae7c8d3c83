/** The finish: the winner, the podium, every car with how it ended in words; and what now. */

import { standingsAfter } from "./after.js";
import { carPicture } from "./car.js";
import { make, makeButton } from "./dom.js";
import { money, swatch } from "./downforce/words.js";
import { currentPin, tellTable } from "./pin.js";
import { inWords, keptAs, nameOf, seatOf, whyOut } from "./race.js";
import { withRules } from "./rules.js";
import { STATUS } from "./terms.js";
import { say } from "./words.js";

const STEPS = 3;

let drawn = "";

const wordButton = (text, word, className) => makeButton(text, () => tellTable(word), className);

/** Pressed twice: the first time it says what is lost. */
function sureButton(text, sure, word) {
  const button = wordButton(text, word, "quiet");
  button.addEventListener("click", (event) => {
    if (button.textContent === sure) return;
    event.stopImmediatePropagation();
    button.textContent = sure;
    button.className = "danger";
  }, true);
  return button;
}

/** What can be done now: the same again, see it again, show it to others, play with others. */
export function actions(table) {
  const id = keptAs(table);
  const race = id ? `/league/races/${encodeURIComponent(id)}` : null;
  const hasPin = Boolean(currentPin());
  return make("p", { className: "actions" },
    hasPin ? wordButton(say("Rematch"), "rematch", "go") : null,
    hasPin && table.race?.seats.some(({ bot }) => !bot) ? wordButton(say("Change track or people"), "same") : null,
    race ? make("a", { className: "button", href: `${race}#replay` }, say("Replay")) : null,
    id ? make("a", { className: "button", href: `/league/export/race/${encodeURIComponent(id)}/picture`, download: "" },
      say("Share the picture")) : null,
    race ? make("a", { className: "button", href: race }, say("League")) : null,
    hasPin ? sureButton(say("Other people"), say("All names go: really?"), "close") : null);
}

/** How a car has ended: at home, or out and why. */
function ending(table, { seat, status }) {
  if (isDownforce(table)) {
    const { race, bets_won: won, spent } = table.state.players[seat];
    return [[say("Race"), race], [say("Bets"), won], [say("Auction"), -spent]].map(([text, n]) => `${text} ${money(n)}`).join(" · ");
  }
  const car = table.state.cars?.[seat] ?? { seat };
  if (!status) return "";
  const isHome = status === "finished" || status === "out";
  const hasFastest = table.fastest?.seat === seat;
  const told = [status === "finished" ? null : isHome ? STATUS[status] : say("classified as it stood"), whyOut(table, car),
    hasFastest ? say("fastest lap, {n} turns", { n: table.fastest.turns }) : null];
  return told.filter(Boolean).join(" · ");
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Who waited for whom, the one for whom the others waited longest first; nothing where nobody did. */
function waitsTable(table) {
  const told = Object.entries(table.waits ?? {}).toSorted((one, other) => other[1].kept - one[1].kept);
  if (!told.length) return null;
  const head = (scope, ...children) => make("th", { scope }, ...children);
  const rows = told.map(([seat, { kept, waited }]) => make("tr", { className: `car-${seat}` },
    head("row", make("span", { className: "badge" }, seat), ` ${nameOf(table, Number(seat))}`),
    make("td", {}, clock(kept)), make("td", {}, clock(waited))));
  return make("table", { className: "waits" },
    make("caption", {}, say("Who waited for whom")),
    make("thead", {}, make("tr", {}, make("td"), head("col", say("kept others waiting")), head("col", say("waited for others")))),
    make("tbody", {}, ...rows));
}

const isDownforce = (table) => table.race?.game === "downforce";

/** The car of a seat; where cars are bought, those that it has. */
function carsOf(table, seat) {
  if (!isDownforce(table)) return carPicture(seat);
  return make("span", { className: "owned" }, ...(table.state.players?.[seat]?.cars ?? []).map(swatch));
}

/** How it was won, in one line: from whom the lead was taken, by how far, or how early. */
function howWon(table, first, second, lead) {
  if (lead) return say("took the lead from {other}", { other: nameOf(table, lead.other) });
  const gap = second && seatOf(table, second.seat).gap;
  if (gap === 1 && second.status !== "out") return say("1 space ahead of {other}", { other: nameOf(table, second.seat) });
  if (gap > 1 && second.status !== "out") return say("{n} spaces ahead of {other}", { n: gap, other: nameOf(table, second.seat) });
  return first.status === "finished" && table.state.round ? say("home in round {n}", { n: table.state.round }) : "";
}

/** The winner over the full width of a television. */
function hero(table, rows, lead) {
  const [first, second] = rows;
  const title = make("p", {}, say("The winner of {race}", { race: table.title ?? table.race?.track ?? say("the race") }));
  if (!first || first.status === "out" || table.driven === false) {
    const nobody = table.driven === false ? say("No race was driven") : say("Nobody comes home");
    return make("section", { className: "hero is-nobody" }, make("h1", {}, nobody));
  }
  const names = rows.filter(({ place, status }) => place === first.place && status !== "out").map(({ seat }) => nameOf(table, seat));
  return make("section", { className: `hero car-${first.seat}` },
    make("div", { className: names.length > 1 ? "are-several" : "" }, title,
      make("h1", {}, make("bdi", {}, names.join(", "))),
      make("p", {}, isDownforce(table) ? millions(first.points ?? 0) : howWon(table, first, second, lead))),
    carsOf(table, first.seat));
}

function step(table, row, height) {
  return make("li", { className: `step is-${height} car-${row.seat}` },
    make("span", { className: "place" }, String(row.place)), carsOf(table, row.seat),
    make("strong", {}, make("bdi", {}, nameOf(table, row.seat))));
}

function podium(table, rows) {
  const home = rows.filter((row) => row.status !== "out").slice(0, STEPS);
  return make("ol", { className: "podium", "aria-hidden": "true" }, ...home.map((row, at) => step(table, row, at + 1)));
}

const points = (n) => (n === 1 ? say("1 pt") : say("{n} pts", { n }));
const millions = (n) => `${money(n)} M$`;
const pointsOf = (n, table) =>
  make("span", { className: "points" }, table && isDownforce(table) ? millions(n) : points(n));

function line(table, row) {
  return make("li", { className: `home car-${row.seat} is-${row.status}` },
    make("span", { className: "place" }, row.status === "out" ? "–" : String(row.place)),
    carsOf(table, row.seat),
    make("span", { className: "who" },
      make("strong", {}, make("bdi", {}, nameOf(table, row.seat))),
      make("small", {}, ...withRules(ending(table, row)))),
    row.points === undefined || row.points === null ? null
      : pointsOf(row.points, table));
}

/** The teams by their points, with who drove for them. */
function teamsList(table) {
  const teams = table.state.teams ?? [];
  if (!teams.length) return null;
  const members = (team) => (table.race?.seats ?? []).filter((entry) => entry.team === team)
    .map((entry) => entry.seat);
  const rows = teams.toSorted((one, other) => one.place - other.place).map((one) => {
    const seats = members(one.team);
    return make("li", { className: "home team" },
      make("span", { className: "place" }, String(one.place ?? "")),
      make("span", { className: "who" },
        make("strong", {}, inWords(seatOf(table, seats[0]).team) || one.team),
        make("small", {}, seats.map((seat) => nameOf(table, seat)).join(", "))),
      pointsOf(one.points ?? 0));
  });
  return make("ol", { className: "homes teams" }, ...rows);
}

/** Show the result of a finished race; `lead` is how the winner took it, where somebody saw that. */
export function showFinish(table, section, body = section, lead = null) {
  const rows = table.state?.phase === "finished" ? table.state.classification ?? [] : [];
  section.hidden = rows.length === 0 || !table.state.cars;
  const now = JSON.stringify([keptAs(table), rows, table.state?.teams, table.waits, Boolean(currentPin())]);
  if (section.hidden || now === drawn) return;
  drawn = now;
  body.replaceChildren(
    hero(table, rows, lead),
    make("div", { className: "ceremony" }, podium(table, rows), actions(table)),
    make("div", { className: "list" },
      make("ol", { className: "homes" }, ...rows.map((row) => line(table, row))),
      teamsList(table) ?? "",
      keptAs(table) ? standingsAfter(keptAs(table)) : "",
      waitsTable(table) ?? ""));
}
