/** The answers that an ask takes, as buttons or fields, for whoever answers for a seat. */

import { make } from "./dom.js";
import { controls as controlsOfDownforce, told as toldInDownforce } from "./downforce/answers.js";
import { placeOf } from "./race.js";
import { controls as controlsOfReport, told as toldInReport } from "./report.js";
import { fieldsFor } from "./spread.js";
import { TIRES, WEATHER } from "./terms.js";
import { named, say } from "./words.js";

const STOPS = {
  tires: say("new tires, and the black die"), technical: say("a repair, out at the next turn"),
};
/** What makes a length longer. */
const BY = {
  soft: say("soft tires"),
  nitro: say("nitro"),
  drift: say("drift"),
  engine: say("engine"),
  top: say("Top"),
  wing: say("wing"),
};

const costText = (cost) =>
  Object.entries(cost ?? {}).map(([name, n]) => `${named("wear", name)} −${n}`).join(", ");

function moveText(table, option) {
  if (option === null) return say("no");
  return [
    placeOf(table, option.to) || option.to,
    option.brakes ? say("braked {n}", { n: option.brakes }) : null,
    option.blocked ? say("blocked {n}", { n: option.blocked }) : null,
    costText(option.cost),
    option.spin ? say("spins") : null,
    option.out ? say("out") : null,
  ].filter(Boolean).join(" · ");
}

const moveAnswer = (option) => option && { to: option.to, brakes: option.brakes };

function rangeText(range) {
  return range[0] === range[1] ? String(range[0]) : `${range[0]}–${range[1]}`;
}

function gearText(ask, gear) {
  const cost = costText(ask.costs?.[gear]);
  return `${gear}${cost ? ` (${cost})` : ""}${ask.out?.includes(gear) ? ` ${say("out")}` : ""}`;
}

const plainText = (option) =>
  option === true ? say("yes") : option === false || option === null ? say("no")
    : typeof option === "object" ? lengthText(option)
      : TIRES[option] ?? String(option);

/** A length: so many spaces, and what makes it longer. */
function lengthText({ spaces, by }) {
  return by?.length ? `${spaces} (${by.map((one) => BY[one]).join(", ")})` : String(spaces);
}

/** A line of the board's weather table, with the weather that it makes. */
function blackText(table, ask, range) {
  const row = ask.for === "weather" && Object.entries(table.weather_table ?? {})
    .find(([, [low, high]]) => low === range[0] && high === range[1]);
  return row ? `${rangeText(range)} ${WEATHER[row[0]]}` : rangeText(range);
}

/** How the options of a kind read, and what answering with one sends. */
const KINDS = {
  gear: { text: (table, ask, option) => gearText(ask, option) },
  move: { text: (table, ask, option) => moveText(table, option), answer: moveAnswer },
  slipstream: { text: (table, ask, option) => moveText(table, option), answer: moveAnswer },
  black: { text: blackText },
  pit: { text: (table, ask, option) => STOPS[option] },
};

/** An answer that was given, in words. */
export function answerText(table, answer) {
  const own = toldInDownforce(table, answer) ?? toldInReport(table, answer);
  if (own !== undefined) return own;
  const { kind, value } = answer;
  if (kind === "move" || (kind === "slipstream" && value)) return moveText(table, value);
  if (Array.isArray(value)) return rangeText(value);
  if (value && typeof value === "object" && !("spaces" in value)) {
    return Object.entries(value).map(([name, n]) => `${named("wear", name)} ${n}`).join(", ");
  }
  return plainText(value);
}

/** Controls that call `give` with the answer to an ask. */
export function controlsFor(table, ask, give) {
  const own = controlsOfDownforce(table, ask, give) ?? controlsOfReport(table, ask, give);
  if (own) return own;
  const entered = fieldsFor(table, ask, give);
  if (entered) return entered;
  const { text = (_, __, option) => plainText(option), answer = (option) => option }
    = KINDS[ask.kind] ?? {};
  return ask.options.map((option) => {
    const button = make("button", { type: "button", className: option?.out ? "danger" : "" },
      text(table, ask, option));
    button.addEventListener("click", () => give(answer(option)));
    return button;
  });
}
