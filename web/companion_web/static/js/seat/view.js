/** A seat's view as a page: who, what is asked, what is around the car, its wear. */

import { carPicture } from "../car.js";
import { byId, make, setChildren, setText } from "../dom.js";
import { showPace } from "../pace.js";
import { withRules } from "../rules.js";
import { showAround } from "./around.js";
import { showCards } from "./cards.js";
import { showResult } from "./result.js";
import { die } from "./shapes.js";
import { say } from "../words.js";

const FEW = 1; // so many points left are a warning
let marked = null; // the colors of the cars that are drawn

/** The stripe of a seat: its car; where cars are bought those that it has, above one another. */
function paintStripe(color, colors) {
  if (marked === String(colors)) return;
  marked = String(colors);
  const root = document.body.style;
  const parts = colors.map((color, n) => `var(--paint-${color}) ${(100 * n) / colors.length}% ${(100 * (n + 1)) / colors.length}%`);
  root.setProperty("--stripe", `linear-gradient(${parts.join() || "transparent, transparent"})`);
  root.setProperty("--own-rim", `var(--rim-${colors[0]}, transparent)`);
  setChildren(byId("mark"), color ? [carPicture(document.body.dataset.seat, color)] : []);
}

function showWho({ name, color, colors, place, lap, laps, gear }) {
  paintStripe(color, colors);
  setText(byId("name"), name);
  const parts = [place ? `P${place}` : null, lap ? say("Lap {lap} of {laps}", { lap, laps }) : null];
  setText(byId("standing"), parts.filter(Boolean).join(" · "));
  const box = byId("gear");
  box.hidden = gear === null;
  if (box.dataset.gear !== String(gear)) box.replaceChildren(...(gear ? [die(gear)] : []));
  box.dataset.gear = gear;
  box.hidden = !gear;
  box.setAttribute("aria-label", `${say("Gear")} ${gear || "–"}`);
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

let shownCode = null;

async function showCode(view, picture) {
  const image = byId("code");
  image.hidden = !view.code;
  if (!view.code || shownCode === view.picture) return;
  shownCode = view.picture;
  image.src = await picture();
}

/** Show a view but for what is touched in it; `answer` posts an answer, `tellTable` a word to the table,
 * `picture` fetches the small screen's own picture. */
export function showView(view, { hasKey, answer, tellTable, picture }) {
  showWho(view.who);
  showPace(view.clock, { turn: byId("pace"), bell: byId("bell") });
  byId("pace").classList.toggle("is-mine", Boolean(view.clock?.mine));
  setText(byId("question"), view.title);
  const lines = view.finish ? [] : view.around?.rest ?? view.lines;
  setChildren(byId("lines"), lines.map((line) => make("li", {}, ...withRules(line))));
  document.body.classList.toggle("is-refused", view.refused);
  document.body.dataset.kind = view.kind;
  const isLobby = Boolean(view.around && !view.around.rest);
  document.body.classList.toggle("is-lobby", isLobby);
  showAround(view.around, byId("around"), isLobby || view.kind === "tell" && !view.throws || !view.asked && view.kind === "scale");
  showCards(view.cards, byId("cards"), answer);
  showResult(view.finish, byId("finish"), hasKey ? tellTable : null);
  byId("write").hidden = !(view.write && hasKey);
  setChildren(byId("wear"), view.wear.map(pips));
  byId("undo").disabled = !view.undo;
  byId("menu").disabled = !view.menu;
  showCode(view, picture);
}
