/** A decision of a real race once more: any answer shows what each of them would have cost. */

import { leadByArrows } from "./js/arrows.js";
import { byId, make, setText } from "./js/dom.js";
import { choiceKeys, markChoice, showPosition } from "./js/position.js";
import { say } from "./js/words.js";

const section = byId("puzzle");

/** The answer is final: every key tells its turns, and what was played in the race is said. */
function settle(told, number) {
  const keys = [...byId("choices").children];
  keys.forEach((key, at) => {
    key.append(make("span", { className: "turns" }, told.costs[at]));
    if (at + 1 === told.best || at + 1 === number) markChoice(key, at + 1 === told.best);
    key.setAttribute("aria-disabled", "true");
  });
  const played = { seat: told.seat, choice: told.choices[told.played - 1] };
  const verdict = number === told.best ? say("That is the best there is.")
    : say("That {cost}. Better: {choice}.", { cost: told.costs[number - 1], choice: told.choices[told.best - 1] });
  setText(byId("verdict"), `${verdict} ${say("In the race car {seat} played: {choice}.", played)}`);
  byId("onward").hidden = false;
}

const reply = await fetch(section.dataset.puzzle).catch(() => null);
if (reply?.ok) {
  const told = await reply.json();
  let isSettled = false;
  setText(byId("heading"), told.question);
  byId("facts").replaceChildren(...told.facts.map((fact) => make("li", {}, fact)));
  byId("choices").replaceChildren(...choiceKeys(told.choices, (_, number) => {
    if (!isSettled) settle(told, number);
    isSettled = true;
  }));
  leadByArrows(byId("choices"));
  showPosition(told.race, told, byId("board"));
} else {
  setText(byId("verdict"), say("The table does not answer."));
}
