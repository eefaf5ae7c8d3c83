/**
 * A phone as a seat: the very picture of the seat's screen, and six buttons in the gear gate.
 *
 * A button acts when it is let go, as the wired ones do. It looks pressed at once; what it
 * meant only the next picture says. Each press names the picture that it was read from, so
 * that a key which has changed its meaning meanwhile does nothing.
 */

import { keyFromLink, listen, post, recall, refusalOf, remember, showLink } from "./js/net.js";
import { byId } from "./js/dom.js";
import { say } from "./js/words.js";

const HOLD_MS = 600;
const NOTICE_MS = 5000;
const seat = Number(document.body.dataset.seat);
const api = `/api/seat/${seat}`;
const screen = byId("screen");
const notice = byId("notice");
const buttons = [...byId("gate").querySelectorAll("button")];

let token = keyFromLink("token") ?? recall(localStorage, `token-${seat}`);
if (token) remember(localStorage, `token-${seat}`, token);

/* -- the picture ------------------------------------------------------------ */

let shown = null; // number of the picture on the screen
let wanted = 0; // the latest fetch; an older one that comes late is not shown

async function showPicture() {
  const turn = ++wanted;
  try {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const response = await fetch(`${api}/screen.png`, { headers, cache: "no-store" });
    if (!response.ok || turn !== wanted) return;
    const picture = URL.createObjectURL(await response.blob());
    const before = screen.src;
    screen.src = picture;
    shown = Number(response.headers.get("X-Picture"));
    await screen.decode().catch(() => {});
    if (before.startsWith("blob:")) URL.revokeObjectURL(before);
  } catch {
    /* The stream will say that the connection is lost. */
  }
}

/* -- words for people ------------------------------------------------------- */

let noticeTimer = 0;

function tell(text, stays = false) {
  clearTimeout(noticeTimer);
  notice.textContent = text;
  notice.hidden = !text;
  if (text && !stays) noticeTimer = setTimeout(() => tell(""), NOTICE_MS);
}

/* -- the buttons ------------------------------------------------------------ */

const held = new Map(); // button → when it went down, and the timer of its hold

function down(button) {
  if (held.has(button) || button.disabled) return;
  button.classList.add("down");
  const timer = setTimeout(() => {
    button.classList.add("held");
    navigator.vibrate?.(30);
  }, HOLD_MS);
  held.set(button, { since: performance.now(), timer });
}

function letGo(button, isMeant) {
  const press = held.get(button);
  if (!press) return;
  held.delete(button);
  clearTimeout(press.timer);
  button.classList.remove("down", "held");
  if (isMeant) send(Number(button.dataset.button), performance.now() - press.since >= HOLD_MS);
}

async function send(button, hold) {
  const reply = await post(`${api}/press`, { button, hold, picture: shown }, token);
  if (reply.ok) tell("");
  else if (reply.status === 401 || reply.status === 403) tell(say("bad-token"), true);
  else if (reply.error?.code !== "stale") tell(refusalOf(reply));
  await showPicture();
}

for (const button of buttons) {
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture?.(event.pointerId);
    down(button);
  });
  button.addEventListener("pointerup", (event) => {
    // A thumb that slid off takes the press back.
    const under = document.elementFromPoint(event.clientX, event.clientY);
    letGo(button, button.contains(under));
  });
  button.addEventListener("pointercancel", () => letGo(button, false));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && !event.repeat) down(button);
  });
  button.addEventListener("keyup", (event) => {
    if (event.key === "Enter" || event.key === " ") letGo(button, true);
  });
  // A screen reader clicks without pointer or key.
  button.addEventListener("click", (event) => {
    if (event.detail === 0 && event.pointerType === "") send(Number(button.dataset.button), false);
  });
}

const buttonOfKey = (key) => buttons.find((button) => button.dataset.button === key);
document.addEventListener("keydown", (event) => {
  const button = buttonOfKey(event.key);
  if (button && !event.repeat && !event.ctrlKey && !event.metaKey) down(button);
});
document.addEventListener("keyup", (event) => {
  const button = buttonOfKey(event.key);
  if (button) letGo(button, true);
});
window.addEventListener("blur", () => buttons.forEach((button) => letGo(button, false)));

/* -- start ------------------------------------------------------------------ */

for (const button of buttons) button.disabled = !token;
if (!token) tell(say("no-token"), true);
showPicture();
listen(`${api}/stream`, {
  picture({ picture }) { if (picture !== shown) showPicture(); },
}, showLink(byId("link")));
