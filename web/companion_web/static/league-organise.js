/** A stage, a competition or a race, changed on the page: forms that are acts, and the result of a race. */

import { actOf, fieldsOf, sendActs, tellAgain, whileBusy } from "./js/acts.js";
import { byId } from "./js/dom.js";
import { currentPin, setPin } from "./js/pin.js";

/* -- the result of a race ------------------------------------------------------ */

const rowsOf = (form) => [...form.querySelectorAll("[data-seat]")];
const isSaid = (row) => Boolean(row.querySelector("[name=name]").value.trim());
const isGone = (row) => row.querySelector("[data-gone]").checked;

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

function amendmentOf(form) {
  return { act: "amend", ...fieldsOf(form.querySelector("[data-about]")), entries: entriesOf(form) };
}

/** Two names change places: who drove which car was told wrongly. */
function swap(form) {
  const [one, other] = ["one", "other"].map((name) => {
    const seat = form.querySelector(`[data-swap=${name}]`).value;
    return form.querySelector(`[data-seat="${seat}"] [name=name]`);
  });
  [one.value, other.value] = [other.value, one.value];
}

function move(button) {
  const row = button.closest("[data-seat]");
  const next = button.dataset.move === "up" ? row.previousElementSibling : row.nextElementSibling;
  if (next) next[button.dataset.move === "up" ? "before" : "after"](row);
  button.focus();
}

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

/* -- all forms ----------------------------------------------------------------- */

function send(form) {
  if (form.dataset.form === "pin") return setPin(new FormData(form).get("pin"));
  if (form.dataset.form === "amend") return sendActs([amendmentOf(form)]);
  if (form.dataset.form === "result") return sendActs(resultOf(form), "/api/league/race");
  if (form.dataset.post) return sendActs(fieldsOf(form), form.dataset.post);
  return sendActs([actOf(form)]);
}

function showForms() {
  for (const part of document.querySelectorAll("[data-keeper]")) part.hidden = !currentPin();
  const door = document.querySelector("[data-form='pin']");
  if (door) door.hidden = Boolean(currentPin());
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  whileBusy(event.target, send);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-move], [data-swap-now]");
  if (button?.dataset.move) move(button);
  else if (button) swap(byId("amend"));
});
document.addEventListener("pin", showForms);
for (const input of document.querySelectorAll("[data-form='result'] [name=date]")) {
  input.value = new Date().toISOString().slice(0, 10);
}
showForms();
tellAgain();
