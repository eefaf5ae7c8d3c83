/** The referee's PIN, for as long as this tab is open. */

import { keyFromLink, post, recall, remember } from "./net.js";

const SEATS = Array.from({ length: 10 }, (_, seat) => seat + 1);
let pin = keyFromLink("pin") ?? recall("sessionStorage", "pin");
if (pin) remember("sessionStorage", "pin", pin);

export const currentPin = () => pin;

export function setPin(value) {
  pin = value || null;
  remember("sessionStorage", "pin", pin);
  document.dispatchEvent(new Event("pin"));
}

const KEPT_MS = 3000; // so long the same post again is a second tap
const keys = new Map();

/** By what the league knows a post that comes twice: a double tap, or a second try after no answer. */
function onceOf(path, body) {
  const told = `${path} ${JSON.stringify(body)}`;
  if (!keys.has(told)) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    keys.set(told, Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return [keys.get(told), () => setTimeout(() => keys.delete(told), KEPT_MS)];
}

/** The PIN, else the key of a seat that this phone has: at the host's phone friends need no PIN. */
export function friendKey() {
  return pin ?? SEATS.map((seat) => recall("localStorage", `token-${seat}`)).find(Boolean) ?? null;
}

/** Post to the league, where the host's phone may do what friends do. */
export const postAsFriend = (path, body) => postAsReferee(path, body, friendKey());

/** Post with the PIN; a PIN that the table does not know is forgotten. */
export async function postAsReferee(path, body, key = pin) {
  const [once, letGo] = onceOf(path, body);
  const reply = await post(path, body, key, { "Idempotency-Key": once });
  if (reply.status) letGo();
  if (reply.status === 401) setPin(null);
  return reply;
}
