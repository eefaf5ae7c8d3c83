/** The live test of the seats: what it asks for, what every seat has shown, what was found. */

import { byId, make, setChildren, setText } from "./js/dom.js";
import { paintGlass } from "./js/glass.js";
import { post } from "./js/net.js";
import { currentPin, keepPin } from "./js/pin.js";
import { named, say } from "./js/words.js";

const LOOK_MS = 200;
const PATIENCE_MS = 4000;
const SIGNS = { true: "✓", false: "✗", null: "?" };
const COUNTS = {
  i2c: say("I2C errors: {n}"),
  starts: say("starts of the screen: {n}"),
  line: say("damaged on the line: {n}"),
};
const panels = new Map();

function complain(text) {
  setText(byId("trouble"), text);
  byId("trouble").hidden = !text;
}

async function act(what, seat) {
  const reply = await post("/api/live", seat ? { do: what, seat } : { do: what }, currentPin());
  if (reply.status === 401) return forget();
  return complain(reply.ok ? "" : refusalText(reply.error ?? {}));
}

const refusalText = ({ key, message }) =>
  named("live", key) ?? message ?? say("The table does not answer.");

function forget() {
  keepPin(null);
  complain(say("This is not the PIN."));
}

/* -- the seats ---------------------------------------------------------------- */

function panelOf(seat) {
  if (panels.has(seat)) return panels.get(seat);
  const panel = byId("seat").content.firstElementChild.cloneNode(true);
  panel.dataset.seat = seat;
  panel.querySelector("h2").textContent = say("Seat {n}", { n: seat });
  panel.querySelector("canvas").setAttribute("aria-label", say("What the glass of seat {n} should show", { n: seat }));
  for (const button of panel.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => act(button.dataset.do, seat));
  }
  byId("seats").append(panel);
  panels.set(seat, panel);
  return panel;
}

function showKeys(panel, told, asked) {
  for (const key of panel.querySelectorAll("[data-button]")) {
    const button = Number(key.dataset.button);
    key.classList.toggle("lit", told.lit.includes(button));
    key.classList.toggle("down", told.down.includes(button));
    key.classList.toggle("wrong", told.wrong.includes(button));
    key.classList.toggle("asked", asked === button);
    const bounce = told.bounces[button];
    setText(key.querySelector("span"), bounce === undefined ? "–" : say("{n} ms", { n: bounce }));
  }
}

function showSeat(told, { on, asked }) {
  const panel = panelOf(told.seat);
  const isAsked = asked?.seat === told.seat;
  panel.classList.toggle("asked", isAsked);
  paintGlass(panel.querySelector("canvas"), told.glass);
  showKeys(panel, told, isAsked ? asked.button : null);
  for (const button of panel.querySelectorAll("[data-do]")) {
    button.hidden = !told.lamp;
    button.disabled = !on;
  }
  const counts = Object.entries(told.errors).map(([name, n]) => say(COUNTS[name], { n }));
  if (!told.lamp) counts.push(say("has neither lamp nor buzzer"));
  setText(panel.querySelector(".errors"), counts.join(" · "));
  setChildren(panel.querySelector(".troubles"), Object.entries(told.troubles).map(
    ([what, n]) => make("li", {}, say("{what} ({n} times)", { what, n }))));
}

/* -- what is asked, what was found ----------------------------------------------- */

function sentence({ on, asked, found }) {
  if (asked) return say("Look for the glass that shows {seat}, and press button {button} below it now.", asked);
  if (on && found) return say("All were asked. Keys go on lighting up; try lamp and buzzer, then give back.");
  return say("The seats are the table's.");
}

function finding(one) {
  const where = one.seat === null ? "" : `${say("Seat {n}", { n: one.seat })}, `;
  return make("li", { className: one.ok === false ? "wrong" : "" },
    `${SIGNS[one.ok]} ${where}${one.what}: ${one.says}`,
    one.mend ? make("p", { className: "mend" }, one.mend) : null);
}

function show(told) {
  setText(byId("now"), sentence(told));
  byId("now").classList.toggle("asked", Boolean(told.asked));
  const hides = { start: told.on, skip: !told.asked, stop: !told.on };
  for (const button of byId("does").children) button.hidden = hides[button.dataset.do];
  setText(byId("does").querySelector("[data-do=start]"), told.found ? say("Test again") : say("Start the test"));
  for (const seat of told.seats) showSeat(seat, told);
  byId("bounces").hidden = !told.seats.length;
  byId("found").hidden = !told.found;
  setChildren(byId("found").querySelector("ul"), (told.found ?? []).map(finding));
}

/* -- looking ----------------------------------------------------------------------- */

async function read() {
  const headers = { Authorization: `Bearer ${currentPin()}` };
  const reply = await fetch("/api/live", { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  if (reply.status === 401 || reply.status === 403) return forget();
  return show(await reply.json());
}

async function look() {
  byId("unlock").hidden = Boolean(currentPin());
  byId("does").hidden = !currentPin();
  if (currentPin() && !document.hidden) {
    try {
      await read();
      if (byId("trouble").textContent === say("The table does not answer.")) complain("");
    } catch {
      complain(say("The table does not answer."));
    }
  }
  setTimeout(look, LOOK_MS);
}

byId("unlock").addEventListener("submit", (event) => {
  event.preventDefault();
  complain("");
  keepPin(byId("pin").value.trim());
  byId("pin").value = "";
});
for (const button of byId("does").children) {
  button.addEventListener("click", () => act(button.dataset.do));
}
look();
