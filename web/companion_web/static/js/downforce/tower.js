/** The six cars as a tower: who is home, whose each is, and what it has earned. */

import { make, setChildren } from "../dom.js";
import { nameOf } from "../race.js";
import { say } from "../words.js";
import { carName, inOrder, money } from "./words.js";

function row(table, car) {
  const told = table.state.cars[car];
  const earns = told.place ? table.outlook?.earns[car] : null; // of a car on the road, what it would earn
  const price = told.owner ? ` · ${money(told.price)} M$` : "";
  return make("li", { className: `row df-row df-${car}${told.place ? " is-home" : ""}` },
    make("span", { className: "place" }, told.place ? String(told.place) : "–"),
    make("span", { className: "df-swatch", "aria-hidden": "true" }),
    make("span", { className: "who" },
      make("span", { className: "name" }, carName(car)),
      make("span", { className: "worst is-told" },
        `${told.owner ? nameOf(table, told.owner) : say("nobody's")}${price}`)),
    make("span", { className: "gap" }, earns === null || earns === undefined ? "" : `${money(earns)} M$`));
}

/** Show the six cars in a column, those that are home on top. */
export function showCarTower(table, list) {
  list.classList.add("is-few");
  setChildren(list, inOrder(table.state).map((car) => row(table, car)));
}
