/** The live tables of a club, asked for every few seconds; what has not changed is not sent. */

import { byId, make, setChildren, setText } from "./js/dom.js";
import { language, say } from "./js/words.js";

const EVERY_MS = 3000;

function car(one, turn) {
  const classes = [`car-${one.seat}`, `is-${one.status}`, one.seat === turn ? "on-turn" : ""];
  return make("li", { className: classes.filter(Boolean).join(" ") },
    make("span", { className: "badge" }, String(one.seat)), ` ${one.name ?? ""}`);
}

function phaseOf(table) {
  if (table.phase === "finished") return say("lg.hall-over");
  if (table.paused) return say("paused");
  if (table.lap && table.laps) return say("lg.hall-lap", { lap: Math.min(table.lap, table.laps), laps: table.laps });
  return table.title ? "" : say("lg.hall-lobby");
}

function card(table) {
  const last = table.story.at(-1);
  return make("section", { className: `panel live is-${table.phase}` },
    make("h2", {}, table.table),
    make("p", { className: "facts" }, [table.title, phaseOf(table)].filter(Boolean).join(" · ")),
    make("ol", { className: "running" }, ...table.cars.map((one) => car(one, table.turn))),
    make("p", { className: "small" }, last?.[language] ?? last?.en ?? ""));
}

async function refresh() {
  try {
    const response = await fetch("/api/league/live");
    if (!response.ok) throw new Error(String(response.status));
    const { tables } = await response.json();
    byId("empty").hidden = tables.length > 0;
    setChildren(byId("tables"), tables.map(card));
    byId("link").dataset.state = "open";
    setText(byId("link"), say("live"));
  } catch {
    byId("link").dataset.state = "lost";
    setText(byId("link"), say("lost"));
  }
  setTimeout(refresh, EVERY_MS);
}

refresh();
