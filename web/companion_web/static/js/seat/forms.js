/** Answers of several parts on one page: points on sliders with their sum, a report, a number. */

import { carPicture } from "../car.js";
import { make } from "../dom.js";
import { enterLot } from "../downforce/lot.js";
import { say } from "../words.js";
import { die } from "./shapes.js";

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

const FACES = 6; // so many dice stand side by side; of more there are two rows
const NEAR = 3; // so many of the cars most likely touched stand on the first page

/** How a move may have ended: a head each, and by face what it says. Of a face there is what the card makes of
    it: the overshoot, and whether a stop can be in the corner that the car came from, and in the next one. */
function endingsOf(faces) {
  const isOpen = faces.some(({ stays, leaves }) => stays && leaves);
  return [
    [say("On a straight"), faces.map(({ face, over }) => [face, over])],
    [isOpen ? say("Still in the corner") : say("Stopped in a corner"),
      faces.filter(({ stays, leaves }) => !isOpen || stays || !leaves).map(({ face }) => [face, { corner: true }])],
    [say("In the next corner"),
      faces.filter(({ leaves }) => isOpen && leaves).map(({ face, stays }) => [face, { corner: true, next: stays }])],
  ].filter(([, ways]) => ways.length);
}

/** Without a board: what happened on the way, as switches; then how the move ended, which sends it, with the
    face of the die where that is not told yet. */
function report({ of, gear, faces, spaces, bounds, start, cars }, act, makeButton) {
  const { corner, next, ...now } = { touched: [], ...start };
  const renewals = [];
  const show = () => renewals.forEach((renew) => renew());
  /** What the card makes of the faces: what was braked, or blocked, brings the car less far. */
  const figures = () => faces.map(([face, n, stays]) => {
    const [over, leaves] = spaces[Math.max(0, n - (now.brakes ?? 0) - (now.blocked ?? 0))] ?? [{}];
    return { face, over, stays, leaves };
  });
  const said = (ending) => {
    const all = { ...ending, ...now };
    if (all.overshoot === 0 && !now.missing) delete all.missing;
    if (all.overshoot) all.missing ||= 1;
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value?.length ?? value));
  };
  const chip = (label, value, change, ...before) => {
    const word = make("bdi", {});
    const button = make("button", { type: "button" }, ...before, make("b", {}, word));
    button.addEventListener("click", () => { change(); show(); });
    renewals.push(() => {
      const is = value();
      button.ariaPressed = String(Boolean(is));
      word.textContent = is === true ? `${label} ✓` : is ? `${label} ${is}` : label;
    });
    return button;
  };
  const toggle = (name, label, on = true) => chip(label, () => now[name] === on, () => { now[name] = now[name] === on ? undefined : on; });
  /** A chip that counts up, and down again by its other half once something is counted. */
  const count = (name, label) => {
    const by = (n) => { now[name] = Math.min(bounds[name][1], (now[name] ?? 0) + n) || undefined; };
    const less = make("button", { type: "button" }, "−");
    const part = make("div", { className: "count", role: "group", "aria-label": label }, chip(label, () => now[name], () => by(1)), less);
    less.addEventListener("click", () => { by(-1); show(); });
    renewals.push(() => part.classList.toggle("on", now[name] > 0));
    return part;
  };
  const car = ([seat, name, paint]) => chip(name, () => now.touched.includes(seat), () => {
    const rest = now.touched.filter((one) => one !== seat);
    now.touched = rest.length < now.touched.length ? rest : [...rest, seat];
  }, carPicture(seat, paint));
  const may = (name, make, ...about) => (bounds[name].at(-1) ? [make(name, ...about)] : []);
  // Two pages of switches, so that the endings stay in sight: what is seldom said is behind the other's last one.
  const page = (facts, some, word, isOn) => make("div", { className: "page" },
    make("div", { className: "switches" }, ...facts),
    make("p", { className: "head", hidden: !some.length }, say("Touched")),
    make("div", { className: "switches cars" }, ...some.map(car), chip(word, isOn, () => { front.hidden = !front.hidden; behind.hidden = !behind.hidden; })));
  const behind = page([
    ...may("blocked", count, say("Spaces blocked")), ...may("debris", count, say("Debris crossed")), ...may("pit", toggle, say("Into the box")),
    ...may("missing", toggle, say("Two stops missed"), 2),
  ], cars.slice(NEAR), say("Back"), () => false);
  const front = page([
    ...may("line", toggle, say("Over the line")), ...may("overshoot", count, say("Spaces too far")), ...may("brakes", count, say("Spaces braked")),
    ...(spaces.some(([over]) => over.missing) ? [toggle("overshoot", say("Not too far"), 0)] : []),
  ], cars.slice(0, NEAR), say("More"), () => behind.querySelector("[aria-pressed=true]") !== null);
  behind.hidden = true;
  const way = ([face, ending], head) => {
    const answer = face ? [{ roll: face }, { [of]: said(ending) }] : { [of]: said(ending) };
    const all = said(ending.missing ? ending : {});
    const [mark, hint = ""] = all.missing > 1 ? ["out", say("OUT")] : all.overshoot ? ["costly", `+${all.overshoot}`] : [""];
    const button = makeButton({ enabled: true, answer: {} }, () => act({ answer, mark: mark || null, hint, label: head }),
      { "aria-label": [face, head, hint].filter(Boolean).join(", ") }, face ? die(gear, face) : make("b", {}, head),
      make("span", { className: `price is-${mark}`, hidden: !hint }, hint));
    Object.assign(button.dataset, { answer: JSON.stringify(answer), mark });
    return button;
  };
  const wide = faces.length > FACES ? faces.length / 2 : faces.length;
  const ends = make("div", { className: "form" });
  renewals.push(() => ends.replaceChildren(...endingsOf(figures()).flatMap(([head, ways]) => [
    make("p", { className: "head", hidden: !faces[0][0] }, head),
    make("div", { className: faces[0][0] ? `faces of-${wide}` : "ending" }, ...ways.map((one) => way(one, head)))])));
  show();
  return [make("div", { className: "form report" }, front, behind, ends)];
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
  return ({ lot, bid, report }[form.of] ?? { sum, amount }[kind])(form, act, makeButton);
}
