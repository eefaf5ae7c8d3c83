/**
 * A phone as a seat: what is asked in words, six keys that carry theirs, and the road to touch.
 *
 * All comes of /api/seat/N/view, which is the very page of the small screen of a wired seat. Each
 * press names the picture that it was read from, so that a key which has changed its meaning
 * meanwhile does nothing. A button acts when it is let go, as the wired ones do, and looks
 * pressed at once; what it meant only the next view says.
 */

import { keepFocus, leadByArrows } from "./js/arrows.js";
import { byId } from "./js/dom.js";
import { getJson, keyFromLink, listen, post, recall, refusalOf, remember, showLink } from "./js/net.js";
import { withRules } from "./js/rules.js";
import { handButtons } from "./js/seat/hands.js";
import { showHint } from "./js/seat/hints.js";
import { showRoad } from "./js/seat/road.js";
import { showView } from "./js/seat/view.js";
import { showThrow } from "./js/throw.js";
import { language, say } from "./js/words.js";

const NOTICE_MS = 6000;
const seat = Number(document.body.dataset.seat);
const api = `/api/seat/${seat}`;
const notice = byId("notice");

let token = keyFromLink("token", "localStorage", `token-${seat}`);

/* -- words for people ------------------------------------------------------- */

let noticeTimer = 0;

function tell(text, stays = false) {
  clearTimeout(noticeTimer);
  notice.replaceChildren(...withRules(text));
  notice.hidden = !text;
  if (text && !stays) noticeTimer = setTimeout(() => tell(""), NOTICE_MS);
}

/* -- the view --------------------------------------------------------------- */

let view = null;
let wanted = 0; // the latest fetch; an older one that comes late is not shown

async function look() {
  const turn = ++wanted;
  const told = await getJson(`${api}/view`, token);
  if (!told || turn !== wanted) return;
  if (view && view.language !== told.language && told.language !== language) return speak(told.language);
  view = told;
  document.body.dataset.picture = told.picture;
  keepFocus(document.body, () => {
    showView(told, { hasKey: Boolean(token), answer, tellTable, picture });
    showHint(told, Boolean(token));
    showThrow(told.thrown, byId("thrown"));
    showRoad(told, { answer, explain, elsewhere });
  });
  if (told.write && token) byId("written").value ||= told.who.name;
}

/** The seat was given another language from its menu: the page follows. */
function speak(code) {
  document.cookie = `lang=${code}; max-age=31536000; path=/; samesite=lax`;
  remember("sessionStorage", "follows", code);
  location.reload();
}

/** The very picture of the small screen, for a page with a code to be scanned. */
async function picture() {
  const response = await fetch(`${api}/screen.png?scale=4`, { headers: { Authorization: `Bearer ${token}` } });
  return response.ok ? URL.createObjectURL(await response.blob()) : "";
}

/* -- what is sent ----------------------------------------------------------- */

/** Post, and say why where it is refused; a late key is dropped without a word. */
async function send(path, body) {
  const reply = await post(path, body, token);
  if (reply.ok) tell("");
  else if (reply.status === 401 || reply.status === 403) tell(say("This link does not open this seat any more. Scan its QR code again."), true);
  else if (reply.error?.code !== "stale") tell(refusalOf(reply));
  await look();
  return reply;
}

const press = (button, hold) => view && send(`${api}/press`, { button, hold, picture: view.picture });
const answer = (value, of = seat) => send(`/api/seat/${of}/answer`, value);
const tellTable = (word) => send("/api/table", { table: word, seat });
const explain = (value) => post(`${api}/explain`, value, token);
const elsewhere = (to) => send(`${api}/elsewhere`, { to });

byId("write").addEventListener("submit", (event) => {
  event.preventDefault();
  const value = byId("written").value.trim();
  if (value) send("/api/table", { table: view.write, seat, value });
  document.activeElement?.blur();
});

/* -- start ------------------------------------------------------------------ */

async function start() {
  if (!token) tell(say("To play here, scan the QR code of this seat."), true);
  await look();
  handButtons(press); // at once: a thumb does not wait until the language is settled
  // Whoever opens a seat's page reads it in the language of the phone, from the first picture on.
  const follows = recall("sessionStorage", "follows");
  remember("sessionStorage", "follows", null);
  if (token && view && view.language !== language) {
    // A page that has just followed its seat, too late, follows it again: else two phones would take turns.
    if (follows) return speak(view.language);
    await post("/api/table", { table: "language", seat, value: language }, token);
    await look();
  }
  leadByArrows(document.querySelector("main"));
  listen(`${api}/stream`, {
    picture({ picture: number }) { if (number !== view?.picture) look(); },
  }, showLink(byId("link")));
}

start();
