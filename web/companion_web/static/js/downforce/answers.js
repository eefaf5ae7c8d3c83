/** Answering for a seat of Downforce on the page: each kind has its own few controls. */

import { make, makeButton as button } from "../dom.js";
import { nameOf } from "../race.js";
import { say } from "../words.js";
import { cardText } from "./card.js";
import { enterHand } from "./hand.js";
import { enterLot } from "./lot.js";
import { CARS, carName, money, powerName } from "./words.js";

const NOTHING = "";

function select(label, entries) {
  const control = make("select", { "aria-label": label },
    ...entries.map(([value, text]) => make("option", { value }, text)));
  return [make("label", { className: "field" }, make("span", {}, label), control), control];
}

const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => [from + n, String(from + n)]);

/** Cars pressed one after another; the order so far is told, and `full` of them send. */
function order(cars, full, give) {
  const picked = [];
  const told = make("p", { className: "hint", role: "status" });
  const buttons = cars.map((car) => button(carName(car), () => {
    picked.push(car);
    buttons[cars.indexOf(car)].disabled = true;
    told.textContent = picked.map(carName).join(", ");
    if (picked.length === full) give(picked);
  }, `df-button df-${car}`));
  return [...buttons, told];
}

function lot(table, ask, give) {
  if (ask.seats) {
    const eights = Object.entries(table.state.players)
      .filter(([, player]) => player.cars.length).map(([seat]) => Number(seat));
    return enterLot({ ...ask, eights }, (seat) => nameOf(table, seat), give);
  }
  const cars = [...new Set(ask.options.map((option) => option.car))];
  const powers = [...new Set(ask.options.map((option) => option.power))];
  const [carField, car] = select(say("Car"), cars.map((one) => [one, carName(one)]));
  const [powerField, power] = select(say("Power"),
    powers.map((one) => [one ?? NOTHING, powerName(one)]));
  return [carField, powerField, button(say("Answer"), () =>
    give({ car: car.value, power: power.value === NOTHING ? null : power.value }))];
}

function bid(table, ask, give) {
  const [amountField, amount] = select(say("Bid, M$"), ask.options.map((n) => [n, String(n)]));
  const [carsField, cars] = select(say("Cars on the card"), numbers(1, CARS.length));
  const wild = make("input", { type: "checkbox" });
  return [amountField, carsField,
    make("label", { className: "field" }, make("span", {}, say("with a wild")), wild),
    button(say("Answer"), () => give({
      amount: Number(amount.value), cars: Number(cars.value), wild: wild.checked,
    }))];
}

/** What the table tells where nobody is on turn: a touch for a line, a touch for a car. */
function happened(ask, give) {
  const line = ask.lines.length > 1
    ? [button(say("A line was crossed"), () => give({ lines: 1, finished: [] }), "go")] : [];
  return [...line,
    ...(ask.options.length ? [make("p", { className: "hint" }, say("A car is home:"))] : []),
    ...ask.options.map((car) => button(carName(car), () => give({ lines: 0, finished: [car] }), ofCar(car)))];
}

function played(table, ask, give) {
  if (ask.seat === 0) return happened(ask, give);
  const [linesField, lines] = select(say("Lines crossed"), ask.lines.map((n) => [n, String(n)]));
  const finished = [];
  const home = order(ask.options, Infinity, () => {});
  ask.options.forEach((car, place) => home[place].addEventListener("click", () => finished.push(car)));
  return [linesField, ...(ask.options.length ? [make("p", { className: "hint" }, say("Cars over the line, in order:"))] : []),
    ...home,
    button(say("Answer"), () => give({
      lines: Number(lines.value), finished: [...finished],
    }), "go")];
}

const buttons = (ask, text, give, classOf = () => "") =>
  ask.options.map((option) => button(text(option), () => give(option), classOf(option)));

const SPACES = [1, 2, 3, 4, 5, 6];
const EIGHT = 8; // comes with a car, and can be in a hand that is asked once more

/** What the form of a hand needs; each race of a championship is dealt anew, so it has a draft of its own. */
function handAsked({ id, state }, { seat, cards, spaces }) {
  const eight = state.players[seat].cars.length ? [EIGHT] : [];
  return { cards, spaces: [...spaces, ...eight], draft: `hand-${id}-${state.leg ?? 1}-${seat}` };
}

/** The card of a bot that does not say it itself: one that whoever serves it reads off the table. */
const cardAsked = ({ id }, { seat, since }) =>
  ({ cards: 1, spaces: [...SPACES, EIGHT], draft: `card-${id}-${since}-${seat}` });

const ofCar = (car) => `df-button df-${car}`;

/** The controls of each kind. */
const CONTROLS = {
  pole: (table, ask, give) => order(ask.options, CARS.length, give),
  lot,
  bid,
  award: (table, ask, give) =>
    buttons(ask, (seat) => (seat === null ? say("nobody's") : nameOf(table, seat)), give),
  keep: (table, ask, give) => buttons(ask, powerName, give),
  played,
  standing: (table, ask, give) => order(ask.options, ask.options.length, give),
  bet: (table, ask, give) => buttons(ask, carName, give, ofCar),
  hand: (table, ask, give) => [enterHand(handAsked(table, ask), give)],
  card: (table, ask, give) => [enterHand(cardAsked(table, ask), ({ cards: [card] }) => give(card))],
  end: (table, ask, give) => (ask.options.length === CARS.length
    ? order(ask.options, CARS.length, give)
    : [button(say("Nobody can move any more"), () => give(true), "danger")]),
};

/** Controls for an ask of Downforce; undefined for one of another game. */
export const controls = (table, ask, give) => CONTROLS[ask.kind]?.(table, ask, give);

/** A lot, and where the table has entered it who has it for how much. */
function toldLot(table, { car, power, seat, price }) {
  const parts = [carName(car), powerName(power)];
  if (seat !== undefined) parts.push(seat === null ? say("nobody's") : nameOf(table, seat));
  return [...parts, ...(price === undefined ? [] : [`${money(price)} M$`])].join(", ");
}

/** What has been answered in each kind, in words. */
const TOLD = {
  pole: (table, value) => value.map(carName).join(", "),
  lot: toldLot,
  bid: (table, value) => `${money(value.amount)} M$`,
  award: (table, value) => (value === null ? say("nobody's") : nameOf(table, value)),
  keep: (table, value) => powerName(value),
  played: (table, value) => [say("betting lines crossed: {n}", { n: value.lines ?? 0 }),
    ...(value.finished ?? []).map(carName)].join(", "),
  bet: (table, value) => carName(value),
  card: (table, value) => cardText(value),
  standing: (table, value) => value.map(carName).join(", "),
  end: (table, value) => (Array.isArray(value) ? value.map(carName).join(", ") : say("yes")),
};

/** An answer in words; undefined for a kind of another game. A secret one is never told. */
export function told(table, { kind, value, secret }) {
  if (secret) return "…";
  return value === null && kind !== "award" ? undefined : TOLD[kind]?.(table, value);
}
