/** What anybody may do at a table that nobody uses, without a key: watch bots, race them, end their race. */

import { make } from "./dom.js";
import { post, refusalOf } from "./net.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

export async function demo(what) {
  const reply = await post(`/api/demo/${what}`, {}, null);
  if (!reply.ok) return toast(refusalOf(reply));
  if (reply.link) {
    const { pathname, hash } = new URL(reply.link);
    location.assign(pathname + hash);
  }
}

export function demoButton(text, className, what) {
  const element = make("button", { type: "button", className }, text);
  element.addEventListener("click", () => demo(what));
  return element;
}

/** While nobody but bots drives, anybody may make room for people. */
export function showDemo({ race, state }, place) {
  place.hidden = !state || !race?.seats?.length || !race.seats.every((one) => one.bot);
  if (place.hidden || place.childElementCount) return;
  place.append(demoButton(say("End the demo"), "go", "end"), demoButton(say("Race against bots"), "quiet", "play"));
}
