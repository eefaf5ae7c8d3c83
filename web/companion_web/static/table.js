/** The table's page: everybody sees the race, whoever has the PIN may be its referee. */

import { showBoard } from "./js/board.js";
import { showCars } from "./js/cars.js";
import { showDead } from "./js/dead.js";
import { byId, make, setChildren, setText } from "./js/dom.js";
import { showLobby } from "./js/lobby.js";
import { listen, showLink } from "./js/net.js";
import { nameOf, placeOf, whatIsAsked } from "./js/race.js";
import { showReferee } from "./js/referee.js";
import { showResult } from "./js/result.js";
import { showStory } from "./js/story.js";
import { say } from "./js/words.js";

function showFacts(table) {
  const { race, state, paused } = table;
  setText(byId("race-name"), (state && (table.title ?? race?.track)) || say("title"));
  const lap = Math.max(1, ...Object.values(state?.cars ?? {}).map((car) => car.lap));
  const facts = state
    ? [
        say("lap", { lap: Math.min(lap, state.laps), laps: state.laps }),
        state.round ? say("round", { round: state.round }) : null,
        race?.rules?.includes("weather") && state.weather ? say(state.weather) : null,
        state.raining ? "☂" : null,
        paused ? say("paused") : null,
      ]
    : [];
  setText(byId("facts"), facts.filter(Boolean).join(" · "));
  document.body.classList.toggle("is-paused", Boolean(paused));
}

/** "It stands elsewhere", while another seat has not agreed yet. */
function proposed(table) {
  if (!table.proposal) return [];
  const { seat, space } = table.proposal;
  const places = { name: nameOf(table, seat), place: placeOf(table, space) || space };
  return [make("li", { className: `ask car-${seat}` },
    `${say("elsewhere")}: ${say("elsewhere-at", places)}`)];
}

/** Whose turn, large; and under it what is asked of whom. */
function showNow(table) {
  const { state, asks, paused } = table;
  const isOver = state?.phase === "finished";
  const turn = byId("turn");
  byId("now").hidden = !state;
  document.body.classList.toggle("is-over", isOver);
  if (!state) return;
  const winner = state.classification?.[0]?.seat;
  const onTurn = state.turn ?? asks[0]?.seat;
  const text = paused
    ? say("paused")
    : isOver
      ? winner ? say("wins", { name: nameOf(table, winner) }) : say("finished")
      : onTurn ? say("turn", { name: nameOf(table, onTurn) }) : say("nobody");
  setText(turn, text);
  const seat = isOver ? winner : onTurn;
  turn.className = `turn${seat ? ` car-${seat}` : ""}`;
  const questions = asks.map((ask) =>
    make("li", { className: `ask car-${ask.seat}` }, whatIsAsked(table, ask)));
  setChildren(byId("asks"), proposed(table).concat(questions));
}

function show(table) {
  showFacts(table);
  showNow(table);
  showDead(table, byId("dead"));
  showLobby(table, byId("lobby"), byId("lobby-body"));
  showResult(table, byId("result"), byId("result-body"));
  showBoard(table, byId("board"));
  showCars(table, byId("standings"), byId("cars"));
  showStory(table, byId("story"), byId("log"));
  showReferee(table, byId("referee"), byId("open-referee"));
  document.title = table.state ? `${byId("turn").textContent} · ${say("title")}` : say("title");
}

let latest = null;

listen("/api/stream", "table", (table) => show(latest = table), showLink(byId("link")));
document.addEventListener("pin", () => { if (latest) show(latest); });
