/** Whoever scanned the code on the television: a name, a color, and the next free seat. */

import { byId, make } from "./js/dom.js";
import { getJson, keyFromLink, post, recall, refusalOf, remember } from "./js/net.js";
import { toast } from "./js/toast.js";
import { language, named, say } from "./js/words.js";

const COLORS = ["red", "blue", "yellow", "green", "black", "orange", "violet", "cyan", "pink", "brown"];

const LOOK_MS = 1500;

let key = keyFromLink("key", "sessionStorage", "join");

/** The address of a seat here, whatever name of the table the link has. */
function go(link) {
  const { pathname, hash } = new URL(link);
  remember("localStorage", "seated", link);
  location.assign(pathname + hash);
}

/** A phone that has a seat already goes back to it. */
function backButton(table) {
  const link = recall("localStorage", "seated");
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
    if (reply.ok) return go(reply.link);
    toast(refusalOf(reply));
    if (reply.status !== 401) return;
    remember("sessionStorage", "join", key = null); // other people have come since, or another start
    show();
  });
  return element;
}

/** A phone that has lost what opened its seat comes back by the host's word. */
function lost({ lobby, race }) {
  const seats = (lobby?.joined ?? race?.seats ?? []).filter((one) => one.name && !one.bot);
  if (!key || !seats.length) return null;
  return make("details", {}, make("summary", {}, say("This phone had a seat and has lost it")),
    make("div", { className: "known" }, ...seats.map((one) => {
      const button = make("button", { type: "button" }, one.name);
      button.addEventListener("click", () => askBack(one));
      return button;
    })));
}

async function askBack({ seat, name }) {
  const { ticket, number, host, ...reply } = await post("/api/join/back", { seat }, key);
  if (!ticket) return toast(refusalOf(reply));
  byId("join").replaceChildren(
    make("h2", {}, host ? say("Ask the host to let {name}'s phone back in", { name })
      : say("Another phone of {name}'s, or the referee's page, lets this one back in", { name })),
    make("p", { className: "number" }, String(number)),
    make("p", { role: "status" }, say("It asks whether the phone that shows this number is {name}'s.", { name })), wayBack());
  for (;;) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    const told = await post("/api/join/back", { ticket }, key);
    if (told.link) return go(told.link);
    if (told.status && !told.ok) return toast(refusalOf(told)), show();
  }
}

/** Whoever has typed the address has the letters from the television; a wrong key asks for them again. */
function letters() {
  const typed = make("input", { type: "text", id: "letters", maxLength: 4, minLength: 4, required: true, autocapitalize: "characters",
    autocomplete: "off", spellcheck: false, enterKeyHint: "go", pattern: "[A-Za-z]{4}", "aria-describedby": "letters-how" });
  const element = make("form", { className: "by-letters" },
    make("p", {}, make("label", { for: "letters" }, say("The four letters")), typed),
    make("p", { id: "letters-how" }, say("The television shows them, and so does the page of whoever opened the table.")),
    make("button", { className: "go" }, say("Continue")));
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = typed.value.trim().toUpperCase();
    const headers = { Authorization: `Bearer ${given}`, "X-Language": language };
    // What the letters open is a seat and not this: a key that is known is forbidden, and no wrong one.
    const reply = await fetch("/api/join", { headers }).catch(() => null);
    if (reply?.status !== 403) return toast(refusalOf((await reply?.json().catch(() => null)) ?? {}));
    remember("sessionStorage", "join", key = given);
    byId("toast").hidden = true; // it may speak of letters that were wrong
    await show();
    byId("name")?.focus();
  });
  return element;
}

/** Ask for what is missing: a table that takes people, then the letters, then a name. */
async function show() {
  const table = await getJson("/api/table");
  if (!table) return toast(say("The table does not answer."));
  const isDemo = table.race?.seats?.every((one) => one.bot); // it makes room for people
  const isRacing = table.state && table.state.phase !== "finished" && !isDemo;
  const takesLate = table.state?.phase === "race" && table.race.game !== "downforce";
  const ask = isRacing && !takesLate ? make("p", {}, say("A race is on. Come in when it is over."))
    : key ? form({ ...table, lobby: isDemo ? {} : table.lobby }) : letters();
  byId("join").replaceChildren(...[backButton(table), ask, lost(table), wayBack()].filter(Boolean));
}

const wayBack = () => make("p", {}, make("a", { href: "/" }, say("Only watch")));

await show();
byId("name")?.focus(); // a touch less for everybody
