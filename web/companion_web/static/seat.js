/**
 * A phone as a seat: what is asked in words, laid out by what kind of choice it is, and the road to touch.
 *
 * All comes of /api/seat/N/view, which is the page of the small screen of a wired seat, with the choice that it
 * leaves. A press names the picture that it was read from, an answer the version, so that what has changed its
 * meaning meanwhile does nothing. Whatever answers says so in `data-answer`.
 */

import { keepFocus, leadByArrows } from "./js/arrows.js";
import { byId, make } from "./js/dom.js";
import { untilLetGo } from "./js/let-go.js";
import { getJson, keyFromLink, listen, post, recall, refusalOf, remember, showLink } from "./js/net.js";
import { withRules } from "./js/rules.js";
import { showChoices } from "./js/seat/choices.js";
import { handButtons } from "./js/seat/hands.js";
import { showHint } from "./js/seat/hints.js";
import { layOut, sheetButton, showRoad } from "./js/seat/road.js";
import { die } from "./js/seat/shapes.js";
import { showView } from "./js/seat/view.js";
import { showThrow } from "./js/throw.js";
import { announcerSwitch, speak as voiced } from "./js/voice.js";
import { language, say } from "./js/words.js";

const NOTICE_MS = 6000;
const REFUSED = 409; // by the rules, not for want of a disk or of time
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
let looking = null; // until what it brings is shown

/** Show the view as it is now; done when it is shown, by this fetch or by one that was asked for later. */
function look() {
  looking = fetchView(++wanted);
  return looking;
}

async function fetchView(turn) {
  const told = await getJson(`${api}/view`, token);
  await untilLetGo();
  if (turn !== wanted) return looking;
  if (!told) return;
  if (view && view.language !== told.language && told.language !== language) return speak(told.language);
  view = told;
  document.body.dataset.picture = told.picture;
  keepFocus(document.body, () => {
    showAll();
    showHint(told, Boolean(token));
    showThrow(told.thrown, byId("thrown"));
  });
  sayAloud(told);
  if (told.write && token) byId("written").value ||= told.who.name;
}

/** What this phone says aloud, where its voice is on: what its own player is asked, and how it ended for it. */
let said = "";

function sayAloud({ asked, finish, title }) {
  const now = asked || finish ? title : "";
  if (now && now !== said) voiced([now]);
  said = now;
}

/* -- die and end --------------------------------------------------------------- */

let hasFaces = false; // the die comes first, as somebody wants it
let given = null; // what the last touch on the road gave: its end, its gear, and the other ways there

/** Show the view as it stands, by road or by the faces of the die. */
function showAll() {
  const { asked, kind, undo } = view;
  if (kind !== "faces" || asked !== "roll") hasFaces = false;
  const isPast = !undo || Boolean(view.finish) || ["gear", "roll", "move"].includes(asked);
  if (given && (isPast || kind !== "tell")) layOut();
  if (isPast) given = null;
  const isByRoad = asked === "roll" && view.map?.ends.length > 0 && !hasFaces;
  const title = (isByRoad || view.form) && view.where ? view.where : view.title;
  showView({ ...view, title }, { hasKey: Boolean(token), answer, tellTable, picture });
  showChoices(view, token ? choose : () => {}, hasFaces && (() => facesFirst()));
  showChip();
  // Last: what is above and below it leaves the road its height.
  showRoad(view, { answer: touched, explain, elsewhere, facesFirst, gear: () => view.who.gear }, hasFaces);
}

/** The die as a chip: to be told first, to be corrected, or the other one that leads to the same space. */
function showChip() {
  const chip = byId("chip");
  const isRoad = view.asked === "roll" && view.map?.ends.length > 0 && !hasFaces;
  const { map, who, asked, undo } = view;
  const shows = given?.end.roll ?? (asked === "move" ? map?.rolled : "");
  chip.hidden = (!isRoad && !shows) || Boolean(view.finish);
  chip.disabled = !isRoad && !undo;
  chip.toggleAttribute("data-faces", isRoad);
  if (chip.hidden) return;
  const others = [...new Set((given?.ways ?? []).map(({ roll }) => roll))].filter((roll) => roll !== shows);
  const faces = others.length ? say("or {faces}", { faces: others.join(", ") }) : "▾";
  const words = isRoad ? say("Die first") : view.kind === "tell" ? `${say("your die")} ${faces}` : faces;
  chip.replaceChildren(die(given?.gear ?? who.gear, isRoad ? "?" : shows), make("span", {}, words));
  chip.ariaLabel = isRoad ? words : say("The die: {face}. Another?", { face: shows });
}

/** The faces in order, and why, where it was not the chip that asked for them. */
function facesFirst(why = "") {
  hasFaces = !hasFaces || Boolean(why);
  tell(why);
  keepFocus(document.body, showAll);
}

/** What a touch on the road gave; `how` is what a chip then offers: another die for the same place. */
async function touched(body, how) {
  const reply = await answer(body);
  if (!reply.ok || !how) return;
  given = how;
  showAll();
  // Nobody has to look at it: the cheapest way has been taken, and the sheet goes with the next answer.
  if (given && how.ways.length > 1 && view.kind === "tell") showGiven();
}

/** Another face has led to the same space: what the touch gave is taken back, and given anew. */
async function correct(way) {
  const { gear, ways } = given;
  layOut();
  const reply = await press(1, true);
  if (reply.ok) await touched(way.answer, { end: way, gear, ways });
}

/** Where the car stands, and all dice that can have led there. */
function showGiven() {
  const { end, gear, ways } = given;
  layOut("", make("h2", {}, end.name), make("p", {}, say("What did the die show?")),
    make("div", { className: "confirm" },
      ...ways.map((way) => sheetButton([die(gear, way.roll), way.short || way.says], way === end ? "way is-now" : "way", () => (way === end ? layOut() : correct(way)),
        { "data-answer": JSON.stringify(way.answer), "aria-pressed": String(way === end), "aria-label": `${way.roll}: ${way.says}` })),
      sheetButton(say("Take it back"), "quiet", () => { layOut(); return press(1, true); })));
}

byId("chip").addEventListener("click", () => {
  if (given) return showGiven();
  return view.asked === "move" ? press(1, true) : facesFirst();
});

/** Give a choice; what puts the car out is asked once more, in its words. */
async function choose(choice, element) {
  const give = async () => {
    element?.classList.add("sent");
    await (choice.button ? pressNext(choice) : answer(choice.answer, choice.of ?? seat));
    element?.classList.remove("sent");
  };
  if (choice.mark !== "out" || !choice.answer || (choice.of ?? seat) !== seat) return give();
  return layOut("out", make("h2", {}, choice.hint || say("This puts your car out")), make("p", {}, choice.label),
    make("div", { className: "confirm" },
      sheetButton(say("Yes, I am out"), "go is-out", () => { layOut(); return give(); }, { "data-answer": JSON.stringify(choice.answer) }),
      sheetButton(say("No"), "quiet", () => layOut())));
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

let sending = null; // what is under way, until the page shows what came of it
let made = 0; // the version that the last answer of this phone has made

function send(path, body) {
  const under = sent(path, body).finally(() => { if (sending === under) sending = null; });
  sending = under;
  return under;
}

/** A refusal that needs no word: a late key, a finger quicker than the table, a race that another's press has begun,
 *  and a press that the rules refuse, whose picture says why. */
function isClear({ status, error: { code, key } }, path, body) {
  return code === "stale" || key === "not-asked" && [body].flat()[0].version < made ||
    key === "race-runs" && body.table === "rematch" || status === REFUSED && path.endsWith("/press");
}

/** Post, and say why where it is refused. */
async function sent(path, body) {
  const reply = await post(path, body, token);
  if (reply.ok) {
    made = reply.version ?? made;
    tell("");
  }
  else if (reply.status === 401 || reply.status === 403) tell(say("This link does not open this seat any more. Scan its QR code again."), true);
  else tell(reply.error && isClear(reply, path, body) ? "" : refusalOf(reply));
  await look();
  return reply;
}

const press = (button, hold, picture = view?.picture ?? 0) => send(`${api}/press`, { button, hold, picture });

/** A finger is quicker than the table: the next part of one answer waits for the page after the part before it. */
async function pressNext(choice) {
  const read = view;
  while (sending) await sending;
  const isPart = !choice.answer && view.asked === read.asked;
  const now = isPart && view !== read && view.choices.find((one) => one.button && one.label === choice.label);
  return press((now || choice).button, false, (now ? view : read).picture);
}
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

/* -- another's phone -------------------------------------------------------- */

const lostPhones = new Map(); // by the number that each shows, the oldest first
let lost = 0; // the one that is asked about

/** A phone has lost its seat: the host, or another phone of that seat, says whether it is the one that
    shows the number. */
function letBack(asked) {
  const { seat: of, name, number, by, yes, host, left } = asked;
  if (yes) tell(say("{name}'s phone is back, by {by}'s word.", { name, by }));
  if (yes !== null) showLost(number);
  else if (token && (seat === host || seat === of)) {
    lostPhones.set(number, asked);
    setTimeout(showLost, left * 1000, number);
    showLost();
  }
}

function showLost(said) {
  lostPhones.delete(said);
  if (byId("sheet").matches(".is-back")) {
    if (said !== lost) return;
    layOut();
  }
  for (const { seat: of, name, number } of lostPhones.values()) {
    const button = (label, className, yes) =>
      sheetButton(label, className, () => { layOut(); return send("/api/join/let", { seat: of, number, yes }); });
    lost = number;
    return layOut("back", make("h2", {}, say("Let {name}'s phone back in?", { name })),
      make("p", {}, say("It shows {number}. It will play for {name}, and see what {name} sees.", { name, number })),
      make("div", { className: "confirm" }, button(say("Yes, it is {name}'s", { name }), "go", true), button(say("No"), "quiet", false)));
  }
}

/* -- start ------------------------------------------------------------------ */

async function start() {
  if (!token) tell(say("To play here, scan the QR code of this seat."), true);
  await look();
  handButtons(press);
  announcerSwitch(byId("announcer"), () => said);
  byId("undo").addEventListener("click", () => press(1, true));
  byId("menu").addEventListener("click", () => press(6, true));
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
  listen(`/api/stream?seat=${seat}`, {
    picture({ seat: of, picture: number }) { if (of === seat && number !== view?.picture) look(); },
    back: letBack,
  }, showLink(byId("link")));
}

start();
