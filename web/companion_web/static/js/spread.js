/** Answers that are entered: points spread over categories, or the seconds of a trial. */

import { make } from "./dom.js";
import { named, say } from "./words.js";
import { secondsNow } from "./watch.js";

function numberField(label, traits) {
  const input = make("input", { type: "number", ...traits });
  return [make("label", { className: "field" }, make("span", {}, label), input), input];
}

/** The car as it comes out of the box, where it may be built so; else nothing. */
function usualCar(table, ask) {
  const wear = table.state?.cars?.[ask.seat]?.wear ?? {};
  const { points, limits } = ask.options;
  const names = Object.keys(limits ?? {});
  const sum = names.reduce((total, name) => total + (wear[name] ?? NaN), 0);
  return sum === points ? Object.fromEntries(names.map((name) => [name, wear[name]])) : null;
}

/** Points by category: a field each, how many are left, and for a car to be built the usual one. */
function points(table, ask, give) {
  const { points: most, limits, categories } = ask.options;
  const usual = limits ? usualCar(table, ask) : null;
  const left = make("p", { className: "hint", role: "status" });
  const send = make("button", { type: "button" }, say("Answer"));
  const rows = (categories ?? Object.keys(limits)).map((name) => {
    const [min, max] = limits?.[name] ?? [0, most];
    const value = usual?.[name] ?? min;
    return [name, ...numberField(named("wear", name), { min, max, value })];
  });
  const told = () => rows.map(([name, , input]) => [name, Number(input.value)]);
  const count = () => {
    const rest = most - told().reduce((sum, [, n]) => sum + n, 0);
    left.textContent = say("points left: {n}", { n: rest });
    send.disabled = limits ? rest !== 0 : rest < 0 || rest === most;
  };
  rows.forEach(([, , input]) => input.addEventListener("input", count));
  send.addEventListener("click", () =>
    give(Object.fromEntries(told().filter(([, n]) => limits || n > 0))));
  count();
  return [...rows.map(([, label]) => label), left, send];
}

/** The seconds of a lap; where the table's watch runs it is what it shows. */
function seconds(table, ask, give) {
  const value = table.watch?.seat === ask.seat ? secondsNow() : "";
  const [label, input] = numberField(say("seconds"), { min: 1, step: "any", value });
  const send = make("button", { type: "button" }, say("Answer"));
  send.addEventListener("click", () => give(Number(input.value)));
  return [label, send];
}

/** Fields for an ask whose answer is not one of a list; null for every other. */
export function fieldsFor(table, ask, give) {
  if (ask.kind === "time") return seconds(table, ask, give);
  return ask.options?.points === undefined ? null : points(table, ask, give);
}
