/** The page's parts that a game brings, by the name in the header of the race. */

import * as downforce from "./downforce/game.js";
import * as formula from "./formula.js";

const OF_THEIR_OWN = { downforce };

/** The parts of the game on the table; before a race those of the Formula games, which hide. */
export const gameOf = (table) => OF_THEIR_OWN[table.race?.game] ?? formula;
