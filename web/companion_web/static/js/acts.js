/**
 * Forms that are an act of the league (docs/league.md): `<form data-act="plan">` with fields named as
 * the act has them. A field that is left empty is not said; with `data-null` it says null. Fields of
 * `type=number` are numbers, boxes are true where they are ticked and with `data-both` false where not,
 * `data-was` is left out while it is what it was; with `data-list` it is a list of texts with commas.
 */

import { make } from "./dom.js";
import { untilLetGo } from "./let-go.js";
import { recall, refusalOf, remember } from "./net.js";
import { postAsFriend } from "./pin.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const TOLD = "league-told";
const ANSWERS = { true: true, false: false };

function valueOf(field) {
  if (field.type === "checkbox") return field.checked || ("both" in field.dataset ? false : undefined);
  const text = field.value.trim();
  if ("was" in field.dataset && text === field.dataset.was) return undefined;
  if ("list" in field.dataset && (text || field.dataset.was)) {
    return text.split(",").map((one) => one.trim()).filter(Boolean);
  }
  if (text === "") return "null" in field.dataset ? null : undefined;
  if ("truth" in field.dataset) return ANSWERS[text];
  return field.type === "number" || "number" in field.dataset ? Number(text) : text;
}

/** The values of the fields within an element, by their names. */
export function fieldsOf(element) {
  const fields = [...element.querySelectorAll("[name]")].map((field) => [field.name, valueOf(field)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** The act of a form; with `data-titled` a key is typed as what it shall be called. */
export function actOf(form) {
  const { act, titled } = form.dataset;
  const fields = fieldsOf(form);
  return { act, ...fields, ...(titled ? { title: fields[titled] } : {}) };
}

/** The buttons of a form are dead while what it says is under way. */
export async function whileBusy(form, send) {
  const buttons = [...form.querySelectorAll("button")].filter((button) => !button.disabled);
  for (const button of buttons) button.disabled = true;
  try {
    await send(form);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

/** What is said when it is done: the form's own sentence with its fields, or that it is in. */
export function told({ dataset }, fields) {
  const text = dataset.done ?? say("It is in the league now.");
  return text.replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

/** Send acts, all or none; the page is read again with what has come of them. */
export async function sendActs(acts, path = "/api/league/acts", done = say("It is in the league now.")) {
  const reply = await postAsFriend(path, Array.isArray(acts) ? { acts } : acts);
  if (!reply.ok) return toast(reply.status === 401 ? say("This needs the PIN.") : refusalOf(reply));
  remember("sessionStorage", TOLD, [done, ...(reply.banned ?? [])].join(" "));
  location.reload();
  return null;
}

const arrowOf = (moved) => make("span", { className: `moved ${moved > 0 ? "up" : "down"}` },
  moved === null ? "" : moved ? `${moved > 0 ? "▲" : "▼"}${Math.abs(moved)}` : "=");

const lineOf = ({ place, name, points, added, moved }) => make("li", {}, make("b", {}, `${place || "–"} `), arrowOf(moved), make("bdi", {}, name),
  make("span", { className: added < 0 ? "less" : "small" }, added > 0 ? `+${added}` : `${added || "="}`), make("strong", {}, `${points}`));

const lookedAt = new WeakMap(); // a part of the page → what was asked for it last

/** Show what acts would change in the standings, in a part of the page; nothing is done. */
export async function foresee(part, acts) {
  lookedAt.set(part, acts);
  const reply = await postAsFriend("/api/league/look", { acts });
  if (reply.status === 401) toast(say("This needs the PIN."));
  const told = reply.ok ? reply.seasons.flatMap(({ season, lines }) =>
    [make("h3", {}, say("{season}, then", { season })), make("ol", { className: "plain then" }, ...lines.map(lineOf))]) : [];
  const rest = reply.ok ? say("Nothing changes in the standings.") : refusalOf(reply);
  await untilLetGo(); // it pushes the form's button down
  if (lookedAt.get(part) === acts) part.replaceChildren(...(told.length ? told : [make("p", { className: "small" }, rest)]));
  return reply.ok;
}

/** Say what was done before the page was read again. */
export function tellAgain() {
  const text = recall("sessionStorage", TOLD);
  remember("sessionStorage", TOLD, null);
  if (text) toast(text);
}
