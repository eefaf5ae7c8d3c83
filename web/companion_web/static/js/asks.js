/** What the table asks, in words. */

import { isThrown, nameOf } from "./race.js";
import { named, say } from "./words.js";

/** What one ask wants to know of whom. */
export function whatIsAsked(table, ask) {
  if (isThrown(table, ask)) return say("{name}: tap to throw the die", { name: nameOf(table, ask.seat) });
  const places = { name: nameOf(table, ask.seat), kind: ask.kind };
  if (ask.with) places.other = nameOf(table, ask.with);
  return say(named("ask", `${ask.kind}-${ask.for}`, ask.kind) ?? say("{name}: {kind}?"), places);
}
