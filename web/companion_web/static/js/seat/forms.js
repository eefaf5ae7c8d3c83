/** Answers of several parts on one page: points on sliders with their sum, a report, a number. */

import { carPicture } from "../car.js";
import { make } from "../dom.js";
import { enterLot } from "../downforce/lot.js";
import { say } from "../words.js";

/** What sends a form; `answerNow()` is the answer as it stands, null while it is none. */
function sender(act, makeButton, answerNow, label = say("Done")) {
  const send = makeButton({ enabled: true, answer: {} }, () => act({ answer: answerNow() }), { className: "go" }, make("b", {}, label));
  const show = () => {
    const answer = answerNow();
    send.disabled = !answer;
    send.dataset.answer = JSON.stringify(answer);
  };
  return { send, show };
}

/** A number with a step down and up; `onChange` hears of it. */
function stepper(name, { low, high, value, steps = [1] }, onChange) {
  let now = value;
  const shown = make("output", {}, String(now));
  const step = (by) => {
    const button = make("button", { type: "button", "aria-label": `${name} ${by > 0 ? "+" : "−"}${Math.abs(by)}` }, `${by > 0 ? "+" : "−"}${Math.abs(by) === 1 ? "" : Math.abs(by)}`);
    button.addEventListener("click", () => {
      now = Math.min(high, Math.max(low, now + by));
      shown.textContent = String(now);
      onChange(now);
    });
    return button;
  };
  const down = [...steps].reverse().map((by) => step(-by));
  return make("div", { className: "stepper", role: "group", "aria-label": name }, make("span", { className: "name" }, name), ...down, shown, ...steps.map(step));
}

/** Points by category, and what is left of their sum. */
function sum({ of, rows, least, most }, act, makeButton) {
  const now = Object.fromEntries(rows.map(({ name, start }) => [name, start]));
  const total = () => Object.values(now).reduce((all, n) => all + n, 0);
  const isExact = least > 1;
  const answerNow = () => {
    if (total() < least || total() > most) return null;
    const given = isExact ? Object.entries(now) : Object.entries(now).filter(([, n]) => n);
    return { [of]: Object.fromEntries(given) };
  };
  const says = make("p", { className: "sum", role: "status" });
  const { send, show } = sender(act, makeButton, answerNow);
  const tell = () => {
    const left = (total() > most ? most : least > 1 ? least : most) - total();
    says.textContent = left < 0 ? say("{n} too many", { n: -left }) : total() > least && isExact ? say("{n} points", { n: total() })
      : left ? say("{n} left", { n: left }) : say("all {n} points", { n: total() });
    says.classList.toggle("is-wrong", !answerNow());
    show();
  };
  const sliders = rows.map(({ name, word, low, high, start, now: has }) => {
    const shown = make("output", {}, String(has + start));
    const input = make("input", { type: "range", min: low, max: high, value: start, step: 1, "aria-label": word, disabled: low === high });
    input.addEventListener("input", () => {
      now[name] = Number(input.value);
      shown.textContent = String(has + now[name]);
      tell();
    });
    return make("label", { className: "slider" }, make("span", { className: "name" }, word), input, shown);
  });
  tell();
  return [make("div", { className: "form" }, ...sliders, make("div", { className: "total" }, says, send))];
}

/** Without a board: how a move ended, and what happened on the way. */
function report({ of, bounds, start, cars }, act, makeButton) {
  const now = { ...start };
  const touched = new Set(start.touched ?? []);
  const answerNow = () => {
    const said = { ...now, touched: [...touched] };
    if (said.overshoot && !said.missing) said.missing = 1;
    if (!said.overshoot && said.missing === 1) said.missing = 0;
    return { [of]: Object.fromEntries(Object.entries(said).filter(([, value]) => (Array.isArray(value) ? value.length : value))) };
  };
  const { send, show } = sender(act, makeButton, answerNow);
  const set = (name, value) => { now[name] = value; show(); };
  const counts = { brakes: say("Spaces braked"), overshoot: say("Spaces too far"), blocked: say("Spaces blocked"), debris: say("Debris crossed") };
  const words = { corner: say("Stopped in a corner"), line: say("Over the line"), next: say("In the next corner"), pit: say("Into the box") };
  const toggle = (isOn, label, change, ...more) => {
    const button = make("button", { type: "button", className: "switch", "aria-pressed": String(isOn) }, ...more, make("b", {}, make("bdi", {}, label)));
    button.addEventListener("click", () => {
      const is = button.ariaPressed !== "true";
      button.ariaPressed = String(is);
      change(is);
    });
    return button;
  };
  const switches = [
    ...Object.entries(words).filter(([name]) => bounds[name]?.includes(true))
      .map(([name, word]) => toggle(Boolean(now[name]), word, (is) => set(name, is))),
    bounds.missing?.[1] > 1 ? toggle(now.missing > 1, say("Out of the race"), (is) => set("missing", is ? 2 : 0)) : null,
    ...cars.map(({ car, name, paint }) => toggle(touched.has(car), name, (is) => { touched[is ? "add" : "delete"](car); show(); }, carPicture(car, paint))),
  ];
  show();
  return [make("div", { className: "form report" },
    make("div", { className: "switches facts" }, ...switches.slice(0, switches.length - cars.length)),
    make("div", { className: "counts" }, ...Object.entries(counts).filter(([name]) => bounds[name]?.[1])
      .map(([name, word]) => stepper(word, { low: 0, high: bounds[name][1], value: now[name] ?? 0 }, (n) => set(name, n)))),
    make("div", { className: "switches cars" }, cars.length ? make("span", { className: "head" }, say("Touched")) : null,
      ...switches.slice(switches.length - cars.length)),
    send)];
}

/** A number, in small and large steps. */
function amount({ of, start, least, unit }, act, makeButton) {
  let now = Math.max(least, start);
  const { send, show } = sender(act, makeButton, () => ({ [of]: now }));
  show();
  return [make("div", { className: "form" },
    stepper(unit.trim() === "s" ? say("Seconds") : say("How much"), { low: least, high: 9999, value: now, steps: [1, 10] }, (n) => { now = n; show(); }), send)];
}

/** A lot of Downforce: whoever has won it touches it. */
function lot({ of, ...asked }, act) {
  const names = new Map(asked.seats);
  return enterLot({ ...asked, seats: [...names.keys()] }, (seat) => names.get(seat), (value) => act({ answer: { [of]: value }, of: 0 }), true);
}

/** A secret bid: an amount, then what its card shows, where that may decide. */
function bid({ of, amounts, sent, cards }, act, makeButton) {
  const place = make("div", { className: "form" });
  const numbers = (all, name, then) => make("div", { className: "numbers" }, ...all.map((n) => makeButton({ enabled: true }, () => then(n), { "aria-label": name(n) }, make("b", {}, String(n)))));
  const give = (amount, shows, wild) => act({ answer: { [of]: { amount, cars: shows, wild } } });
  const card = (amount) => {
    const wild = make("button", { type: "button", "aria-pressed": "false" }, make("b", {}, say("with a wild")));
    wild.addEventListener("click", () => { wild.ariaPressed = String(wild.ariaPressed !== "true"); });
    const back = make("button", { type: "button", className: "quiet" }, `↩ ${say("another amount")}`);
    back.addEventListener("click", start);
    place.replaceChildren(make("p", { className: "df-at", role: "status" }, say("{n} M$. How many cars are on the card?", { n: amount })),
      make("div", { className: "switches" }, wild),
      numbers(cards, (n) => say("{n} cars", { n }), (n) => give(amount, n, wild.ariaPressed === "true")), back);
  };
  const start = () => place.replaceChildren(numbers(amounts, (n) => `${n} M$`, (n) => (sent.includes(n) ? give(n, 1, false) : card(n))));
  start();
  return [place];
}

/** The form of a view. */
export function formOf({ form, kind }, act, makeButton) {
  return ({ lot, bid }[form.of] ?? { sum, form: report, amount }[kind])(form, act, makeButton);
}
