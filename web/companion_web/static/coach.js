/** A mistake once more: any answer opens both ways, their odds and why; from there the race goes on. */

import { leadByArrows } from "./js/arrows.js";
import { byId, make, setText } from "./js/dom.js";
import { getJson, post, refusalOf } from "./js/net.js";
import { friendKey } from "./js/pin.js";
import { choiceKeys, keptLessons, keepLessons, markChoice, showPosition } from "./js/position.js";
import { say } from "./js/words.js";

const LOOK_MS = 1000;
const section = byId("coach");
const FATES = ["clean", "over", "spin", "out"];

/** The faces of a roll by what they come to, as a bar and in words. */
function faces(roll) {
  const parts = FATES.filter((fate) => roll[fate]).map((fate) => {
    const part = make("i", { className: fate });
    part.style.flexGrow = roll[fate];
    return part;
  });
  return make("dd", {}, make("div", { className: "faces", "aria-hidden": "true" }, ...parts), roll.text);
}

/** The answer is final: every key tells its turns, both ways their odds, and the coach why. */
function settle(told, number) {
  const keys = [...byId("choices").children];
  keys.forEach((key, at) => {
    key.append(make("span", { className: "turns" }, told.costs[at]));
    if (at + 1 === told.best || at + 1 === number) markChoice(key, at + 1 === told.best);
    key.setAttribute("aria-disabled", "true");
  });
  const [played, best] = two(told);
  const verdict = number === told.best ? say("That is the best there is.")
    : say("That {cost}. Better: {choice}.", { cost: told.costs[number - 1], choice: best });
  setText(byId("verdict"), `${verdict} ${say("In the race: {choice}.", { choice: played })}`);
  setText(byId("why"), told.why);
  byId("ways").replaceChildren(...[played, best].flatMap((choice, at) => told.rolls[at]
    ? [make("dt", {}, choice), faces(told.rolls[at])] : []));
  byId("told").hidden = false;
}

const two = (told) => [told.choices[told.played - 1], told.choices[told.best - 1]];

/** Both ways driven on by bots: asked for again until they are home. */
async function whatIf(told) {
  byId("what-if").disabled = true;
  byId("driven").replaceChildren(make("dd", {}, say("Races are being driven from here …")));
  const found = await getJson(section.dataset.whatIf);
  if (found && !found.ready) return setTimeout(whatIf, LOOK_MS, told);
  byId("driven").replaceChildren(...found?.ways.length ? two(told).flatMap((choice, at) =>
    [make("dt", {}, choice), make("dd", {}, found.ways[at])])
    : [make("dd", {}, found ? say("This race cannot be driven on from here.") : say("The table does not answer."))]);
  byId("what-if").disabled = Boolean(found);
  return null;
}

/** The race from here at the table, with bots in all cars but this one. */
async function playOn(told) {
  const reply = await post("/api/table", { new: told.header }, friendKey());
  if (reply.ok) location.assign("/");
  else setText(byId("verdict"), refusalOf(reply));
}

/** A lesson of one's own, on this telephone. */
function keep() {
  const kept = keptLessons();
  const mine = { address: location.pathname, title: section.dataset.title };
  const others = kept.mine.filter((one) => one.address !== mine.address);
  keepLessons({ ...kept, mine: [mine, ...others] });
  byId("keep").disabled = true;
  setText(byId("verdict"), say("It is among your lessons now, on “Learn to race”."));
}

const told = await getJson(section.dataset.told);
if (told) {
  let isSettled = false;
  setText(byId("heading"), told.question);
  byId("facts").replaceChildren(...told.facts.map((fact) => make("li", {}, fact)));
  byId("choices").replaceChildren(...choiceKeys(told.choices, (_, number) => {
    if (!isSettled) settle(told, number);
    isSettled = true;
  }));
  leadByArrows(byId("choices"));
  showPosition(told.race, told, byId("board"));
  byId("what-if").addEventListener("click", () => whatIf(told));
  byId("keep").addEventListener("click", keep);
  byId("play-on")?.addEventListener("click", () => playOn(told));
} else {
  setText(byId("verdict"), say("The table does not answer."));
}
