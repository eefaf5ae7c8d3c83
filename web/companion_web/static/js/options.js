/** The answers that an ask takes, as buttons or fields, for whoever answers for a seat. */

import { make } from "./dom.js";
import { controls as controlsOfDownforce, told as toldInDownforce } from "./downforce/answers.js";
import { placeOf } from "./race.js";
import { say } from "./words.js";

const costText = (cost) =>
  Object.entries(cost ?? {}).map(([name, n]) => `${say(`wear.${name}`)} −${n}`).join(", ");

function moveText(table, option) {
  if (option === null) return say("no");
  return [
    placeOf(table, option.to) || option.to,
    option.brakes ? say("brakes-n", { n: option.brakes }) : null,
    option.blocked ? say("blocked-n", { n: option.blocked }) : null,
    costText(option.cost),
    option.spin ? say("spins") : null,
    option.out ? say("goes-out") : null,
  ].filter(Boolean).join(" · ");
}

const moveAnswer = (option) => option && { to: option.to, brakes: option.brakes };

function rangeText(range) {
  return range[0] === range[1] ? String(range[0]) : `${range[0]}–${range[1]}`;
}

function gearText(ask, gear) {
  const cost = costText(ask.costs?.[gear]);
  return `${gear}${cost ? ` (${cost})` : ""}${ask.out?.includes(gear) ? ` ${say("goes-out")}` : ""}`;
}

const plainText = (option) =>
  option === true ? say("yes") : option === false || option === null ? say("no")
    : typeof option === "object" ? `${option.spaces} (${(option.by ?? []).join(", ") || say("none")})`
      : say(option === "rain" ? "rain-tires" : String(option));

/** How the options of a kind read, and what answering with one sends. */
const KINDS = {
  gear: { text: (table, ask, option) => gearText(ask, option) },
  move: { text: (table, ask, option) => moveText(table, option), answer: moveAnswer },
  slipstream: { text: (table, ask, option) => moveText(table, option), answer: moveAnswer },
  black: { text: (table, ask, option) => rangeText(option) },
};

/** An answer that was given, in words. */
export function answerText(table, answer) {
  const own = toldInDownforce(table, answer);
  if (own !== undefined) return own;
  const { kind, value } = answer;
  if (kind === "move" || (kind === "slipstream" && value)) return moveText(table, value);
  if (Array.isArray(value)) return rangeText(value);
  if (value && typeof value === "object" && !("spaces" in value)) {
    return Object.entries(value).map(([name, n]) => `${say(`wear.${name}`)} ${n}`).join(", ");
  }
  return plainText(value);
}

/** Fields for an answer that is not one of a list: points by category, or seconds. */
function fields(ask, give) {
  const categories = ask.options?.[0]?.categories ?? ask.categories ?? Object.keys(ask.limits ?? {});
  const inputs = (categories.length ? categories : [""]).map((name) => {
    const input = make("input", { type: "number", min: 0, name, value: "" });
    return [name, input];
  });
  const send = make("button", { type: "button" }, say("answer"));
  send.addEventListener("click", () => {
    if (!categories.length) give(Number(inputs[0][1].value));
    else {
      const filled = inputs.filter(([, input]) => Number(input.value) > 0);
      give(Object.fromEntries(filled.map(([name, input]) => [name, Number(input.value)])));
    }
  });
  return [...inputs.map(([name, input]) =>
    make("label", { className: "field" }, make("span", {}, name ? say(`wear.${name}`) : ""), input)),
  send];
}

const FREE = new Set(["repair", "recover", "build", "time", "order", "report"]);

/** Controls that call `give` with the answer to an ask. */
export function controlsFor(table, ask, give) {
  const own = controlsOfDownforce(table, ask, give);
  if (own) return own;
  if (FREE.has(ask.kind) || !ask.options) return fields(ask, give);
  const { text = (_, __, option) => plainText(option), answer = (option) => option }
    = KINDS[ask.kind] ?? {};
  return ask.options.map((option) => {
    const button = make("button", { type: "button", className: option?.out ? "danger" : "" },
      text(table, ask, option));
    button.addEventListener("click", () => give(answer(option)));
    return button;
  });
}
