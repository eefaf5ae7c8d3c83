/** What the table asks, in words. */

import { isThrown, nameOf } from "./race.js";
import { named, say } from "./words.js";

/** What one ask wants to know of whom. */
export function whatIsAsked(table, ask) {
  if (isThrown(table, ask)) return say("{name}: tap to throw the die", { name: nameOf(table, ask.seat) });
  const places = { name: nameOf(table, ask.seat), kind: ask.kind };
  if (ask.with) places.other = nameOf(table, ask.with);
  const [what, rule] = [`${ask.kind}-${ask.for}`, table.race?.rules?.[0]];
  return say(named("ask", `${what}-${rule}`, what, ask.kind) ?? say("{name}: {kind}?"), places);
}
