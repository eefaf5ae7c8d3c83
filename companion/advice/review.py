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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion.advice.bots.racer import is_tested
from companion.advice.by_sky import Figures
from companion.advice.course import Choice, Course, Thrown
from companion.advice.puzzles import puzzle_of
from companion.advice.solve.model import out_turns
from companion.rules.commands import Answer, Referee
from companion.rules.formula.asks import (
    BlackAsk,
    GearAsk,
    LengthAsk,
    MoveAsk,
    RollAsk,
    SlipstreamAsk,
    TiresAsk,
)
from companion.rules.formula.asks import Length as LengthOption
from companion.rules.formula.car import Car, Status
from companion.rules.formula.engine_tests import Engine, Tests
from companion.rules.formula.game import Formula
from companion.rules.formula.gears import GearRoll
from companion.rules.formula.lengths import Length, lengths
from companion.rules.formula.moving import Move
from companion.rules.formula.pit import Die, Stop
from companion.rules.formula.rounds import TurnEnded
from companion.rules.formula.state import Event, Phase, State
from companion.rules.formula.tables import TIRE_KINDS
from companion.rules.formula.tires import Tires
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drift import DRIFTS
from companion.rules.game import Ask


class Review:
    """A review under way: it is told each line with the state before it and after it."""

    def __init__(self, figures: Figures, state: State) -> None:
        self._figures, self._out = figures, out_turns(state.setup.laps)
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
            self._chosen(line, course, ask, value, before)
        self._settle(line, ask, value, after, events)

    def corrected(self, line: int, after: State, events: Iterable[Event]) -> None:
        """The referee set something."""
        self._settle(line, None, None, after, events)

    def _settle(
        self, line: int, ask: Ask | None, value: object, after: State, events: Iterable[Event]
    ) -> None:
        """What the line did to all cars, whatever it was; turns that are over count."""
        rolled = ask.seat if isinstance(ask, RollAsk | BlackAsk) else None
        for late in after.cars.keys() - self.courses.keys():
            self.courses[late] = Course()
        ended = [event.seat for event in events if isinstance(event, TurnEnded)]
        for seat, course in self.courses.items():
            if course.start is None:
                continue
            course.turns += ended.count(seat)
            course.to_come -= ended.count(seat)
            course.finished = after.cars[seat].status is Status.FINISHED
            if not self._is_settled(after, seat):
                continue
            change = course.moved(self._to_come(after, seat))
            if seat == rolled:
                course.rolls.append(Thrown(line, value, change))
            else:
                course.traffic += change
        self._begin(after)
        for course in self.courses.values():
            course.note(line, after.round)

    # -- decisions ----------------------------------------------------------------------------

    def _chosen(self, line: int, course: Course, ask: Ask, value: object, state: State) -> None:
        """A decision: what was there, and what was taken."""
        worth = self._worths(ask, state)
        if not worth:
            return
        played = next((turns for one, turns in worth if one == _key(value)), None)
        if played is None:
            return  # taken for another one, on a board that is a sketch
        best, least = min(worth, key=lambda one: one[1])
        puzzle = puzzle_of(line, ask.kind, ask.seat, state, worth, _key(value))
        if puzzle is not None:
            course.puzzles.append(puzzle)
        course.traffic += course.moved(least)
        course.choices.append(
            Choice(line, ask.kind, value, told_answer(best), course.moved(played))
        )

    def _worths(self, ask: Ask, state: State) -> list[tuple[object, float]]:
        """The turns to come with each answer that is weighed; none for other asks."""
        car, tested = state.cars[ask.seat], is_tested(state)
        if car.space is None:
            return []
        alone = self._figures.of(state, ask.seat)
        if isinstance(ask, TiresAsk):
            return [(kind, 1 + alone.stopping(car, [kind])) for kind in TIRE_KINDS]
        if isinstance(ask, GearAsk):
            return [(choice.gear, alone.engaged(car, choice)) for choice in ask.choices]
        if isinstance(ask, LengthAsk):
            return [
                ((one.spaces, one.by), 1 + self._best(state, car, [_move(ask.seat, one)]))
                for one in ask.lengths
            ]
        if not isinstance(ask, MoveAsk | SlipstreamAsk):
            return []
        ids = state.setup.track.ids
        found: list[tuple[object, float]] = [
            ((ids[end.to], end.brakes), 1 + alone.after(car, end, tested=tested))
            for end in ask.ends
        ]
        if isinstance(ask, SlipstreamAsk):
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
        car, step = state.cars[seat], None
        if state.pending and state.turn == seat:
            step = state.pending[0]
        under_way = float(step is not None and step.point > Point.WAY)
        if car.status is Status.FINISHED:
            return under_way
        if car.space is None or not car.runs:
            return self._out
        if isinstance(step, GearRoll):
            return self._figures.of(state, car.seat).running(car)
        if isinstance(step, Move | Length):
            return 1 + self._best_alone(state, car, step)
        tested = any(
            (isinstance(other, Engine) and seat in other.seats)
            or (isinstance(other, Tests) and seat == other.seat)
            for other in state.pending
        )
        alone = self._figures.of(state, car.seat)
        if isinstance(step, Tires | Stop | Die):
            return under_way + alone.stopping(car, None if isinstance(step, Tires) else [car.tires])
        return under_way + alone.standing(car, tested=tested)

    def _best_alone(self, state: State, car: Car, step: Move | Length) -> float:
        """The best end of a move on an empty board."""
        empty = replace(state, cars={car.seat: car}, debris=frozenset())
        if isinstance(step, Move):
            moves = [step]
        else:
            moves = [_move(step.seat, one, step.how) for one in lengths(empty, step)]
        return self._best(empty, car, moves)

    def _best(self, state: State, car: Car, moves: Iterable[Move]) -> float:
        """The best of the ends of some moves."""
        tested, alone = is_tested(state), self._figures.of(state, car.seat)
        return min(
            (alone.after(car, end, tested=tested) for m in moves for end in m.ends(state)),
            default=self._out,
        )


_BEFORE_THE_WAY: Final = frozenset({"start", "gear", "roll", "double", "length", "move"})


def _move(seat: int, length: LengthOption, how: str = "move") -> Move:
    return Move(seat=seat, spaces=length.spaces, how=how, drifts=DRIFTS in length.by)


def _key(value: object) -> object:
    """An answer as decisions are listed: the end and its brakes, the length and what gives it."""
    match value:
        case {"to": to, "brakes": brakes}:
            return (to, brakes)
        case {"spaces": spaces, "by": list(by)}:
            return (spaces, tuple(by))
    return value


def told_answer(best: object) -> object:
    """A listed decision as an answer of the engine protocol."""
    match best:
        case (int(spaces), tuple(by)):
            return {"spaces": spaces, "by": list(by)}
        case (to, brakes):
            return {"to": to, "brakes": brakes}
    return best


def review(
    game: Formula,
    figures: Figures,
    state: State,
    commands: Sequence[tuple[int, Answer | Referee]],
) -> Mapping[int, Course]:
    """Go through a race from the state that it began with; commands with their lines."""
    under_way = Review(figures, state)
    for line, command in commands:
        if isinstance(command, Answer):
            asks: Sequence[Any] = game.asks(state)
            ask = next(a for a in asks if (a.seat, a.kind) == (command.seat, command.kind))
            decision = game.decide(state, command, asks)
            under_way.answered(line, ask, command.value, state, decision.state, decision.events)
        else:
            decision = game.referee(state, command)
            under_way.corrected(line, decision.state, decision.events)
        state = decision.state
    return under_way.courses
