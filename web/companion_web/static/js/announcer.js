/**
 * The race for ears: who is asked what with which die, and what of the turn before matters at the board. It says
 * what every screen shows, so no secret.
 */

import { callOf } from "./banner.js";
import { gameOf } from "./games.js";
import { inWords, nameOf } from "./race.js";
import { MOST, speak } from "./voice.js";
import { say } from "./words.js";

let before = { id: null, last: null, asked: "" };

/** Who is asked what now; of several, each. */
function questions(table) {
  if (table.paused) return [say("Paused")];
  if (!table.state || table.state.phase === "finished") return [];
  return gameOf(table).told(table).filter(({ kind }) => kind !== "end")
    .map((ask) => `${nameOf(table, ask.seat)}: ${callOf(table, ask)}`);
}

/** Say what is new since the table before: a moment and the sentences that matter, then the question. */
export function announce(table, moment) {
  const all = (table.news ?? []).map(inWords);
  const isFirst = before.id !== table.id;
  const news = isFirst ? [] : all.slice(all.lastIndexOf(before.last) + 1);
  const asked = questions(table).join(" ");
  const isNew = asked !== before.asked;
  before = { id: table.id, last: all.at(-1) ?? null, asked };
  if (!news.length && !moment && !isNew) return;
  const told = moment && !news.includes(moment.text) ? [...news, moment.text] : news;
  speak([...told.slice(1 - MOST), ...(asked ? [asked] : [])]);
}

/** What is asked now, in words. */
export const askedNow = () => before.asked;
