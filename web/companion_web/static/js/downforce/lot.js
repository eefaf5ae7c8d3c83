/**
 * A lot that is entered: a touch for car and power, a touch for who has it and for how much. On a phone the first
 * who may have it is its own player, whose price alone is asked; all others are one touch further.
 */

import { make } from "../dom.js";
import { say } from "../words.js";
import { CARS, carLabel, carName, powerName } from "./words.js";

const EIGHT = 8;

function button(text, onClick, className, label) {
  const element = make("button", { type: "button", className, "aria-label": label }, text);
  element.addEventListener("click", onClick);
  return element;
}

const unique = (values) => [...new Set(values)];

/** Every car with every power that may have been turned up with it. */
function lots(options, choose) {
  const cars = unique(options.map((lot) => lot.car));
  const powers = unique(options.map((lot) => lot.power));
  const of = (car, power) => options.find((lot) => lot.car === car && lot.power === power);
  return make("table", { className: "df-lots" },
    make("tbody", {}, ...powers.map((power) => make("tr", {},
      make("th", { scope: "row" }, powerName(power)),
      ...CARS.filter((car) => cars.includes(car)).map((car) => make("td", {},
        button("", () => choose(of(car, power)), `df-button df-${car}`,
          `${carName(car)}, ${powerName(power)}`)))))));
}

/** Who may have it, each with the prices; `eights` are the seats that may hold a speed-8 card. */
function owners({ seats, prices = [], eights = [] }, nameOf, give) {
  return seats.map((seat) => {
    const name = seat === null ? say("nobody's") : nameOf(seat);
    const paid = prices.filter((price) => price !== EIGHT || eights.includes(seat));
    const row = (...parts) => make("p", { className: "df-bidder" }, ...parts);
    if (seat === null || !prices.length) return row(button(name, () => give({ seat })));
    return row(make("span", {}, name),
      ...paid.map((price) => button(`${price} M$`, () => give({ seat, price }), "df-price",
        `${name}, ${price} M$`)));
  });
}

/** The own row, and behind a word those of all others. */
const ownFirst = ([own, ...others]) => [own, make("details", {}, make("summary", {}, say("Somebody else has it")), ...others)];

let begun = null; // the lot that is entered: another's that is told meanwhile draws all anew

/** Controls for a lot; with a single lot left there is only to say who has it. `isOwn`: on the phone of a player. */
export function enterLot(ask, nameOf, give, isOwn = false) {
  const place = make("div", { className: `df-lot${isOwn ? " is-own" : ""}` });
  const choose = (lot) => {
    if (!ask.seats.length) return give(lot);
    begun = lot;
    const rows = owners(ask, nameOf, (owner) => { begun = null; return give({ ...lot, ...owner }); });
    return place.replaceChildren(
      make("p", { className: "df-at", role: "status" }, carLabel(lot.car), ` ${powerName(lot.power)}`),
      make("div", { className: "df-bidders" }, ...(isOwn ? ownFirst(rows) : rows)),
      ...(ask.options.length > 1 ? [button(`↩ ${say("another lot")}`, () => { begun = null; return start(); }, "quiet")] : []));
  };
  function start() {
    const isBegun = ({ car, power }) => car === begun?.car && power === begun.power;
    const [lot] = ask.options.length === 1 ? ask.options : ask.options.filter(isBegun);
    if (lot && ask.seats.length) return choose(lot); // else it is touched: nothing is given by itself
    begun = null;
    return place.replaceChildren(lots(ask.options, choose));
  }
  start();
  return [place];
}
