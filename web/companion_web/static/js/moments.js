/** What deserves a moment on a television: found by comparing the table with what it was. */

import { recall, remember } from "./net.js";
import { nameOf } from "./race.js";
import { say } from "./words.js";

const SHOWN_MS = 3500;
const LIGHTS = 5;
const LIGHT_MS = 700;

let before = null;
let timer = 0;

const runs = (table, seat) => table.running?.includes(seat);

/** Who was behind and is ahead after a move of its own; both are still running. */
function passed(was, now, seat) {
  const [old, fresh] = [was.running ?? [], now.running ?? []];
  return old.slice(0, old.indexOf(seat))
    .filter((other) => fresh.indexOf(other) > fresh.indexOf(seat));
}

const carOf = (table, seat) => table.state.cars[seat] ?? {};

/** The moments between two tables, the greatest first. */
export function momentsBetween(was, now) {
  if (!was?.state?.cars || !now.state?.cars || was.id !== now.id) return [];
  const found = [];
  const seats = Object.keys(now.state.cars).map(Number);
  const name = (seat) => nameOf(now, seat);
  const winner = now.state.classification?.[0];
  if (now.state.phase === "finished" && was.state.phase !== "finished") {
    if (winner && winner.status !== "out" && now.driven !== false) {
      found.push({ kind: "wins", seat: winner.seat, text: say("{name} wins!", { name: name(winner.seat) }) });
    }
    return found;
  }
  for (const seat of seats) {
    const [old, fresh] = [carOf(was, seat).status, carOf(now, seat).status];
    if (fresh === "out" && old !== "out") {
      found.push({ kind: "out", seat, text: say("{name} is out", { name: name(seat) }) });
    }
    if (fresh === "finished" && old !== "finished") {
      found.push({ kind: "home", seat, text: say("{name} is home", { name: name(seat) }) });
    }
  }
  if (now.state.raining !== was.state.raining) {
    found.push({ kind: "rain", seat: null, text: now.state.raining ? say("It rains!") : say("It is dry again") });
  }
  if (now.state.round === 1 && (was.state.round ?? 0) < 1) {
    found.push({ kind: "lights", seat: null, text: say("Go!") });
  }
  // The first whole lap is the fastest without having beaten one: no moment.
  if (was.fastest && now.fastest?.turns < was.fastest.turns) {
    const { seat, turns } = now.fastest;
    found.push({ kind: "fastest", seat, text: say("{name}: fastest lap, {n} turns", { name: name(seat), n: turns }) });
  }
  for (const seat of seats.filter((one) => runs(was, one) && runs(now, one))) {
    if (carOf(was, seat).space === carOf(now, seat).space || now.state.round < 1) continue;
    const others = passed(was, now, seat).filter((other) => carOf(now, other).status === "racing");
    if (others.length && carOf(was, seat).space && was.state.round > 0) {
      const other = others.map(name).join(", ");
      found.push({ kind: "pass", seat, text: say("{name} passes {other}", { name: name(seat), other }) });
    }
  }
  const leads = now.running?.[0];
  if (leads && was.running?.[0] && leads !== was.running[0] && was.state.round > 0 && runs(now, was.running[0])) {
    found.push({ kind: "lead", seat: leads, text: say("{name} leads", { name: name(leads) }) });
  }
  const lapOf = (table) => Math.max(0, ...Object.values(table.state.cars).map((car) => car.lap));
  if (now.state.laps > 1 && lapOf(now) === now.state.laps && lapOf(was) < now.state.laps) {
    found.push({ kind: "last", seat: leads ?? null, text: say("The last lap!") });
  }
  return found;
}

/** The lead was taken by a move: kept where a page that is opened anew finds it. */
function keepLead(was, now, { seat }) {
  const [from, to] = [carOf(was, seat).space, carOf(now, seat).space];
  const other = was.running[0];
  if (from && from !== to) remember("sessionStorage", "lead", JSON.stringify({ race: now.id, seat, other, from, to }));
}

/** How the winner of a race took the lead last: `seat` from `other`, `from` one space `to` another; null where nobody saw it. */
export function leadTaken(table) {
  const told = JSON.parse(recall("sessionStorage", "lead"));
  const winner = table.state?.classification?.[0];
  return told?.race === table.id && winner?.status !== "out" && winner?.seat === told.seat ? told : null;
}

/** Five lights come on one after the other and go out together. */
function lights(place, text) {
  const row = document.createElement("span");
  row.className = "lights";
  row.append(...Array.from({ length: LIGHTS }, () => document.createElement("i")));
  place.replaceChildren(row);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  [...row.children].forEach((light, n) =>
    setTimeout(() => light.classList.add("is-lit"), isStill ? 0 : LIGHT_MS * (n + 1)));
  setTimeout(() => {
    if (!place.contains(row)) return;
    for (const light of row.children) light.classList.remove("is-lit");
    place.append(text);
  }, isStill ? SHOWN_MS / 2 : LIGHT_MS * (LIGHTS + 1));
  return isStill ? SHOWN_MS : LIGHT_MS * (LIGHTS + 1) + SHOWN_MS;
}

/** Show the greatest moment since the table before; what it was, or null. */
export function showMoment(table, place) {
  const moments = momentsBetween(before, table);
  const [moment] = moments;
  for (const lead of moments.filter(({ kind }) => kind === "lead")) keepLead(before, table, lead);
  before = table;
  if (table.state?.phase === "finished" || !table.state) place.hidden = true;
  if (!moment || moment.kind === "wins") return moment ?? null; // the finish is a scene of its own
  clearTimeout(timer);
  place.className = `moment is-${moment.kind}${moment.seat ? ` car-${moment.seat}` : ""}`;
  place.hidden = false;
  place.textContent = moment.text;
  const shown = moment.kind === "lights" ? lights(place, moment.text) : SHOWN_MS;
  timer = setTimeout(() => { place.hidden = true; }, shown);
  return moment;
}
