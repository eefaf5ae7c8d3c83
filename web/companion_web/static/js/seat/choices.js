/**
 * What may be answered, laid out by what kind of choice it is: gears as a scale, a die's faces in their
 * order, two or three answers as halves, cars as cars, the rest as a list. Six keys show the same.
 */

import { carPicture } from "../car.js";
import { byId, make } from "../dom.js";
import { dieClass } from "../throw.js";
import { say } from "../words.js";
import { formOf } from "./forms.js";
import { die } from "./shapes.js";

const GEARS = [1, 2, 3, 4, 5, 6];
const HALVES = 3; // so many answers stand side by side
const SHORT = 5; // a figure, which fits on a die
const BRIEF = 12; // a price that fits under one

const worded = (text, className) => (text ? make("span", { className }, text) : null);

/** A button that gives a choice; what it answers stands in it for whoever drives the page. */
function button(choice, act, traits, ...children) {
  const element = make("button", {
    type: "button",
    disabled: !choice.enabled,
    "data-mark": choice.mark ?? "",
    "data-sign": choice.sign ?? "",
    "data-answer": choice.answer ? JSON.stringify(choice.answer) : null,
    "data-button": choice.button,
    ...traits,
  }, ...children);
  element.addEventListener("click", () => act(choice, element));
  return element;
}

const price = (choice, text = choice.hint) => worded(text, choice.mark ? `price is-${choice.mark}` : "hint");
const named = (choice, text = choice.hint) => [choice.label, text].filter(Boolean).join(", ");

/* -- a scale of gears ------------------------------------------------------- */

/** What a die can do as a bar, and the corner ahead as a band across all of them. */
function reach({ low, high }, corner, most) {
  const share = (n) => `${(100 * n) / most}%`;
  const strip = make("span", { className: "reach", "aria-hidden": "true" });
  const put = (className, from, to, text = "") => {
    const part = make("i", { className }, text);
    part.style.left = share(from);
    part.style.width = share(to - from);
    strip.append(part);
  };
  if (corner) put("band", corner.away, corner.away + corner.longest);
  put("bar", low - 1, high);
  return strip;
}

function scale({ choices, asked, around }, act) {
  const of = new Map(choices.filter((one) => one.die).map((one) => [one.die, one]));
  const corner = around?.corner?.longest ? around.corner : null;
  const most = Math.max(...[...of.values()].map(({ high }) => high), corner ? corner.away + corner.longest : 0) + 1;
  const isEarly = asked !== "gear";
  const rows = GEARS.map((gear) => {
    const one = of.get(gear);
    if (!one) return make("span", { className: "none", "aria-hidden": "true" }, die(gear));
    const label = named({ label: say("Gear {gear}", { gear }) }, one.hint);
    return isEarly
      ? button(one, act, { "aria-label": label, "aria-pressed": one.hint ? "true" : null }, die(gear))
      : button(one, act, { "aria-label": label }, die(gear), make("b", {}, `${one.low}–${one.high}`),
        reach(one, corner, most), make("span", { className: "chance" }, one.holds ? `${one.holds} %` : ""), price(one, one.price));
  });
  const head = isEarly ? say("Your next gear, early") : choices.some((one) => one.holds) && say("chance to hold the corner");
  return [head && make("p", { className: isEarly ? "early" : "early is-of-chance" }, head),
    make("div", { className: isEarly ? "gears" : "scale" }, ...rows)];
}

/* -- the faces of a die, halves, cars, a list ------------------------------- */

function faces({ choices, map }, act, byRoad) {
  const cheapest = new Map();
  for (const end of map?.ends ?? []) if (!cheapest.has(end.roll)) cheapest.set(end.roll, end);
  const wide = choices.length > 6 || choices.length === 5 ? 5 : choices.length === 4 || choices.length === 2 ? 2 : 3;
  return [make("div", { className: `faces of-${wide}` }, ...choices.map((one) => {
    const end = cheapest.get(Number(one.label));
    const isNarrow = wide > 3 || end?.says.length > BRIEF;
    const text = end ? (isNarrow ? end.short || "✓" : end.says) : one.hint;
    const mark = end ? end.mark : one.mark;
    return button({ ...one, mark }, act, { "aria-label": named(one, end?.says) },
      one.label.length <= SHORT && one.die !== undefined ? die(one.die, one.label) : make("b", {}, one.label),
      price({ mark }, text));
  })), byRoad ? make("button", { type: "button", className: "quiet", onclick: byRoad }, make("b", {}, say("I touch the space instead"))) : null];
}

function halves({ choices }, act) {
  return [make("div", { className: "halves" }, ...choices.map((one) =>
    button(one, act, {},
      one.die !== undefined && one.label.length <= SHORT
        ? make("span", { className: "figure" }, die(one.die, one.label), worded(one.label, "unseen"))
        : make("b", {}, one.label),
      price(one))))];
}

const isNumber = ({ label, hint, sign }) => sign === "more" || sign === "back" || (/^[\d–+−\- ]{1,5}$/.test(label) && !hint);

function list({ choices }, act, kind = "list") {
  const many = choices.length > 7 ? " is-long" : "";
  const className = choices.length > HALVES && choices.every(isNumber) ? "numbers" : kind;
  return [make("div", { className: className + many }, ...choices.map((one) =>
    button(one, act, { className: one.big ? "go is-big" : null },
      one.paint ? carPicture(one.car ?? "", one.paint) : null,
      make("b", {}, one.car ? make("bdi", {}, one.label) : one.label), price(one))))];
}

const LONG = { 2: 11, 3: 8 }; // a word of so many letters fits in a half, in a third
const SENTENCE = 40; // a hint so long is read in lines of its own width
const longest = ({ label }) => Math.max(...label.split(/[\s-]/).map((word) => word.length));
const isShort = (one, among) => !one.sign && longest(one) <= LONG[among] && !(one.hint?.length > SENTENCE);
const isHalves = ({ choices }) => choices.length > 1 && choices.length <= HALVES && choices.every((one) => isShort(one, choices.length));

/** A page that only tells: one key on to the next, or one that throws a die. */
function onward({ keys, throws }, act) {
  const [key] = keys;
  if (!key.label || !key.enabled) return [];
  const className = throws ? `go throw ${dieClass(throws.gear)}` : "go";
  return [make("div", { className: "list" }, button({ ...key, sign: "" }, act, { className }, make("b", {}, key.label)))];
}

/** Where the road has the ends only what is no end: no slipstream, say. */
const besides = ({ choices, map, ...view }, act) => {
  const isOnRoad = (one) => map?.ends.length && ((one.sign === "more" && view.asked) || Object.values(one.answer ?? {}).some((value) => value?.to));
  const rest = choices.filter((one) => !isOnRoad(one));
  return rest.length ? list({ ...view, choices: rest }, act) : [];
};

const KINDS = { scale, faces, list: (view, act) => (isHalves(view) ? halves : list)(view, act), "yes-no": halves, cars: (view, act) => list(view, act, view.choices.some((one) => one.car) ? "list" : "list paints"), lanes: besides, tell: onward };

function laid(view, act, byRoad) {
  if (view.cards?.hand) return []; // its form stands in the place of the keys
  if (view.form) return formOf(view, act, button);
  if (view.kind === "faces" && view.map?.ends.length && !byRoad) return [];
  return (KINDS[view.kind] ?? KINDS.list)(view, act, byRoad);
}

let shown = "";

/** Show what may be answered; `act(choice)` gives it. `byRoad` leads back to the road from a die that comes first. */
export function showChoices(view, act, byRoad) {
  const section = byId("choices");
  const { kind, choices, keys, form, asked, around, map, throws, cards } = view;
  const now = JSON.stringify([kind, choices, keys, form, Boolean(cards?.hand), asked, around?.corner, throws, Boolean(byRoad), map?.ends.length]);
  if (now === shown) return;
  shown = now;
  section.replaceChildren(...laid(view, act, byRoad).filter(Boolean));
  section.hidden = !section.childElementCount;
}
