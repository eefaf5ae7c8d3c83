"""How far the forecast of the end is off: races of bots and of people, a third into each.

    python benchmarks/forecast.py [--races 500] [--seed 2026] [--svg docs/forecast.svg]
    python benchmarks/forecast.py --people [--races 500]
    python benchmarks/forecast.py --fit
    python benchmarks/forecast.py --bound 20 --races 100 [--people]
    python benchmarks/forecast.py --records FILE.jsonl …

Each race has six cars and two laps. Bots are of one of the three upper levels; people drive by
what they trust their cars with and how surely they count (`PEOPLE`), or are beginners (the lowest
level). It is forecast in turns, which rules and dice decide, and in seconds: there a turn takes a
time drawn anew, and every seat has its own slowness. Both are told as errors of what is left, with
the part of the races that are within a tenth, and the part that the span holds. Of records the
seconds are their own.

`--fit` fits the figures of `rules.formula.forecast.Usual` and tells them. It sees other boards than
those that are measured, and other drivers: of `PEOPLE` only `FITTED`, and amateurs.

With `--bound N` each race goes on from its third N times, by other dice. The best that anybody
could tell there, who knew the bots, and in seconds how slow each seat is, is the number that most
of the others come near to: no forecast can be within a tenth more often than one of them is.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.advice.bots.by_room import Amateur, Level, answer, merit, road_ahead, throw
from companion.race.engine import Engine
from companion.race.record import engine_line, header_of, read_record, tracks_of
from companion.rules.formula import asks
from companion.rules.formula.book import BRAKES, GEAR_FACES, TIRES, spare
from companion.rules.formula.car import Option
from companion.rules.formula.forecast import USUAL, Driven, Usual, driven, told, turns_left
from companion.rules.formula.state import State
from companion.rules.game import Left
from companion.rules.lines import Answer
from race_companion_simulate.formula import Study, _Cars

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


# -- drivers who play like people -----------------------------------------------------------------


@dataclass(frozen=True)
class Nature:
    """What somebody is like: the highest gear, how many spaces one gear more is thought to be
    worth, the share of the brakes and tires that is counted on, how far a guess is off (spaces, in
    4th), and whether free slipstreams are taken."""

    top: int = 6
    eager: float = 0.0
    trust: float = 1.0
    muddle: float = 2.0
    slips: bool = True


def cheapest(state: State, ends: Sequence[Option]) -> Option:
    """The end that costs least, wherever that is."""
    return min(ends, key=lambda end: end.rank(state.setup.track))


class Careful(Amateur):
    """Somebody of whom no face takes the car beyond the next limit, and never above 4th."""

    def gear(self, state: State, seat: int, choices: Sequence[asks.GearChoice]) -> int:
        car, track = state.cars[seat], state.setup.track
        alive = [choice for choice in choices if not choice.out] or choices
        if car.space is None or track.lane[car.space] < 0:
            return alive[-1].gear
        room = road_ahead(track, car.space, car.stops).room

        def merit(choice: asks.GearChoice) -> tuple[float, ...]:
            faces = GEAR_FACES[choice.gear]
            share = sum(face <= room for face in faces) / len(faces)
            # The lowest gear on offer may lie above its own highest one.
            fits = share == 1 and (choice.gear <= 4 or choice is alive[0])
            return (fits, 0 if fits else share, -sum(choice.cost), choice.gear if fits else 0)

        return max(alive, key=merit).gear

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        return cheapest(state, ends)

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        return None


class Person(Amateur):
    """Somebody of a nature, who weighs each gear as an amateur does, but not so surely."""

    def __init__(self, nature: Nature, dice: Random) -> None:
        self._nature, self._dice = nature, dice

    def gear(self, state: State, seat: int, choices: Sequence[asks.GearChoice]) -> int:
        car, track, nature = state.cars[seat], state.setup.track, self._nature
        alive = [choice for choice in choices if not choice.out] or choices
        if car.space is None or track.lane[car.space] < 0:
            return alive[-1].gear
        road = road_ahead(track, car.space, car.stops)
        tires, brakes = (round(nature.trust * spare(car.wear, of)) for of in (TIRES, BRAKES))

        def value(choice: asks.GearChoice) -> float:
            cost, gear = choice.cost, choice.gear
            off = self._dice.gauss(0, nature.muddle) * gear / 4
            worth = merit(gear, road, tires, max(0, brakes - cost[BRAKES]))
            return worth - 3 * sum(cost) + nature.eager * gear + off

        known = [choice for choice in alive if choice.gear <= nature.top]
        return max(known or alive[:1], key=value).gear

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        # Now and then whatever costs nothing will do.
        careless = self._dice.random() < self._nature.muddle / 20
        return cheapest(state, ends) if careless else super().end(state, seat, ends)

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        return super().slip(state, seat, ends) if self._nature.slips else None


PEOPLE: Mapping[str, Nature] = {
    "plain": Nature(top=5, muddle=3),
    "timid": Nature(top=4, eager=-1.5, trust=0.4, muddle=1.5, slips=False),
    "bold": Nature(eager=4, trust=2.2, muddle=4),
    "even": Nature(top=5, trust=0.6, muddle=1.5),
    "hasty": Nature(eager=1.5, muddle=6),
    "slow": Nature(top=4, eager=-2.5, trust=0.2, slips=False),
}
FITTED = (("even", 3), ("hasty", 3), ("slow", 3), ("drawn", 6), ("amateur", 6))
"""What the fit sees: how many races of each on each board."""
MEASURED = ("plain", "timid", "mixed", "bold", "learner")
BOARDS = tuple(dict.fromkeys(board for board, _ in MIX))
FIT_BOARDS = (
    *("estoril", "magny-cours", "melbourne", "montreal", "monza", "nurburgring", "san-marino"),
    *("sepang", "silverstone", "spa", "suzuka"),
)


def driver(kind: str, dice: Random) -> Level:
    """Somebody of a kind; of a mixed table each is one of three, of a drawn one like nobody."""
    if kind in ("learner", "amateur"):
        return Careful() if kind == "learner" else Amateur()
    if kind == "mixed":
        return driver(dice.choice(("plain", "timid", "bold")), dice)
    if kind == "drawn":
        among = dice.choice((4, 5, 6)), dice.uniform(-3, 4), dice.uniform(0.3, 2)
        return Person(Nature(*among, dice.uniform(0.5, 6), dice.random() < 0.5), dice)
    return Person(PEOPLE[kind], dice)


@dataclass
class Seen:
    """The beginnings of all turns of a race: whose, the state; and when, in seconds; who drove."""

    begun: State
    who: Mapping[int, Level] = field(default_factory=dict)
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


def bots(study: Study, races: int, kind: str = "", mixed: bool = False) -> Iterator[Seen]:
    """Races of a study, in their order, with times drawn for their turns.

    Of a kind of driver in place of its levels, if there is one; `mixed`: of 4 to 8 cars and 1 to 3
    laps, within those of the study.
    """
    study.prepare(lambda *_: None)
    crew = _Cars(study)
    for race in range(races):
        dice = Random(f"{study.seed} {race}" + (kind and f" {kind} {study.track}"))
        seats = dice.randint(4, 8) if mixed else len(study.levels)
        laps = dice.choice((1, 2, 2, 3)) if mixed else study.laps
        grid = list(crew._levels)[:seats]
        dice.shuffle(grid)
        asked = {"grid": grid, "laps": laps, "seats": crew._header["seats"][:seats]}
        state = crew._game.begin({**crew._header, **asked}, crew._track).state
        who = {seat: driver(kind, dice) if kind else crew._levels[seat] for seat in sorted(grid)}
        seen = Seen(state, who)
        _play(crew, who, seen, state, dice)
        seen.slow = {seat: dice.lognormvariate(0, SLOW) for seat in sorted(grid)}
        _time(seen, dice)
        yield seen


def _play(crew: _Cars, who: Mapping[int, Level], seen: Seen, state: State, dice: Random) -> None:
    """From a state to the end."""
    while asks := crew._game.asks(state):
        seen.see(state)
        value: object = throw(asks[0], dice)
        if value is None:
            value = answer(who[asks[0].seat], state, asks[0])
        state = crew._game.decide(state, Answer(asks[0].seat, asks[0].kind, value), asks).state


def _time(seen: Seen, dice: Random) -> None:
    now = 0.0
    for place, (seat, _) in enumerate(seen.turns):
        seen.at[place] = now
        now += TURN_S * seen.slow[seat] * dice.lognormvariate(0, THINKS)
    seen.end = now


def bound(study: Study, races: int, times: int, kind: str = "") -> list[tuple[float, float]]:
    """Of each race how often the best forecast comes near: in turns, in seconds."""
    study.prepare(lambda *_: None)
    crew, found = _Cars(study), []
    for number, race in enumerate(bots(study, races, kind)):
        third = race.turns[round(len(race.turns) / 3)][1]
        ends = [Seen(race.begun, slow=race.slow) for _ in range(times)]
        for again, end in enumerate(ends):
            dice = Random(f"{number} again {again}")
            _play(crew, race.who, end, third, dice)
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


@dataclass(frozen=True)
class Error:
    """How far a forecast is off in turns and in seconds, and whether its span holds the turns."""

    turns: float
    seconds: float
    held: bool


def errors(seen: Seen) -> Error | None:
    """How far the forecast is off, of what is left a third into a race."""
    place = round(len(seen.turns) / 3)
    had = Counter(seat for seat, _ in seen.turns[:place])
    left = turns_left(seen.turns[place][1], seen.begun, had)
    if left is None:
        return None
    turns, seconds = len(seen.turns) - place, seen.end - seen.at[place]
    said = left.turns * (seen.at[place] - seen.at[0]) / place
    off = said / seconds - 1 if seconds else math.nan
    return Error(left.turns / turns - 1, off, left.low <= turns <= left.high)


def within(found: Sequence[float]) -> float:
    """The part of the errors that are within a tenth."""
    return sum(abs(one) <= TENTH for one in found) / len(found)


def row(name: str, found: Sequence[Error]) -> str:
    """A line of the table."""
    parts = [
        f"{within(one):5.0%} {statistics.fmean(one):+6.1%} {statistics.pstdev(one):6.1%}"
        for one in ([one.turns for one in found], [one.seconds for one in found])
    ]
    held = statistics.fmean(one.held for one in found)
    return f"{name:<24}{len(found):>6}   {parts[0]}   {held:5.0%}   {parts[1]}"


# -- the fit --------------------------------------------------------------------------------------

Moment = tuple[Sequence[Driven], int]
BOUNDS = {"start": (0.5, 9), "seat": (15, 1000), "table": (2, 60), "out": (0.001, 0.01)}
"""Where the figures are looked for, in this order; the pace stays that of bots."""
EVERY, EACH = 15, 160
"""A moment so many turns, not a third into it, which would tell how long a race will be; and as
many moments of each kind of driver."""


def moments(seen: Seen) -> Iterator[Moment]:
    """Moments of a race in which much is left and each car has had some seven turns."""
    for place in range(20, len(seen.turns), EVERY):
        had = Counter(seat for seat, _ in seen.turns[:place])
        cars = list(driven(seen.turns[place][1], seen.begun, had))
        if place >= 7 * len(cars) and sum(car.left or 0 for car in cars) >= 25:
            yield cars, len(seen.turns) - place


def loss(usual: Usual, among: Sequence[Moment]) -> float:
    """How bad: a bell of twelve hundredths, as nobody is helped by who is only less far off."""
    off = (told(cars, usual).turns / left - 1 for cars, left in among)
    return statistics.fmean(1 - math.exp(-((one / 0.12) ** 2) / 2) for one in off)


def fit(usual: Usual, among: Sequence[Moment]) -> Usual:
    """The figures that are best, one after the other, in ever smaller steps."""
    best = loss(usual, among)
    for step in (1.35, 1.35, 1.15, 1.15, 1.07, 1.07):
        for name, (low, high) in BOUNDS.items():
            for by in (step, 1 / step):
                while low <= getattr(usual, name) * by <= high:
                    other = usual._replace(**{name: getattr(usual, name) * by})
                    now = loss(other, among)
                    if now > best - 2e-5:
                        break
                    usual, best = other, now
    return usual._replace(**_deviations(usual, among))


def _deviations(usual: Usual, among: Sequence[Moment]) -> dict[str, float]:
    """How many deviations one race of ten is below, and one above what is told."""
    by = []
    for cars, left in among:
        one: Left = told(cars, usual._replace(low=0.001, high=0.001))
        by.append((left - one.turns) * 0.001 / (one.high - one.turns))
    tenths = statistics.quantiles(by, n=10)
    return {"low": -tenths[0], "high": tenths[-1]}


def fitted(solved: Path) -> Usual:
    """The figures by the races of `FITTED` on `FIT_BOARDS`."""
    among: list[Moment] = []
    for kind, races in FITTED:
        own: list[Moment] = []
        for board in FIT_BOARDS:
            study = Study("formula-d", board, LAPS, (), ("amateur",) * 10, 1, solved)
            own += [one for seen in bots(study, races, kind, mixed=True) for one in moments(seen)]
        among += Random(kind).sample(own, min(EACH, len(own)))
    return fit(USUAL, among)


def tell_bound(name: str, found: Sequence[tuple[float, float]]) -> None:
    """A line of what no forecast can exceed."""
    turns, seconds = (statistics.fmean(one) for one in zip(*found, strict=True))
    print(f"{name:<24}{len(found):>6}   at best {turns:5.0%} in turns, {seconds:5.0%} in seconds")


def plot(path: Path, found: Sequence[Error]) -> None:
    """The errors of all races as a figure."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "forecast"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3), layout="constrained")
    bins = [n / 50 for n in range(-25, 26)]
    for values, label in (
        ([one.turns for one in found], "turns"),
        ([one.seconds for one in found], "seconds"),
    ):
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
    parser.add_argument("--people", action="store_true")
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    if args.fit:
        print(fitted(Path()))
        return
    print(f"{'':<24}{'races':>6}   {'in turns':<21}span    in seconds (within 10 %, mean, spread)")
    everything: list[Error] = []
    bounds: list[tuple[float, float]] = []
    for path in args.records or ():
        seen = recorded(path)
        found = errors(seen) if seen else None
        if found:
            everything.append(found)
    with tempfile.TemporaryDirectory() as folder:
        mix = [(board, kind) for kind in MEASURED for board in BOARDS] if args.people else MIX
        races = args.races // len(mix)
        for board, who in () if args.records else mix:
            solved, name = args.solved or Path(folder), f"{board}, {who}"
            levels = ("amateur" if args.people else who,) * SEATS
            study = Study("formula-d", board, LAPS, (), levels, args.seed, solved)
            kind = who if args.people else ""
            if args.bound:
                bounds += bound(study, races, args.bound, kind)
                tell_bound(name, bounds[-races:])
                continue
            own = [found for found in map(errors, bots(study, races, kind)) if found]
            print(row(name, own), flush=True)
            everything += own
    if args.bound:
        tell_bound("all", bounds)
        return
    print(row("all", everything))
    if args.svg:
        plot(args.svg, everything)


if __name__ == "__main__":
    main()
