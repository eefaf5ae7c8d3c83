/** Whoever scanned the code on the television: a name, a color, and the next free seat. */

import { byId, make } from "./js/dom.js";
import { getJson, keyFromLink, post, recall, refusalOf, remember } from "./js/net.js";
import { toast } from "./js/toast.js";
import { named, say } from "./js/words.js";

const COLORS = ["red", "blue", "yellow", "green", "black", "orange", "violet", "cyan", "pink", "brown"];

const key = keyFromLink("key") ?? recall(sessionStorage, "join");
if (key) remember(sessionStorage, "join", key);

/** The address of a seat here, whatever name of the table the link has. */
function go(link) {
  const { pathname, hash } = new URL(link);
  remember(localStorage, "seated", link);
  location.assign(pathname + hash);
}

/** A phone that has a seat already goes back to it. */
function backButton(table) {
  const link = recall(localStorage, "seated");
  const seat = Number(/\/seat\/(\d+)/.exec(link ?? "")?.[1]);
  const entry = (table.lobby?.joined ?? table.seats ?? []).find((one) => one.seat === seat);
  if (!link || !entry) return null;
  const button = make("button", { type: "button", className: "go" }, say("Back to my seat ({name})", { name: entry.name }));
  button.addEventListener("click", () => go(link));
  return button;
}

function paints(taken) {
  return make("fieldset", { className: "paints" },
    make("legend", {}, make("h2", {}, say("Your car"))),
    ...COLORS.map((color) => {
      const swatch = make("i", { "aria-hidden": "true" });
      swatch.style.setProperty("--paint", `var(--paint-${color})`);
      swatch.style.setProperty("--paint-ink", `var(--ink-${color})`);
      const name = named("color", color);
      const isTaken = taken.includes(color);
      const input = make("input", { type: "radio", name: "color", value: color, disabled: isTaken,
        "aria-label": isTaken ? say("{color}: taken", { color: name }) : name });
      return make("label", { className: "paint" }, input, swatch, name);
    }));
}

function known(names, input) {
  if (!names.length) return null;
  return make("div", {}, make("h2", {}, say("Or are you one of these?")),
    make("div", { className: "known" }, ...names.map((name) => {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => { input.value = name; });
      return button;
    })));
}

/** What is asked of whoever comes in. */
function form(table) {
  const { lobby } = table;
  const joined = lobby?.joined ?? [];
  const here = joined.map((one) => one.name);
  const taken = (lobby ? joined : table.seats)
    .map((one) => table.seats.find((each) => each.seat === one.seat)?.color);
  const name = make("input", { type: "text", id: "name", maxLength: 40, autocomplete: "given-name", required: true });
  const element = make("form", {}, lobby ? null : make("p", {}, say("A race is on: you start at the back, in the next round.")),
    make("p", {}, make("label", { for: "name" }, say("Your name")), name),
    known((lobby?.names ?? []).filter((one) => !here.includes(one)), name),
    lobby?.track === null ? null : paints(taken),
    make("button", { className: "go" }, say("Take a seat")));
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const color = new FormData(element).get("color");
    const reply = await post("/api/join", { name: name.value.trim(), ...(color ? { color } : {}) }, key);
    if (reply.ok) go(reply.link);
    else toast(refusalOf(reply));
  });
  return element;
}

const table = await getJson("/api/table");
if (!table) toast(say("The table does not answer."));
else {
  const isRacing = table.state && table.state.phase !== "finished";
  const takesLate = table.state?.phase === "race" && table.race.game !== "downforce";
  const ask = isRacing && !takesLate ? make("p", {}, say("A race is on. Come in when it is over."))
    : key ? form(table) : make("p", {}, say("Scan the code on the television, or type the PIN, to take a seat."));
  byId("join").replaceChildren(...[backButton(table), ask].filter(Boolean));
}
