/** The corner editor: arrows clicked in, checked by the table at once, kept as a track file. */

import { CornerPicture, short } from "./js/corner.js";
import { byId, make, setText } from "./js/dom.js";
import { get, getJson, post, recall, refusalOf } from "./js/net.js";
import { currentPin, keepPin } from "./js/pin.js";
import { toast } from "./js/toast.js";
import { say } from "./js/words.js";

const SEATS = Array.from({ length: 10 }, (_, at) => at + 1);
const track = document.body.dataset.track;
const api = `/api/track/${encodeURIComponent(track)}`;
const fileName = track.endsWith(".toml") ? track : `${track}.toml`;

let board = null; // what the table told of the board
let corner = null; // the corner as it is drawn now
let past = []; // what it was before each step
let mode = "arrows";
let faults = [];
let asked = 0; // the latest check; the answer to an older one is not shown

const picture = new CornerPicture(byId("picture"), [], onPick);

let seatKey = SEATS.map((seat) => recall("localStorage", `token-${seat}`)).find(Boolean);

/** The referee's PIN, else the key of the seat that this phone plays: it may be the host's. */
const key = () => currentPin() ?? seatKey;

/* -- showing ---------------------------------------------------------------- */

function around() {
  const { sections } = board;
  const at = sections.indexOf(corner.section);
  return [sections.at(at - 1), corner.section, sections[(at + 1) % sections.length]];
}

function show() {
  picture.show(corner, around(), mode);
  byId("arrows").setAttribute("aria-pressed", String(mode === "arrows"));
  byId("beside").setAttribute("aria-pressed", String(mode === "beside"));
  byId("undo").disabled = past.length === 0;
  byId("unlock").hidden = Boolean(key());
  for (const id of ["layout", "save"]) byId(id).disabled = !key();
  byId("save").disabled ||= !corner.ways;
  setText(byId("how"), hint());
  showCorners();
  showCounts();
  showWays();
  showFaults();
}

function hint() {
  if (picture.picked) {
    return say("From {space} to …", { space: short(corner.section, picture.picked) });
  }
  return mode === "beside"
    ? say("Touch two spaces that lie side by side without an arrow. The same again takes it away.")
    : say("Touch a space, then the space that its arrow leads to. The same again takes it away.");
}

function showCorners() {
  const buttons = board.corners.map((other) => {
    const isHere = other.section === corner.section;
    const button = make("button", {
      type: "button",
      "aria-current": isHere ? "true" : undefined,
      title: say("stops: {n}", { n: other.stops }),
    }, `${other.section} ${other.name} ${"●".repeat(other.stops)}`);
    button.addEventListener("click", () => turnTo(other.section));
    return button;
  });
  byId("corners").replaceChildren(...buttons);
}

function showCounts() {
  const lanes = board.lanes.map((lane, at) => {
    const step = (by, text, label) => {
      const button = make("button", { type: "button", "aria-label": label }, text);
      button.disabled = !key() || corner.spaces[at] + by < 0;
      button.addEventListener("click", () => count(at, by));
      return button;
    };
    return make("div", { className: "lane" },
      make("span", {}, say("Lane {lane}", { lane })),
      step(-1, "−", say("Lane {lane}: a space less", { lane })), make("b", {}, String(corner.spaces[at])),
      step(1, "+", say("Lane {lane}: a space more", { lane })));
  });
  byId("counts").replaceChildren(...lanes);
}

const words = ([shortest, longest]) => ({ shortest, longest });

function showWays() {
  const { ways, printed } = corner;
  const told = [
    ways ? say("Ways through: {shortest} to {longest} spaces", words(ways)) : say("No board can be made of this."),
    printed ? say("printed: {shortest} to {longest}", words(printed)) : say("none printed"),
  ];
  setText(byId("ways"), told.join(" · "));
  const isWrong = !ways || (printed && printed.join() !== ways.join());
  byId("ways").classList.toggle("is-wrong", Boolean(isWrong));
}

function showFaults() {
  const lines = faults.length
    ? faults.map((fault) => make("li", {}, fault))
    : [make("li", { className: "sound" }, say("Nothing is wrong with this board."))];
  byId("faults").replaceChildren(...lines);
  const isOpen = past.length > 0;
  byId("save").textContent =
    say("Keep as {file}", { file: fileName }) + (isOpen ? ` (${say("not kept yet")})` : "");
  byId("shipped").hidden = !board.shipped;
  setText(byId("shipped"), say("The board that came with the companion stays as it is: {file} will be a board of its own.", { file: fileName }));
}

/* -- changing --------------------------------------------------------------- */

function onPick(from, to) {
  if (!to) {
    setText(byId("how"), hint());
    return;
  }
  const [a, b] = [from, to].map((space) => short(corner.section, space));
  const arrows = mode === "arrows";
  const list = arrows ? "changes" : "beside";
  const names = arrows ? [`${a}>${b}`] : [`${a}|${b}`, `${b}|${a}`];
  const kept = corner[list].filter((name) => !names.includes(name));
  const isNew = kept.length === corner[list].length;
  change({ ...corner, [list]: isNew ? [...kept, names[0]] : kept });
}

function change(next, draws = false) {
  past.push({ corner, faults, draws });
  corner = next;
  check(draws);
}

/** Another count of spaces makes all arrows another: they are laid out by the table. */
function count(at, by) {
  const spaces = corner.spaces.with(at, corner.spaces[at] + by);
  change({ ...corner, spaces, changes: null, beside: [] }, true);
}

const draft = () => ({
  section: corner.section,
  spaces: corner.spaces,
  changes: corner.changes,
  beside: corner.beside,
});

async function check(draws = false) {
  const turn = ++asked;
  if (corner.changes) show();
  const reply = await post(`${api}/check${draws ? "?draw=1" : ""}`, draft(), key());
  if (turn !== asked) return;
  if (!reply.ok) {
    forgetKey(reply.status);
    toast(refusalOf(reply));
    takeBack(past.pop());
    return;
  }
  corner = reply.corner;
  faults = reply.faults;
  if (reply.drawing) picture.load(reply.drawing);
  show();
}

/** A key that the table does not know, or that is not the host's, is not shown again. */
function forgetKey(status) {
  if (status === 401) keepPin(null);
  if (status === 401 || status === 403) seatKey = null;
}

function takeBack(before) {
  asked += 1;
  if (before) ({ corner, faults } = before);
  picture.picked = null;
  show();
}

function stepBack() {
  const before = past.pop();
  takeBack(before);
  if (before?.draws) check(true);
}

async function save() {
  const reply = await post(`${api}/save`, draft(), key());
  if (!reply.ok) {
    forgetKey(reply.status);
    toast(refusalOf(reply));
    return;
  }
  toast(say("Kept as {file}. The table can race on it.", { file: reply.name }));
  past = [];
  if (reply.name === track) await load();
  else location.assign(`/track/${encodeURIComponent(reply.name)}/edit#${corner.section}`);
}

/* -- beginning -------------------------------------------------------------- */

function turnTo(section) {
  if (past.length) toast(say("Keep this corner first, or step back."));
  else open(section);
}

function open(section) {
  asked += 1;
  picture.picked = null;
  corner = board.corners.find((other) => other.section === section) ?? board.corners[0];
  faults = board.faults;
  history.replaceState(null, "", `#${corner.section}`);
  show();
}

async function load() {
  const section = corner?.section ?? location.hash.slice(1);
  board = await getJson(api);
  const response = await get(`/circuit/${encodeURIComponent(track)}.svg`);
  if (!board || !response?.ok) {
    toast(say("The table does not answer."));
    return;
  }
  picture.lanes = board.lanes;
  picture.load(await response.text());
  open(section);
}

byId("arrows").addEventListener("click", () => { mode = "arrows"; picture.picked = null; show(); });
byId("beside").addEventListener("click", () => { mode = "beside"; picture.picked = null; show(); });
byId("undo").addEventListener("click", stepBack);
byId("layout").addEventListener("click", () => change({ ...corner, changes: null, beside: [] }));
byId("save").addEventListener("click", save);
byId("unlock").addEventListener("submit", (event) => {
  event.preventDefault();
  keepPin(byId("key").value.trim());
  check();
});

load();
