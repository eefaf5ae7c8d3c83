/**
 * The race for ears: who is asked what with which die, and what of the turn before matters at the board.
 *
 * It speaks over nobody: what is being said is said to its end, then the newest, and what has grown old
 * meanwhile is dropped. It says what every screen shows, so no secret. Off until somebody turns it on:
 * browsers let a page speak only after a touch.
 */

import { callOf } from "./banner.js";
import { gameOf } from "./games.js";
import { recall, remember } from "./net.js";
import { inWords, nameOf } from "./race.js";
import { language, say } from "./words.js";

const MOST = 4; // sentences at once: more than that are old before they are said
const MS_A_LETTER = 110; // a voice that never tells its end is given so long
const SLACK_MS = 3000;

let isOn = recall("localStorage", "announcer") === "on";
let waiting = []; // what is to be said next
let isSpeaking = false;
let before = { id: null, last: null, asked: "" };

function speakNext() {
  const text = waiting.shift();
  isSpeaking = Boolean(text) && isOn;
  if (!isSpeaking) return;
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = language;
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    speakNext();
  };
  spoken.onend = over;
  spoken.onerror = over;
  setTimeout(over, text.length * MS_A_LETTER + SLACK_MS);
  speechSynthesis.speak(spoken);
}

function speak(sentences) {
  waiting = sentences.slice(-MOST);
  if (!isSpeaking) speakNext();
}

/** A sentence as a voice reads it: a minus and what lies between two numbers are words, brackets a pause. */
const aloud = (text) => text.replace(/(\d+)–(\d+)/g, (_, low, high) => say("{low} to {high}", { low, high }))
  .replace(/−(?=\d)/g, ` ${say("minus")} `).replace(/\s*\(([^)]*)\)/g, ", $1").replace(/\s+/g, " ").trim();

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
  if (!isOn || (!news.length && !moment && !isNew)) return;
  const told = moment && !news.includes(moment.text) ? [...news, moment.text] : news;
  speak([...told.slice(1 - MOST), ...(asked ? [asked] : [])].map(aloud));
}

/** The switch, which says by itself whether it is on; a browser without a voice has none. */
export function announcerSwitch(button) {
  button.hidden = !("speechSynthesis" in globalThis);
  const show = () => button.setAttribute("aria-pressed", String(isOn));
  button.addEventListener("click", () => {
    isOn = !isOn;
    remember("localStorage", "announcer", isOn ? "on" : null);
    show();
    if (isOn) speak([say("The announcer speaks."), before.asked].filter(Boolean).map(aloud));
    else speechSynthesis.cancel();
  });
  show();
}
