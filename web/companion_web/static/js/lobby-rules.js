/** Setting up: game, track and laps; and the rules in a few groups, each asked as people ask. */

import { make } from "./dom.js";
import { inWords } from "./race.js";
import { say } from "./words.js";

export function field(label, control) {
  return make("label", { className: "field" }, make("span", {}, label), control);
}

/** A select of [value, text] entries; the value comes back as it is, not as text. */
export function choice(value, entries, onChange, traits = {}) {
  const select = make("select", traits, ...entries.map(([key, text], place) =>
    make("option", { value: String(key ?? ""), selected: key === value, "data-place": place },
      text)));
  select.addEventListener("change", () => onChange(entries[select.selectedIndex][0]));
  return select;
}

function ruleRow(option, word) {
  const title = inWords(option.title);
  const explained = `says-${option.name}`;
  const box = make("input", { type: "checkbox", checked: option.on, "aria-label": title,
    "aria-describedby": explained });
  box.addEventListener("change", () => word("option", { name: option.name, on: box.checked }));
  return make("label", { className: "option-row" }, box,
    make("strong", {}, title),
    make("span", { className: "hint", id: explained }, inWords(option.says)));
}

const isChanged = (one) => one.value !== one.values[0].name;

/** How many rules are otherwise than the box has them; a first race is as its own booklet says. */
export const changedIn = (lobby) => lobby.switches.filter(isChanged).length
  + lobby.options.filter((option) => option.on && option.name !== "basic").length;

/** A name as it is typed, with those that are known to choose from. */
function nameField(one, word) {
  const title = inWords(one.title);
  const list = make("datalist", { id: `known-${one.name}` },
    ...one.known.map((name) => make("option", { value: name })));
  const name = make("input", { value: one.value, maxLength: 40, autocomplete: "off", placeholder: "–",
    "aria-label": title });
  name.setAttribute("list", list.id);
  name.addEventListener("change", () => word("switch", { name: one.name, value: name.value.trim() }));
  return make("div", {}, field(title, name), list);
}

function switchRow(one, word) {
  const entries = one.values.map((value) => [value.name, inWords(value.label)]);
  const now = one.values.find((value) => value.name === one.value);
  return make("div", { className: isChanged(one) ? "is-changed" : "" },
    one.known ? nameField(one, word) : field(inWords(one.asks),
      choice(one.value, entries, (value) => word("switch", { name: one.name, value }),
        { "aria-label": inWords(one.title), disabled: one.fixed })),
    make("p", { className: "hint" }, inWords(now?.says), one.fixed ? ` ${say("A bot needs it so.")}` : ""));
}

const titleOf = (lobby, name) => (name === "" ? say("No board (moves are reported)") : lobby.titles?.[name] ?? name);

/** Game, board and laps. A game without boards has no track: null, and in a change left out. */
export function raceFields(lobby, word) {
  const fields = [];
  if (lobby.games.length > 1) {
    fields.push(field(say("Game"), choice(lobby.game,
      lobby.games.map((game) => [game.name, game.title]), (value) => word("game", value), { "aria-label": say("Game") })));
  }
  if (lobby.track != null) {
    fields.push(field(say("Track"), choice(lobby.track,
      lobby.tracks.map((name) => [name, titleOf(lobby, name)]), (value) => word("track", value), { "aria-label": say("Track") })));
    if (lobby.track !== "" && !lobby.cards.includes(lobby.track)) {
      const editor = `/track/${encodeURIComponent(lobby.track)}/edit`;
      fields.push(make("a", { className: "to-editor", href: editor }, say("Edit corners")));
    }
  }
  const [min, max] = lobby.laps_range;
  if (max > min) {
    const laps = make("input", { type: "number", min, max, value: lobby.laps, "aria-label": say("Laps") });
    laps.addEventListener("change", () => word("laps", Number(laps.value)));
    fields.push(field(say("Laps"), laps));
  }
  return make("div", { className: "settings" }, ...fields);
}

/** The rules pack that the table plays; what is changed below it wins over it. */
function packField(lobby, word) {
  if (!lobby.packs.length) return null;
  const entries = [[null, say("none")], ...lobby.packs.map((one) => [one.name, one.name])];
  const now = lobby.packs.find((one) => one.name === lobby.pack);
  return make("div", {},
    field(say("Rules pack"), choice(lobby.pack, entries, (value) => word("pack", value))),
    make("p", { className: "hint" }, now?.about ?? ""));
}

/** What is set here becomes a pack of the host's own; one of that name only when asked again. */
function makePackSaver(word) {
  const name = make("input", { maxLength: 40, autocomplete: "off", "aria-label": say("Name of a pack"),
    placeholder: say("Name of a pack") });
  const save = make("button", { type: "button", className: "quiet" });
  let taken = ""; // the name of which the table has said that there is a pack
  const isOver = () => taken !== "" && name.value === taken;
  const show = () => { save.textContent = isOver() ? say("Replace that pack") : say("Save as a pack"); };
  name.addEventListener("input", show);
  save.addEventListener("click", async () => {
    const asked = name.value;
    const reply = await word("save-pack", { name: asked, over: isOver() });
    taken = reply.error?.key === "pack-there" ? asked : "";
    if (reply.ok) name.value = "";
    show();
  });
  show();
  return make("div", { className: "pack-saver" }, name, save,
    make("p", { className: "hint" }, say("Keeps laps and rules as they are here, for other races.")));
}

let packSaver = null; // one over all drawings of the form: what is being typed stays

const SEPARATES = /\s+[–—-]+\s+|:\s+/; // a power's name from what it does

const powersIn = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
  const [name, ...rest] = line.split(SEPARATES);
  return { name: name.trim(), reminder: line.slice(name.length).replace(SEPARATES, "").trim() };
});

const lineOf = ({ name, reminder }) => (reminder ? `${name} – ${reminder}` : name);

/** Powers that are not in the box, one a line; what the table refuses stays, to be mended. */
function makePowersBox(word) {
  const text = make("textarea", { rows: 4, "aria-label": say("Own powers"), autocomplete: "off",
    "aria-describedby": "own-powers-how" });
  let told = ""; // as the table has them
  let taken = ""; // what stands there, where it is no more than that
  text.addEventListener("change", async () => {
    const before = told;
    const given = text.value;
    const reply = await word("powers", powersIn(given));
    if (!reply.ok) return;
    taken = given;
    if (told !== before) showTold(); // the news of it may come before the reply
  });
  const showTold = () => { if (text.value === taken) text.value = taken = told; };
  const box = make("div", { className: "own-powers" }, field(say("Own powers"), text),
    make("p", { className: "hint", id: "own-powers-how" }, say("One power a line: name – reminder")));
  box.show = (powers) => {
    told = powers.map(lineOf).join("\n");
    showTold();
    return box;
  };
  return box;
}

let powersBox = null; // one over all drawings of the form: what is being typed stays

/* -- the rules, in groups ------------------------------------------------------- */

let wanted = ""; // what is searched for
let finder = null; // the field, over all drawings of the form

const groupsOf = (switches) => Map.groupBy(switches, (one) => inWords(one.group) || say("How it is played"));

/** Whether a rule has the words that are searched for, in what it asks or what it may be. */
const isFound = (row) => row.textContent.toLowerCase().includes(wanted);

function group(title, rows, changed, ...more) {
  const about = changed ? say("{n} changed", { n: changed }) : "";
  return make("details", { className: "group", "data-fold": title },
    make("summary", {}, title, make("small", {}, about)), ...more,
    make("div", { className: "rules" }, ...rows));
}

/** Of a search all that fits stands open, and the groups without any are gone. */
function find(all) {
  for (const one of all) {
    const rows = [...one.querySelectorAll(".rules > *")];
    for (const row of rows) row.hidden = wanted !== "" && !isFound(row);
    one.hidden = rows.every((row) => row.hidden);
    if (wanted) one.open = !one.hidden;
  }
}

/** The rules of the box and, under a few headings, what clubs play otherwise. */
export function houseRules(lobby, word) {
  const options = group(say("Rules of the box"), lobby.options.map((option) => ruleRow(option, word)),
    lobby.options.filter((option) => option.on && option.name !== "basic").length,
    packField(lobby, word) ?? "", lobby.powers ? (powersBox ??= makePowersBox(word)).show(lobby.powers) : "");
  const groups = [...groupsOf(lobby.switches)].map(([title, all]) =>
    group(title, all.map((one) => switchRow(one, word)), all.filter(isChanged).length));
  const all = [options, ...groups];
  finder ??= make("input", { type: "search", "aria-label": say("Search the rules"), placeholder: say("Search the rules") });
  finder.oninput = () => { wanted = finder.value.trim().toLowerCase(); find(all); };
  find(all);
  return [finder, ...all, packSaver ??= makePackSaver(word)];
}

/** What the row of a lobby says of it. */
export function raceInShort(lobby) {
  const laps = lobby.laps === 1 ? say("1 lap") : say("{n} laps", { n: lobby.laps });
  const game = lobby.games.find((one) => one.name === lobby.game)?.title;
  const place = lobby.track == null ? game : titleOf(lobby, lobby.track);
  return lobby.track == null ? place : `${place}, ${laps}`;
}

/** The same for whoever only looks on. */
export function rulesInShort(lobby) {
  const on = lobby.options.filter((option) => option.on && option.name !== "basic").map((option) => inWords(option.title));
  const race = [
    lobby.games.find((game) => game.name === lobby.game)?.title,
    lobby.pack,
    lobby.track == null ? null : `${say("Track")}: ${titleOf(lobby, lobby.track)}`,
    `${say("Laps")}: ${lobby.laps}`,
  ].filter(Boolean).join(" · ");
  return [
    make("p", {}, race),
    on.length ? make("p", {}, `${say("Optional rules")}: ${on.join(", ")}`) : "",
  ];
}
