/**
 * Before a race: who has joined and what is set, as the table has it; with the PIN all of it
 * can be set here. Everything is the table's and shows on every screen at once.
 */

import { make } from "./dom.js";
import { joinCode, pinForm } from "./join-code.js";
import { whenLetGo } from "./let-go.js";
import { linkCards } from "./links.js";
import { crewOf } from "./lobby-crew.js";
import { choice, field, plainGame, raceFields, rulesInShort } from "./lobby-rules.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { inWords } from "./race.js";
import { BOTS } from "./terms.js";
import { toast } from "./toast.js";
import { watchButton } from "./watch-bots.js";
import { say } from "./words.js";

/** What a seat says of its car, and what it has not said yet. */
const OF_CARS = {
  team: say("Team"),
  driver: say("Driver"),
  tires: say("Tires at the start"),
  box: say("Pit box"),
  color: say("Color of the car"),
};
const MISSING = { team: say("{name} has no team yet."), driver: say("{name} has no driver yet.") };

let drawn = ""; // what the panel was made from; it is left alone while that stays the same

async function word(table, value) {
  const reply = await postAsReferee("/api/table", { table, value });
  if (!reply.ok) {
    drawn = "";
    toast(refusalOf(reply));
  }
  return reply;
}

const ofSeat = (table, seat, value) => word(table, { seat, value });

/** The lobby with the seats in the order of joining, and their names by seat. */
function readLobby(told) {
  const joined = Object.fromEntries(told.joined.map((one) => [one.seat, one.name]));
  return { ...told, seats: told.joined.map((one) => one.seat), joined };
}

/* -- who plays -------------------------------------------------------------- */

/** What the rules let a seat say of its car. */
function carFields(lobby, seat) {
  return (lobby.cars[seat] ?? []).map((one) => {
    const entries = [[null, say("any color")],
      ...one.choices.map((each) => [each.value, inWords(each.label)])];
    const label = OF_CARS[one.key];
    const select = choice(one.value ?? null, entries, (value) => ofSeat(one.key, seat, value),
      { "aria-label": `${label}, ${say("Seat {seat}", { seat })}` });
    const hint = one.says ? make("p", { className: "hint" }, inWords(one.says)) : null;
    return make("div", { className: `of-${one.key}` }, field(label, select), hint);
  });
}

/** The level of a bot, and the settings that hold because it plays. */
function botText(lobby, seat) {
  const held = lobby.switches.filter((one) => one.fixed).map((one) =>
    `${inWords(one.title)}: ${inWords(one.values.find((value) => value.name === one.value).label)}`);
  return [BOTS[lobby.bots[seat]], ...held].join(" · ");
}

function driverRow(lobby, seat) {
  const name = make("input", {
    value: lobby.joined[seat], maxLength: 40, autocomplete: "off",
    "aria-label": `${say("Name")}, ${say("Seat {seat}", { seat })}`,
  });
  name.setAttribute("list", "known-names");
  name.addEventListener("change", () => ofSeat("name", seat, name.value));
  const remove = make("button", {
    type: "button", className: "quiet", "aria-label": say("Remove {name}", { name: lobby.joined[seat] }),
  }, "×");
  remove.addEventListener("click", () => ofSeat("leave", seat, null));
  return make("li", { className: `driver-row car-${seat}` },
    make("span", { className: "badge" }, String(seat)), name, remove,
    seat in lobby.bots ? make("p", { className: "hint" }, botText(lobby, seat)) : null,
    make("div", { className: "car-fields" }, ...carFields(lobby, seat)),
    crewOf(lobby, seat, ofSeat));
}

function freeSeat(lobby) {
  return Array.from({ length: 10 }, (_, n) => n + 1).find((seat) => !(seat in lobby.joined));
}

/** A bot of a level takes the next seat: it plays by itself, and the table throws its dice. */
function addBot(lobby) {
  const free = freeSeat(lobby);
  if (!free || !lobby.levels.length) return null;
  const entries = [[null, `+ ${say("Add a bot")}`],
    ...lobby.levels.map((level) => [level, BOTS[level]])];
  return make("li", {}, choice(null, entries, (level) => level && ofSeat("bot", free, level),
    { "aria-label": say("Add a bot"), className: "add-bot" }));
}

function addButton(lobby) {
  const free = freeSeat(lobby);
  if (!free) return null;
  const button = make("button", { type: "button", className: "quiet" }, `+ ${say("Add a player")}`);
  button.addEventListener("click", () => ofSeat("join", free, null));
  return make("li", {}, button);
}

/* -- the form --------------------------------------------------------------- */

function waitingRace(race) {
  const resume = make("button", { type: "button", className: "quiet" }, say("Resume"));
  resume.addEventListener("click", () => word("open", race.id));
  return make("li", { className: "driver-row" }, make("span", {}), make("span", {}, race.name), resume);
}

/** The page of older races behind those in sight, put below them; the button goes with the last. */
async function showOlder(list, button) {
  const page = Number(button.dataset.page) + 1;
  const reply = await postAsReferee("/api/table", { table: "waiting", value: page });
  if (!reply.ok) return toast(refusalOf(reply));
  list.append(...reply.waiting.map(waitingRace));
  button.dataset.page = page;
  button.hidden = page >= reply.pages;
}

/** Races that were put away or that another one has interrupted. */
function waitingRaces({ waiting, waiting_more: hasMore }) {
  if (!waiting?.length) return null;
  const list = make("ul", { className: "drivers" }, ...waiting.map(waitingRace));
  const more = make("button", { type: "button", className: "quiet", "data-page": 1, hidden: !hasMore },
    say("Older races"));
  more.addEventListener("click", () => showOlder(list, more));
  return make("div", { className: "waiting" }, make("h3", {}, say("Races that wait")), list, more);
}

/** What seats must say before the race can begin. */
function missing(lobby) {
  const told = lobby.missing.map(({ seat, key }) =>
    say(MISSING[key], { name: lobby.joined[seat] }));
  return told.length ? make("p", { className: "hint", role: "status" }, told.join(" ")) : null;
}

/** One of the three steps of setting up, with its number. */
function step(number, title, ...children) {
  return make("section", { className: `step step-${number}` },
    make("h3", {}, make("span", { className: "number", "aria-hidden": "true" }, String(number)), title),
    ...children.filter(Boolean));
}

/** A code for each seat: for whoever is to have this one and no other. */
function seatCodes(lobby) {
  const details = make("details", { "data-fold": "codes" }, make("summary", {}, say("A code for each seat")));
  // The codes are fetched when somebody looks: they are keys.
  const fill = () => {
    if (!details.open || details.children.length > 1) return;
    details.append(make("p", { className: "hint" }, say("Scan a seat's code with the phone that plays it.")),
      linkCards(seatsToShow(lobby), lobby.joined));
  };
  details.addEventListener("toggle", fill);
  return details;
}

function form(lobby, table) {
  const go = make("button", { type: "button", className: "go" }, say("Start the race"));
  go.disabled = lobby.seats.length === 0;
  go.addEventListener("click", () => word("start"));
  const same = make("button", { type: "button", className: "quiet" }, say("Same as last time"));
  same.addEventListener("click", () => word("same", null));
  const names = make("datalist", { id: "known-names" },
    ...lobby.names.map((name) => make("option", { value: name })));
  return [
    step(1, say("Who plays?"), joinCode(),
      make("ul", { className: "drivers" },
        ...lobby.seats.map((seat) => driverRow(lobby, seat)), addButton(lobby), addBot(lobby)),
      seatCodes(lobby)),
    step(2, say("What is raced?"), raceFields(lobby, word), plainGame(lobby, word)),
    step(3, say("Off we go"), missing(lobby),
      make("p", { className: "actions" }, ...[go, lobby.last ? same : null, watchButton(lobby)].filter(Boolean)), names,
      waitingRaces(table)),
  ];
}

/** Everybody who sits, and the next seats to be taken. */
function seatsToShow(lobby) {
  const all = Array.from({ length: 10 }, (_, n) => n + 1);
  const most = Math.max(6, lobby.seats.length + 1);
  return all.filter((seat) => seat in lobby.joined || seat <= most);
}

/** A seat as an onlooker sees it: its name, and what it has said of its car. */
function saidOf(lobby, seat) {
  const said = (lobby.cars[seat] ?? []).filter((one) => one.value !== null).map((one) =>
    inWords(one.choices.find((each) => each.value === one.value)?.label) || one.value);
  const crew = lobby.crews?.[seat]?.join(", ") ?? [];
  return make("span", { className: "hint" }, said.concat(crew).join(" · "));
}

function onlooker(lobby) {
  return [
    make("ul", { className: "drivers" }, ...lobby.seats.map((seat) =>
      make("li", { className: `driver-row car-${seat}` },
        make("span", { className: "badge" }, String(seat)),
        make("strong", {}, lobby.joined[seat]), saidOf(lobby, seat)))),
    ...rulesInShort(lobby),
    make("p", { className: "how" }, say("To join, scan the code on the television or type the PIN here.")), pinForm(),
  ];
}

/** What had the focus is found again by its label, or by the words beside it. */
const labelOf = (element) =>
  element?.ariaLabel ?? element?.closest("label")?.querySelector("span, strong")?.textContent
    ?? element?.textContent;

function refocus(body, { label, from, to }) {
  const all = [...body.querySelectorAll("input, textarea, select, button, summary")];
  const found = all.find((one) => labelOf(one) === label);
  found?.focus();
  if (from != null) found?.setSelectionRange?.(from, to);
  else found?.select?.(); // numbers do not say what is selected; whoever comes in writes over them
}

/** Show the lobby while there is no race. */
export function showLobby(table, section, body) {
  const lobby = table.lobby ? readLobby(table.lobby) : null;
  section.hidden = !lobby;
  if (!lobby) {
    drawn = "";
    return;
  }
  const now = JSON.stringify([lobby, table.waiting, table.waiting_more, Boolean(currentPin())]);
  if (now === drawn) return;
  drawn = now;
  whenLetGo(() => draw(lobby, table, body));
}

function draw(lobby, table, body) {
  const active = body.contains(document.activeElement) ? document.activeElement : null;
  const had = { label: labelOf(active), from: active?.selectionStart, to: active?.selectionEnd };
  // Looked at now: that a fold was opened is told later than it is so, and by then it may be another one.
  const open = new Set([...body.querySelectorAll("details[open]")].map((one) => one.dataset.fold));
  if (currentPin()) body.replaceChildren(...form(lobby, table).filter(Boolean));
  else body.replaceChildren(...onlooker(lobby));
  for (const one of body.querySelectorAll("details")) one.open = open.has(one.dataset.fold);
  if (active) refocus(body, had);
}
