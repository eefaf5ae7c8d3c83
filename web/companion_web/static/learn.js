/** The tutorial: one position after the other, each answered by touch or key, judged by the engine. */

import { leadByArrows } from "./js/arrows.js";
import { byId, make, setText } from "./js/dom.js";
import { choiceKeys, keepLessons, keptLessons, markChoice, showPosition } from "./js/position.js";
import { withRules } from "./js/rules.js";
import { language, say } from "./js/words.js";

let told = null; // { positions }
let place = 1;

const ask = async (path) => {
  const reply = await fetch(`/learn/positions${path}.${language}.json`).catch(() => null);
  return reply?.ok ? reply.json() : null;
};

function tell(text) {
  byId("verdict").replaceChildren(...withRules(text));
}

/** What the engine says of a choice; the right one leads on. */
async function choose(button, number) {
  const at = place;
  const verdict = await ask(`/${at}/${number}`);
  if (at !== place) return;
  tell(verdict?.says ?? say("The table does not answer."));
  if (!verdict) return;
  markChoice(button, verdict.right);
  if (verdict.right) markDone(told.positions[at - 1].id);
  const isLast = place === told.positions.length;
  byId("next").classList.toggle("go", verdict.right);
  if (verdict.right && isLast) byId("play").hidden = false;
  if (verdict.right) byId(isLast ? "play" : "next").focus();
}

/** How many are answered right, on this telephone. */
function tellProgress() {
  const { done } = keptLessons();
  const n = told.positions.filter((one) => done.includes(one.id)).length;
  byId("progress").max = told.positions.length;
  byId("progress").value = n;
  setText(byId("done"), say("{n} of {all} done", { n, all: told.positions.length }));
}

function markDone(id) {
  const kept = keptLessons();
  keepLessons({ ...kept, done: [...kept.done.filter((one) => one !== id), id] });
  tellProgress();
}

/** Mistakes of one's own races that were kept as lessons. */
function tellMine() {
  const { mine } = keptLessons();
  byId("mine").hidden = !mine.length;
  byId("own").replaceChildren(...mine.map(({ address, title }) =>
    make("li", {}, make("a", { href: address }, title))));
}

/** The first position that is not done yet. */
const firstOpen = () => {
  const { done } = keptLessons();
  return told.positions.findIndex((one) => !done.includes(one.id)) + 1;
};

function show() {
  const lesson = told.positions[place - 1];
  setText(byId("step"), say("Position {n} of {all}", { n: place, all: told.positions.length }));
  setText(byId("heading"), lesson.title);
  byId("says").replaceChildren(...withRules(`${lesson.says} (${lesson.rule})`));
  setText(byId("do"), lesson.do);
  byId("choices").replaceChildren(...choiceKeys(lesson.choices, choose));
  tell("");
  byId("before").hidden = place === 1;
  byId("next").hidden = place === told.positions.length;
  byId("next").classList.remove("go");
  byId("play").hidden = true;
  byId("board").hidden = !lesson.track;
  if (lesson.track) showPosition(lesson.track, lesson, byId("board"));
}

/** The number of the position is in the address: a browser goes back as people expect. */
function read() {
  const wanted = Number(location.hash.slice(1)) || 1;
  place = Math.min(Math.max(wanted, 1), told.positions.length);
  show();
}

function turnTo(number) {
  location.hash = String(number);
  byId("heading").focus({ preventScroll: true });
  scrollTo(0, 0);
}

byId("next").addEventListener("click", () => turnTo(place + 1));
byId("before").addEventListener("click", () => turnTo(place - 1));
leadByArrows(byId("choices"));
told = await ask("");
if (told) {
  tellProgress();
  tellMine();
  // In the address from the first on, so that a browser comes back to it.
  if (!location.hash) history.replaceState(null, "", `#${firstOpen()}`);
  read();
  addEventListener("hashchange", read);
} else {
  tell(say("The table does not answer."));
}
