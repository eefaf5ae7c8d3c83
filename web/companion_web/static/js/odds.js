/** What advice tells: the odds of a seat's gears for whoever asks, and everybody's chance to win. */

import { make, setChildren, setText } from "./dom.js";
import { nameOf } from "./race.js";
import { language, say } from "./words.js";

const READ = 0.09; // a narrower part has no room for its figure

/** Chances as whole percents that come to as much as they do: what rounding leaves goes to the largest rests. */
export function percents(chances) {
  const whole = chances.map((one) => Math.floor(100 * one));
  const sum = (all) => all.reduce((one, other) => one + other, 0);
  const left = Math.round(100 * sum(chances)) - sum(whole);
  const byRest = chances.map((one, at) => [100 * one - whole[at], at]).sort(([one], [other]) => other - one);
  for (const [, at] of byRest.slice(0, left)) whole[at] += 1;
  return whole;
}

/** One bar, shared out as the cars are likely to win; nothing where nobody knows. */
export function showChances(table, list) {
  const known = Object.entries(table.chances ?? {}).filter(([, chance]) => chance > 0);
  list.hidden = !known.length || table.state?.phase !== "race";
  known.sort(([, one], [, other]) => other - one);
  const shares = percents(known.map(([, chance]) => chance));
  setChildren(list, known.map(([seat, chance], at) => {
    const percent = `${shares[at]} %`;
    const told = `${nameOf(table, Number(seat))}: ${percent}`;
    const part = make("li", { className: `badge car-${seat}`, title: told },
      make("span", { className: "unseen" }, told),
      make("span", { "aria-hidden": "true" }, chance < READ ? "" : percent));
    part.style.flexGrow = chance;
    return part;
  }));
}

/** How far the board of the race is solved: until then bots drive without it. */
export function showSolving(table, element) {
  element.hidden = typeof table.solving !== "number";
  if (element.hidden) return;
  const [told, bar] = element.children;
  setText(told, say("The board is being solved: until then bots drive without it."));
  bar.value = table.solving;
}

export async function tellOdds(seat, element) {
  const told = await fetch(`/api/seat/${seat}/odds`).then((response) => response.json());
  const lines = told[language]?.length ? told[language] : [say("There are no odds for this board.")];
  element.replaceChildren(...lines.map((line) => make("li", {}, line)));
  element.hidden = false;
}
