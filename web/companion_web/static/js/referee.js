/** The referee's panel. Nothing in it works without the PIN, which the table judges. */

import { amendPart } from "./amend.js";
import { keepFocus } from "./arrows.js";
import { whatIsAsked } from "./asks.js";
import { make, makeButton as button } from "./dom.js";
import { gameOf } from "./games.js";
import { joinCode } from "./join-code.js";
import { linkCards } from "./links.js";
import { machineParts } from "./machine.js";
import { controlsFor } from "./options.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee, setPin } from "./pin.js";
import { isThrown, nameOf, placeOf } from "./race.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

/** What falls for a mistake, or for a race that is stopped. */
const FLAGS = {
  time: say("Too slow"),
  error: say("A mistake"),
  placing: say("Wrong space in the trial"),
  black: say("Black flag"),
  red: say("Red flag, restart"),
  bell: say("Ring the bell"),
};

let latest = null;
let drawn = "";
let ending = null; // the race that may be ended, over all drawings of the panel

async function referee(wordOf, body, isQuiet = false) {
  const reply = await postAsReferee(`/api/referee/${wordOf}`, body);
  if (!reply.ok) toast(refusalOf(reply));
  else if (!isQuiet) toast(say("Done."));
  redraw();
  return reply;
}

function group(title, ...children) {
  return make("fieldset", {}, make("legend", {}, title), ...children);
}

/* -- the parts -------------------------------------------------------------- */

function unlockForm() {
  const input = make("input", {
    type: "password", inputMode: "numeric", autocomplete: "off", id: "pin", required: true,
  });
  const form = make("form", {}, make("label", { for: "pin" }, say("PIN")), input,
    make("button", {}, say("Unlock")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await setPin(input.value.trim(), "/api/referee/undo", { undo: 0, preview: true });
    location.hash = "";
    redraw();
  });
  return form;
}

function answers(table) {
  const controls = (ask) => {
    const give = async (value) => {
      const body = { [ask.kind]: value, version: table.version };
      const reply = await postAsReferee(`/api/seat/${ask.seat}/answer`, body);
      if (!reply.ok) toast(refusalOf(reply));
    };
    return isThrown(table, ask) ? [button(say("Tap to throw"), () => give(null))] : controlsFor(table, ask, give);
  };
  const rows = table.asks.map((ask) => make("div", { className: `answer-row car-${ask.seat}` },
    make("p", {}, whatIsAsked(table, ask)),
    make("div", { className: "choices" }, ...controls(ask))));
  return group(say("Answer for a seat"), ...(rows.length ? rows : [make("p", {}, say("Nobody is asked for anything."))]));
}

/** "It stands elsewhere": the table may overrule the companion, if another agrees. */
function proposal(table) {
  const { seat, space } = table.proposal;
  const places = { name: nameOf(table, seat), place: placeOf(table, space) || space };
  const agree = async (yes) => {
    const reply = await postAsReferee("/api/table", { table: "agree", yes });
    toast(reply.ok ? say("Done.") : refusalOf(reply));
  };
  return group(say("The car stands elsewhere"), make("p", {}, say("{name}: {place}?", places)),
    button(say("yes"), () => agree(true)), button(say("no"), () => agree(false)));
}

function undo(table) {
  const count = make("input", { type: "number", min: 1, value: 1, id: "undo-count" });
  const preview = make("p", { className: "hint", role: "status" });
  const confirm = button("", () => referee("undo", { undo: Number(count.value) }), "danger");
  confirm.hidden = true;
  const look = async () => {
    const n = Number(count.value);
    const reply = await referee("undo", { undo: n, preview: true }, true);
    if (!reply.ok) return;
    const who = reply.asks.map((ask) => whatIsAsked(table, ask)).join(" ");
    preview.textContent = say("After taking {n} back: {who}", { n, who });
    confirm.textContent = say("Take {n} back", { n });
    confirm.hidden = false;
  };
  count.addEventListener("input", () => { confirm.hidden = true; });
  return group(say("Undo"), make("label", { for: "undo-count" }, say("Answers to take back")), count,
    button(say("Preview"), look), preview, confirm);
}

/** Lever and die disagree: all that came of the roll is taken back, and it is rolled again. */
function replay(table) {
  if (!gameOf(table).rollsDice) return null;
  const seats = gameOf(table).entries(table).filter((one) => !one.isHome).map((one) => one.seat);
  const seat = seatChoice(say("Lever and die disagree"), table, seats);
  seat.value = table.state.turn;
  return group(say("Lever and die disagree"), make("p", { className: "hint" }, say("The lever counts: all that came of the roll is undone, points too.")), seat,
    button(say("Roll again"), () => referee("replay", { seat: Number(seat.value) })));
}

function choiceOf(label, entries) {
  return make("select", { "aria-label": label }, ...entries.map(([value, text]) => make("option", { value }, text)));
}

const seatChoice = (label, table, seats) =>
  choiceOf(label, seats.map((seat) => [seat, `${seat} · ${nameOf(table, seat)}`]));

function withReason() {
  return make("input", { type: "text", maxLength: 200, placeholder: say("Reason"),
    "aria-label": say("Reason") });
}

function comings(table) {
  const entries = gameOf(table).entries(table);
  const seats = (isOut) => entries.filter((one) => one.isOut === isOut && !one.isHome)
    .map((one) => one.seat);
  const reason = withReason();
  const going = seatChoice(say("Retire"), table, seats(false));
  const coming = seatChoice(say("Bring back"), table, seats(true));
  const because = () => (reason.value ? { reason: reason.value } : {});
  const rows = [];
  if (going.length) rows.push(going, button(say("Retire"), () =>
    referee("retire", { seat: Number(going.value), ...because() })));
  if (coming.length) rows.push(coming, button(say("Bring back"), () =>
    referee("return", { seat: Number(coming.value) })));
  return group(`${say("Retire")} · ${say("Bring back")}`, reason, ...rows);
}

/** Flags that fall at this table, and its bell: what a referee with a watch gives. */
function flags(table) {
  const seats = gameOf(table).entries(table).filter((one) => !one.isOut && !one.isHome).map((one) => one.seat);
  const seat = seatChoice(say("Flags"), table, seats);
  const rows = table.flags.map((why) => button(FLAGS[why], () => (why === "bell"
    ? referee("bell", {}) : referee("flag", { seat: Number(seat.value), flag: why }))));
  return group(say("Flags"), seat, ...rows);
}

/** A player more, at the back of the grid; of a game that takes nobody late there is none. */
function comingLate(table) {
  if (table.state.phase !== "race" || !gameOf(table).takesLate) return null;
  const name = make("input", { type: "text", maxLength: 40, id: "late-name" });
  const comeIn = async () => {
    const value = { name: name.value.trim() || null };
    const reply = await postAsReferee("/api/table", { table: "sit", value });
    if (!reply.ok) return toast(refusalOf(reply));
    name.value = "";
    return toast(say("{name} starts at the back, in the next round: seat {seat}.", { seat: reply.seat, name: value.name ?? say("Seat {seat}", { seat: reply.seat }) }));
  };
  const code = make("details", {}, make("summary", {}, say("The code to scan")));
  // A key, and a request: only for whoever looks.
  code.addEventListener("toggle", () => {
    if (code.open && code.children.length === 1) code.append(joinCode());
  });
  return group(say("Somebody comes late"), make("label", { for: "late-name" }, say("Name")), name,
    button(say("Come in"), comeIn), code);
}

function correct(table) {
  const { subjects, figures, part } = gameOf(table).corrections;
  const subject = choiceOf(say("Seat"), subjects(table));
  const figure = choiceOf(say("Figure"), figures(table));
  const value = make("input", { type: "text", size: 6, "aria-label": say("Value") });
  const reason = withReason();
  const send = () => referee("correct", {
    correct: part(subject.value, figure.value, value.value), reason: reason.value,
  });
  return group(say("Correct a figure"), subject, figure, value, reason, button(say("Correct a figure"), send));
}

function flow(table) {
  const note = make("input", { type: "text", maxLength: 500, "aria-label": say("Note") });
  const ask = (yes) => () => {
    ending = yes ? table.id : null;
    redrawNow();
    panel.querySelector(".is-end").focus(); // what is asked comes into sight
  };
  const end = ending === table.id
    ? [make("p", {}, say("End the race? Running cars are classified as they stand.")),
      button(say("End the race now"), () => { ending = null; referee("end", {}); }, "danger"), button(say("Cancel"), ask(false), "is-end")]
    : [button(say("End the race now"), ask(true), "danger is-end")];
  const isPaused = table.paused;
  return group(say("Note"), note,
    button(say("Add the note"), () => referee("note", { note: note.value })),
    button(isPaused ? say("Resume") : say("Pause"), () => referee(isPaused ? "resume" : "pause", {})),
    ...end);
}

function phones(table) {
  const seats = gameOf(table).entries(table).map((one) => one.seat);
  const names = Object.fromEntries(seats.map((seat) => [seat, nameOf(table, seat)]));
  const details = make("details", {}, make("summary", {}, say("A code for each seat")));
  // The codes are fetched when somebody looks: they are keys.
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) {
      details.append(make("p", { className: "hint" }, say("Scan a seat's code with the phone that plays it.")), linkCards(seats, names));
    }
  });
  return details;
}

function machine() {
  return make("details", {}, make("summary", {}, say("The computer")), ...machineParts());
}

/* -- the panel -------------------------------------------------------------- */

function parts(table) {
  const lock = button(say("Lock"), () => { setPin(null); redrawNow(); }, "quiet");
  if (!table.state) return [machine(), lock];
  const isOver = table.state.phase === "finished";
  return [
    table.proposal ? proposal(table) : null,
    isOver ? null : answers(table), undo(table), isOver ? null : replay(table), amendPart(table), isOver ? null : comings(table),
    isOver ? null : comingLate(table), isOver || !table.flags?.length ? null : flags(table),
    correct(table), isOver ? null : flow(table), phones(table), machine(), lock,
  ].filter(Boolean);
}

function redrawNow() {
  drawn = "";
  redraw();
}

let panel = null;
let opener = null;

function toggle() {
  panel.hidden = !panel.hidden;
  opener.setAttribute("aria-expanded", String(!panel.hidden));
  document.body.classList.toggle("with-referee", !panel.hidden);
  if (panel.hidden) {
    opener.focus();
    return;
  }
  redrawNow();
  panel.querySelector("form input, fieldset button")?.focus();
}

function redraw() {
  if (!latest || panel.hidden) return;
  const now = JSON.stringify([Boolean(currentPin()), latest.version, latest.paused, latest.proposal]);
  const isBusy = panel.contains(document.activeElement)
    && document.activeElement.matches("input[type=text], input[type=number]"); // a PIN that has come is typed no more
  if (now === drawn || (isBusy && currentPin())) return;
  drawn = now;
  const open = [...panel.querySelectorAll("details")].map((one) => one.open);
  const buttons = () => [...panel.querySelectorAll("button")].reverse(); // at the end little changes
  const place = buttons().indexOf(document.activeElement);
  const close = button("×", toggle, "quiet");
  close.ariaLabel = say("Close");
  keepFocus(panel, () => panel.replaceChildren(
    make("div", { className: "referee-head" }, make("h2", {}, say("Referee")), close),
    ...(currentPin() ? parts(latest) : [unlockForm()])), "fieldset button");
  [...panel.querySelectorAll("details")].forEach((one, place) => { one.open = open[place]; });
  buttons()[place]?.focus(); // the panel stays where it was read
}

/** Have the button open the panel: from the first moment, also before the table has been heard. */
export function openReferee(section, button) {
  [panel, opener] = [section, button];
  opener.addEventListener("click", toggle);
  panel.addEventListener("keydown", (event) => { if (event.key === "Escape") toggle(); });
}

/** Keep the panel true to the table. */
export function showReferee(table) {
  latest = table;
  redraw();
}
