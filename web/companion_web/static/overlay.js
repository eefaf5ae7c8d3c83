/** The tower alone, for a stream: what is behind it shows through. */

import { showDisk } from "./js/disk.js";
import { byId, setText } from "./js/dom.js";
import { gameOf } from "./js/games.js";
import { followTable, showLink } from "./js/net.js";
import { showChances } from "./js/odds.js";
import { paint } from "./js/paint.js";
import { showTower } from "./js/tower.js";

function show(table) {
  paint(table.seats);
  const facts = table.state ? gameOf(table).facts(table).filter(Boolean) : [];
  setText(byId("facts"), facts.join(" · "));
  byId("facts").hidden = !facts.length;
  showDisk(table, byId("disk"), { tells: true });
  (table.state && gameOf(table).showTower || showTower)(table, byId("tower"));
  showChances(table, byId("chances"));
}

followTable(show, showLink(byId("link")));
