/** The race around a seat's car: who plays, the next corner, who is near. Large while it waits. */

import { carPicture } from "../car.js";
import { byId, make, setChildren } from "../dom.js";
import { painted } from "../paint.js";
import { say } from "../words.js";

const stop = (isMade) => make("i", { className: isMade ? "stop" : "stop open" });

function corner({ name, stops, made, needed, says }) {
  const marks = Array.from({ length: needed }, (_, n) => stop(n < made));
  return make("div", { className: "card" },
    make("p", { className: "head" }, say("Next corner")),
    make("p", { className: "large" }, name, make("span", { className: "stops", "aria-hidden": "true" }, ...marks), make("small", {}, stops)),
    make("p", {}, says));
}

function near(cars) {
  return make("ul", { className: "card near" }, ...cars.map((one) => make("li", {},
    one.color ? carPicture(one.seat, one.color) : make("span"),
    make("strong", {}, make("bdi", {}, one.name)),
    make("span", {}, one.gap))));
}

/** Show what is around, or nothing where the page is about something else; `waits`: no keys. */
export function showAround(told, section, waits) {
  section.hidden = !told?.corner && !told?.near.length;
  document.body.classList.toggle("is-waiting", Boolean(told) && waits);
  const question = byId("told");
  question.classList.toggle("card", Boolean(told?.playing) && waits);
  if (told?.playing) painted(question, told.playing.color);
  if (section.hidden) return;
  setChildren(section, [told.corner ? corner(told.corner) : null, told.near.length ? near(told.near) : null]
    .filter(Boolean));
}
