/** Boardless: the report of a move in fields, and the running order of a round. */

import { make } from "./dom.js";
import { nameOf } from "./race.js";
import { say } from "./words.js";

function button(text, onClick, traits = {}) {
  const element = make("button", { type: "button", ...traits }, text);
  element.addEventListener("click", onClick);
  return element;
}

function field(label, traits) {
  const input = make("input", traits);
  return [make("label", { className: "field" }, make("span", {}, label), input), input];
}

/** What a report may say, by its word. */
const WORDS = {
  brakes: say("brakes spent"),
  braked: say("spaces braked"), // in the basic game, which has no points of brakes
  overshoot: say("spaces overshot"),
  missing: say("stops missing"),
  blocked: say("spaces blocked"),
  touched: say("touched"),
  debris: say("debris crossed"),
  corner: say("ended in a corner"),
  next: say("ended in the next corner"),
  line: say("crossed the line"),
  pit: say("came to its box"),
};

const isNumbers = (bounds) => bounds.length === 2 && typeof bounds[0] === "number";

/** What may be said by one word of a report: fields, and what they come to. */
function wordOf(table, ask, name, bounds) {
  if (name === "touched") {
    const likeliestFirst = [...new Set([...(ask.near ?? []), ...bounds])];
    const cars = likeliestFirst.map((seat) => [seat, ...field(nameOf(table, seat), { type: "checkbox" })]);
    const legend = make("legend", {}, WORDS.touched);
    return [cars.length ? make("fieldset", {}, legend, ...cars.map(([, label]) => label)) : null,
      () => cars.filter(([, , input]) => input.checked).map(([seat]) => seat)];
  }
  if (isNumbers(bounds)) {
    const [min, max] = bounds;
    const isBraked = name === "brakes" && table.race?.rules?.includes("basic");
    const [label, input] = field(isBraked ? WORDS.braked : WORDS[name], { type: "number", min, max, value: 0 });
    return [max > 0 ? label : null, () => Number(input.value)];
  }
  const [label, input] = field(WORDS[name], { type: "checkbox" });
  return [bounds.includes(true) ? label : null, () => input.checked];
}

/** What the card makes likely is a press, a clean move too; else the fields, of which those left
    alone say nothing. */
function report(table, ask, give) {
  const words = Object.entries(ask.options)
    .map(([name, bounds]) => [name, ...wordOf(table, ask, name, bounds)]);
  const chosen = () => words.map(([name, , value]) => [name, value()])
    .filter(([, value]) => (Array.isArray(value) ? value.length : value));
  return [
    ...(ask.likely ?? []).map((one) =>
      button(`${say("By the card:")} ${told(table, { kind: "report", value: one })}`, () => give(one))),
    button(say("A clean move"), () => give({})),
    ...words.map(([, element]) => element).filter(Boolean),
    button(say("Answer"), () => {
      const given = Object.fromEntries(chosen());
      give(given.next ? { ...given, corner: true } : given);
    }),
  ];
}

/** The cars in their order; a press moves one a place up. */
function order(table, ask, give) {
  const now = [...ask.options];
  const list = make("ol", { className: "order" });
  const show = () => list.replaceChildren(...now.map((seat, at) => make("li", {},
    nameOf(table, seat), " ", at === 0 ? null : button("▲", () => {
      [now[at - 1], now[at]] = [now[at], now[at - 1]];
      show();
    }, { "aria-label": say("{name} one place up", { name: nameOf(table, seat) }) }))));
  show();
  return [list, button(say("Answer"), () => give(now))];
}

/** Controls for the asks of a boardless race; null for every other. */
export function controls(table, ask, give) {
  if (ask.kind === "report") return report(table, ask, give);
  return ask.kind === "order" ? order(table, ask, give) : null;
}

const part = (table, name, value) => {
  if (value === true) return WORDS[name];
  const told = Array.isArray(value) ? value.map((seat) => nameOf(table, seat)).join(", ") : value;
  return `${WORDS[name]}: ${told}`;
};

/** A report or an order that was given, in words; undefined for any other answer. */
export function told(table, { kind, value }) {
  if (kind === "order") return value.map((seat) => nameOf(table, seat)).join(", ");
  if (kind !== "report") return undefined;
  const parts = Object.entries(value).filter(([, one]) => (Array.isArray(one) ? one.length : one))
    .map(([name, one]) => part(table, name, one));
  return parts.join(", ") || say("A clean move");
}
