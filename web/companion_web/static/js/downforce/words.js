/** Downforce in words: its cars, its powers, its money. */

import { make } from "../dom.js";
import { named, say } from "../words.js";

/** The six cars in the order of a seat's buttons. */
export const CARS = ["black", "blue", "green", "yellow", "orange", "red"];

/** A car, or the wild of a card, by its color. */
export const carName = (car) => (car === "wild" ? say("wild") : named("car", car) ?? car);

/** A power of the box in words, one of the table's own by its name. */
export function powerName(power) {
  if (!power) return say("no power");
  return named("power", power) ?? power;
}

/** Home first by their places, all others as they stood on the grid. */
export function inOrder(state) {
  const rank = (car) => state.cars[car].place ?? 10 + (state.grid?.indexOf(car) ?? 0);
  return [...CARS].sort((one, other) => rank(one) - rank(other));
}

/** Millions with a true minus. */
export const money = (n) => (n === null || n === undefined ? "?" : String(n).replace("-", "−"));

/** A car as its color alone, beside a name. */
export const swatch = (car) => make("span", { className: `df-swatch df-${car}`, role: "img", "aria-label": carName(car) });

/** A car as a colored label. */
export const carLabel = (car, ...more) =>
  make("span", { className: `df-car df-${car}` }, carName(car), ...more);
