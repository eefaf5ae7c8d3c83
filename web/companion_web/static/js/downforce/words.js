/** Downforce in words: its cars, its powers, its money. */

import { make } from "../dom.js";
import { say } from "../words.js";

/** The six cars in the order of a seat's buttons. */
export const CARS = ["black", "blue", "green", "yellow", "orange", "red"];

export const carName = (car) => (CARS.includes(car) ? say(`df.car.${car}`) : car);

export const powerName = (power) => (power ? say(`df.power.${power}`) : say("df.no-power"));

/** Millions with a true minus. */
export const money = (n) => (n === null || n === undefined ? "?" : String(n).replace("-", "−"));

/** A car as a colored label. */
export const carLabel = (car, ...more) =>
  make("span", { className: `df-car df-${car}` }, carName(car), ...more);
