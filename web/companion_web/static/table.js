/** The table's page: everybody sees the race, whoever has the PIN may be its referee. */

import { announce, askedNow } from "./js/announcer.js";
import { leadByArrows } from "./js/arrows.js";
import { whatIsAsked } from "./js/asks.js";
import { showDead } from "./js/dead.js";
import { showDisk } from "./js/disk.js";
import { showDemo } from "./js/demo.js";
import { byId, make, setChildren, setText } from "./js/dom.js";
import { gameOf } from "./js/games.js";
import { showLast } from "./js/last.js";
import { momentsBetween } from "./js/moments.js";
import { followTable, showLink } from "./js/net.js";
import { showChances, showSolving } from "./js/odds.js";
import { showPace } from "./js/pace.js";
import { paint } from "./js/paint.js";
import { currentPin, sharePin } from "./js/pin.js";
import { inWords, keptAs, nameOf, ofThrow, placeOf } from "./js/race.js";
import { openReferee, showReferee } from "./js/referee.js";
import { showStory } from "./js/story.js";
import { showThrow } from "./js/throw.js";
import { toast } from "./js/toast.js";
import { showWatch } from "./js/watch.js";
import { announcerSwitch } from "./js/voice.js";
import { say } from "./js/words.js";

function showFacts(table) {
  const { race, state, paused } = table;
  const isNew = !state && table.lobby?.joined.length;
  setText(byId("race-name"), (state && (table.title ?? race?.track)) || (isNew ? say("A new race") : say("Race companion")));
  const facts = state ? [...gameOf(table).facts(table), paused ? say("Paused") : null] : [];
  setText(byId("facts"), facts.filter(Boolean).join(" · "));
  document.body.classList.toggle("is-paused", Boolean(paused));
  document.body.dataset.game = (state && race?.game) || "";
}

/** "It stands elsewhere", while another seat has not agreed yet. */
function proposed(table) {
  if (!table.proposal) return [];
  const { seat, space } = table.proposal;
  const places = { name: nameOf(table, seat), place: placeOf(table, space) || space };
  return [make("li", { className: `ask car-${seat}` },
    `${say("The car stands elsewhere")}: ${say("{name}: {place}?", places)}`)];
}

/** What is said large: a pause, the winner, or what the game has to say of now. */
function headline(table) {
  const { state, paused } = table;
  const first = state.classification?.[0];
  const isDriven = table.driven !== false;
  const winner = isDriven && first?.status !== "out" ? first?.seat : null;
  if (paused) return { seat: null, text: say("Paused") };
  if (state.phase !== "finished") return gameOf(table).headline(table);
  const nobody = !isDriven ? say("No race was driven") : first ? say("Nobody comes home") : say("The race is over");
  return { seat: winner, text: winner ? say("{name} wins!", { name: nameOf(table, winner) }) : nobody };
}

/** Whose turn, large; and under it what is asked of whom. */
function showNow(table) {
  const { state } = table;
  byId("now").hidden = !state;
  document.body.classList.toggle("is-over", state?.phase === "finished");
  if (!state) return;
  const { seat, text } = headline(table);
  const turn = byId("turn");
  setText(turn, text);
  turn.className = `turn${seat ? ` car-${seat}` : ""}`;
  const questions = gameOf(table).told(table).map((ask) =>
    make("li", { className: `ask car-${ask.seat}` }, whatIsAsked(table, ask)));
  setChildren(byId("asks"), proposed(table).concat(questions));
  const next = byId("next");
  next.hidden = !table.next || state.phase === "finished";
  if (!next.hidden) setText(next, say("Next: {name}", { name: nameOf(table, table.next) }));
}

/** Where a race that is over is kept. */
function showLeague(table) {
  const [place, id] = [byId("in-league"), keptAs(table)];
  place.hidden = table.state?.phase !== "finished" || !id;
  place.firstElementChild.href = `/league/races/${encodeURIComponent(id ?? "")}`;
}

let hasLobby = false;

/** The lobby is a script of its own: it comes with the first lobby that there is. */
function toLobby(table) {
  document.body.classList.toggle("is-setting-up", Boolean(table.lobby));
  if (table.lobby && !hasLobby) {
    hasLobby = true;
    const { src } = document.querySelector("script[src*='/table.js']");
    document.body.append(make("script", { type: "module", src: src.replace("/table.js", "/lobby.js") }));
  }
  document.dispatchEvent(new CustomEvent("lobby", { detail: table }));
}

function show(table) {
  paint(table.seats);
  showFacts(table);
  showNow(table);
  showWatch(table, byId("watch"));
  showChances(table, byId("chances"));
  showSolving(table, byId("solving"));
  showPace(table.clock, { turn: byId("pace"), bell: byId("bell") });
  showLast(table, byId("last"));
  showDead(table, byId("dead"));
  showDisk(table, byId("disk"));
  showDemo(table, byId("demo"));
  toLobby(table);
  gameOf(table).show(table);
  showLeague(table);
  showStory(table, byId("story"), byId("log"));
  showReferee(table);
  showThrow(table.thrown, byId("thrown"), table.thrown ? ofThrow(table, table.thrown) : {});
  document.title = table.state ? `${byId("turn").textContent} · ${say("Race companion")}` : say("Race companion");
  document.body.dataset.version = table.version; // what of the table this page shows
}

let latest = null;

/** A page that is looked at and heard. */
function follow(table) {
  show(table);
  announce(table, momentsBetween(latest, table)[0]);
  latest = table;
}

announcerSwitch(byId("announcer"), askedNow);
document.addEventListener("lobby-ready", () => {
  sharePin();
  toLobby(latest);
});
byId("open-menu").addEventListener("click", ({ target }) => {
  target.setAttribute("aria-expanded", String(document.body.classList.toggle("is-menu-open")));
});
leadByArrows(byId("referee"));
openReferee(byId("referee"), byId("open-referee"));
followTable(follow, showLink(byId("link")));
document.addEventListener("notice", ({ detail }) => { if (currentPin()) toast(inWords(detail)); });
for (const event of ["pin", "places"]) document.addEventListener(event, () => { if (latest) show(latest); });
