/** A television before a race: the way in, what is raced, who is in, and what is waited for. */

import { carPicture } from "./car.js";
import { make, makeButton } from "./dom.js";
import { joinCode, pinForm } from "./join-code.js";
import { raceInShort, rulesInShort } from "./lobby-rules.js";
import { currentPin, tellTable } from "./pin.js";
import { BOTS } from "./terms.js";
import { say } from "./words.js";

const CARDS = { first: say("First race"), full: say("Full race"), club: say("As your club") };
const COLUMNS = 2;

let drawn = "";

const person = ({ bots }, { seat, name }) => make("li", { className: `car-${seat}` }, carPicture(seat),
  make("span", {}, make("bdi", {}, name), make("small", {}, BOTS[bots[seat]] ?? "")));

/** Everybody with the own car, and what is free as boxes of the grid, which fill the rest of the screen. */
function people(lobby) {
  const { joined, players_range: [, most] } = lobby;
  const free = Math.max(0, most - joined.length);
  const list = make("ul", { className: "people" }, ...joined.map((one) => person(lobby, one)),
    free ? make("li", { className: free > 1 ? "free" : "free is-one" }, ...Array.from({ length: free }, () => make("i", { "aria-hidden": "true" })),
      make("span", {}, say("{n} cars free", { n: free }))) : null);
  const rows = Math.ceil((free > 1 ? joined.length : joined.length + free) / COLUMNS);
  list.style.gridTemplateRows = `${rows ? `repeat(${rows}, minmax(0, ${free > 1 ? 11 : 13}rem))` : ""} ${free > 1 ? "minmax(8rem, 1fr)" : ""}`;
  return list;
}

const startButton = () => makeButton(say("Start the race"), () => tellTable("start"), "go");

/** Without the PIN a television has no code to show: it says how it comes by one. */
const unlocked = () => make("div", { className: "join" },
  make("p", { className: "how" }, say("To show the code here, open this page by the link of the table, or type its PIN.")), pinForm());

/** Show who is in, and the code where the PIN is. */
export function showComingIn(table, section) {
  const { lobby } = table;
  section.hidden = !lobby;
  const now = JSON.stringify([lobby?.joined, lobby?.card, lobby?.track, lobby?.laps, lobby?.options, Boolean(currentPin())]);
  if (!lobby || now === drawn) return;
  drawn = now;
  const hasPin = Boolean(currentPin());
  const host = lobby.joined.find(({ seat }) => !(seat in lobby.bots));
  const start = hasPin && lobby.joined.length ? startButton() : null;
  section.replaceChildren(
    make("section", { className: "way-in" }, make("h1", {}, say("Scan to join")),
      hasPin ? joinCode() : unlocked(),
      make("p", { className: "how" }, say("Your phone is your cockpit."))),
    make("div", { className: "to-be" },
      make("section", { className: "race-to-be" },
        make("h2", {}, CARDS[lobby.card] ?? raceInShort(lobby)), ...rulesInShort(lobby)),
      people(lobby),
      make("div", { className: "waits-for" },
        make("strong", {}, host ? say("{name} presses Start", { name: host.name }) : say("Nobody has joined yet.")), start)));
}
