/** The computer: what the doctor finds, and its power. A part of the referee's panel. */

import { make } from "./dom.js";
import { getJson, refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const SIGNS = { true: "✓", false: "✗", null: "?" };
let found = null; // looking costs the disk some syncs: only when somebody asks for it

function finding(one) {
  const where = one.seat === null ? "" : `${say("Seat {seat}", { seat: one.seat })}, `;
  return make("li", { className: one.ok === false ? "dead" : "" },
    `${SIGNS[one.ok]} ${where}${one.what}: ${one.says}`,
    ...(one.mend ? [make("p", { className: "hint" }, one.mend)] : []));
}

/** A button that asks once more before it does something. */
function careful(text, onClick) {
  const element = make("button", { type: "button", className: "quiet" }, text);
  element.addEventListener("click", () => {
    if (element.dataset.asked) return onClick();
    element.dataset.asked = "yes";
    element.textContent = say("{what}: really?", { what: text });
    return element.classList.add("danger");
  });
  return element;
}

async function power(word) {
  const reply = await postAsReferee("/api/machine", { power: word });
  toast(reply.ok ? say("Done.") : refusalOf(reply));
}

/** What stands on the form: [label, table, name, from what is typed, to what is shown]. */
const text = [(typed) => typed.trim() || undefined, (said) => said ?? ""];
const count = [(typed) => Number(typed) || undefined, (said) => said ?? ""];
const FIELDS = [
  [() => say("Layout of the wired seats"), "wired", "layout", ...text, ["", "pair", "header", "expanded"]],
  [() => say("Seats with lights"), "light", "seats", ...count],
  [() => say("Known network"), "wifi", "network", ...text],
  [() => say("Its password"), "wifi", "password", ...text],
  [() => say("Country of the radio"), "wifi", "country", (typed) => typed.trim().toUpperCase() || undefined, text[1]],
  [() => say("Folder on a stick"), "backup", "stick", ...text],
  [() => say("Language of the announcer"), "announcer", "language", ...text, ["", "en", "de", "fr"]],
];
const KINDS = ["phone", "wired", "pod", "keys"];

function choice(values, now) {
  return make("select", {}, ...[...new Set([...values, now])].map((value) =>
    make("option", { value, selected: value === now }, value || "–")));
}

/** The settings of companion.toml that people change; what else it says stays as it is. */
function settingsForm(settings) {
  const seats = Array.from({ length: 10 }, (_, at) => choice(KINDS, settings.seats?.[at + 1] ?? "phone"));
  const inputs = FIELDS.map(([, table, name, , shown, values]) => {
    const now = String(shown(settings[table]?.[name]));
    return values ? choice(values, now) : make("input", { value: now, autocomplete: "off" });
  });
  async function keep() {
    const asked = structuredClone(settings);
    asked.seats = Object.fromEntries(seats.map((one, at) => [at + 1, one.value]).filter(([, kind]) => kind !== "phone"));
    FIELDS.forEach(([, table, name, read, shown], at) => {
      if (inputs[at].value === String(shown(settings[table]?.[name]))) return; // a heading alone says something too
      asked[table] = { ...asked[table], [name]: read(inputs[at].value) };
      if (!Object.values(asked[table]).some((said) => said !== undefined)) delete asked[table];
    });
    if (asked.wired?.layout) asked.wired.pin_factory ??= "lgpio";
    const reply = await postAsReferee("/api/machine", { settings: asked });
    toast(reply.ok ? say("Kept. The table opens again with it.") : refusalOf(reply));
  }
  return make("details", { className: "settings" }, make("summary", {}, say("Settings")),
    ...seats.map((one, at) => make("label", {}, say("Seat {seat}", { seat: at + 1 }), one)),
    ...FIELDS.map(([label], at) => make("label", {}, label(), inputs[at])),
    careful(say("Keep the settings"), keep));
}

export function machineParts() {
  const list = make("ul", { className: "findings" }, ...(found ?? []).map(finding));
  const settings = make("div");
  const look = make("button", { type: "button", id: "look-at-machine" }, say("Look at it"));
  look.addEventListener("click", async () => {
    const told = await getJson("/api/machine", currentPin());
    if (!told) return;
    found = told.findings;
    list.replaceChildren(...found.map(finding));
    settings.replaceChildren(...(told.settings ? [settingsForm(told.settings)] : []));
  });
  return [look, list, settings,
    make("p", {}, make("a", { href: "/live" }, say("Test the seats"))),
    careful(say("Update it"), () => power("update")),
    careful(say("Switch off"), () => power("off")),
    careful(say("Restart it"), () => power("restart"))];
}
