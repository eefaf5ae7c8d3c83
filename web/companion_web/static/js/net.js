/**
 * The way to the table. A page uses it so:
 *
 *   followTable((table) => show(table), showLink(byId("link")));
 *       The whole of /api/table at once and after every change; only what changes is sent.
 *   listen(`/api/stream?seat=${seat}`, { picture: ({ seat, picture }) => … }, showLink(byId("link")));
 *       The events of any other stream, by their names; all tabs of a browser share one.
 *   const reply = await post(path, body, key);
 *       The engine's reply, always: after SLOW_MS without one the page says that it is sending, after
 *       GIVE_UP_MS `reply.status` is 0 and refusalOf(reply) a sentence. Nothing is sent twice: give the
 *       `picture` or the `version` that was read, and what is pressed again is dropped by the table.
 *
 * `#link[data-state]` is "open" only while beats come (every 5 s); after SILENT_MS without any it is
 * "lost", the body has the class `is-offline` (grey what can be pressed), and the stream is opened anew;
 * so it is when a phone wakes. `is-sending` is the body's class while a post is slow. What the server has
 * to tell everybody comes as an event `notice` on the document, `detail` its words by language.
 */

import { language, say } from "./words.js";

const SILENT_MS = 12000; // two beats and a bit
const RETRY_MS = 1500;
const TICK_MS = 500;
const MISSED = 3; // ticks without a word of any tab that has a stream: there is none any more
const HIDDEN_MS = 1000; // after which a tab that nobody sees lets its stream go
const BACK_MS = 4000; // how long it is said that the table is back
const SLOW_MS = 1000;
const GIVE_UP_MS = 6000;
const TRIES = 4;
const LAST = 30; // sentences of the story that a snapshot carries

/* -- posts ------------------------------------------------------------------ */

let waiting = 0; // posts that have been under way for SLOW_MS

function sayThatItIsSending(by) {
  waiting += by;
  document.body.classList.toggle("is-sending", waiting > 0);
  document.dispatchEvent(new Event("sending"));
}

/** The date and time here, with the zone: a table without a clock believes the first phone. */
function now() {
  const here = new Date();
  const ahead = -here.getTimezoneOffset();
  const zone = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${new Date(here.getTime() + ahead * 60000).toISOString().slice(0, 19)}${ahead < 0 ? "-" : "+"}${zone}`;
}

/** Post JSON; the reply of the engine protocol, also where there was no answer at all. */
export async function post(path, body, key, more = {}) {
  const giveUp = new AbortController();
  const given = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  let isSlow = false;
  const slow = setTimeout(() => { isSlow = true; sayThatItIsSending(1); }, SLOW_MS);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Language": language,
        "X-Now": now(),
        ...(key ? { Authorization: `Bearer ${key}` } : {}),
        ...more,
      },
      body: JSON.stringify(body),
      signal: giveUp.signal,
    });
    return { status: response.status, ...(await response.json()) };
  } catch {
    return { status: 0, ok: false, error: { message: say("The table does not answer.") } };
  } finally {
    clearTimeout(given);
    clearTimeout(slow);
    if (isSlow) sayThatItIsSending(-1);
  }
}

/** GET; null where nobody answers. Where others are served first it is asked for again when the server says so,
 *  and a few times where nothing comes: what a page shows must not stay old for one packet that was lost. */
export async function get(address, headers = {}) {
  for (let left = TRIES; ;) {
    const response = await fetch(address, { headers }).catch(() => null);
    const later = response?.status === 503 ? Number(response.headers.get("Retry-After")) : 0;
    if (response && !later) return response;
    left -= !response;
    if (!left) return null;
    await new Promise((done) => setTimeout(done, later * 1000 || RETRY_MS));
  }
}

/** GET JSON with a key; null where it is refused or nobody answers. */
export async function getJson(path, key) {
  const response = await get(path, key ? { Authorization: `Bearer ${key}` } : {});
  return response?.ok ? response.json().catch(() => null) : null;
}

/* -- streams ---------------------------------------------------------------- */

// A browser has six connections to a server for all its tabs. So one tab holds a stream for all that are seen,
// and passes on what it hears: over a channel, which is there on plain HTTP too, where locks are not. A tab whose
// stream has opened says that it leads; of two the older one does, unless it is hidden, and whoever gives its own up
// names an heir, with what each of the others wants to hear. One that dies or is frozen names none, so whoever has a
// stream says something at every tick. Ticks are counted and no clock is read: a tab that has been frozen itself hears
// what was said meanwhile before it misses anything. Where there are no channels each tab has a stream of its own.
const NAMES = ["beat", "notice", "table", "change", "picture", "back"];

/** Listen to a stream, each event by its name, for as long as the page is open. */
export function listen(path, events, onState) {
  const [base, own = ""] = path.split("?");
  const me = Date.now() + Math.random(); // the older, the smaller
  const channel = window.BroadcastChannel && new BroadcastChannel(base);
  const tell = (message) => channel?.postMessage({ from: me, ...message });
  const tabs = new Map(); // those that hear by this one's stream, and what they want
  let source = null;
  let isLive = false; // it has opened
  let isSeen = true;
  let leader = 0; // by whose stream this tab hears
  let heard = 0; // when anything came last
  let missed = 0; // ticks since any tab with a stream has said anything
  let retry = 0;
  let letting = 0;
  const take = (name, data) => {
    heard = performance.now();
    onState(name !== "lost");
    ({ notice: tellNotice, ...events })[name]?.(data);
  };
  const pass = (name, data) => {
    if (tabs.size) tell({ name, data });
    take(name, data);
  };
  const lead = () => tell({ leads: [...tabs.keys()] });
  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
    isLive = false;
  };
  const open = () => {
    clearTimeout(letting);
    close();
    isSeen = true;
    source = new EventSource(`${base}?${[...new Set([own, ...tabs.values()])].join("&")}`);
    tell({});
    letGo();
    heard = performance.now();
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        if (!isLive) lead();
        isLive = true;
        pass(name, JSON.parse(event.data));
      });
    }
    source.addEventListener("error", () => {
      isLive = false;
      pass("lost");
      // A browser gives a stream up when the server answers with an error.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
  };
  const follow = (other) => {
    close();
    leader = other;
    tell({ heir: other, others: [[me, own], ...tabs] });
    tabs.clear();
  };
  const leave = () => {
    const [heir] = tabs.keys();
    tell({ heir, others: [...tabs] });
    tabs.clear();
    close();
    isSeen = false;
  };
  // A tab behind the others needs no stream, unless it speaks.
  const letGo = () => document.hidden && recall("localStorage", "sound") !== "on" && (letting = setTimeout(leave, HIDDEN_MS));
  channel?.addEventListener("message", ({ data: { from, leads, heir, others, name, data } }) => {
    if (!isSeen) return;
    if (!others) missed = 0;
    if (leads) {
      if (isLive && me < from && !document.hidden) lead();
      else if (source || !leads.includes(me)) follow(from);
      else leader = from;
    } else if (name) {
      if (from === leader && !source) take(name, data);
    } else if (others) {
      for (const [tab, want] of [[from], ...others]) heir === me && want !== undefined ? tabs.set(tab, want) : tabs.delete(tab);
      tabs.delete(me);
      if (heir === me) open();
      // An heir may be closed before it has heard that it is one.
      else if (from === leader && !source) heir ? leader = heir : open();
    }
  });
  open();
  setInterval(() => {
    if (!isSeen) return;
    if (source) tell({});
    else if (missed++ >= MISSED) return open();
    // Who hears by another's stream waits a little longer: that one tries again for all.
    if (performance.now() - heard < (source ? SILENT_MS : SILENT_MS * 1.25)) return;
    pass("lost");
    open();
  }, TICK_MS);
  // A phone that wakes may hold a stream that died in its sleep.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) open();
    else if (!letGo() && tabs.size) follow([...tabs.keys()][0]); // its clock is slow now
  });
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  window.addEventListener("offline", () => onState(false));
  window.addEventListener("online", open);
}

function tellNotice(detail) {
  document.dispatchEvent(new CustomEvent("notice", { detail }));
}

/** Follow the table: `onTable` is given the whole of it after every change. */
export function followTable(onTable, onState) {
  let table = null;
  listen("/api/stream?changes", {
    table(whole) { onTable(table = whole); },
    change(patch) { onTable(table = patched(table, patch)); },
  }, onState);
}

/** The table after a change: a merge patch (RFC 7396), but sentences are added. */
export function patched(table, patch) {
  const told = merged(table, patch);
  for (const key of ["story", "log"]) {
    if (key in patch) told[key] = [...(table[key] ?? []), ...patch[key]].slice(-LAST);
  }
  return told;
}

function merged(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const made = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete made[key];
    else made[key] = merged(made[key], value);
  }
  return made;
}

/** Show whether the stream is open; coming back is said for a moment. */
export function showLink(element) {
  let isOpen = null;
  let wasLost = false;
  let saying = 0;
  const words = () => {
    if (document.body.classList.contains("is-sending")) return say("Sending …");
    if (isOpen === null) return "";
    if (!isOpen) return say("Connection lost. Trying again …");
    return wasLost ? say("Connected again.") : say("live");
  };
  const show = () => { element.textContent = words(); };
  document.addEventListener("sending", show);
  return (isNowOpen) => {
    if (isNowOpen === isOpen) return;
    clearTimeout(saying);
    wasLost = isOpen === false;
    isOpen = isNowOpen;
    if (isOpen) saying = setTimeout(() => { wasLost = false; show(); }, BACK_MS);
    element.dataset.state = isOpen ? "open" : "lost";
    document.body.classList.toggle("is-offline", !isOpen);
    show();
  };
}

/* -- what replies say, and keys --------------------------------------------- */

/** What a reply says to a person: the sentence of its refusal, with the rule behind it. */
export function refusalOf(reply) {
  const error = reply.error ?? {};
  const sentence = reply.say ?? error.message ?? say("The table does not answer.");
  return error.rule ? `${sentence} (${error.rule})` : sentence;
}

/** A key out of the link that opened the page (`#pin=…`, `#token`), which is then cleaned, else the one
 *  that was remembered `at` a name. Where nothing can be remembered it stays in the link. */
export function keyFromLink(name, storage, at = name) {
  const fragment = decodeURIComponent(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const named = new URLSearchParams(fragment).get(name) ?? query.get(name);
  const key = named ?? (fragment && !fragment.includes("=") ? fragment : null);
  if (!key) return recall(storage, at);
  if (remember(storage, at, key)) {
    query.delete(name);
    const rest = query.size ? `?${query}` : "";
    history.replaceState(null, "", location.pathname + rest);
  }
  return key;
}

// Where a browser forbids storage even its name raises: it is given as a text.
const open = (storage) => (typeof storage === "string" ? window[storage] : storage);

/** Storage that does without where a browser forbids it; whether it is remembered. */
export function remember(storage, name, value) {
  try {
    if (value === null) open(storage).removeItem(name);
    else open(storage).setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

export function recall(storage, name) {
  try {
    return open(storage).getItem(name);
  } catch {
    return null;
  }
}
