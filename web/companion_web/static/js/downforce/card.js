/** A card of Downforce as it lies on the table: its lines from top to bottom, a car and its spaces each. */

import { make } from "../dom.js";
import { say } from "../words.js";
import { carName } from "./words.js";

/** A line in words: "red 6". */
export const lineText = ([car, spaces]) => `${carName(car)} ${spaces}`;

/** A card in words: "red 6, green 4". */
export const cardText = (lines) => lines.map(lineText).join(", ");

const lineOf = ([car, spaces]) => make("li", { className: `df-line df-${car}` },
  make("span", { className: "df-line-car" }, carName(car)), make("b", {}, String(spaces)));

/** A card; the name of each car stands beside its color. */
export const drawCard = (lines, className = "", label = cardText(lines)) =>
  make("ol", { className: `df-face ${className}`, "aria-label": label }, ...lines.map(lineOf));

/** The card that a bot plays, and what its power does: what is to be done on the board now. */
export const playedCard = ({ name, lines, power }) => [
  make("p", { className: "df-plays", "aria-hidden": "true" }, say("{name} plays this card, from top to bottom:", { name })),
  drawCard(lines, "is-large", say("{name} plays this card, from top to bottom:", { name })),
  ...(power ? [make("p", { className: "df-reminder" }, power)] : []),
];
