/** The standings of the season after the flag, with what this race has changed. */

import { make } from "./dom.js";
import { say } from "./words.js";

const AGAIN_MS = 1500; // the record is written when the flag falls: the league may be a moment later
const TRIES = 4;

/** How a line has moved: an arrow with a number, or nothing. */
function arrow(moved) {
  if (moved === null) return "";
  if (!moved) return make("span", { className: "moved" }, "=");
  return make("span", { className: `moved ${moved > 0 ? "up" : "down"}` }, `${moved > 0 ? "\u25b2" : "\u25bc"}${Math.abs(moved)}`);
}

const line = ({ place, name, points, added, moved }) => make("li", { className: "home" },
  make("span", { className: "place" }, String(place), " ", arrow(moved)),
  make("span", { className: "who" }, make("bdi", {}, name)),
  make("span", { className: "added" }, `${added < 0 ? "\u2212" : "+"}${Math.abs(added)}`),
  make("span", { className: "points" }, String(points)));

/** A section that fills itself; it stays away where the race is in no season. */
export function standingsAfter(race) {
  const section = make("section", { className: "after", hidden: true });
  const address = `/league/races/${encodeURIComponent(race)}`;
  async function fill(left) {
    const reply = await fetch(`${address}/after.json?lang=${document.documentElement.lang}`).catch(() => null);
    if (!reply?.ok) {
      if (left) setTimeout(() => fill(left - 1), AGAIN_MS);
      return;
    }
    const { season, lines } = await reply.json();
    section.hidden = !season;
    if (!season) return;
    section.replaceChildren(
      make("h2", {}, make("a", { href: "/league" }, season.title)),
      make("ol", { className: "homes" }, ...lines.map(line)));
  }
  fill(TRIES);
  return section;
}
