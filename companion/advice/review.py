"""The review of a race: where each car's turns came from.

Every car has at any moment turns to come, as if it were alone (`Alone`). The race moves that figure
with every line, and each change belongs to one of three: **luck**, what a die showed against its
mean; **errors**, what a choice lost against the best one that was there; **traffic**, all that
others did: ends that were not free, slipstreams, collisions, and what the referee set. A turn that
is over counts 1. So

    turns to come at the start + luck + errors + traffic = turns that it took

holds by construction for every car that finishes, whatever the figures are; how true they are is
another question: they are those of the model (`solve/model.py`), in which a car is alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, NamedTuple

from companion.advice import odds
from companion.advice.alone import Alone, Figures
from companion.advice.odds import chances
from companion.advice.solve.model import GONE
from companion.rules.board.track import LEVELS_A_SPACE
from companion.rules.formula import asks
from companion.rules.formula.book import TIRE_KINDS
from companion.rules.formula.car import Car, Point, Status
from companion.rules.formula.game import Formula
from companion.rules.formula.gears import gears_on_offer
from companion.rules.formula.moving import Move
from companion.rules.formula.rounds import TurnEnded
from companion.rules.formula.state import Event, Phase, State
from companion.rules.game import Ask
from companion.rules.lines import Answer, Referee
from companion.system.frozen import dataclass


def review(
    game: Formula, figures: Figures, state: State, commands: Sequence[tuple[int, Answer | Referee]]
) -> Mapping[int, Course]:
    """Go through a race from the state that it began with; commands with their lines."""
    under_way = Review(game, figures, state)
    for line, command in commands:
        if isinstance(command, Answer):
            asked: Sequence[Any] = game.asks(state)
            ask = next(a for a in asked if (a.seat, a.kind) == (command.seat, command.kind))
            decision = game.decide(state, command, asked)
            under_way.answered(line, ask, command.value, state, decision.state, decision.events)
        else:
            decision = game.referee(state, command)
            under_way.corrected(line, state, decision.state, decision.events)
        state = decision.state
    return under_way.courses


class Review:
    """A review under way: it is told each line with the state before it and after it."""

    def __init__(self, game: Formula, figures: Figures, state: State) -> None:
        self._game, self._figures = game, figures
        self._looked: tuple[int, Phase] | None = None
        self.courses = {seat: Course() for seat in state.cars}
        self._begin(state)

    def _begin(self, state: State) -> None:
        """Cars that stand on the board of a race now have their turns to come."""
        if state.phase not in (Phase.RACE, Phase.FINISHED):
            return
        for seat, course in self.courses.items():
            if (
                course.start is None
                and state.cars[seat].runs
                and state.cars[seat].space is not None
            ):
                course.start = course.to_come = self._to_come(state, seat)

    # -- lines --------------------------------------------------------------------------------

    def answered(
        self,
        line: int,
        ask: Ask,
        value: object,
        before: State,
        after: State,
        events: Iterable[Event],
    ) -> None:
        """An answer was given to an ask."""
        course = self.courses.get(ask.seat)
        if course is not None and course.start is not None and before.phase is Phase.RACE:
            self._chosen(Line(line, before.round), course, ask, value, before)
        self._settle(line, ask, value, before, after, events)

    def corrected(self, line: int, before: State, after: State, events: Iterable[Event]) -> None:
        """The referee set something."""
        self._settle(line, None, None, before, after, events)

    def _settle(
        self, line: int, ask: Ask | None, value: object, before: State, after: State,
        events: Iterable[Event],
    ) -> None:  # fmt: skip
        """What the line did to all cars, whatever it was; turns that are over count."""
        at = Line(line, after.round)
        rolled = ask.seat if isinstance(ask, asks.RollAsk | asks.BlackAsk) else None
        for late in after.cars.keys() - self.courses.keys():
            self.courses[late] = Course()
        ended = [event.seat for event in events if isinstance(event, TurnEnded)]
        for seat, course in self.courses.items():
            if course.start is None:
                continue
            course.turns += ended.count(seat)
            # It is counted in `turns` now: the result that is expected stays the same.
            course.to_come -= ended.count(seat)
            course.finished = after.cars[seat].status is Status.FINISHED
            if not self._is_settled(after, seat):
                continue
            if odds.is_out(after.cars[seat]) and not odds.is_out(before.cars[seat]):
                course.gone = self._figures.of(before, seat).out(before.cars[seat])
            change = course.moved(self._to_come(after, seat))
            if seat == rolled:
                course.rolls.append(Thrown(at, value, change))
            else:
                course.meets(at, change)
        self._look(after)
        # Last: nothing has happened yet to a car that this line has only put on the board.
        self._begin(after)
        for course in self.courses.values():
            course.note(at)

    def _look(self, state: State) -> None:
        """The chances of all cars, once a round and at the end."""
        moment = state.round, state.phase
        if moment != self._looked and all(one.start is not None for one in self.courses.values()):
            self._looked = moment
            for seat, chance in chances(self._figures, state).items():
                self.courses[seat].chances[state.round] = chance.wins

    # -- decisions ----------------------------------------------------------------------------

    def _chosen(self, at: Line, course: Course, ask: Ask, value: object, state: State) -> None:
        """A decision: what was there, and what was taken."""
        worth = self._worths(ask, state)
        if not worth:
            return
        played = next((turns for one, turns in worth if one == _key(value)), None)
        if played is None:
            return  # taken for another one, on a board that is a sketch
        best, least = min(worth, key=lambda one: one[1])
        # First to the best answer on offer (what was not free is the others' doing), then to the
        # one given, which is the driver's.
        course.meets(at, course.moved(least))
        loss = course.moved(played)
        course.choices.append(Choice(at, ask.kind, value, as_answer(best), loss))
        told = min(loss, self._among_cars(ask, value, best, state)) if loss >= LEAST else 0
        if told >= LEAST:
            course.mistakes.append(self._mistaken(at, ask, _key(value), state, worth, told))

    def _among_cars(self, ask: Ask, value: object, best: object, state: State) -> float:
        """What a gear lost with the others where they stand: whom they keep from the best ends of
        the better gear made no mistake."""
        if not isinstance(ask, asks.GearAsk):
            return math.inf
        alone = self._figures.of(state, ask.seat)
        found: dict[object, float] = {
            one.gear: odds.odds_of(state, ask.seat, one, alone).turns or 0.0
            for one in ask.choices
            if one.gear in (value, best)
        }
        return found[value] - found[best]

    def _mistaken(
        self, at: Line, ask: Ask, value: object, state: State, worth: Sequence[Weighed],
        loss: float,
    ) -> Mistake:  # fmt: skip
        """A decision that cost: what was there, what follows from both ways, and why."""
        ranked = sorted(worth, key=lambda one: one[1])
        best, taken = ranked[0], next(one for one in ranked if one[0] == value)
        # By their words, so that the order gives no hint of the best.
        offered = ranked if ask.kind == "gear" else _ends(ranked, taken)
        choices = sorted(offered, key=lambda one: str(one[0]))
        ways = [self._way(ask, answer, state) for answer in (value, best[0])]
        step, wins = state.pending[0] if state.pending else None, self._wins
        return Mistake(
            at=at,
            kind=ask.kind,
            rolled=step.spaces if isinstance(step, Move) else None,
            choices=tuple(choices),
            best=choices.index(best),
            played=choices.index(taken),
            loss=loss,
            wins=wins(state, ask.seat, best[1]) - wins(state, ask.seat, taken[1]),
            ways=(ways[0], ways[1]),
            why=max(_reasons(*ways), key=lambda one: one.weight, default=None),
        )

    def _way(self, ask: Ask, answer: object, state: State) -> Way:
        """What follows from an answer, by the rules: what it costs, and the next roll's faces."""
        seat, before = ask.seat, state.cars[ask.seat]
        if isinstance(ask, asks.GearAsk):
            choice = next(one for one in ask.choices if one.gear == answer)
            return Way(0, 0, False, False, odds.outlook(state, seat, choice))
        given = Answer(seat, ask.kind, as_answer(answer))
        after = self._game.decide(state, given, self._game.asks(state)).state
        # A stop is marked where the whole move ends (FD-SLIP-6).
        if any((one.seat, one.kind) == (seat, "slipstream") for one in self._game.asks(after)):
            passed = Answer(seat, "slipstream", None)
            after = self._game.decide(after, passed, self._game.asks(after)).state
        car, alone = after.cars[seat], self._figures.of(after, seat)
        lost = sum(max(0, had - has) for had, has in zip(before.wear, car.wear, strict=True))
        gone = odds.is_out(car)
        return Way(
            lost, _run(after, car), car.status is Status.SPUN, gone, _next(after, car, alone)
        )

    def _wins(self, state: State, seat: int, turns: float) -> float:
        """The chance to win of a car that has so many turns to come."""
        found = chances(self._figures, state, {seat: turns}).get(seat)
        return 0.0 if found is None else found.wins

    def _worths(self, ask: Ask, state: State) -> list[tuple[object, float]]:
        """The turns to come with each answer that is weighed; none for other asks."""
        car, tested = state.cars[ask.seat], odds.is_tested(state)
        if car.space is None:
            return []
        alone = self._figures.of(state, ask.seat)
        if isinstance(ask, asks.TiresAsk):
            return [(kind, 1 + alone.stopping(car, [kind])) for kind in TIRE_KINDS]
        if isinstance(ask, asks.GearAsk):
            # This turn is among those of `engaged`; `after`, `stopping` and `staying` count from
            # the next one.
            return [(choice.gear, alone.engaged(car, choice)) for choice in ask.choices]
        if isinstance(ask, asks.LengthAsk):
            return [
                (
                    (one.spaces, one.by),
                    1 + odds.best_of(alone, state, car, [odds.move_of(ask.seat, one)]),
                )
                for one in ask.lengths
            ]
        if not isinstance(ask, asks.MoveAsk | asks.SlipstreamAsk):
            return []
        ids = state.setup.track.ids
        found: list[tuple[object, float]] = [
            ((ids[end.to], end.brakes), 1 + alone.after(car, end, tested=tested))
            for end in ask.ends
        ]
        if isinstance(ask, asks.SlipstreamAsk):
            found.append((None, 1 + alone.staying(car, tested=tested)))
        return found

    # -- what is to come ----------------------------------------------------------------------

    def _is_settled(self, state: State, seat: int) -> bool:
        """Whether the turns to come can be told: not while its way is being settled.

        What comes after that, collisions and engine tests, is told with its mean.
        """
        if state.turn != seat or not state.pending or not state.cars[seat].runs:
            return True
        return state.pending[0].kind in _BEFORE_THE_WAY or state.pending[0].point > Point.DIE

    def _to_come(self, state: State, seat: int) -> float:
        """The turns to come of a car, the one under way among them."""
        turns = odds.turns_to_come(self._figures, state, seat)
        return self.courses[seat].gone if turns is None else turns


_BEFORE_THE_WAY: Final = frozenset({"start", "gear", "roll", "double", "length", "move"})


def _key(value: object) -> object:
    """An answer as decisions are listed: the end and its brakes, the length and what gives it."""
    match value:
        case {"to": to, "brakes": brakes}:
            return (to, brakes)
        case {"spaces": spaces, "by": list(by)}:
            return (spaces, tuple(by))
    return value


def as_answer(best: object) -> object:
    """A listed decision as an answer of the engine protocol."""
    match best:
        case (int(spaces), tuple(by)):
            return {"spaces": spaces, "by": list(by)}
        case (to, brakes):
            return {"to": to, "brakes": brakes}
    return best


# -- what is known of one car ---------------------------------------------------------------------


class Line(NamedTuple):
    """A line of the record, from 1, and its round."""

    line: int
    round: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: the kind of its ask, and what it lost, in turns."""

    at: Line
    kind: str
    played: object
    best: object
    loss: float

    def as_json(self) -> dict[str, object]:
        """The decision as `companion review` tells it."""
        told = {"kind": self.kind, "played": self.played, "best": self.best, "loss": self.loss}
        return {"line": self.at.line, **told}


@dataclass(frozen=True, slots=True)
class Thrown:
    """A roll, and what it did to the turns to come."""

    at: Line
    face: object
    luck: float

    def as_json(self) -> dict[str, object]:
        """The roll as it is kept and told."""
        return {**self.at._asdict(), "face": self.face, "luck": self.luck}


class Expected(NamedTuple):
    """What a car's turns at its finish were expected to be after a line."""

    at: Line
    turns: float


SAME: Final = 1e-9
FORGIVING: Final = 0.35
"""The loss a turn, in turns, at which accuracy falls to 1/e (docs/advice.md)."""


@dataclass(slots=True)
class Course:
    """What is known of a car so far; `start` is None until it stands on the board of a race.

    `gone` is what being out counts, once it is. `met` has what others did to it, by the line.
    `history` has what its result was expected to be, from its start on, where that changed;
    `chances` the chance to win as each round began, and at the end; `mistakes` are those of its
    decisions that cost enough to be told (`GRADES`).
    """

    start: float | None = None
    to_come: float = 0.0
    gone: float = 0.0
    turns: int = 0
    finished: bool = False
    choices: list[Choice] = field(default_factory=list)
    rolls: list[Thrown] = field(default_factory=list)
    met: dict[Line, float] = field(default_factory=dict)
    history: list[Expected] = field(default_factory=list)
    chances: dict[int, float] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def meets(self, at: Line, turns: float) -> None:
        """Others cost it so many turns."""
        if turns:
            self.met[at] = self.met.get(at, 0.0) + turns

    def note(self, at: Line) -> None:
        """Keep what the result is expected to be after a line, if that is another one now."""
        if self.start is None:
            return
        turns = self.turns + self.to_come
        if not self.history or abs(self.history[-1].turns - turns) > SAME:
            self.history.append(Expected(at, turns))

    @property
    def luck(self) -> float:
        """All rolls together; positive is bad luck."""
        return math.fsum(roll.luck for roll in self.rolls)

    @property
    def errors(self) -> float:
        """What all decisions lost together."""
        return math.fsum(choice.loss for choice in self.choices)

    @property
    def traffic(self) -> float:
        """All that others did, together."""
        return math.fsum(self.met.values())

    @property
    def accuracy(self) -> float:
        """From 0 to 100: 100 · exp(−loss a turn / `FORGIVING`)."""
        return 100 * math.exp(-self.errors / max(1, self.turns) / FORGIVING)

    def moved(self, to_come: float) -> float:
        """The turns to come are these now; by how much they have changed."""
        change, self.to_come = to_come - self.to_come, to_come
        return change

    def as_json(self) -> dict[str, object]:
        """The car as `companion review` tells it."""
        return {
            "start": self.start,
            "luck": self.luck,
            "errors": self.errors,
            "traffic": self.traffic,
            "result": self.turns if self.finished else None,
            "accuracy": round(self.accuracy, 1),
            "decisions": [choice.as_json() for choice in self.choices],
            "rolls": [roll.as_json() for roll in self.rolls],
        }


# -- the moment that decided a race ---------------------------------------------------------------


class Moment(NamedTuple):
    """A line of the record and its round; `swing` are the turns that the winner gained by it.

    `seat` is whose doing it was (of traffic the winner); `what` one of roll, traffic, or the kind
    of a choice.
    """

    line: int
    round: int
    seat: int
    what: str
    swing: float


def moment_of(courses: Mapping[int, Course], home: Sequence[int]) -> Moment | None:
    """What brought the winner most on whoever came second: a roll, a choice, or what they met.

    Each is told by what it did itself, so nobody is blamed for what others did at the same line. A
    choice of the winner never is it: the best one loses nothing. `home` are the seats that
    finished, in their order.

    None where nobody came second, or where nothing moved anything the winner's way.
    """
    if len(home) < 2:
        return None
    moments = sorted(_moments(courses, *home[:2]))
    best = max(moments, key=lambda one: one.swing, default=None)
    return best if best is not None and best.swing > 0 else None


def _moments(courses: Mapping[int, Course], first: int, second: int) -> Iterator[Moment]:
    """All that one of the two did or met, and what the first gained by it."""
    met: dict[Line, float] = {}
    for seat, sign in ((first, -1), (second, 1)):
        course = courses[seat]
        for roll in course.rolls:
            yield Moment(*roll.at, seat, "roll", sign * roll.luck)
        for choice in course.choices:
            yield Moment(*choice.at, seat, choice.kind, sign * choice.loss)
        for at, turns in course.met.items():
            # Of a line both may have met something: it is their difference that counts.
            met[at] = met.get(at, 0.0) + sign * turns
    for at, turns in met.items():
        yield Moment(*at, first, "traffic", turns)


# -- mistakes -------------------------------------------------------------------------------------


Weighed = tuple[object, float]
"""An answer as reviews list it, and the turns to come with it."""
GRADES: Final = {"blunder": 0.75, "mistake": 0.5, "inaccuracy": 0.25}
"""Turns lost at least, by what that is called, the worst first (docs/advice.md)."""
LEAST: Final = min(GRADES.values())


class Way(NamedTuple):
    """What follows from an answer: points lost, how far the car has come, and the next roll.

    `run` is in levels of the board, over all laps; `next` is None where no roll follows.
    """

    lost: int
    run: int
    spun: bool
    gone: bool
    next: odds.Outlook | None


class Reason(NamedTuple):
    """Why an answer was worse: a fact that can be counted (`why` in docs/advice.md).

    `n` faces of `of` in a `gear`, or a number of points or spaces; `weight` are the turns that it
    is about worth, by which one of several reasons is told.
    """

    weight: float
    key: str
    n: float = 0
    of: int = 0
    gear: int = 0
    corner: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A decision that cost, to be made again.

    `choices` are answers with their turns to come, in an order that tells nothing; `best` and
    `played` are places in it. `rolled` is what is to be moved, None before a roll; `wins` what it
    lost of the chance to win; `ways` what followed from what was played, and from the best.
    The figures are of a car alone; a gear's `loss` is not more than it is with the others there.
    """

    at: Line
    kind: str
    rolled: int | None
    choices: tuple[Weighed, ...]
    best: int
    played: int
    wins: float
    loss: float
    ways: tuple[Way, Way]
    why: Reason | None

    @property
    def grade(self) -> str:
        """What such a loss is called."""
        return next(name for name, least in GRADES.items() if self.loss >= least)

    def as_json(self) -> dict[str, object]:
        """The mistake as it is kept and shown."""
        rolls = [None if way.next is None else way.next.as_json() for way in self.ways]
        return {
            **self.at._asdict(),
            "kind": self.kind,
            "grade": self.grade,
            "rolled": self.rolled,
            "choices": [{"answer": as_answer(one), "turns": turns} for one, turns in self.choices],
            "best": self.best,
            "played": self.played,
            "loss": self.loss,
            "wins": round(self.wins, 3),
            "rolls": rolls,
            "why": None if self.why is None else self.why._asdict(),
        }


SPIN, MISSED, POINT, SPACES = 1.5, 0.5, 0.25, 9.0
"""What a spin, a missed stop and a point are about worth in turns, and the spaces of a turn."""


def _reasons(played: Way, best: Way) -> Iterator[Reason]:
    """All that speaks for the best answer, and can be counted."""
    if played.gone > best.gone:
        yield Reason(GONE, "gone")
    if played.spun > best.spun:
        yield Reason(SPIN, "spun")
    if played.lost > best.lost:
        more = played.lost - best.lost
        yield Reason(POINT * more, "costs", more)
    if (further := (best.run - played.run) // LEVELS_A_SPACE) > 0:
        yield Reason(further / SPACES, "behind", further)
    if played.next is not None and best.next is not None:
        yield from _of_rolls(played.next, best.next)


def _of_rolls(played: odds.Outlook, best: odds.Outlook) -> Iterator[Reason]:
    """What speaks for a roll against another."""
    for key, price in (("out", GONE), ("spin", SPIN)):
        yield from _of_faces(
            price, key, played, best, {-1: getattr(played, key)}, {-1: getattr(best, key)}
        )
    yield from _of_faces(MISSED, "misses", played, best, played.missed, best.missed)
    yield from _of_faces(MISSED, "stops", best, played, best.stopping, played.stopping)
    if played.paid > best.paid:
        more = played.paid - best.paid
        yield Reason(POINT * more, "over-rev", more, gear=played.gear)
    if (further := best.mean - played.mean) > 0:
        yield Reason(further / SPACES, "short", further, gear=best.gear)


def _of_faces(
    price: float, key: str, one: odds.Outlook, other: odds.Outlook,
    faces: Mapping[int, int], others: Mapping[int, int],
) -> Iterator[Reason]:  # fmt: skip
    """What more faces of one roll than of another come to."""
    for corner, n in faces.items():
        more = n / one.faces - others.get(corner, 0) / other.faces
        if more > 0:
            yield Reason(price * more, key, n, one.faces, one.gear, corner)


def _run(state: State, car: Car) -> int:
    """How far a car has come, in levels; 0 where it stands on no space."""
    track = state.setup.track
    return 0 if car.space is None else car.lap * track.lap_levels + track.level[car.space]


def _next(state: State, car: Car, alone: Alone) -> odds.Outlook | None:
    """The next roll of a car, in the gear that is best for it."""
    moves = state.pending and state.pending[0].kind == "move"
    if car.space is None or not car.runs or car.status is Status.PIT or moves:
        return None
    # The others will have moved by then.
    empty, choices = replace(state, cars={car.seat: car}), gears_on_offer(state, car.seat)
    return odds.outlook(empty, car.seat, min(choices, key=lambda one: alone.engaged(car, one)))


MOST_ENDS: Final = 4
"""Ends that are offered: the best, the one that was played, and the next best."""


def _ends(ranked: Sequence[Weighed], taken: Weighed) -> Iterator[Weighed]:
    """The best, the one that was played, and the next best, each on another space."""
    # The two that it is about come first, so neither is crowded out by a better end.
    yield from (ranked[0], taken)
    spaces = {_space(ranked[0][0]), _space(taken[0])}
    for one in ranked:
        space = _space(one[0])
        if space not in spaces and len(spaces) < MOST_ENDS:
            spaces.add(space)
            yield one


def _space(answer: Any) -> object:
    return answer[0] if isinstance(answer, tuple) else answer
