/** Cards on a phone: what the player owns, the card that a bot plays, and the form of a hand for whoever serves it. */

import { playedCard } from "../downforce/card.js";
import { enterHand } from "../downforce/hand.js";
import { carLabel, money, powerName } from "../downforce/words.js";
import { make } from "../dom.js";
import { say } from "../words.js";

/** The own cars, powers and money, which are in sight all through a game. */
const owned = ({ cars, powers, won, paid }) => make("div", { className: "df-owned" },
  make("p", { className: "df-own" }, ...(cars.length ? cars.map(([car, place]) => carLabel(car, place ? ` ${place}.` : "")) : [say("no car yet")])),
  make("p", {}, [...powers.map(powerName), say("won {won}, paid {paid} M$", { won: money(won), paid: money(paid) })].join(" · ")));

let shown = ""; // what the section was made from

/** Show the cards of a view, or nothing; `answer(value, seat)` posts an answer of a seat. */
export function showCards(cards, section, answer) {
  section.hidden = !cards;
  const now = JSON.stringify(cards);
  if (now === shown) return;
  shown = now;
  const { own, played, hand } = cards ?? {};
  section.replaceChildren(
    ...(own ? [owned(own)] : []),
    ...(played ? playedCard(played) : []),
    ...(hand ? [enterHand(hand, (value) => answer({ hand: value }, hand.seat))] : []));
}
