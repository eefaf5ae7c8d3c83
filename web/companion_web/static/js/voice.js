/**
 * A voice that speaks over nobody: what is being said is said to its end, then the newest, and what has grown old
 * meanwhile is dropped. Off until somebody turns it on: browsers let a page speak only after a touch.
 */

import { recall, remember } from "./net.js";
import { language, say } from "./words.js";

export const MOST = 4; // sentences at once: more than that are old before they are said
const MS_A_LETTER = 110; // a voice that never tells its end is given so long
const SLACK_MS = 3000;

let isOn = recall("localStorage", "announcer") === "on";
let waiting = []; // what is to be said next
let isSpeaking = false;

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

/** Say these sentences, the newest of them, where the voice is on. */
export function speak(sentences) {
  if (!isOn) return;
  waiting = sentences.map(aloud).slice(-MOST);
  if (!isSpeaking) speakNext();
}

/** A sentence as a voice reads it: a minus and what lies between two numbers are words, brackets a pause. */
const aloud = (text) => text.replace(/(\d+)–(\d+)/g, (_, low, high) => say("{low} to {high}", { low, high }))
  .replace(/−(?=\d)/g, ` ${say("minus")} `).replace(/\s*\(([^)]*)\)/g, ", $1").replace(/\s+/g, " ").trim();

/** The switch, which says by itself whether it is on; a browser without a voice has none. `now()` is what is asked. */
export function announcerSwitch(button, now) {
  button.hidden = !("speechSynthesis" in globalThis);
  const show = () => button.setAttribute("aria-pressed", String(isOn));
  button.addEventListener("click", () => {
    isOn = !isOn;
    remember("localStorage", "announcer", isOn ? "on" : null);
    show();
    if (isOn) speak([say("The announcer speaks."), now()].filter(Boolean));
    else speechSynthesis.cancel();
  });
  show();
}
