/** The way to the table: posts with a key, and streams that come back by themselves. */

import { language, say } from "./words.js";

const RETRY_MS = 1500;
const BACK_MS = 4000; // how long it is said that the table is back

/** Post JSON; the reply of the engine protocol, also where there was no answer at all. */
export async function post(path, body, key) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Language": language,
        Authorization: `Bearer ${key}`,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...(await response.json()) };
  } catch {
    return { status: 0, ok: false, error: { message: say("no-answer") } };
  }
}

/** GET JSON with a key; null where it is refused or nobody answers. */
export async function getJson(path, key) {
  try {
    const headers = key ? { Authorization: `Bearer ${key}` } : {};
    const response = await fetch(path, { headers });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/**
 * Listen to one kind of event of a stream for as long as the page is open.
 * A browser gives a stream up when the server answers with an error: it is opened anew.
 */
export function listen(path, kind, onEvent, onState) {
  let source;
  const open = () => {
    source = new EventSource(path);
    source.addEventListener("open", () => onState(true));
    source.addEventListener(kind, (event) => onEvent(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      onState(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, RETRY_MS);
    });
  };
  open();
  // A phone that wakes may hold a stream that died in its sleep.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      source.close();
      open();
    }
  });
}

/** Show whether the stream is open; coming back is said for a moment. */
export function showLink(element) {
  let wasLost = false;
  let saying = 0;
  return (isOpen) => {
    clearTimeout(saying);
    if (isOpen && wasLost) saying = setTimeout(() => { element.textContent = say("live"); }, BACK_MS);
    element.dataset.state = isOpen ? "open" : "lost";
    element.textContent = isOpen ? (wasLost ? say("back") : say("live")) : say("lost");
    wasLost = !isOpen;
    document.body.classList.toggle("is-offline", !isOpen);
  };
}

/** What a reply says to a person: the sentence of its refusal, with the rule behind it. */
export function refusalOf(reply) {
  const error = reply.error ?? {};
  const sentence = reply.say ?? error.message ?? say("no-answer");
  return error.rule ? `${sentence} (${error.rule})` : sentence;
}

/** A key out of the link that opened the page (`#pin=…`, `#token`), which is then cleaned. */
export function keyFromLink(name) {
  const fragment = decodeURIComponent(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const named = new URLSearchParams(fragment).get(name) ?? query.get(name);
  const key = named ?? (fragment && !fragment.includes("=") ? fragment : null);
  if (key) {
    query.delete(name);
    const rest = query.size ? `?${query}` : "";
    history.replaceState(null, "", location.pathname + rest);
  }
  return key;
}

/** Storage that does without where a browser forbids it. */
export function remember(storage, name, value) {
  try {
    if (value === null) storage.removeItem(name);
    else storage.setItem(name, value);
  } catch {
    /* A private window: the key lasts as long as the page. */
  }
}

export function recall(storage, name) {
  try {
    return storage.getItem(name);
  } catch {
    return null;
  }
}
