/** The referee's panel. Nothing in it works without the PIN, which the table judges. */

import { amendPart } from "./amend.js";
import { keepFocus } from "./arrows.js";
import { make } from "./dom.js";
import { gameOf } from "./games.js";
import { joinCode } from "./join-code.js";
import { linkCards } from "./links.js";
import { machineParts } from "./machine.js";
import { controlsFor } from "./options.js";
import { refusalOf } from "./net.js";
import { currentPin, postAsReferee, setPin } from "./pin.js";
import { isThrown, nameOf, placeOf, whatIsAsked } from "./race.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

let latest = null;
let drawn = "";

async function referee(wordOf, body, isQuiet = false) {
  const reply = await postAsReferee(`/api/referee/${wordOf}`, body);
  if (!reply.ok) toast(refusalOf(reply));
  else if (!isQuiet) toast(say("done"));
  redraw();
  return reply;
}

function button(text, onClick, className = "") {
  const element = make("button", { type: "button", className }, text);
  element.addEventListener("click", onClick);
  return element;
}

function group(title, ...children) {
  return make("fieldset", {}, make("legend", {}, title), ...children);
}

/* -- the parts -------------------------------------------------------------- */

function unlockForm() {
  const input = make("input", {
    type: "password", inputMode: "numeric", autocomplete: "off", id: "pin", required: true,
  });
  const form = make("form", {}, make("label", { for: "pin" }, say("pin")), input,
    make("button", {}, say("unlock")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    setPin(input.value.trim());
    // An undo of nothing that is only a preview tells whether the PIN is one.
    const reply = await postAsReferee("/api/referee/undo", { undo: 0, preview: true });
    if (reply.status === 401) toast(say("wrong-pin"));
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
    return isThrown(table, ask) ? [button(say("throw"), () => give(null))] : controlsFor(table, ask, give);
  };
  const rows = table.asks.map((ask) => make("div", { className: `answer-row car-${ask.seat}` },
    make("p", {}, whatIsAsked(table, ask)),
    make("div", { className: "choices" }, ...controls(ask))));
  return group(say("answer-for"), ...(rows.length ? rows : [make("p", {}, say("nobody"))]));
}

/** "It stands elsewhere": the table may overrule the companion, if another agrees. */
function proposal(table) {
  const { seat, space } = table.proposal;
  const places = { name: nameOf(table, seat), place: placeOf(table, space) || space };
  const agree = async (yes) => {
    const reply = await postAsReferee("/api/table", { table: "agree", yes });
    toast(reply.ok ? say("done") : refusalOf(reply));
  };
  return group(say("elsewhere"), make("p", {}, say("elsewhere-at", places)),
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
    preview.textContent = say("preview-of", { n, who });
    confirm.textContent = say("do-undo", { n });
    confirm.hidden = false;
  };
  count.addEventListener("input", () => { confirm.hidden = true; });
  return group(say("undo"), make("label", { for: "undo-count" }, say("undo-how")), count,
    button(say("preview"), look), preview, confirm);
}

/** Lever and die disagree: all that came of the roll is taken back, and it is rolled again. */
function replay(table) {
  if (!gameOf(table).rollsDice) return null;
  const seats = gameOf(table).entries(table).filter((one) => !one.isHome).map((one) => one.seat);
  const seat = seatChoice(say("replay-why"), table, seats);
  seat.value = table.state.turn;
  return group(say("replay-why"), make("p", { className: "hint" }, say("replay-how")), seat,
    button(say("replay-do"), () => referee("replay", { seat: Number(seat.value) })));
}

function choiceOf(label, entries) {
  return make("select", { "aria-label": label }, ...entries.map(([value, text]) => make("option", { value }, text)));
}

const seatChoice = (label, table, seats) =>
  choiceOf(label, seats.map((seat) => [seat, `${seat} · ${nameOf(table, seat)}`]));

function withReason() {
  return make("input", { type: "text", maxLength: 200, placeholder: say("reason"),
    "aria-label": say("reason") });
}

function comings(table) {
  const entries = gameOf(table).entries(table);
  const seats = (isOut) => entries.filter((one) => one.isOut === isOut && !one.isHome)
    .map((one) => one.seat);
  const reason = withReason();
  const going = seatChoice(say("retire"), table, seats(false));
  const coming = seatChoice(say("return"), table, seats(true));
  const because = () => (reason.value ? { reason: reason.value } : {});
  const rows = [];
  if (going.length) rows.push(going, button(say("retire"), () =>
    referee("retire", { seat: Number(going.value), ...because() })));
  if (coming.length) rows.push(coming, button(say("return"), () =>
    referee("return", { seat: Number(coming.value) })));
  return group(`${say("retire")} · ${say("return")}`, reason, ...rows);
}

/** Flags that fall at this table, and its bell: what a referee with a watch gives. */
function flags(table) {
  const seats = gameOf(table).entries(table).filter((one) => !one.isOut && !one.isHome).map((one) => one.seat);
  const seat = seatChoice(say("flags"), table, seats);
  const rows = table.flags.map((why) => button(say(`flag-${why}`), () => (why === "bell"
    ? referee("bell", {}) : referee("flag", { seat: Number(seat.value), flag: why }))));
  return group(say("flags"), seat, ...rows);
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
    return toast(say("come-in-at", { seat: reply.seat, name: value.name ?? say("seat", { seat: reply.seat }) }));
  };
  const code = make("details", {}, make("summary", {}, say("join-code")));
  // A key, and a request: only for whoever looks.
  code.addEventListener("toggle", () => {
    if (code.open && code.children.length === 1) code.append(joinCode());
  });
  return group(say("come-late"), make("label", { for: "late-name" }, say("name-of")), name,
    button(say("come-in"), comeIn), code);
}

function correct(table) {
  const { subjects, figures, part } = gameOf(table).corrections;
  const subject = choiceOf(say("seat-short"), subjects(table));
  const figure = choiceOf(say("figure"), figures(table));
  const value = make("input", { type: "text", size: 6, "aria-label": say("value") });
  const reason = withReason();
  const send = () => referee("correct", {
    correct: part(subject.value, figure.value, value.value), reason: reason.value,
  });
  return group(say("correct"), subject, figure, value, reason, button(say("correct"), send));
}

function flow(table) {
  const note = make("input", { type: "text", maxLength: 500, "aria-label": say("note") });
  const end = button(say("end"), () => {
    end.replaceWith(make("p", {}, say("end-sure")),
      button(say("end"), () => referee("end", {}), "danger"), button(say("cancel"), redrawNow));
  }, "danger");
  const isPaused = table.paused;
  return group(say("note"), note,
    button(say("note-add"), () => referee("note", { note: note.value })),
    button(say(isPaused ? "resume" : "pause"), () => referee(isPaused ? "resume" : "pause", {})),
    end);
}

function phones(table) {
  const seats = gameOf(table).entries(table).map((one) => one.seat);
  const names = Object.fromEntries(seats.map((seat) => [seat, nameOf(table, seat)]));
  const details = make("details", {}, make("summary", {}, say("links")));
  // The codes are fetched when somebody looks: they are keys.
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) {
      details.append(make("p", { className: "hint" }, say("links-how")), linkCards(seats, names));
    }
  });
  return details;
}

function machine() {
  return make("details", {}, make("summary", {}, say("machine")), ...machineParts());
}

/* -- the panel -------------------------------------------------------------- */

function parts(table) {
  const lock = button(say("lock"), () => { setPin(null); redrawNow(); }, "quiet");
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
    && document.activeElement.matches(
      "input[type=text], input[type=password], input[type=number]");
  if (now === drawn || (isBusy && currentPin())) return;
  drawn = now;
  const open = [...panel.querySelectorAll("details")].map((one) => one.open);
  const close = button("×", toggle, "quiet");
  close.ariaLabel = say("close");
  keepFocus(panel, () => panel.replaceChildren(
    make("div", { className: "referee-head" }, make("h2", {}, say("referee")), close),
    ...(currentPin() ? parts(latest) : [unlockForm()])), "fieldset button");
  [...panel.querySelectorAll("details")].forEach((one, place) => { one.open = open[place]; });
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
