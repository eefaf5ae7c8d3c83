/** What several parts of the page call the same, by what the table has for it. */

import { say } from "./words.js";

export const STATUS = {
  grid: say("on the grid"),
  stalled: say("stalled"),
  spun: say("spun"),
  pit: say("in the pit"),
  finished: say("finished"),
  out: say("out"),
};
export const TIRES = { hard: say("hard tires"), soft: say("soft tires"), rain: say("rain tires") };
export const WEATHER = {
  "fine": say("Fine"),
  "variable": say("Variable, dry"),
  "variable-rain": say("Variable, it rains"),
  "rain": say("Rain"),
};
export const BOTS = {
  learner: say("Bot: learner"),
  amateur: say("Bot: amateur"),
  racer: say("Bot: racer"),
  champion: say("Bot: champion"),
};
