/** A card for each car: place, gear, where it stands, and every wear point as a pip. */

import { make, setChildren } from "./dom.js";
import { carsInOrder, inWords, nameOf, seatOf, whyOut } from "./race.js";
import { withRules } from "./rules.js";
import { STATUS, TIRES } from "./terms.js";
import { named, say } from "./words.js";

const FEW = 1; // so many points left are a warning
const MANY = 4; // more cars share the height of a laptop, two lines each

function pips(category, left, full) {
  const name = named("wear", category);
  const label = say("{name}: {left} of {full}", { name, left, full });
  const dots = Array.from({ length: Math.max(full, left) }, (_, n) =>
    make("i", { className: n < left ? "pip" : "pip gone" }));
  const mood = left === 0 ? " none" : left <= FEW ? " few" : "";
  return make("li", { className: `wear${mood}`, "aria-label": label, title: label },
    make("span", { className: "wear-name", "aria-hidden": "true" }, name),
    make("span", { className: "dots", "aria-hidden": "true" }, ...dots));
}

function tireText(car) {
  if (!car.tires) return null;
  const name = TIRES[car.tires];
  return car.tires_lap ? `${name}, ${say("lap {n} on them", { n: car.tires_lap })}` : name;
}

/** In a corner: stops made of those needed; of a card the corner ahead with its ways too. */
function cornerText(corner) {
  if (corner?.shortest !== undefined) return say("{name}: {made} of {needed} stops, {shortest}–{longest} spaces", { ...corner, name: inWords(corner.name) });
  return corner?.inside ? say("stop {made} of {needed}", { made: corner.made, needed: corner.needed }) : null;
}

/** In a city: the speeds that the police have noted in contests still open. */
function notedText(car) {
  const speeds = Object.values(car.police ?? {}).map((note) => note.speed);
  return speeds.length ? say("police noted {speed}", { speed: speeds.join(", ") }) : null;
}

function chips(table, car, info) {
  const isGone = car.status === "out" || car.status === "finished";
  const words = [
    info.team ? inWords(info.team) : null,
    car.status === "racing" ? null : STATUS[car.status],
    whyOut(table, car),
    info.trial ? say("trial: {result}", { result: inWords(info.trial) }) : null,
    isGone ? null : inWords(info.where),
    isGone || table.state.laps === 1 ? null : say("lap {lap}", { lap: Math.max(1, car.lap) }),
    isGone ? null : cornerText(info.corner),
    isGone || !table.race?.rules?.includes("tires") ? null : tireText(car),
    isGone ? null : notedText(car),
    ...(isGone ? [] : inWords(info.left)),
  ];
  return words.filter(Boolean).map((word) => make("span", { className: "chip" }, ...withRules(word)));
}

/** In an urban race: who drives, beside the name, and below it what that is good for. */
const driverOf = ({ driver }) => (driver ? make("small", {}, ` ${driver.name}`) : null);
const ability = ({ driver }) =>
  (driver ? make("p", { className: "ability" }, inWords(driver.says)) : null);

function card(table, car, place) {
  const { state } = table;
  const isOnTurn = state.turn === car.seat && state.phase !== "finished";
  const info = seatOf(table, car.seat);
  const full = info.full ?? {};
  const classes = ["car", `car-${car.seat}`, `is-${car.status}`, isOnTurn ? "on-turn" : ""];
  return make("li", { className: classes.join(" ").trim(), "aria-current": isOnTurn ? "true" : null },
    make("span", { className: "place", "aria-hidden": "true" }, String(place)),
    make("span", { className: "badge" }, String(car.seat)),
    make("strong", { className: "driver" }, nameOf(table, car.seat), driverOf(info)),
    info.alive === false ? make("span", { className: "chip warn" }, say("cannot be reached")) : null,
    make("span", { className: "gear", role: "img", "aria-label": `${say("Gear")} ${car.gear}` },
      car.gear ? String(car.gear) : "–",
      make("small", { "aria-hidden": "true" }, say("Gear"))),
    make("p", { className: "chips" }, ...chips(table, car, info)),
    car.status === "out" || car.status === "finished" ? null : ability(info),
    car.status === "out" || car.status === "finished" ? null
      : make("ul", { className: "wears" },
          ...Object.entries(car.wear).filter(([name, left]) => full[name] ?? left)
            .map(([name, left]) => pips(name, left, full[name] ?? left))));
}

/** Show every car of the race. */
export function showCars(table, section, list) {
  const cars = carsInOrder(table);
  section.hidden = cars.length === 0;
  section.classList.toggle("is-many", cars.length > MANY);
  setChildren(list, cars.map((car, index) => card(table, car, index + 1)));
}
