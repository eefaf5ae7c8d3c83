/** What has happened, in sentences, the newest first, each with the rule behind it. */

import { make, setChildren } from "./dom.js";
import { inWords } from "./race.js";
import { withRules } from "./rules.js";
import { say } from "./words.js";

/** Show the last sentences of the log. */
export function showStory(table, section, list) {
  const entries = table.story ?? [];
  section.hidden = !table.state;
  const lines = entries.toReversed().map((entry) =>
    make("li", { className: entry.seat ? `car-${entry.seat}` : "" },
      make("span", {}, inWords(entry)),
      ...withRules(entry.rule ?? "")));
  setChildren(list, lines.length ? lines : [make("li", { className: "empty" }, say("Nothing has happened yet."))]);
}
