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
import { showMoment } from "./js/moments.js";
import { followTable, showLink } from "./js/net.js";
import { showPace } from "./js/pace.js";
import { paint } from "./js/paint.js";
import { ofThrow } from "./js/race.js";
import { play, soundSwitch } from "./js/sound.js";
import { showThrow } from "./js/throw.js";
import { showTower } from "./js/tower.js";
import { announcerSwitch } from "./js/voice.js";
import { say } from "./js/words.js";

const CONTACTS = new Set(["FD-BUMP-1", "FD-BUMP-2", "DE-BUMP-1"]);

let latest = null;
let heard = { turn: null, version: 0 };

/** One sentence, in the color of whom it is about. */
function showNews(table, moment) {
  const { text, seat } = newsOf(table, moment);
  byId("story").className = `story${seat ? ` car-${seat}` : ""}`;
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

function show(table) {
  latest = table;
  paint(table.seats);
  const { state } = table;
  const isOver = state?.phase === "finished";
  const facts = state ? gameOf(table).facts(table).filter(Boolean) : [];
  setText(byId("facts"), facts.join(" · "));
  byId("standings").hidden = !state || isOver;
  showBanner(table);
  showPace(table.clock, { turn: byId("pace"), bell: byId("bell") });
  document.body.dataset.game = (state && table.race?.game) || "";
  byId("game").hidden = true;
  if (state) gameOf(table).showTelevision?.(table, byId("game"));
  if (state && !isOver) (gameOf(table).showTower ?? showTower)(table, byId("tower"));
  showBoard(isOver ? { ...table, state: null } : table, byId("board"), { isTelevision: true });
  showDisk(table, byId("disk"));
  showComingIn(table, byId("lobby"));
  showFinish(table, byId("result"));
  const moment = showMoment(table, byId("moment"));
  showNews(table, moment);
  showAhead(table, byId("ahead"));
  showChances(table, byId("chances"));
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
soundSwitch(byId("sound"));
announcerSwitch(byId("announcer"), askedNow);
document.addEventListener("window", () => showAhead(latest, byId("ahead")));
document.addEventListener("pin", () => { if (latest) show(latest); });
const showOpen = showLink(byId("link"));
followTable(show, (isOpen) => {
  showOpen(isOpen);
  byId("lost").hidden = isOpen;
});
