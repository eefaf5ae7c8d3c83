/** What people tell the league: forms that are acts, a race, a file, the result of a race. */

import { actOf, fieldsOf, foresee, sendActs, tellAgain, told as toldOf, whileBusy } from "./js/acts.js";
import { byId, make } from "./js/dom.js";
import { refusalOf } from "./js/net.js";
import { currentPin, friendKey, postAsFriend, setPin } from "./js/pin.js";
import { toast } from "./js/toast.js";
import { say } from "./js/words.js";

const ACTS = "/api/league/acts";

/* -- the result of a race ------------------------------------------------------ */

const rowsOf = (form) => [...form.querySelectorAll("[data-seat]")];
const isSaid = (row) => Boolean(row.querySelector("[name=name]").value.trim());
const isGone = (row) => row.querySelector("[data-gone]")?.checked;

/**
 * The cars in the order of the page. Their places are given as long as there are the same cars with the
 * same statuses, for a game may share a place; else the order holds, and who is out comes last.
 */
function entriesOf(form) {
  const all = rowsOf(form);
  const rows = all.filter((row) => isSaid(row) && !isGone(row));
  const isSame = rows.length === all.filter((row) => row.dataset.place).length
    && rows.every((row) => row.dataset.place)
    && rows.every((row) => row.querySelector("[name=status]").value === row.dataset.status);
  const places = all.map((row) => Number(row.dataset.place)).filter(Boolean).sort((a, b) => a - b);
  return rows.map((row, at) => ({
    seat: Number(row.dataset.seat),
    ...fieldsOf(row),
    ...(isSame ? { place: places[at] } : {}),
  }));
}

const valueOf = (row, name) => row.querySelector(`[name=${name}]`).value.trim();

/** What is otherwise than it was, in words: it is why, where nobody says more. */
function changesOf(form) {
  let place = 0;
  const told = rowsOf(form).filter(isSaid).flatMap((row) => {
    const [name, was] = [valueOf(row, "name"), row.querySelector("[name=name]").dataset.was ?? ""];
    if (isGone(row)) return [say("{name} was not in it", { name })];
    place += 1;
    const status = row.querySelector("[name=status]");
    const isSame = status.value === (row.dataset.status ?? "finished");
    return [
      was && name !== was ? say("{name} instead of {was}", { name, was }) : "",
      isSame ? "" : `${name}: ${status.selectedOptions[0].textContent}`,
      isSame && place !== Number(row.dataset.place) ? say("{name} place {n}", { name, n: place }) : "",
    ].filter(Boolean);
  });
  const date = form.querySelector("[name=date]");
  return [...told, ...(date.value === date.dataset.was ? [] : [date.value])].join(", ");
}

function amendmentOf(form) {
  const about = fieldsOf(form.querySelector("[data-about]"));
  return { act: "amend", ...about, reason: (about.reason ?? changesOf(form)).slice(0, 500) || say("Mended"), entries: entriesOf(form) };
}

/** The keys of a result as they stand: what is not as it was says so. */
function showKeys(form) {
  rowsOf(form).filter((row) => row.dataset.place).forEach((row, at) => {
    const key = row.querySelector(".place");
    const isMoved = at + 1 !== Number(row.dataset.place);
    key.replaceChildren(make("b", {}, `${at + 1}`), ...(isMoved ? [make("small", {}, say("was {n}", { n: row.dataset.place }))] : []));
    row.classList.toggle("gone", Boolean(isGone(row)));
    row.querySelector("bdi").textContent = valueOf(row, "name");
  });
}

/** What will be is shown before it is done. */
async function showThen(form) {
  showKeys(form);
  byId("then-what").textContent = changesOf(form);
  if (await foresee(byId("then").querySelector("[data-foreseen]"), [amendmentOf(form)])) byId("then").showModal();
  else {
    toast(byId("then").querySelector("[data-foreseen]").textContent);
    leave(form);
  }
}

/** All stands as it did. */
function leave(form) {
  form.reset();
  const rows = rowsOf(form).filter((row) => row.dataset.place);
  rows.sort((one, other) => one.dataset.place - other.dataset.place);
  rows[0].parentElement.prepend(...rows);
  showKeys(form);
}

/** A car comes to another place, is out, or was not there. */
function bring(row, to) {
  if (to === "out") row.querySelector("[name=status]").value = OUT;
  else if (to === "gone") row.querySelector("[data-gone]").checked = true;
  else {
    const others = rowsOf(row.closest("form")).filter((one) => one !== row);
    others[Number(to) - 1].before(row);
  }
}

let touched = null; // the row whose place is asked for

const TOUCHES = {
  "data-places": (button) => {
    touched = button.closest("[data-seat]");
    byId("places-of").textContent = say("Where did {name} come?", { name: valueOf(touched, "name") });
    byId("places").showModal();
  },
  "data-move": (button) => {
    const row = button.closest("[data-seat]");
    const next = button.dataset.move === "up" ? row.previousElementSibling : row.nextElementSibling;
    if (next) next[button.dataset.move === "up" ? "before" : "after"](row);
    button.focus();
  },
  "data-edit": (button) => {
    const row = button.closest("[data-seat]");
    const others = rowsOf(button.form).filter((one) => one !== row && one.dataset.place);
    row.querySelector(".swaps")?.replaceChildren(...others.map((one) =>
      make("button", { type: "button", "data-swap": one.dataset.seat }, make("bdi", {}, valueOf(one, "name")))));
    row.querySelector("dialog").showModal();
  },
  "data-swap": (button) => {
    button.closest("dialog").close();
    const two = [button.closest("[data-seat]"), button.form.querySelector(`li[data-seat="${button.dataset.swap}"]`)];
    for (const name of ["name", "crew"]) { // who drove; the cars, and what they did, stay where they are
      const [one, other] = two.map((row) => row.querySelector(`[name=${name}]`));
      [one.value, other.value] = [other.value, one.value];
    }
    return showThen(button.form);
  },
  "data-to": (button) => {
    byId("places").close();
    bring(touched, button.dataset.to);
    return showThen(button.form);
  },
  "data-look": (button) => {
    button.closest("dialog").close();
    return showThen(button.form);
  },
  "data-leave": (button) => {
    button.closest("dialog").close();
    leave(button.form);
  },
};

/* -- the result of a table, told by its marshal ---------------------------------- */

const OUT = "out";

/** The race as `/api/league/race` takes it: who came home in the order of the page, who is out, last first. */
function resultOf(form) {
  const rows = [...form.querySelectorAll("[data-name]")];
  const statusOf = (row) => row.querySelector("[name=status]").value;
  const told = (name, of) => Object.fromEntries(
    rows.map((row) => [row.dataset.name, of(row)]).filter(([, value]) => value).map(
      ([who, value]) => [who, name === "status" ? value : Number(value)]));
  const fields = ["times", "trials"].map((name) =>
    [name, told(name, (row) => row.querySelector(`[name=${name}]`)?.value)]);
  return {
    ...fieldsOf(form.querySelector("[data-about]")),
    order: rows.filter((row) => statusOf(row) !== OUT).map((row) => row.dataset.name),
    out: Object.fromEntries(rows.filter((row) => statusOf(row) === OUT).map((row) => [row.dataset.name, ""])),
    status: told("status", (row) => (["finished", OUT].includes(statusOf(row)) ? "" : statusOf(row))),
    grid: told("grid", (row) => row.dataset.grid),
    ...Object.fromEntries(fields),
  };
}

/* -- a file ---------------------------------------------------------------------- */

const PACKED_FROM = 32 * 1024; // a post has 64 KiB
const CHUNK = 8192;

async function packed(file) {
  const isLarge = file.size > PACKED_FROM && "CompressionStream" in window;
  const stream = isLarge ? file.stream().pipeThrough(new CompressionStream("gzip")) : file.stream();
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const parts = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, n) =>
    String.fromCharCode(...bytes.subarray(n * CHUNK, (n + 1) * CHUNK)));
  return btoa(parts.join(""));
}

/** Whether a file is what it says in any case; else somebody has to look at its names first. */
async function isSure(file) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return true;
  } catch {
    return false;
  }
}

const titleOf = ({ date, name, names }) => make("li", {}, [date, name].filter(Boolean).join(" "), ": ", names.join(", "));

/** Show what stands in a file; the next touch of the button puts it in. */
async function look(form, body, question) {
  const reply = await postAsFriend("/api/league/csv", { ...body, look: true });
  if (!reply.ok) return toast(refusalOf(reply));
  form.dataset.seen = form.querySelector("[name=file]").value;
  form.querySelector("[data-look]").replaceChildren(question, make("ol", {}, ...reply.found.map(titleOf)));
  form.querySelector(".go").textContent = say("Yes, put it in");
  return null;
}

async function sendFile(form) {
  const field = form.querySelector("[name=file]");
  const [file] = field.files;
  const isSeen = form.dataset.seen === field.value;
  const body = { file: await packed(file), amend: isSeen };
  if (!isSeen && !await isSure(file)) return look(form, body, say("Are these the names?"));
  const reply = await postAsFriend("/api/league/csv", body);
  if (reply.status === 409 && !isSeen) return look(form, body, refusalOf(reply));
  if (!reply.ok) return toast(refusalOf(reply));
  const { races } = reply;
  toast(races.length ? say("Races in the league now: {n}", { n: races.length }) : say("All of it is in the league already."));
  form.querySelector("[data-look]").replaceChildren();
  form.querySelector(".go").textContent = form.dataset.go;
  delete form.dataset.seen;
  form.reset();
  return null;
}

/* -- all forms ------------------------------------------------------------------- */

/** The page of a link: a marshal's is that of the table. */
function pageOf({ role, table }) {
  return role === "marshal" && table ? `/league/tables/${encodeURIComponent(table)}` : location.pathname;
}

/** Post what is more than an act, and stay here: a form that is sent often, or answers with a key. */
async function sendHere(form) {
  const fields = fieldsOf(form);
  const reply = await postAsFriend(form.dataset.post, fields);
  if (!reply.ok) return toast(reply.status === 401 ? say("This needs the PIN.") : refusalOf(reply));
  toast(toldOf(form, fields));
  form.reset();
  for (const date of form.querySelectorAll("[data-today]")) date.value = today();
  const shown = form.querySelector("[data-key]");
  if (shown && reply.key) {
    shown.textContent = fields.person ? `${location.origin}${pageOf(fields)}#pin=${reply.key}` : reply.key;
  }
  return null;
}

/** Whether the name stands there twice, where nothing can be undone. */
function isCertain(form) {
  const again = form.querySelector("[data-again]");
  if (!again) return true;
  const isSame = again.value.trim() === form.querySelector(`[name=${again.dataset.again}]`).value.trim();
  if (!isSame) toast(say("The two names differ; nothing was done."));
  return isSame;
}

function send(form) {
  const { form: name, post } = form.dataset;
  if (name === "pin") return setPin(new FormData(form).get("pin"));
  if (!isCertain(form)) return null;
  if (name === "csv") return sendFile(form);
  if (name === "amend") return sendActs([amendmentOf(form)], ACTS, toldOf(form, {}));
  if (name === "result") return sendActs(resultOf(form), "/api/league/race");
  if (name === "move") return sendActs(moves(form));
  if (name === "race" || form.querySelector("[data-key]")) return sendHere(form);
  const body = post ? fieldsOf(form) : [actOf(form)];
  return sendActs(body, post ?? ACTS, toldOf(form, fieldsOf(form)));
}

/** Several races go into a season in one go, in the order of their days. */
function moves(form) {
  const season = form.querySelector("[name=season]").value || null;
  const races = [...form.querySelectorAll("[data-race]:checked")].toReversed();
  return races.map((box) => ({ act: "round", race: box.dataset.race, season }));
}

function showForms() {
  for (const part of document.querySelectorAll("[data-keeper]")) part.hidden = !currentPin();
  for (const part of document.querySelectorAll("[data-friend]")) part.hidden = !friendKey();
  const door = document.querySelector("[data-form='pin']");
  if (door) door.hidden = Boolean(currentPin());
}

/** The day here, not that of Greenwich. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

document.addEventListener("submit", (event) => {
  if (event.target.method === "get") return; // a question to the server
  event.preventDefault();
  whileBusy(event.target, send);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const touch = button && Object.keys(TOUCHES).find((name) => button.hasAttribute(name));
  if (touch) TOUCHES[touch](button);
  else if (button?.dataset.act) {
    button.disabled = true;
    sendActs([{ act: button.dataset.act, ...JSON.parse(button.dataset.fields) }]).finally(() => { button.disabled = false; });
  }
});
/** Whoever opens what needs no more than a touch, or has filled in what changes the standings, sees what will be. */
function lookAhead(form) {
  const part = form?.querySelector("[data-foreseen]");
  if (part && form.dataset.act && form.checkValidity()) foresee(part, [actOf(form)]);
}
document.addEventListener("change", (event) => {
  if (event.target.name === "date" && event.target.form?.id === "amend") showThen(event.target.form);
  else lookAhead(event.target.form);
});
let typing = 0; // whoever types a reason sees it before the button is touched
document.addEventListener("input", ({ target }) => {
  clearTimeout(typing);
  typing = setTimeout(lookAhead, 400, target.form);
});
document.addEventListener("toggle", ({ target }) => {
  if (target.open) lookAhead(target.querySelector("form"));
}, true);
document.addEventListener("pin", showForms);
for (const input of document.querySelectorAll("[data-today]")) input.value = today();
for (const form of document.querySelectorAll("[data-form=csv]")) form.dataset.go = form.querySelector(".go").textContent;
showForms();
const at = new URLSearchParams(location.search).get("at");
if (at) byId(at)?.scrollIntoView();
tellAgain();
