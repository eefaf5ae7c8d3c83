/** The odds of a seat's gears, for whoever asks; gone with the next press at the table. */

import { make } from "./dom.js";
import { language, say } from "./words.js";

export async function tellOdds(seat, element) {
  const told = await fetch(`/api/seat/${seat}/odds`).then((response) => response.json());
  const lines = told[language]?.length ? told[language] : [say("There are no odds for this board.")];
  element.replaceChildren(...lines.map((line) => make("li", {}, line)));
  element.hidden = false;
}
