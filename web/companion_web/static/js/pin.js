/** The referee's PIN, for as long as this tab is open; at the machine itself nobody is asked for it. */

import { getJson, keyFromLink, post, recall, refusalOf, remember } from "./net.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const HERE = "at-this-machine"; // a key that is good only where the server says so, too
const AT_THE_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const SEATS = Array.from({ length: 10 }, (_, seat) => seat + 1);
let pin = keyFromLink("pin", "sessionStorage");

export const currentPin = () => pin;

/** Tell it to the other scripts of this page, which may have come later. */
export const sharePin = () => document.dispatchEvent(new CustomEvent("pin", { detail: { pin } }));
// On its way down: every script has it before any draws by it.
window.addEventListener("pin", ({ detail }) => { ({ pin } = detail); }, true);

export function keepPin(value) {
  pin = value || null;
  remember("sessionStorage", "pin", pin);
  sharePin();
}

/** Keep what somebody has typed, unless this post, which does nothing, is refused with it. */
export async function setPin(value, path = "/api/league/look", body = { acts: [] }) {
  const reply = value && await post(path, body, value);
  if (reply?.status === 401) toast(say("This is not the PIN."));
  else keepPin(value);
}

if (!pin && AT_THE_MACHINE.test(location.hostname)) {
  getJson("/api/join", HERE).then((told) => { if (told && !pin) keepPin(HERE); });
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
  if (reply.status === 401) keepPin(null);
  return reply;
}

const BEGINS = ["start", "rematch"];

/** A word to the table with the PIN, and why it is refused; a race that another's press has begun was wanted, too. */
export async function tellTable(word, more = {}) {
  const reply = await postAsReferee("/api/table", { table: word, ...more });
  const isBegun = BEGINS.includes(word) && reply.error?.key === "race-runs";
  if (!reply.ok && !isBegun) toast(refusalOf(reply));
  return reply;
}
