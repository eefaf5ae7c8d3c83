/** A lot that the table enters: a touch for car and power, a touch for who has it and for how much. */

import { make } from "../dom.js";
import { say } from "../words.js";
import { CARS, carName, money, powerName } from "./words.js";

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
  const rows = seats.map((seat) => {
    const name = seat === null ? say("nobody's") : nameOf(seat);
    const paid = prices.filter((price) => price !== EIGHT || eights.includes(seat));
    if (seat === null || !prices.length) {
      return make("p", { className: "df-bidder" }, button(name, () => give({ seat })));
    }
    return make("p", { className: "df-bidder" }, make("span", {}, name),
      ...paid.map((price) => button(money(price), () => give({ seat, price }), "df-price",
        `${name}, ${price} M$`)));
  });
  return make("div", { className: "df-bidders" }, ...rows);
}

/** Controls for a lot; with a single lot left there is only to say who has it. */
export function enterLot(ask, nameOf, give) {
  const place = make("div", { className: "df-lot" });
  const choose = (lot) => place.replaceChildren(
    make("p", { className: "hint", role: "status" }, `${carName(lot.car)}, ${powerName(lot.power)}`),
    owners(ask, nameOf, (owner) => give({ ...lot, ...owner })),
    ...(ask.options.length > 1 ? [button("↩", start, "quiet", say("another lot"))] : []));
  function start() {
    if (ask.options.length === 1) choose(ask.options[0]);
    else place.replaceChildren(lots(ask.options, choose));
  }
  start();
  return [place];
}
