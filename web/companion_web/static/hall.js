/**
 * Every live table of a club on a television, told by a stream; where there are more than fit,
 * the pages take turns.
 */

import { byId, make, setChildren, setText } from "./js/dom.js";
import { listen, showLink } from "./js/net.js";
import { language, say } from "./js/words.js";

const PAGE_MS = 15000;
const CARDS_A_PAGE = 20;
/** How wide a card is to be for its height. */
const CARD_SHAPE = 1.55;
/** With no more tables than this a card has room for what happened last. */
const ROOMY = 6;
const phone = window.matchMedia("(max-width: 900px)");

let tables = [];
let page = 0;
/** The table that is shown alone; null: all of them. */
let chosen = null;

function car(one, turn) {
  const classes = [`car-${one.seat}`, `is-${one.status}`, one.seat === turn ? "on-turn" : ""];
  return make("li", { className: classes.filter(Boolean).join(" ") },
    make("span", { className: "badge" }, String(one.seat)),
    make("span", { className: "who" }, one.name ?? ""));
}

function lapOf(table) {
  if (!table.lap || !table.laps || table.phase === "finished") return "";
  return say("Lap {lap}/{laps}", { lap: Math.min(table.lap, table.laps), laps: table.laps });
}

/** The board, and what keeps it from being a race that goes on. */
function whereOf(table) {
  if (table.silent) return say("silent for {seconds} s", { seconds: table.silent });
  if (!table.title) return say("is setting up");
  if (table.phase === "finished") return `${say("The race is over")} · ${table.title}`;
  return table.paused ? `${say("Paused")} · ${table.title}` : table.title;
}

function card(table) {
  const last = table.story.at(-1);
  const classes = ["table", `is-${table.phase}`, table.silent ? "is-silent" : ""];
  return make("section", { className: classes.filter(Boolean).join(" "), "data-table": table.table },
    make("div", { className: "inside" },
      make("div", { className: "name" },
        make("h2", {}, make("button", { type: "button" }, table.table)),
        make("span", { className: "lap" }, lapOf(table))),
      make("p", { className: "where" }, whereOf(table)),
      make("ol", { className: "running" }, ...table.cars.map((one) => car(one, table.turn))),
      make("p", { className: "story" }, last?.[language] ?? last?.en ?? "")));
}

/** The number of columns with which cards come nearest to their shape. */
function columnsFor(count, width, height) {
  let best = 1;
  let nearest = Infinity;
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const off = Math.abs(Math.log(width / columns / (height / rows) / CARD_SHAPE))
      + (columns * rows - count) / count;
    if (off < nearest) [best, nearest] = [columns, off];
  }
  return best;
}

function show() {
  const alone = tables.filter((table) => table.table === chosen);
  if (!alone.length) chosen = null;
  const several = !chosen && !phone.matches;
  const pages = several ? Math.max(1, Math.ceil(tables.length / CARDS_A_PAGE)) : 1;
  page %= pages;
  const every = chosen ? alone : tables;
  const shown = pages === 1 ? every : every.slice(page * CARDS_A_PAGE, (page + 1) * CARDS_A_PAGE);
  const room = byId("tables");
  // All pages have the same cards, the last one too.
  const count = pages === 1 ? shown.length : CARDS_A_PAGE;
  const columns = columnsFor(count, room.clientWidth, room.clientHeight || window.innerHeight);
  room.style.setProperty("--columns", columns);
  room.style.setProperty("--rows", Math.max(1, Math.ceil(count / columns)));
  room.classList.toggle("is-roomy", count <= ROOMY);
  setChildren(room, shown.map(card));
  setText(byId("page"), pages === 1 ? "" : `${page + 1} / ${pages}`);
  byId("empty").hidden = tables.length > 0;
}

setInterval(() => { page += 1; show(); }, PAGE_MS);
window.addEventListener("resize", show);
byId("tables").addEventListener("click", (event) => {
  const table = event.target.closest("[data-table]")?.dataset.table;
  if (table === undefined) return;
  chosen = chosen ? null : table;
  show();
});
listen("/api/league/live/stream", { table(told) { ({ tables } = told); show(); } }, showLink(byId("link")));
