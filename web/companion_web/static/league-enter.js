/** What people tell the league: each form becomes one post, with the PIN. */

import { actOf, whileBusy } from "./js/acts.js";
import { byId } from "./js/dom.js";
import { refusalOf } from "./js/net.js";
import { currentPin, postAsReferee, setPin } from "./js/pin.js";
import { toast } from "./js/toast.js";
import { say } from "./js/words.js";

const linesOf = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** "Cai: engine" → ["Cai", "engine"]. */
function nameAndReason(line) {
  const [name, ...reason] = line.split(":");
  return [name.trim(), reason.join(":").trim()];
}

function raceOf(told) {
  const { order, out, date, game, season, track, laps, note } = told;
  const race = { date, game, season: season || null, order: linesOf(order) };
  // People tell who went out in the order of the evening; the league wants the last one first.
  race.out = Object.fromEntries(linesOf(out).map(nameAndReason).reverse());
  if (track) race.track = track;
  if (laps) race.laps = Number(laps);
  if (note) race.note = note;
  return race;
}

function penaltyOf({ driver, of, what, amount, reason }) {
  const [kind, key] = [of.slice(0, of.indexOf(":")), of.slice(of.indexOf(":") + 1)];
  const act = { act: "penalty", driver, reason, [kind]: key };
  if (what === "disqualified") act.disqualified = true;
  else if (what !== "warning") act[what] = Number(amount);
  return act;
}

/** The page of a link: a marshal's is that of the table. */
function pageOf(form) {
  const table = form.dataset.table;
  return table ? `/league/tables/${encodeURIComponent(table)}` : location.pathname;
}

/** What is told of a person: the key that was made, as a link that opens this page with it. */
function showKey(form, { key }) {
  const shown = form.querySelector("[data-key]");
  if (shown && key && form.dataset.form === "table") shown.textContent = key;
  else if (shown && key) shown.textContent = `${location.origin}${pageOf(form)}#pin=${key}`;
}

const acts = (...list) => ({ path: "/api/league/acts", body: { acts: list } });

/** What each form comes to. */
const FORMS = {
  race: async (told) => ({ path: "/api/league/race", body: raceOf(told) }),
  csv: async ({ file }) => ({ path: "/api/league/csv", body: { text: await file.text() } }),
  merge: async ({ name, into }) => acts({ act: "merge", name, into }),
  penalty: async (told) => acts(penaltyOf(told)),
  season: async ({ title, points }) =>
    acts({ act: "season", season: title, title, points, open: true }),
  confirm: async ({ race }) => acts({ act: "confirm", race }),
  protest: async ({ driver, race, reason }) => acts({ act: "protest", driver, race, reason }),
  table: async ({ table }) => ({ path: "/api/league/keys", body: { table } }),
  key: async ({ person, role, table }) =>
    ({ path: "/api/league/keys", body: { person, role, ...(table ? { table } : {}) } }),
  forget: async ({ driver }) => ({ path: "/api/league/forget", body: { driver } }),
};

async function send(form) {
  const told = Object.fromEntries(new FormData(form));
  const { path, body } = form.dataset.act ? acts(actOf(form)) : await FORMS[form.dataset.form](told);
  const reply = await postAsReferee(path, body);
  if (!reply.ok) return toast(reply.status === 401 ? say("This needs the PIN.") : refusalOf(reply));
  toast(say("It is in the league now."));
  form.dataset.table = told.role ? told.table : "";
  form.reset();
  showKey(form, reply);
  return null;
}

function showForms() {
  byId("forms").hidden = !currentPin();
  document.querySelector("[data-form='pin']").hidden = Boolean(currentPin());
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.dataset.form === "pin") setPin(new FormData(form).get("pin"));
  else whileBusy(form, send);
});
document.addEventListener("pin", showForms);
for (const input of document.querySelectorAll("input[type='date']")) {
  input.value = new Date().toISOString().slice(0, 10);
}
showForms();
