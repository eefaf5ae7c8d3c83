/** What advice tells: the odds of a seat's gears for whoever asks, and everybody's chance to win. */

import { make, setChildren, setText } from "./dom.js";
import { nameOf } from "./race.js";
import { language, say } from "./words.js";

const READ = 0.09; // a narrower part has no room for its figure

const percent = (chance) => `${Math.round(100 * chance)} %`;

/** One bar, shared out as the cars are likely to win; nothing where nobody knows. */
export function showChances(table, list) {
  const known = Object.entries(table.chances ?? {}).filter(([, chance]) => chance > 0);
  list.hidden = !known.length || table.state?.phase !== "race";
  known.sort(([, one], [, other]) => other - one);
  setChildren(list, known.map(([seat, chance]) => {
    const told = `${nameOf(table, Number(seat))}: ${percent(chance)}`;
    const part = make("li", { className: `badge car-${seat}`, title: told },
      make("span", { className: "unseen" }, told),
      make("span", { "aria-hidden": "true" }, chance < READ ? "" : percent(chance)));
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
