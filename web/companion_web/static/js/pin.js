/** The referee's PIN, for as long as this tab is open. */

import { keyFromLink, post, recall, remember } from "./net.js";

let pin = keyFromLink("pin") ?? recall(sessionStorage, "pin");
if (pin) remember(sessionStorage, "pin", pin);

export const currentPin = () => pin;

export function setPin(value) {
  pin = value || null;
  remember(sessionStorage, "pin", pin);
  document.dispatchEvent(new Event("pin"));
}

/** Post with the PIN; a PIN that the table does not know is forgotten. */
export async function postAsReferee(path, body) {
  const reply = await post(path, body, pin);
  if (reply.status === 401) setPin(null);
  return reply;
}
