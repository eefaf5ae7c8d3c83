"""How far the forecast of the end is off: races of bots, a third into each.

    python benchmarks/forecast.py [--races 500] [--seed 2026] [--svg docs/forecast.svg]
    python benchmarks/forecast.py --bound 20 --races 100
    python benchmarks/forecast.py --records FILE.jsonl …

Each race has six cars and two laps, and bots of one of the three upper levels. It is forecast in
turns, which rules and dice decide, and in seconds: there a turn takes a time drawn anew, and every
seat has its own slowness. Both are told as errors of what is left, with the part of the races that
are within a tenth. Of records the seconds are their own.

With `--bound N` each race goes on from its third N times, by other dice. The best that anybody
could tell there, who knew the bots, and in seconds how slow each seat is, is the number that most
of the others come near to: no forecast can be within a tenth more often than one of them is.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.advice.bots.by_room import answer
from companion.advice.play import throw
from companion.race.engine import Engine
from companion.race.record import engine_line, header_of, read_record, tracks_of
from companion.rules.formula.forecast import turns_left
from companion.rules.formula.state import State
from companion.rules.lines import Answer
from companion.study.simulation import Study, _Cars

MIX = (
    *(("monaco", level) for level in ("champion", "racer", "amateur")),
    *(("hockenheim", level) for level in ("champion", "racer", "amateur")),
    *(("interlagos", level) for level in ("champion", "racer", "amateur")),
    ("budapest", "amateur"),
)
"""Boards and levels. The figures of the forecast were fitted on eleven boards that are not here."""
SEATS, LAPS = 6, 2
TENTH = 0.1
SLOW, THINKS = 0.3, 0.5
"""The spread of the seats' slowness, and of one turn against the next (log-normal)."""
TURN_S = 25.0


@dataclass
class Seen:
    """The beginnings of all turns of a race: whose, the state; and when, in seconds."""

    begun: State
    turns: list[tuple[int, State]] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    end: float = 0.0
    slow: dict[int, float] = field(default_factory=dict)

    def see(self, state: State, at: float = 0.0) -> None:
        """The state after an answer."""
        last = self.turns[-1][1] if self.turns else None
        if state.turn is None or (last and (last.round, last.turn) == (state.round, state.turn)):
            return
        self.turns.append((state.turn, state))
        self.at.append(at)


def bots(study: Study, races: int) -> Iterator[Seen]:
    """Races of a study, in their order, with times drawn for their turns."""
    study.prepare(lambda *_: None)
    crew = _Cars(study)
    for race in range(races):
        dice = Random(f"{study.seed} {race}")
        grid = list(crew._levels)
        dice.shuffle(grid)
        state = crew._game.begin({**crew._header, "grid": grid}, crew._track).state
        seen = Seen(state)
        _play(crew, seen, state, dice)
        seen.slow = {seat: dice.lognormvariate(0, SLOW) for seat in range(1, SEATS + 1)}
        _time(seen, dice)
        yield seen


def _play(crew: _Cars, seen: Seen, state: State, dice: Random) -> None:
    """From a state to the end."""
    while asks := crew._game.asks(state):
        seen.see(state)
        value: object = throw(asks[0], dice)
        if value is None:
            value = answer(crew._levels[asks[0].seat], state, asks[0])
        state = crew._game.decide(state, Answer(asks[0].seat, asks[0].kind, value), asks).state


def _time(seen: Seen, dice: Random) -> None:
    now = 0.0
    for place, (seat, _) in enumerate(seen.turns):
        seen.at[place] = now
        now += TURN_S * seen.slow[seat] * dice.lognormvariate(0, THINKS)
    seen.end = now


def bound(study: Study, races: int, times: int) -> list[tuple[float, float]]:
    """Of each race how often the best forecast comes near: in turns, in seconds."""
    study.prepare(lambda *_: None)
    crew, found = _Cars(study), []
    for number, race in enumerate(bots(study, races)):
        third = race.turns[round(len(race.turns) / 3)][1]
        ends = [Seen(race.begun, slow=race.slow) for _ in range(times)]
        for again, end in enumerate(ends):
            dice = Random(f"{number} again {again}")
            _play(crew, end, third, dice)
            _time(end, dice)
        turns, seconds = [float(len(end.turns)) for end in ends], [end.end for end in ends]
        found.append((near_best(turns), near_best(seconds)))
    return found


def near_best(ends: Sequence[float]) -> float:
    """How many of some numbers are within a tenth of what is best told of the others."""
    hits = 0
    for place, end in enumerate(ends):
        others = [*ends[:place], *ends[place + 1 :]]
        told = [one * (0.9 + n / 50) for one in others for n in range(11)]
        best = max(told, key=lambda one: sum(abs(one / x - 1) <= TENTH for x in others))
        hits += abs(best / end - 1) <= TENTH
    return hits / len(ends)


def recorded(path: Path) -> Seen | None:
    """A race of a record; None: it is no Formula race on a board, or too short."""
    lines = read_record(path)
    engine = Engine(tracks_of(lines[0]))
    reply = engine.handle({"new": header_of(lines[0])})
    if not reply["ok"] or not isinstance(engine.moment, State) or engine.moment.setup.boardless:
        return None
    seen = Seen(engine.moment)
    for line in lines[1:]:
        given = engine_line(line)
        if given is not None and engine.handle(given)["ok"]:
            seen.see(engine.moment, line.get("at", 0.0))
            seen.end = line.get("at", 0.0)
    return seen if len(seen.turns) > SEATS else None


def errors(seen: Seen) -> tuple[float, float] | None:
    """How far the forecast is off, of what is left a third into a race: in turns, in seconds."""
    place = round(len(seen.turns) / 3)
    left = turns_left(seen.turns[place][1], seen.begun, place)
    if left is None:
        return None
    turns, seconds = len(seen.turns) - place, seen.end - seen.at[place]
    told = left * (seen.at[place] - seen.at[0]) / place
    return left / turns - 1, told / seconds - 1 if seconds else math.nan


def within(found: Sequence[float]) -> float:
    """The part of the errors that are within a tenth."""
    return sum(abs(one) <= TENTH for one in found) / len(found)


def row(name: str, found: Sequence[tuple[float, float]]) -> str:
    """A line of the table."""
    parts = [
        f"{within(one):5.0%} {statistics.fmean(one):+6.1%} {statistics.pstdev(one):6.1%}"
        for one in zip(*found, strict=True)
    ]
    return f"{name:<24}{len(found):>6}   {parts[0]}   {parts[1]}"


def tell_bound(name: str, found: Sequence[tuple[float, float]]) -> None:
    """A line of what no forecast can exceed."""
    turns, seconds = (statistics.fmean(one) for one in zip(*found, strict=True))
    print(f"{name:<24}{len(found):>6}   at best {turns:5.0%} in turns, {seconds:5.0%} in seconds")


def plot(path: Path, found: Sequence[tuple[float, float]]) -> None:
    """The errors of all races as a figure."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "forecast"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3), layout="constrained")
    bins = [n / 50 for n in range(-25, 26)]
    for values, label in zip(zip(*found, strict=True), ("turns", "seconds"), strict=True):
        axes.hist(values, bins, histtype="step", label=f"{label}: {within(values):.0%} within 10 %")
    axes.axvspan(-TENTH, TENTH, alpha=0.12)
    axes.set(xlabel="forecast / what was left, minus 1, a third into the race", ylabel="races")
    axes.legend(loc="upper left")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--races", type=int, default=500)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--solved", type=Path)
    parser.add_argument("--records", type=Path, nargs="*")
    parser.add_argument("--bound", type=int, metavar="N")
    told = parser.parse_args()
    print(f"{'':<24}{'races':>6}   {'in turns':<21}in seconds (within 10 %, mean, spread)")
    everything: list[tuple[float, float]] = []
    for path in told.records or ():
        seen = recorded(path)
        found = errors(seen) if seen else None
        if found:
            everything.append(found)
    with tempfile.TemporaryDirectory() as folder:
        for board, level in () if told.records else MIX:
            solved = told.solved or Path(folder)
            levels = (level,) * SEATS
            study = Study("formula-d", board, LAPS, (), levels, told.seed, solved)
            if told.bound:
                everything += bound(study, told.races // len(MIX), told.bound)
                tell_bound(f"{board}, {level}s", everything[-(told.races // len(MIX)) :])
                continue
            races = bots(study, told.races // len(MIX))
            own = [found for found in map(errors, races) if found]
            print(row(f"{board}, {level}s", own), flush=True)
            everything += own
    if told.bound:
        tell_bound("all", everything)
        return
    print(row("all", everything))
    if told.svg:
        plot(told.svg, everything)


if __name__ == "__main__":
    main()
