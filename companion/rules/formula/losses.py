"""What a loss brings with it: debris, a car that is out; and the rolls that cost something.

House switches `debris_from` (every car that is out leaves debris, FD-DEBRIS-1, or only damage and
a block do, DE-DEBRIS-1) and `debris_laid` (at the end of the turn, or at once where it happened).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, NamedTuple

from companion.rules.codec import Word, replace
from companion.rules.formula import book
from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.book import one
from companion.rules.formula.car import Out, Place, Status
from companion.rules.formula.drivers import debris_on, own_limit
from companion.rules.formula.state import Event, Flow, Roll, State, Step, Wears
from companion.rules.game import Ask
from companion.rules.lines import bad, refuse, whole_number

DAMAGE = frozenset({"body", "engine", "blocked"})
"""What leaves debris where not every car that is out does (DE-DEBRIS-1)."""
STAY = {
    "lifted": frozenset[str](),
    "blocked": frozenset({"blocked"}),
    "blocked-body": frozenset({"blocked", "body"}),
}
"""House switch `wrecks`: what puts a car out that stands on until its next turn."""


WhereItWas = Annotated[int | None, Word(hidden=True)]


class Eliminated(Event):
    """A car is out of the race."""

    why: str
    round: int
    space: WhereItWas

    def applied(self, state: State) -> State:
        return lift(state, self.seat, self.why, self.rule, self.round, self.space)


class Spun(Event):
    """A car stands reversed."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, status=Status.SPUN)


class Damaged(Wears):
    """A car lost body without a roll, by what befell another car (`against`)."""

    against: int


class WreckLeft(Event):
    """A car that is out stands in the way until its next turn (DE-BLOCK-1)."""

    def applied(self, state: State) -> State:
        return stand(state, self.seat, stands=True)


class DebrisLaid(Event):
    """A debris marker lies on a space; boardless (None), where the car stands or stood."""

    space: str | None

    def applied(self, state: State) -> State:
        if self.space is None:
            return state
        return with_marker(state, state.setup.track.index[self.space])


def lift(
    state: State, seat: int, why: str, rule: str | None, round: int, space: int | None
) -> State:
    """A car is taken for good from where it was."""
    out = Out(why, rule, round, space, state.cars[seat].status)
    return state.change(seat, status=Status.OUT, space=None, out=out, place=None)


def stand(state: State, seat: int, *, stands: bool) -> State:
    """A wreck stands in the way, or is taken away."""
    out = state.cars[seat].out
    assert out is not None
    return state.change(seat, out=replace(out, stands=stands))


def mark(flow: Flow, seat: int) -> None:
    """This car leaves debris: at the end of the turn (FD-DEBRIS-1) or at once (DE-DEBRIS-1)."""
    if flow.state.setup.house.debris_laid == "at-once":
        lay_marker(flow, seat)
        return
    flow.revise(Step, lambda step: step.marked(seat))


def lay_marker(flow: Flow, seat: int) -> None:
    """Debris where a car stands or stood: one marker a space, none in the pit (FD-DEBRIS-4).

    FD-BASIC-13: the basic game has no markers.
    """
    setup, car = flow.state.setup, flow.car(seat)
    space, on_track = car.stood, flow.state.ground.place(setup, car) is Place.TRACK
    if not on_track or (space is not None and space in debris_on(flow.state)):
        return
    if not setup.edition.debris:
        return
    make_room(flow, seat)
    where = None if space is None else setup.track.ids[space]
    flow.tell(DebrisLaid(seat=seat, rule="FD-DEBRIS-1", space=where))


def damage(flow: Flow, seat: int, *, gone: bool, why: str, rule: str) -> None:
    """A body or engine WP was lost: it leaves debris, and if it was the last the car is out."""
    if gone:
        put_out(flow, seat, why, rule)
    else:
        mark(flow, seat)


def strike(flow: Flow, seat: int, *, by: int, rule: str) -> None:
    """A car loses 1 body without a roll, by what befell another (DE-BUMP-2, DE-BLOCK-1)."""
    gone = flow.car(seat).wear[book.BODY] <= 1
    flow.tell(Damaged(seat=seat, rule=rule, against=by, cost=one(book.BODY)))
    damage(flow, seat, gone=gone, why="body", rule="DE-OUT-1")


def put_out(flow: Flow, seat: int, why: str, rule: str, *, stands: bool = False) -> None:
    """A car is out: what leaves debris does so, and what was still pending for it falls away.

    `stands`: its wreck does so until its next turn, whatever put it out.

    Tests of others go on (FD-ENGINE-2), and a collision without it (FD-BUMP-2, DE-BUMP-2).
    """
    setup = flow.state.setup
    where, number = flow.stands(seat), flow.state.round
    told = setup.edition.whys.get(why, why)
    flow.tell(Eliminated(seat=seat, rule=rule, why=told, round=number, space=where))
    if stands or why in STAY[setup.house.wrecks]:
        flow.tell(WreckLeft(seat=seat, rule="DE-BLOCK-1"))
    # A wreck that stands leaves its debris later, when it is taken away (DE-BLOCK-1).
    elif setup.house.debris_from == "every-out" or why in DAMAGE:
        mark(flow, seat)
    flow.drop_car(seat)


# -- the markers on the board: how many there are (FD-DEBRIS-4) -----------------------------------

# House switch `debris_limit`: so many markers and no more, the one that has lain longest is moved
# (Québec). The dark spaces of a street are no markers; without a board nobody knows where markers
# lie.

RULE = "FD-DEBRIS-4"


class DebrisTaken(Event):
    """A marker is taken off its space."""

    space: str

    def applied(self, state: State) -> State:
        return _without(state, state.setup.track.index[self.space])


def with_marker(state: State, space: int) -> State:
    """The state with one marker more; where it matters it is the latest."""
    counts = state.setup.house.debris_limit != "none"
    laid = (*state.laid, space) if counts else ()
    return replace(state, debris=state.debris | {space}, laid=laid)


def _without(state: State, space: int) -> State:
    laid = tuple(other for other in state.laid if other != space)
    return replace(state, debris=state.debris - {space}, laid=laid)


def make_room(flow: Flow, seat: int) -> None:
    """Before a marker is laid: the one that has lain longest is taken, where all are out."""
    limit, laid = flow.state.setup.house.debris_limit, flow.state.laid
    if limit != "none" and len(laid) >= int(limit):
        _take(flow, seat, laid[0])


def _take(flow: Flow, seat: int, space: int) -> None:
    flow.tell(DebrisTaken(seat=seat, rule=RULE, space=flow.state.setup.track.ids[space]))


# -- a roll of the black die that may hurt --------------------------------------------------------


class Rolled(NamedTuple):
    """A roll: its number (the lowest of a range), what was answered, and what that does."""

    number: int
    roll: Roll
    meaning: book.Meaning

    @property
    def cost(self) -> book.Wear:
        """What a roll that may hurt costs."""
        return one(self.meaning.category) if isinstance(self.meaning, book.Loses) else book.NOTHING


def ask_hurting(
    state: State,
    seat: int,
    reason: book.Reason,
    limits: Mapping[bool, int],
    category: int,
    *,
    against: int | None = None,
    at: str | None = None,
    times: int = 1,
) -> BlackAsk:
    """The ask of a roll that costs a point up to a limit: dry, and in rain (FD-WEATHER-4).

    Some drivers have limits of their own (FD-DRV-4, FD-DRV-10). The rest as in `BlackAsk`.
    """
    outcomes = _outcomes(own_limit(state, seat, reason) or limits[state.raining], category)
    return BlackAsk(seat, reason=reason, outcomes=outcomes, against=against, at=at, times=times)


@cache
def _outcomes(upto: int, category: int) -> tuple[book.Outcome, ...]:
    """What each number does: up to a limit it costs a point."""
    hurts = book.Outcome(book.BLACK_DIE[0], upto, book.Loses(category))
    return hurts, book.Outcome(upto + 1, book.BLACK_DIE[1], book.Unhurt())


def read_roll(ask: Ask, value: object) -> Rolled:
    """What was rolled: a number of the die, or one of the ranges on offer.

    Raises:
        Malformed: neither a number from 1 to 20 nor a pair of numbers.
        Illegal: a range that was not offered.
    """
    assert isinstance(ask, BlackAsk)
    if not isinstance(value, list):
        number = whole_number(value, "black")
        if not book.BLACK_DIE[0] <= number <= book.BLACK_DIE[1]:
            message = (
                f"the black die shows {book.BLACK_DIE[0]} to {book.BLACK_DIE[1]}, not {number}"
            )
            bad("black-out-of-range", message, number=number)
        return Rolled(number, number, _meaning(ask, number))
    ranges = [[outcome.low, outcome.high] for outcome in ask.outcomes]
    if len(value) != 2 or any(type(end) is not int for end in value):
        message = f"black is a number from 1 to 20 or one of the ranges {ranges}"
        bad("black-form", f"{message}, not {value!r:.60}", ranges=ranges)
    if value not in ranges:
        message = f"{value} is not one of the ranges {ranges}"
        refuse("range-not-offered", message, value=value, ranges=ranges)
    return Rolled(value[0], value, _meaning(ask, value[0]))


def _meaning(ask: BlackAsk, number: int) -> book.Meaning:
    return next(one.meaning for one in ask.outcomes if one.low <= number <= one.high)
