/** Three sounds, made here: your turn, a contact, the finish. Off until somebody turns them on. */

import { recall, remember } from "./net.js";

/** Tones of each: frequency in Hz, when it begins and how long it lasts in seconds. */
const TUNES = {
  turn: [[660, 0, 0.12], [880, 0.12, 0.18]],
  contact: [[110, 0, 0.18], [82, 0.05, 0.25]],
  finish: [[523, 0, 0.18], [659, 0.18, 0.18], [784, 0.36, 0.18], [1047, 0.54, 0.5]],
};
const LOUDNESS = 0.2;

let isOn = recall("localStorage", "sound") === "on";
let context = null;

/** Play one, where sounds are on and the browser lets a page make any. */
export function play(name) {
  if (!isOn) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  for (const [frequency, from, length] of TUNES[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const at = context.currentTime + from;
    tone.type = name === "contact" ? "sawtooth" : "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

/** The switch, which says by itself whether they are on. */
export function soundSwitch(button) {
  const show = () => button.setAttribute("aria-pressed", String(isOn));
  button.addEventListener("click", () => {
    isOn = !isOn;
    remember("localStorage", "sound", isOn ? "on" : null);
    show();
    play("turn");
  });
  show();
}
