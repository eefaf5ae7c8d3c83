/** A television for everybody in the room: who plays, what with which die, and the whole race. */

import { announce, askedNow } from "./js/announcer.js";
import { showBoard } from "./js/board.js";
import { showBanner } from "./js/banner.js";
import { showComingIn } from "./js/coming-in.js";
import { newsOf, showAhead, showChances } from "./js/commentary.js";
import { showDisk } from "./js/disk.js";
import { byId, setText } from "./js/dom.js";
import { showFinish } from "./js/finish.js";
import { gameOf } from "./js/games.js";
import { carOf, momentsBetween } from "./js/moments.js";
import { followTable, recall, remember, showLink } from "./js/net.js";
import { showPace } from "./js/pace.js";
import { paint } from "./js/paint.js";
import { nameOf, ofThrow } from "./js/race.js";
import { play, soundSwitch } from "./js/sound.js";
import { showThrow } from "./js/throw.js";
import { showTower } from "./js/tower.js";
import { announcerSwitch } from "./js/voice.js";
import { say } from "./js/words.js";

const CONTACTS = new Set(["FD-BUMP-1", "FD-BUMP-2", "DE-BUMP-1"]);

const SHOWN_MS = 3500; // a moment
const LIGHTS = 5;
const LIGHT_MS = 700;
const RESTS_MS = 8000;
const [STANDS_MS, AGAIN_MS] = [1800, 5000]; // the car where the move began; and the whole of it
const LONG = 46; // letters of a sentence that stands on two lines

let newest = null; // the table as it is
let latest = null; // the one that is shown
let heard = { turn: null, version: 0 };

/** One sentence, in the color of whom it is about. */
function showNews(table, moment) {
  const { text, seat } = newsOf(table, moment);
  byId("story").className = `story${seat ? ` car-${seat}` : ""}`;
  byId("story").classList.toggle("is-long", text.length > LONG);
  setText(byId("story"), table.state ? text : "");
}

/** What is heard of a change: the finish before a contact, a contact before the next turn. */
function sound(table, moment) {
  const turn = table.state?.turn ?? null;
  const isNew = table.version > heard.version && heard.version > 0;
  const last = table.story?.at(-1);
  if (isNew && (moment?.kind === "wins" || moment?.kind === "home")) play("finish");
  else if (isNew && CONTACTS.has(last?.rule)) play("contact");
  else if (isNew && turn && turn !== heard.turn) play("turn");
  heard = { turn, version: table.version };
}

let before = null; // the table as it was last
let timer = 0;

/** The lead was taken by a move: kept where a page that is opened anew finds it, with the table before it. */
function keepLead(was, now, { seat }) {
  const [from, to] = [carOf(was, seat).space, carOf(now, seat).space];
  const other = was.running[0];
  // A phone gives die and move in one touch: the table before it has not seen the die.
  const die = [now.die, was.die].find((one) => one?.seat === seat) ?? null;
  const told = { race: now.id, seat, other, to, was: { ...was, die } };
  if (from && from !== to) remember("sessionStorage", "lead", JSON.stringify(told));
}

/** How the winner of a race took the lead last: `seat` from `other`, `to` which space it moved, and the table as it
 * `was` before; null where nobody saw it. */
function leadTaken(table) {
  const told = JSON.parse(recall("sessionStorage", "lead"));
  const winner = table.state?.classification?.[0];
  return told?.was && told.race === table.id && winner?.status !== "out" && winner?.seat === told.seat ? told : null;
}

/** Five lights come on one after the other and go out together. */
function lights(place, text) {
  const row = document.createElement("span");
  row.className = "lights";
  row.append(...Array.from({ length: LIGHTS }, () => document.createElement("i")));
  place.replaceChildren(row);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  [...row.children].forEach((light, n) =>
    setTimeout(() => light.classList.add("is-lit"), isStill ? 0 : LIGHT_MS * (n + 1)));
  setTimeout(() => {
    if (!place.contains(row)) return;
    for (const light of row.children) light.classList.remove("is-lit");
    place.append(text);
  }, isStill ? SHOWN_MS / 2 : LIGHT_MS * (LIGHTS + 1));
  return isStill ? SHOWN_MS : LIGHT_MS * (LIGHTS + 1) + SHOWN_MS;
}

/** Answers were taken back: who leads no more has not taken the lead. */
function takeBack(table) {
  const told = JSON.parse(recall("sessionStorage", "lead"));
  if (told?.seat !== table.running?.[0]) remember("sessionStorage", "lead", null);
}

/** Show the greatest moment since the table before; what it was, or null. */
function showMoment(table, place) {
  const isBack = table.news?.at(-1)?.back;
  const moments = isBack ? [] : momentsBetween(before, table); // what is taken back is none
  if (isBack) takeBack(table);
  const [moment] = moments;
  for (const lead of moments.filter(({ kind }) => kind === "lead")) keepLead(before, table, lead);
  before = table;
  if (table.state?.phase === "finished" || !table.state) place.hidden = true;
  if (!moment || moment.kind === "wins") return moment ?? null; // the finish is a scene of its own
  clearTimeout(timer);
  place.className = `moment is-${moment.kind}${moment.seat ? ` car-${moment.seat}` : ""}`;
  place.hidden = false;
  place.textContent = moment.text;
  const shown = moment.kind === "lights" ? lights(place, moment.text) : SHOWN_MS;
  timer = setTimeout(() => { place.hidden = true; }, shown);
  return moment;
}

/** The move by which the winner took the lead is seen once more before the finish. */
let again = {};

function isSeenAgain(table) {
  if (again.race === table.id) {
    again.table = table;
    return !again.isDone;
  }
  const { state } = latest ?? {};
  const told = state?.phase === "race" && latest.race?.track && latest.id === table.id ? leadTaken(table) : null;
  const mine = again = { race: table.id, table, isDone: !told };
  if (!told) return false;
  const { seat, other, to, was } = told;
  const { cars } = was.state;
  const at = (space) => showBoard({ ...was, keyed: [], asks: [{ kind: "move", seat, options: [] }],
    state: { ...was.state, turn: seat, cars: { ...cars, [seat]: { ...cars[seat], space } } } }, byId("board"), { isTelevision: true });
  const then = (what, ms) => setTimeout(() => { if (again === mine) what(); }, ms);
  latest = was;
  showRace(was);
  setText(byId("who"), nameOf(table, seat));
  setText(byId("call"), say("took the lead from {other}", { other: nameOf(table, other) }));
  setText(byId("story"), say("The move that decided it"));
  byId("story").className = `story car-${seat}`;
  byId("moment").hidden = true;
  at(cars[seat].space);
  showComing(was);
  then(() => at(to), STANDS_MS);
  then(() => { mine.isDone = true; show(mine.table); }, AGAIN_MS);
  return true;
}

/** What is told of a race beside its circuit: who plays, and the order. */
function showRace(table) {
  const { state } = table;
  setText(byId("facts"), state ? gameOf(table).facts(table).filter(Boolean).join(" · ") : "");
  showBanner(table);
  if (state && state.phase !== "finished") (gameOf(table).showTower ?? showTower)(table, byId("tower"));
}

/** What follows from where the circuit shows the cars. */
function showComing(table) {
  showAhead(table, byId("ahead"));
  showChances(table, byId("chances"));
}

function show(table) {
  newest = table;
  const { state } = table;
  const isOver = state?.phase === "finished";
  if (!isOver) again = {};
  else if (isSeenAgain(table)) return;
  latest = table;
  paint(table.seats);
  byId("standings").hidden = !state || isOver;
  showRace(table);
  showPace(table.clock, { turn: byId("pace"), bell: byId("bell") });
  document.body.dataset.game = (state && table.race?.game) || "";
  byId("game").hidden = true;
  if (state) gameOf(table).showTelevision?.(table, byId("game"));
  showBoard(isOver ? { ...table, state: null } : table, byId("board"), { isTelevision: true });
  showDisk(table, byId("disk"));
  showComingIn(table, byId("lobby"));
  showFinish(table, byId("result"), byId("result"), isOver ? leadTaken(table) : null);
  const moment = showMoment(table, byId("moment"));
  showNews(table, moment);
  showComing(table);
  sound(table, moment);
  announce(table, moment);
  showThrow(table.thrown, byId("thrown"), table.thrown ? ofThrow(table, table.thrown) : {});
  document.title = state ? `${byId("who").textContent} · ${say("Race companion")}` : say("Race companion");
}

/** Full screen, and awake for as long as it lasts, where the browser can. */
byId("full").addEventListener("click", async () => {
  if (document.fullscreenElement) {
    document.exitFullscreen();
    return;
  }
  await document.documentElement.requestFullscreen?.().catch(() => {});
  navigator.wakeLock?.request("screen").catch(() => {});
});

/** What is pressed here goes when nobody points: the sentence of news has the whole width. */
let resting = 0;

function wake() {
  clearTimeout(resting);
  document.body.classList.remove("is-resting");
  resting = setTimeout(() => document.body.classList.add("is-resting"), RESTS_MS);
}
for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"]) document.addEventListener(kind, wake);
wake();
soundSwitch(byId("sound"));
announcerSwitch(byId("announcer"), askedNow);
document.addEventListener("window", () => showAhead(latest, byId("ahead")));
document.addEventListener("pin", () => { if (newest) show(newest); });
const showOpen = showLink(byId("link"));
followTable(show, (isOpen) => {
  showOpen(isOpen);
  byId("lost").hidden = isOpen;
});
