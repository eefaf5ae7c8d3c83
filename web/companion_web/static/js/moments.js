/** What deserves a moment on a television: found by comparing the table with what it was. */

import { nameOf } from "./race.js";
import { say } from "./words.js";

const runs = (table, seat) => table.running?.includes(seat);

/** Who was behind and is ahead after a move of its own; both are still running. */
function passed(was, now, seat) {
  const [old, fresh] = [was.running ?? [], now.running ?? []];
  return old.slice(0, old.indexOf(seat))
    .filter((other) => fresh.indexOf(other) > fresh.indexOf(seat));
}

export const carOf = (table, seat) => table.state.cars[seat] ?? {};

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
