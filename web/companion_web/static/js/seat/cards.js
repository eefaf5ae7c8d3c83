/** Cards on a phone: the one that a bot plays, large; and the form of a hand, for whoever serves the bot. */

import { playedCard } from "../downforce/card.js";
import { enterHand } from "../downforce/hand.js";

let shown = ""; // what the section was made from

/** Show the cards of a view, or nothing; `answer(value, seat)` posts an answer of a seat. */
export function showCards(cards, section, answer) {
  section.hidden = !cards;
  const now = JSON.stringify(cards);
  if (now === shown) return;
  shown = now;
  const { played, hand } = cards ?? {};
  section.replaceChildren(
    ...(played ? playedCard(played) : []),
    ...(hand ? [enterHand(hand, (value) => answer({ hand: value }, hand.seat))] : []));
}
