/**
 * Before a race: what is played, who is in, Start. With the PIN all of it can be set here; what is
 * seldom set is behind a button, in a sheet over the page. Everything is the table's and shows on
 * every screen at once.
 */

import { carPicture } from "./car.js";
import { make } from "./dom.js";
import { front } from "./front.js";
import { joinCode } from "./join-code.js";
import { whenLetGo } from "./let-go.js";
import { linkCards } from "./links.js";
import { crewOf } from "./lobby-crew.js";
import { changedIn, choice, field, houseRules, raceFields, raceInShort, rulesInShort } from "./lobby-rules.js";
import { currentPin, tellTable } from "./pin.js";
import { inWords } from "./race.js";
import { BOTS, FEW_BOTS } from "./terms.js";
import { say } from "./words.js";

/** What a seat says of its car, and what stands there while it has not said it. */
const OF_CARS = {
  team: [say("Team"), say("no team yet")],
  driver: [say("Driver"), say("no driver yet")],
  tires: [say("Tires at the start"), say("chosen later")],
  box: [say("Pit box"), say("any box")],
  color: [say("Color of the car"), say("any color")],
};
const MISSING = { team: say("{name} has no team yet."), driver: say("{name} has no driver yet.") };
const CARDS = [
  ["first", say("First race"), say("One lap, one pool of 18 wear points. Learned while driving.")],
  ["full", say("Full race"), say("Two laps, six parts of the car that wear out one by one.")],
  ["club", say("As your club"), say("Laps and rules as in your last race.")],
];
const NO_LAST = say("After your first race: as you raced then.");

let drawn = ""; // what the panel was made from; it is left alone while that stays the same
let isSettingUp = false; // the host has asked for the lobby before anybody has joined

async function word(table, value) {
  const reply = await tellTable(table, { value });
  if (!reply.ok) drawn = "";
  return reply;
}

const ofSeat = (table, seat, value) => word(table, { seat, value });

/** The lobby with the seats in the order of joining, and their names by seat. */
function readLobby(told) {
  const joined = Object.fromEntries(told.joined.map((one) => [one.seat, one.name]));
  return { ...told, seats: told.joined.map((one) => one.seat), joined };
}

const named = (name) => make("bdi", {}, name);

function button(text, className, onClick, traits = {}) {
  const element = make("button", { type: "button", className, ...traits }, text);
  element.addEventListener("click", onClick);
  return element;
}

/* -- sheets over the page ----------------------------------------------------- */

const sheets = new Map(); // name → its dialog, which stays while what it holds is drawn anew

function sheet(name, title, ...children) {
  if (!sheets.has(name)) {
    const dialog = make("dialog", { className: `sheet sheet-${name}`, "aria-label": title });
    dialog.append(make("div", { className: "sheet-head" }, make("h2", {}, title),
      button(say("Done"), "", () => dialog.close())), make("div", { className: "sheet-body" }));
    sheets.set(name, dialog);
  }
  const body = sheets.get(name).lastElementChild;
  body.replaceChildren(...children.filter(Boolean));
  return sheets.get(name);
}

const opener = (name, className, ...children) => {
  const element = button("", className, () => sheets.get(name).showModal(), { "aria-haspopup": "dialog" });
  element.append(...children);
  return element;
};

/* -- who plays -------------------------------------------------------------- */

/** What the rules let a seat say of its car. */
function carFields(lobby, seat) {
  return (lobby.cars[seat] ?? []).map((one) => {
    const [label, unsaid] = OF_CARS[one.key];
    const entries = [[null, unsaid], ...one.choices.map((each) => [each.value, inWords(each.label)])];
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
  return make("li", { className: `driver-row car-${seat}` },
    carPicture(seat), name,
    button("×", "quiet", () => ofSeat("leave", seat, null), { "aria-label": say("Remove {name}", { name: lobby.joined[seat] }) }),
    seat in lobby.bots ? make("p", { className: "hint" }, botText(lobby, seat)) : null,
    make("div", { className: "car-fields" }, ...carFields(lobby, seat)),
    crewOf(lobby, seat, ofSeat));
}

/** The next seat that may be taken; undefined where as many are in as the game takes. */
const freeSeat = (lobby) => (lobby.seats.length < lobby.players_range[1]
  ? Array.from({ length: 10 }, (_, n) => n + 1).find((seat) => !(seat in lobby.joined)) : undefined);

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

/** Everybody who sits, and the next seats to be taken. */
function seatsToShow(lobby) {
  const all = Array.from({ length: 10 }, (_, n) => n + 1);
  const most = Math.max(6, lobby.seats.length + 1);
  return all.filter((seat) => seat in lobby.joined || seat <= most);
}

/** A person without a phone, or a bot of a level, takes the next seat. */
function adding(lobby) {
  const seat = freeSeat(lobby);
  const close = () => sheets.get("add").close();
  const bots = (levels) => make("div", { className: "bots" }, ...levels.map((level) =>
    button(BOTS[level], "", () => { ofSeat("bot", seat, level); close(); })));
  const few = lobby.levels.filter((level) => FEW_BOTS.includes(level));
  return [
    button(say("Add a player"), "", () => { ofSeat("join", seat, null); close(); }),
    few.length ? make("h3", {}, say("Add a bot")) : null,
    bots(few),
    few.length < lobby.levels.length ? make("details", {},
      make("summary", {}, say("All bots, the weakest first")), bots(lobby.levels)) : null,
    lobby.last ? button(say("Same as last time"), "quiet", () => { word("same", null); close(); }) : null,
  ];
}

/** What is known of a player without opening anything: bot, team, driver, crew, and what is missing. */
function aside(lobby, seat) {
  const said = (lobby.cars[seat] ?? []).filter((one) => one.value !== null && one.key !== "color").map((one) =>
    inWords(one.choices.find((each) => each.value === one.value)?.label) || one.value);
  const crew = lobby.crews?.[seat]?.join(", ") ?? [];
  const bot = seat in lobby.bots ? BOTS[lobby.bots[seat]] : null;
  return [bot, ...said.concat(crew)].filter(Boolean).join(" · ");
}

const player = (lobby, seat) => make("li", { className: `player car-${seat}` }, carPicture(seat),
  make("span", { className: "player-name" }, named(lobby.joined[seat]),
    make("small", {}, aside(lobby, seat))));

function players(lobby) {
  const { length } = lobby.seats;
  return make("section", { className: "players" },
    make("div", { className: "players-head" },
      make("h2", {}, say("Players"), make("small", {}, ` ${say("{n} of {all}", { n: length, all: lobby.players_range[1] })}`)),
      length ? opener("players", "", say("Change")) : null),
    make("ul", {}, ...lobby.seats.map((seat) => player(lobby, seat)),
      freeSeat(lobby) ? make("li", { className: "adds" }, opener("add", "quiet", `+ ${say("Add a person or a bot")}`)) : null));
}

/* -- what is played ----------------------------------------------------------- */

/** Three ways to race Formula D; another game has none of them. */
function cards(lobby) {
  return make("fieldset", { className: "race-cards" }, make("legend", { className: "unseen" }, say("What is raced?")),
    ...CARDS.map(([name, title, says]) => {
      const isThere = name !== "club" || lobby.last;
      const box = make("input", { type: "radio", name: "card", checked: lobby.card === name, disabled: !isThere,
        "aria-label": title });
      box.addEventListener("change", () => word("card", name));
      return make("label", { className: "race-card" }, box, make("strong", {}, title), make("span", {}, isThere ? says : NO_LAST));
    }));
}

function settings(lobby) {
  const n = changedIn(lobby);
  const house = lobby.pack ?? (n ? say("{n} changed", { n }) : say("as in the box"));
  return make("section", { className: "set" },
    opener("race", "row-key", make("span", {}, say("Track and laps")), make("strong", {}, raceInShort(lobby))),
    opener("rules", "row-key", make("span", {}, say("House rules")), make("strong", { className: n ? "is-changed" : "" }, house)));
}

/* -- the form --------------------------------------------------------------- */

function waitingRace(race) {
  return make("li", { className: "driver-row" }, make("span", {}), make("span", {}, race.name),
    button(say("Resume"), "quiet", () => word("open", race.id)));
}

/** The page of older races behind those in sight, put below them; the button goes with the last. */
async function showOlder(list, more) {
  const page = Number(more.dataset.page) + 1;
  const reply = await tellTable("waiting", { value: page });
  if (!reply.ok) return;
  list.append(...reply.waiting.map(waitingRace));
  more.dataset.page = page;
  more.hidden = page >= reply.pages;
}

/** Races that were put away or that another one has interrupted. */
function waitingRaces({ waiting, waiting_more: hasMore }) {
  if (!waiting?.length || !currentPin()) return null;
  const list = make("ul", { className: "drivers" }, ...waiting.map(waitingRace));
  const more = make("button", { type: "button", className: "quiet", "data-page": 1, hidden: !hasMore },
    say("Older races"));
  more.addEventListener("click", () => showOlder(list, more));
  return make("details", { className: "waiting", "data-fold": "waiting" },
    make("summary", {}, say("Races that wait")), list, more);
}

/** What seats must say before the race can begin. */
function missing(lobby) {
  const told = lobby.missing.map(({ seat, key }) =>
    say(MISSING[key], { name: lobby.joined[seat] }));
  if (!lobby.seats.length) told.push(say("Nobody has joined yet."));
  return told.length ? make("p", { className: "hint", role: "status" }, told.join(" ")) : null;
}

function form(lobby, table) {
  const go = button(say("Start the race"), "start", () => word("start"));
  go.disabled = lobby.seats.length === 0;
  const names = make("datalist", { id: "known-names" },
    ...lobby.names.map((name) => make("option", { value: name })));
  sheet("players", say("Players"),
    make("ul", { className: "drivers" }, ...lobby.seats.map((seat) => driverRow(lobby, seat))), seatCodes(lobby));
  sheet("add", say("Add a person or a bot"), ...adding(lobby));
  sheet("race", say("Track and laps"), raceFields(lobby, word));
  sheet("rules", say("House rules"), ...houseRules(lobby, word));
  return [
    lobby.game === "formula-d" ? cards(lobby) : null, players(lobby),
    make("div", { className: "beside" }, settings(lobby), make("div", { className: "way-in" }, joinCode()),
      make("div", { className: "off" }, missing(lobby), go), names, waitingRaces(table)),
  ];
}

function onlooker(lobby) {
  return [
    make("section", { className: "players" }, make("h2", {}, say("Players")),
      make("ul", {}, ...lobby.seats.map((seat) => player(lobby, seat)))),
    make("div", { className: "beside" }, ...rulesInShort(lobby),
      make("a", { className: "button start", href: "/join" }, say("Take a seat")),
      make("p", { className: "how" }, say("The television shows the four letters for it."))),
  ];
}

/** What had the focus is found again by its label, or by the words beside it. */
const labelOf = (element) =>
  element?.ariaLabel ?? element?.closest("label")?.querySelector("span, strong")?.textContent
    ?? element?.textContent;

function refocus(section, { label, from, to }) {
  const all = [...section.querySelectorAll("input, textarea, select, button, summary")];
  const found = all.find((one) => labelOf(one) === label && one.checkVisibility());
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
    isSettingUp = false;
    for (const dialog of sheets.values()) dialog.close();
    return;
  }
  const now = JSON.stringify([lobby, table.waiting, table.waiting_more, Boolean(currentPin()), isSettingUp]);
  if (now === drawn) return;
  drawn = now;
  whenLetGo(() => draw(lobby, table, section, body));
}

function draw(lobby, table, section, body) {
  const active = section.contains(document.activeElement) ? document.activeElement : null;
  const had = { label: labelOf(active), from: active?.selectionStart, to: active?.selectionEnd };
  // Looked at now: that a fold was opened is told later than it is so, and by then it may be another one.
  const open = new Set([...section.querySelectorAll("details[open]")].map((one) => one.dataset.fold));
  const isHost = Boolean(currentPin());
  const onFirst = () => {
    isSettingUp = true;
    if (lobby.card !== "first") word("card", "first");
    draw(lobby, table, section, body);
  };
  const isEmpty = !lobby.seats.length && !(isHost && isSettingUp);
  body.classList.toggle("is-front", isEmpty);
  if (isEmpty) body.replaceChildren(front({ isHost, onFirst, more: [waitingRaces(table)].filter(Boolean) }));
  else body.replaceChildren(...(isHost ? form(lobby, table).filter(Boolean) : onlooker(lobby)));
  for (const dialog of sheets.values()) if (!dialog.isConnected) section.append(dialog);
  for (const one of section.querySelectorAll("details")) one.open ||= open.has(one.dataset.fold);
  if (active) refocus(section, had);
}
