/**
 * Before a race: who has joined and what is set, as the table has it; with the PIN all of it
 * can be set here. Names, track and laps are the table's and show on every screen at once;
 * the further options belong to the header that the start button sends.
 */

import { make, setChildren } from "./dom.js";
import { linkCards } from "./links.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const options = { start: "", grid: "" };
let drawn = ""; // what the panel was made from; it is left alone while that stays the same

async function word(table, value) {
  const reply = await postAsReferee("/api/table", { table, value });
  if (!reply.ok) {
    drawn = "";
    toast(refusalOf(reply));
  }
}

const ofSeat = (table, seat, value) => word(table, { seat, value });

async function start(lobby) {
  const chosen = Object.entries(options).filter(([, value]) => value);
  const body = chosen.length ? { new: headerOf(lobby) } : { table: "start" };
  const reply = await postAsReferee("/api/table", body);
  if (!reply.ok) toast(refusalOf(reply));
}

/** The header of the race, with what was chosen beside the lobby. */
function headerOf(lobby) {
  const seats = lobby.seats.map((seat) =>
    ({ seat, name: lobby.joined[seat], player: lobby.joined[seat] }));
  const header = { game: "formula-d", track: lobby.track, laps: lobby.laps, seats };
  if (options.grid) header.grid = [...lobby.seats];
  if (options.start) header.start = options.start;
  return header;
}

/** The lobby with the seats in the order of joining, and their names by seat. */
function readLobby(told) {
  const joined = Object.fromEntries(told.joined.map((one) => [one.seat, one.name]));
  return { ...told, seats: told.joined.map((one) => one.seat), joined };
}

const titleOf = (lobby, name) => lobby.titles?.[name] ?? name;

/* -- the form --------------------------------------------------------------- */

function field(label, control) {
  return make("label", { className: "field" }, make("span", {}, label), control);
}

function choice(value, entries, onChange) {
  const select = make("select", {},
    ...entries.map(([key, text]) => make("option", { value: key, selected: key === value }, text)));
  select.addEventListener("change", () => onChange(select.value));
  return select;
}

function driverRow(lobby, seat) {
  const name = make("input", {
    value: lobby.joined[seat], maxLength: 40, autocomplete: "off",
    "aria-label": `${say("name")}, ${say("seat", { seat })}`,
  });
  name.setAttribute("list", "known-names");
  name.addEventListener("change", () => ofSeat("name", seat, name.value));
  const remove = make("button", {
    type: "button", className: "quiet", "aria-label": say("remove", { name: lobby.joined[seat] }),
  }, "×");
  remove.addEventListener("click", () => ofSeat("leave", seat, null));
  return make("li", { className: `driver-row car-${seat}` },
    make("span", { className: "badge" }, String(seat)), name, remove);
}

function addButton(lobby) {
  const free = Array.from({ length: 10 }, (_, n) => n + 1).find((seat) => !(seat in lobby.joined));
  if (!free) return null;
  const button = make("button", { type: "button", className: "quiet" }, `+ ${say("add-seat")}`);
  button.addEventListener("click", () => ofSeat("join", free, null));
  return make("li", {}, button);
}

function settings(lobby) {
  const laps = make("input", { type: "number", min: 1, max: 10, value: lobby.laps });
  laps.addEventListener("change", () => word("laps", Number(laps.value)));
  const own = (name, entries) =>
    choice(options[name], entries, (value) => { options[name] = value; });
  return make("div", { className: "settings" },
    field(say("track"), choice(lobby.track, lobby.tracks.map((name) => [name, titleOf(lobby, name)]),
      (value) => word("track", value))),
    field(say("laps"), laps),
    field(say("grid"), own("grid", [["", say("grid-rolled")], ["seats", say("grid-seats")]])),
    field(say("start-rolls"),
      own("start", [["", say("start-rolled")], ["normal", say("start-none")]])));
}

/** Races that were put away or that another one has interrupted. */
function waitingRaces(races) {
  if (!races?.length) return null;
  const rows = races.map((race) => {
    const resume = make("button", { type: "button", className: "quiet" }, say("resume"));
    resume.addEventListener("click", () => word("open", race.id));
    const text = [race.name, race.date].filter(Boolean).join(" · ");
    return make("li", { className: "driver-row" }, make("span", {}), make("span", {}, text), resume);
  });
  return make("div", {}, make("h3", {}, say("waiting")), make("ul", { className: "drivers" }, ...rows));
}

function form(lobby, waiting) {
  const go = make("button", { type: "button", className: "go" }, say("start"));
  go.disabled = lobby.seats.length === 0;
  go.addEventListener("click", () => start(lobby));
  const same = make("button", { type: "button", className: "quiet" }, say("same"));
  same.addEventListener("click", () => word("same", null));
  const names = make("datalist", { id: "known-names" },
    ...lobby.names.map((name) => make("option", { value: name })));
  return [
    make("div", { className: "lobby-form" },
      make("ul", { className: "drivers" },
        ...lobby.seats.map((seat) => driverRow(lobby, seat)), addButton(lobby)),
      settings(lobby),
      make("p", { className: "actions" }, go, lobby.last ? same : null), names,
      waitingRaces(waiting)),
    make("div", { className: "lobby-codes" },
      make("h3", {}, say("links")), make("p", { className: "hint" }, say("lobby-how")),
      linkCards(seatsToShow(lobby), lobby.joined)),
  ];
}

/** Everybody who sits, and the next seats to be taken. */
function seatsToShow(lobby) {
  const all = Array.from({ length: 10 }, (_, n) => n + 1);
  const most = Math.max(6, lobby.seats.length + 1);
  return all.filter((seat) => seat in lobby.joined || seat <= most);
}

function onlooker(lobby) {
  return [
    make("ul", { className: "drivers" }, ...lobby.seats.map((seat) =>
      make("li", { className: `driver-row car-${seat}` },
        make("span", { className: "badge" }, String(seat)),
        make("strong", {}, lobby.joined[seat])))),
    make("p", {}, `${say("track")}: ${titleOf(lobby, lobby.track)} · ${say("laps")}: ${lobby.laps}`),
    make("p", { className: "hint" }, say("lobby-how")),
    make("p", { className: "hint" }, say("pin-needed")),
  ];
}

/** Show the lobby while there is no race. */
export function showLobby(table, section, body) {
  const lobby = table.lobby ? readLobby(table.lobby) : null;
  section.hidden = !lobby;
  if (!lobby) {
    drawn = "";
    return;
  }
  const now = JSON.stringify([lobby, table.waiting, Boolean(currentPin())]);
  if (now === drawn) return;
  drawn = now;
  const focused = body.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
  if (currentPin()) body.replaceChildren(...form(lobby, table.waiting));
  else setChildren(body, onlooker(lobby));
  if (focused) body.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}
