/** The timing tower: one column of cars, each with the little that is read across a room. */

import { carPicture } from "./car.js";
import { make, setChildren } from "./dom.js";
import { carsInOrder, nameOf, seatOf, whyOut } from "./race.js";
import { STATUS, TIRES } from "./terms.js";
import { named, say } from "./words.js";

const FEW = 1; // so many points left are a warning
const KINDS = ["hard", "soft", "rain"]; // of tires, as their letters stand
const USUAL = 6; // fewer cars do not share all of the height

/** The category with the fewest points, where that is worth a warning: "brakes 1". */
function worst(car, full) {
  const all = Object.entries(car.wear).filter(([name]) => full[name]);
  const [name, left] = all.sort(([, one], [, other]) => one - other)[0] ?? [];
  return left <= FEW ? `${named("wear", name)} ${left}` : null;
}

function tires(table, car) {
  if (!car.tires || !table.race?.rules?.includes("tires")) return null;
  const name = TIRES[car.tires];
  const label = `${name}, ${say("lap {n} on them", { n: car.tires_lap })}`;
  return make("span", { className: `tires is-${car.tires}`, role: "img", "aria-label": label },
    say("H S R").split(" ")[KINDS.indexOf(car.tires)], make("small", {}, String(car.tires_lap || "")));
}

function gapText(info, place) {
  if (info.gap === null || info.gap === undefined || place === 1) return "";
  return info.gap ? `+${info.gap}` : "=";
}

/** What stands below the name: why it is out, where it stands still, its pit stops and its last move. */
function below(table, car) {
  if (car.status === "out") return `${STATUS.out} · ${whyOut(table, car)}`;
  const stops = car.pit_stops === 1 ? say("1 pit stop") : car.pit_stops ? say("{n} pit stops", { n: car.pit_stops }) : null;
  const last = table.moved?.[car.seat];
  return [car.status === "racing" ? null : STATUS[car.status], stops,
    last === undefined ? null : say("moved {n}", { n: last })].filter(Boolean).join(" · ");
}

function row(table, car, place) {
  const info = seatOf(table, car.seat);
  const isHere = car.status !== "out" && car.status !== "finished";
  const isOnTurn = table.state.turn === car.seat && table.state.phase !== "finished";
  const text = below(table, car);
  const warning = isHere ? worst(car, info.full ?? {}) : null;
  return make("li", {
    className: `row car-${car.seat} is-${car.status}${isOnTurn ? " on-turn" : ""}`,
    "aria-current": isOnTurn ? "true" : null,
  },
  make("span", { className: "place" }, car.status === "out" ? "–" : String(place)),
  carPicture(car.seat),
  make("span", { className: "who" },
    make("bdi", { className: "name" }, nameOf(table, car.seat)),
    make("span", { className: "second" },
      text ? make("span", { className: "worst is-told" }, text) : null,
      warning ? make("span", { className: "worst cost" }, warning) : null)),
  make("span", { className: "gap" }, isHere ? gapText(info, place) : ""),
  (isHere && tires(table, car)) || make("span", {}),
  make("span", { className: isHere && car.gear ? `gear die-${car.gear} shape-${car.gear}` : "gear" }, isHere ? String(car.gear || "–") : ""));
}

/** Show every car of the race, the first on top. */
export function showTower(table, list) {
  const cars = carsInOrder(table);
  list.classList.toggle("is-few", cars.length < USUAL);
  setChildren(list, cars.map((car, index) => row(table, car, index + 1)));
}
