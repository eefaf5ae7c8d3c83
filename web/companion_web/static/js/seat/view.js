/** A seat's view as a page: who, what is asked, six keys with their words, the wear. */

import { byId, make, setChildren, setText } from "../dom.js";
import { showPace } from "../pace.js";
import { withRules } from "../rules.js";
import { showAround } from "./around.js";
import { showCards } from "./cards.js";
import { showResult } from "./result.js";
import { dieClass } from "../throw.js";
import { say } from "../words.js";

const FEW = 1; // so many points left are a warning
const SHORT = 3; // a figure, which may be large
const keyed = (button) => document.querySelector(`[data-button="${button}"]`);

function showWho({ name, color, place, lap, laps, gear }) {
  const root = document.body.style;
  root.setProperty("--car", `var(--paint-${color})`);
  root.setProperty("--car-ink", `var(--ink-${color})`);
  root.setProperty("--own-rim", `var(--rim-${color}, transparent)`);
  setText(byId("name"), name);
  const parts = [place ? `P${place}` : null, lap ? say("Lap {lap} of {laps}", { lap, laps }) : null];
  setText(byId("standing"), parts.filter(Boolean).join(" · "));
  const box = byId("gear");
  box.hidden = gear === null;
  setText(box, gear ? String(gear) : "–");
  box.setAttribute("aria-label", `${say("Gear")} ${gear || "–"}`);
}

function showKey(key, hasRow, hasKey) {
  const button = keyed(key.button);
  button.disabled = !hasKey;
  button.ariaDisabled = String(!key.enabled);
  // A key without a meaning is an empty place: nothing that could be read out or reached by Tab.
  const isBlank = !key.label && !key.hint;
  if (isBlank && document.activeElement === button) button.blur(); // what has the focus cannot be hidden
  button.ariaHidden = isBlank ? "true" : null;
  button.tabIndex = isBlank ? -1 : 0;
  button.hidden = hasRow;
  button.classList.toggle("is-short", key.label.length <= SHORT);
  button.dataset.mark = key.mark ?? "";
  button.dataset.sign = key.sign ?? "";
  setText(button.querySelector("b"), key.label);
  setText(button.querySelector("small"), key.hint);
}

/** The answers of a list that is longer than six keys, a touch each. */
function showRow(row, answer) {
  const element = byId("row");
  element.hidden = row.length === 0;
  const signature = JSON.stringify(row);
  if (element.dataset.row === signature) return;
  element.dataset.row = signature;
  element.replaceChildren(...row.map((one) => {
    const button = make("button", { type: "button", disabled: !row.length }, one.label);
    button.addEventListener("click", async () => {
      button.classList.add("sent");
      await answer(one.answer);
      button.classList.remove("sent");
    });
    return button;
  }));
}

function pips({ name, left, full }) {
  const label = say("{name}: {left} of {full}", { name, left, full });
  const dots = Array.from({ length: Math.max(full, left) }, (_, n) =>
    make("i", { className: n < left ? "pip" : "pip gone" }));
  const mood = left === 0 ? "none" : left <= FEW ? "few" : "";
  return make("li", { className: mood, "aria-label": label },
    make("span", { "aria-hidden": "true" }, name),
    make("span", { className: "dots", "aria-hidden": "true" }, ...dots));
}

/** A key that stands alone has the whole gate; one that throws a die has the color of that. */
function gateClass({ keys, throws }) {
  const isLone = keys.filter((key) => key.label).length === 1;
  const more = [isLone && "is-lone", throws && `is-throw ${dieClass(throws.gear)}`];
  return ["gate", ...more.filter(Boolean)].join(" ");
}

let shownCode = null;

async function showCode(view, picture) {
  const image = byId("code");
  image.hidden = !view.code;
  if (!view.code || shownCode === view.picture) return;
  shownCode = view.picture;
  image.src = await picture();
}

/** Show a view; `answer` posts an answer, `tellTable` a word to the table, `picture` fetches the small
 * screen's own picture. */
export function showView(view, { hasKey, answer, tellTable, picture }) {
  showWho(view.who);
  showPace(view.clock, { turn: byId("pace"), bell: byId("bell") });
  byId("pace").classList.toggle("is-mine", Boolean(view.clock?.mine));
  setText(byId("question"), view.title);
  const lines = view.finish ? [] : view.around?.rest ?? view.lines;
  setChildren(byId("lines"), lines.map((line) => make("li", {}, ...withRules(line))));
  document.body.classList.toggle("is-refused", view.refused);
  const hasRow = hasKey && view.row.length > 0;
  const hasForm = hasKey && Boolean(view.cards?.hand); // in the place of the keys of the small screen
  for (const key of view.keys) showKey(key, hasRow, hasKey);
  byId("gate").hidden = hasRow || hasForm || !view.keys.some((key) => key.label || key.enabled);
  byId("gate").className = gateClass(view);
  showAround(view.around, byId("around"), byId("gate").hidden && !hasRow);
  showCards(view.cards, byId("cards"), answer);
  showResult(view.finish, byId("finish"), hasKey ? tellTable : null);
  showRow(hasRow ? view.row : [], answer);
  byId("write").hidden = !(view.write && hasKey);
  setChildren(byId("wear"), view.wear.map(pips));
  byId("undo").disabled = !view.undo;
  byId("menu").disabled = !view.menu;
  showCode(view, picture);
}
