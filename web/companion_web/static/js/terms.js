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
export const TIRES = { hard: say("Hard tires"), soft: say("Soft tires"), rain: say("Rain tires") };
export const WEATHER = {
  "fine": say("Fine"),
  "variable": say("Variable, dry"),
  "variable-rain": say("Variable, it rains"),
  "rain": say("Rain"),
};
export const BOTS = {
  learner: say("Bot: learner"),
  rookie: say("Bot: rookie"),
  hobbyist: say("Bot: hobbyist"),
  amateur: say("Bot: amateur"),
  regular: say("Bot: regular"),
  contender: say("Bot: contender"),
  "semi-pro": say("Bot: semi-pro"),
  pro: say("Bot: pro"),
  racer: say("Bot: racer"),
  champion: say("Bot: champion"),
};
/** Those that are offered at once; the others stand behind a touch. */
export const FEW_BOTS = ["learner", "amateur", "contender", "racer", "champion"];
