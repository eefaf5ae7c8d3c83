"""The way of a move: how long it is, where it ends, and what it brings with it.

FD-MOVE-1 to FD-MOVE-5. Where it may end and what that costs is worked out in `moves`; what follows
from a way (debris, a slipstream, an overshoot, a stop …) is said by the step that it brings
(`Step.after_way`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final

from companion.rules.board.broken_ways import Explanation, Fault
from companion.rules.codec import How, Within, replace
from companion.rules.formula import asks, book, drivers, moves
from companion.rules.formula.asks import LengthAsk, SlipstreamAsk
from companion.rules.formula.book import one
from companion.rules.formula.car import (
    Car,
    On,
    Option,
    PitMark,
    Point,
    Status,
    Way,
    used_over_line,
    uses,
)
from companion.rules.formula.order import arrival_number
from companion.rules.formula.state import Asks, Event, Flow, Phase, SeatStep, State, Wears
from companion.rules.game import Ask
from companion.rules.lines import Illegal, bad, refuse, whole_number

NO_END = "The move cannot end there."
LONGEST = 100
"""Spaces that a pending move has at most."""
Manner = Annotated[str, How("move", "great", "fast")]
"""As rolled, at a great start, out of the pit by a fast stop."""


class Moved(Event):
    """A car moved. `spaces` counts those really moved; `how`: move, great, fast or slipstream.

    `stops` are the stops left in the corner where it ends, before this move's own is marked.
    """

    start: str
    to: str
    spaces: int
    brakes: int
    stops: int
    how: str

    def applied(self, state: State) -> State:
        if self.brakes:
            state = state.worn(self.seat, one(book.BRAKES, self.brakes))
        car, space = state.cars[self.seat], state.setup.track.index[self.to]
        arrived = _arrived_by(state, car, space) if self.spaces else car.arrived
        return state.change(self.seat, space=space, stops=self.stops, arrived=arrived)


def _arrived_by(state: State, car: Car, space: int) -> int:
    """The number of a car that moves; in the pit lane that of its driving in stays (DE-PIT-4)."""
    in_lane = state.setup.track.lane[space] < 0
    return car.arrived if in_lane and car.status is Status.PIT else arrival_number(state)


class EndedNear(Event):
    """On a board that is a sketch: the move ends at `to`, and is taken for the `listed` one."""

    to: str
    listed: str


class LineCrossed(Event):
    """A car passed the finish line and is now in this lap.

    FD-END-2: lap 0 and lap 1 are one lap, the first crossing ages nothing. Each further one
    brings back what is used up for a lap only (FD-URBAN-2, FD-DRV-10). The last one lifts the car:
    from here on it stands nowhere, and `Halt` knows where its move ended.
    """

    lap: int

    def applied(self, state: State) -> State:
        if self.lap <= 1:
            return state.change(self.seat, lap=self.lap)
        car = state.cars[self.seat]
        street = replace(car.street, used=used_over_line(car.street.used))
        memory = replace(car.memory, extra=False)
        values: dict[str, int | None] = {"lap": self.lap, "tires_lap": car.tires_lap + 1}
        if self.lap > state.setup.laps and state.phase is Phase.RACE:
            values |= {"space": None, "stops": 0}
        return state.change(self.seat, street=street, memory=memory, **values)


class PitLaneEntered(Event):
    """A car is in the pit lane, before its box."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, status=Status.PIT, served=False, stops=0)


class PitEnteredFast(Event):
    """A car came into the pit lane in too high a gear: it will stand a turn in its box."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, pit_mark=PitMark.LATE)


class PitBraked(Wears):
    """A car came into the pit lane in 5th, which costs brakes."""


class PitLeft(Event):
    """A car is back on the track."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, status=Status.RACING, served=False)


class Move(SeatStep, kind="move", at=Point.WAY, rule="FD-MOVE-1", on_trial=True):
    """What is to be moved, and how."""

    spaces: Annotated[int, Within(0, LONGEST)]
    how: Manner = "move"
    drifts: Annotated[bool, How(drivers.DRIFTS)] = False

    def asks(self, state: State) -> Asks:
        return [state.ground.ask_move(state, self)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """On a board its end, by report what it met; what the way costs is queued."""
        flow.state.ground.answer_move(flow, self, ask, value)

    def ends(self, state: State, most_brakes: int = book.NEVER) -> list[Option]:
        """Where it may end, on a board."""
        how = {"great": self.how == "great", "drifts": self.drifts}
        return moves.ends_of_move(state, self.seat, self.spaces, **how, most_brakes=most_brakes)

    def explain(self, state: State, to: str, brakes: int) -> Explanation[Option]:
        """Why a space of the board is, or is not, an end of it."""

        end, great = state.setup.track.index[to], self.how == "great"
        how = {"great": great, "drifts": self.drifts}
        return moves.explain_move(state, self.seat, self.spaces, end, brakes, **how)

    def check(self, state: State) -> None:
        """A drift needs a driver, tires and a corner (FD-DRV-2)."""
        car = state.cars[self.seat]
        runs = car.runs and car.space is not None
        if self.drifts and not (runs and drivers.may_drift(car) and self.ends(state)):
            message = "a drift is Jack's, costs tires and touches a corner"
            bad("pending-form", message, rule="FD-DRV-2")


def read_end(kind: str, value: object) -> tuple[str, int]:
    """The space of an answer, and the brakes spent.

    Raises:
        Malformed: not an object of these.
    """
    if not isinstance(value, dict) or set(value) != {"to", "brakes"}:
        message = f'{kind} is {{"to": a space, "brakes": a number}}, not {value!r:.60}'
        bad("move-form", message, kind=kind)
    to, brakes = value["to"], whole_number(value["brakes"], "brakes")
    if not isinstance(to, str):
        bad("move-form", f"to is the name of a space, not {to!r:.60}")
    return to, brakes


def chosen(state: State, ends: Sequence[Option], to: str, brakes: int, why_not: WhyNot) -> Option:
    """The end on this space with so many brakes spent; `why_not` explains one that is not there.

    Raises:
        Illegal: there is no such end, with the first rule that it breaks.
    """
    track = state.setup.track
    space = track.index.get(to)
    for end in ends:
        if end.brakes == brakes and end.to == space:
            return end
    if space is None:
        refuse("no-such-space", f"this track has no space {to!r:.40}", to=to[:40])
    explained = why_not(state, to, brakes)
    rule, why = explained.rules[0], explained.why
    listed = sorted({track.ids[end.to] for end in ends if end.brakes == brakes})[:12]
    args = {"to": to, "brakes": brakes, "ends": listed, **dict(why.said if why else ())}
    message = moves.why().get(why.key or why.rule, NO_END) if why else NO_END
    raise Illegal(
        (why and why.key) or "no-such-move", message.format_map(args), rule=rule, args=args
    )


WhyNot = Callable[[State, str, int], Explanation[Option]]

# -- the way --------------------------------------------------------------------------------------


def drive(
    flow: Flow, seat: int, option: Option, how: str, *, drifts: bool = False, charmed: bool = False
) -> None:
    """Put the car at the end of its way and queue what the way brings with it.

    `charmed`: the whole move has lost a space to Li-Tsu before (FD-DRV-1).
    """
    on_trial, slips = flow.state.phase is Phase.TRIALS, how == "slipstream"
    if not on_trial:
        _before_way(flow, seat, option, drifts=drifts)
    # Read only now: a drift has cost tires by here (FD-DRV-2).
    track, car, arrival = flow.state.setup.track, flow.car(seat), option.arrival
    assert car.space is not None
    # Stops count on only while the car has not left the corner they were made in (FD-CORNER-1).
    stays = track.corner[option.to] >= 0 and track.corner[option.to] == track.corner[car.space]
    flow.tell(
        Moved(
            seat=seat,
            rule="FD-TRIAL-1" if on_trial else "FD-SLIP-2" if slips else "FD-MOVE-1",
            start=track.ids[car.space],
            to=track.ids[option.to],
            spaces=option.spaces,
            brakes=option.brakes,
            stops=car.stops if stays else 0,
            how=how,
        )
    )
    if arrival.line:
        rule = "FD-TRIAL-1" if on_trial else "FD-END-2"
        flow.tell(LineCrossed(seat=seat, rule=rule, lap=car.lap + 1))
    if not on_trial:
        _pass_pit_ends(flow, seat)
    # `car` is still the car before it moved, so its space is the start of the way.
    flow.after_way(Way(seat, car.space, option, how, charmed or option.charmed))


def _before_way(flow: Flow, seat: int, option: Option, *, drifts: bool) -> None:
    """Before a car goes: it drifts, it is charmed (FD-DRV-2, FD-DRV-1)."""
    fresh = drivers.fresh_corner(flow.state.setup.track, flow.car(seat)) if drifts else None
    if fresh is not None:
        flow.tell(drivers.Drifted.at(flow.state, seat, fresh))
    her = drivers.charmer(flow.state, flow.car(seat)) if option.charmed else None
    if her is not None:
        flow.tell(drivers.Charmed(seat=seat, rule="FD-DRV-1", against=her.seat))


def _pass_pit_ends(flow: Flow, seat: int) -> None:
    """A car whose way ended in the pit lane is in it, one whose way led out of it races."""
    car = flow.car(seat)
    if car.space is None:
        return
    in_lane = flow.state.setup.track.lane[car.space] < 0
    if in_lane and car.status is not Status.PIT:
        enter_pit(flow, seat)
    elif not in_lane and car.status is Status.PIT:
        flow.tell(PitLeft(seat=seat, rule="FD-PIT-6"))


def enter_pit(flow: Flow, seat: int) -> None:
    """A car comes into the pit lane; in too high a gear it is noted (DE-PIT-1)."""
    cost = moves.entry_cost(flow.state.setup, flow.car(seat))
    if any(cost):
        flow.tell(PitBraked(seat=seat, rule="FD-PIT-1", cost=cost))
    flow.tell(PitLaneEntered(seat=seat, rule="FD-PIT-6"))
    if flow.car(seat).gear > flow.state.setup.edition.pit_entry_gear:
        flow.tell(PitEnteredFast(seat=seat, rule="DE-PIT-1"))


# -- the slipstream (FD-SLIP-1 to FD-SLIP-6) ------------------------------------------------------

# House switch `slipstream_chain`: with "one" no slipstream follows another (FD-SLIP-4), with "none"
# there are none, as some clubs play it. `fast_exit_slipstream`: they arise after a fast exit too.

HOWS: Mapping[str, Sequence[str]] = {
    "no": ("move", "slipstream"),
    "yes": ("move", "slipstream", "fast"),
}
"""The ways after which a slipstream may arise, by the switch: never after a great start."""


class Slipstreamed(Wears):
    """A car is about to use the slipstream of another; entering a corner costs brakes."""

    behind: int


class SlipstreamDeclined(Event):
    """A slipstream on offer was not used."""


class Slipstream(SeatStep, kind="slipstream", at=Point.SLIPSTREAM, rule="FD-SLIP-1", on=On.BOARD):
    """Whether a slipstream is used; `charmed`: Li-Tsu has cost this move its space (FD-DRV-1)."""

    charmed: Annotated[bool, How("charmed")] = False

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """After a way without brakes, block and overshoot."""
        option = way.option
        # The book lets another slipstream follow; at some tables there is only one (FD-SLIP-4).
        house = flow.state.setup.house
        ends_it = way.slips and house.slipstream_chain == "one"
        after = house.slipstream_chain != "none" and way.how in HOWS[house.fast_exit_slipstream]
        if after and not (ends_it or option.brakes or option.blocked or way.overshot):
            flow.due(cls(seat=way.seat, charmed=True) if way.charmed else cls.just(way.seat))

    def _ends(self, state: State) -> list[Option]:
        """The ends on offer; past the last line there are none."""
        if state.cars[self.seat].lap > state.setup.laps:
            return []
        return moves.slipstream_options(state, self.seat, charmed=self.charmed)

    def waits(self, state: State) -> bool:
        """Only if there is an end on offer, that is a car right ahead."""
        return bool(self._ends(state))

    def asks(self, state: State) -> Asks:
        return [SlipstreamAsk(self.seat, track=state.setup.track, ends=self._ends(state))]

    def explain(self, state: State, to: str, brakes: int) -> Explanation[Option]:
        """Why a space of the board is, or is not, an end of it."""

        end = state.setup.track.index[to]
        return moves.explain_slipstream(state, self.seat, end, brakes, charmed=self.charmed)

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        assert isinstance(ask, SlipstreamAsk)
        if value is None:
            flow.tell(SlipstreamDeclined(seat=self.seat, rule="FD-SLIP-6"))
            return
        state = flow.state
        to, brakes = read_end("slipstream", value)
        option = chosen(state, ask.ends, to, brakes, self.explain)
        leader, start = moves.slipstream_leader(state, self.seat), state.cars[self.seat].space
        assert leader is not None
        assert start is not None
        entered = moves.corners_entered(state.setup.track, start, option.arrival, option.spaces)
        cost = one(book.BRAKES, entered * book.SLIPSTREAM_CORNER_COST)
        rule = "FD-SLIP-5" if entered else "FD-SLIP-1"
        # The price of the corner only: brakes that shorten the slipstream are paid as it moves
        # (FD-SLIP-5).
        flow.tell(Slipstreamed(seat=self.seat, rule=rule, behind=leader.seat, cost=cost))
        drive(flow, self.seat, option, "slipstream", charmed=self.charmed)


def no_slipstream(state: State, seat: int) -> Fault:
    """Why a car that has moved is not offered a slipstream now."""
    car, chain = state.cars[seat], state.setup.house.slipstream_chain
    at = car.space or 0
    if chain == "none":
        return Fault("FD-SLIP-4", at, "slip-house")
    if car.space is None or car.status is not Status.RACING:
        key = {Status.SPUN: "slip-spun", Status.PIT: "slip-in-pit"}.get(car.status, "")
        return Fault("FD-SLIP-6", at, key)
    if moves.slipstream_leader(state, seat) is None:
        return moves.no_leader(state, car)
    if moves.slipstream_options(state, seat):
        if chain == "one":
            return Fault("FD-SLIP-4", at, "slip-once")
        return Fault("FD-SLIP-1", at, "slip-not-full")
    corners = len(state.setup.track.corners) * book.SLIPSTREAM_CORNER_COST
    paid = moves.slipstream_options(moves.with_brakes(state, seat, corners), seat)
    return Fault("FD-SLIP-5", at) if paid else Fault("FD-SLIP-3", at, "slip-not-free")


def most_slipstreams(state: State, step: Move) -> int:
    """How many slipstreams a reported move may have: one a car that it can pass (FD-SLIP-2)."""
    car, house = state.cars[step.seat], state.setup.house
    rolls = car.gear >= book.SLIPSTREAM_GEAR and step.how in HOWS[house.fast_exit_slipstream]
    if not state.setup.edition.slipstreams or not rolls:
        return 0
    gears = [other.gear for other in state.running() if other is not car]
    passed = sum(book.SLIPSTREAM_GEAR <= gear <= car.gear for gear in gears)
    return min({"one": 1, "none": 0}.get(house.slipstream_chain, passed), passed)


# -- the length of a move: the soft bonus, nitro, drift -------------------------------------------

# They are asked for between the gear roll and the way, where they leave a choice at all.

BY_SOFT = "soft"


class LengthChosen(Event):
    """How many spaces the move has, by what (`by`: soft, nitro, drift, engine, top)."""

    spaces: int
    by: tuple[str, ...]

    def applied(self, state: State) -> State:
        if EXTRA.intersection(self.by):
            state = state.remembering(self.seat, extra=state.setup.house.extra_move != "engine")
        return state.used(self.seat, NITRO) if NITRO in self.by else state


def to_move(state: State, seat: int, spaces: int, how: str = "move") -> SeatStep:
    """The next step of a car that may move so many spaces."""
    bonus = drivers.has_bonus(state, state.cars[seat])
    # Without an engine it goes as far as it can, so the soft bonus leaves no choice (FD-ENGINE-3).
    if state.cars[seat].coasts:
        return Move(seat=seat, spaces=spaces + bonus * book.SOFT_BONUS, how=how)
    choice = _on_the_street(state) or bonus or _may_go_further(state, seat, how)
    kind = Length if choice else Move
    return kind(seat=seat, spaces=spaces, how=how)


def _on_the_street(state: State) -> bool:
    """Whether nitro and drift are played: in a race, not in a trial (FD-TRIAL-1)."""
    return state.is_urban and state.phase is not Phase.TRIALS


def lengths(state: State, step: Length) -> list[asks.Length]:
    """The totals on offer, ascending; a single one is not asked for."""
    if _on_the_street(state):
        return _street_lengths(state, step.seat, step.spaces, great=step.how == "great")
    plain = [asks.Length(step.spaces)]
    if drivers.has_bonus(state, state.cars[step.seat]):
        plain.append(asks.Length(step.spaces + book.SOFT_BONUS, (BY_SOFT,)))
    if _may_go_further(state, step.seat, step.how):
        return _with_extra(state, plain)
    return plain


def no_length(state: State, car: Car, by: object, *, great: bool = False) -> Fault:
    """Why a length by these (a bonus, nitro, a drift …) is not on offer."""
    words = by if isinstance(by, list) else []
    why: Fault | None = None
    rule = "FD-MOVE-1"
    if NITRO in words:
        rule, why = "FD-URBAN-2", _no_nitro(state, car, great=great)
    elif drivers.DRIFTS in words:
        rule, why = "FD-DRV-2", _no_drift(car)
    elif BY_SOFT in words:
        rule, why = "FD-TIRE-3", drivers.no_bonus(state, car)
    elif any(word in words for word in EXTRA):
        why = _no_extra(state, car, "top" if BY_TOP in words else "engine")
    early = state.pending[0].kind in ("gear", "roll")
    return why or Fault(rule, 0, "length-early" if early else "length-over")


def _no_nitro(state: State, car: Car, *, great: bool) -> Fault | None:
    """FD-URBAN-2: in a city, once a lap, after a gear roll."""
    if not state.is_urban:
        return Fault("FD-URBAN-2", 0, "nitro-city")
    if NITRO in car.street.used:
        return Fault("FD-URBAN-2", 0, "nitro-used")
    return Fault("FD-URBAN-2", 0, "nitro-great") if great else None


def _no_drift(car: Car) -> Fault | None:
    """FD-DRV-2: Jack, with tires left."""
    if not drivers.driver_of(car).drifts:
        return Fault("FD-DRV-2", 0, "drift-driver")
    return None if drivers.may_drift(car) else Fault("FD-DRV-2", 0, "drift-tires")


def _no_extra(state: State, car: Car, word: str) -> Fault | None:
    """FD-MOVE-1, house switch `extra_move`: this way of adding a space, and not too often."""
    kind = state.setup.house.extra_move
    if not kind.startswith(word):
        return Fault("FD-MOVE-1", 0, "extra-house")
    if kind != "engine" and car.memory.extra:
        return Fault("FD-MOVE-1", 0, "extra-used")
    last = word == "engine" and car.wear[book.ENGINE] <= 1
    return Fault("FD-MOVE-1", 0, "extra-engine") if last else None


class Length(
    SeatStep,
    kind="length",
    at=Point.LENGTH,
    rule="FD-TIRE-3",
    on_trial=True,
):
    """What may be moved, with a bonus or without (FD-TIRE-3, FD-URBAN-2, FD-DRV-2, FD-MOVE-1)."""

    spaces: Annotated[int, Within(0, LONGEST)]
    how: Manner = "move"

    def waits(self, state: State) -> bool:
        return len(lengths(state, self)) > 1

    def settle(self, flow: Flow) -> None:
        """Without a choice (any more) the move is as long as rolled."""
        flow.due(Move(seat=self.seat, spaces=self.spaces, how=self.how))

    def asks(self, state: State) -> Asks:
        return [LengthAsk(self.seat, lengths=lengths(state, self))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """All of them are optional."""
        assert isinstance(ask, LengthAsk)
        options = [length.as_json() for length in ask.lengths]
        message = f"length is one of {options}, not {value!r:.60}"
        if not isinstance(value, dict) or set(value) != {"spaces", "by"}:
            bad("length-form", message)
        by, spaces = value["by"], value["spaces"]
        drifts = isinstance(by, list) and drivers.DRIFTS in by
        rule = self.rule
        if flow.state.is_urban:
            rule = "FD-DRV-2" if drifts else "FD-URBAN-2"
        # In Python 5.0 and 5 are equal, so the type has to be asked as well.
        if value not in options or type(spaces) is not int:
            offered = any(option["by"] == by for option in options)
            car, great = flow.state.cars[self.seat], self.how == "great"
            why = None if offered else no_length(flow.state, car, by, great=great)
            if why is not None and why.key != "length-over":
                refuse(why.key, moves.why()[why.key], rule=why.rule, options=options)
            refuse("no-such-length", message, rule=rule, options=options)
        if EXTRA.intersection(by):
            rule = "FD-MOVE-1"
        flow.tell(LengthChosen(seat=self.seat, rule=rule, spaces=spaces, by=tuple(by)))
        if BY_ENGINE in by:
            flow.tell(EnginePushed(seat=self.seat, rule=rule, cost=one(book.ENGINE)))
        flow.due(Move(seat=self.seat, spaces=spaces, how=self.how, drifts=drifts))

    def check(self, state: State) -> None:
        """Something must be on that gives a choice."""
        by_house = state.setup.house.extra_move != "none"
        if not by_house and not state.plays(("tires", book.URBAN)):
            message = "length is pending, and neither tires, urban nor extra_move is on"
            bad("rule-not-on", message, rule=self.rule, name="tires")


# -- nitro and drift (FD-URBAN-2, FD-DRV-2, FD-DRV-7) ---------------------------------------------

NITRO: Final = uses("nitro", lambda driver: True, each_lap=True)
"""FD-URBAN-2: the word of a length, and that it is used up."""


def _street_lengths(
    state: State, seat: int, spaces: int, *, great: bool = False
) -> list[asks.Length]:
    """The lengths on offer for a roll of so many `spaces`, ascending.

    `great`: it is a great start (FD-START-4).
    """
    car = state.cars[seat]
    found = [asks.Length(spaces)] + [
        asks.Length(more, (NITRO,)) for more in _with_nitro(car, spaces, great)
    ]
    if drivers.may_drift(car):
        found += [
            asks.Length(length.spaces + drift, (*length.by, drivers.DRIFTS))
            for length in found
            for drift in (-book.DRIFT, book.DRIFT)
            if moves.ends_of_move(state, seat, length.spaces + drift, great=great, drifts=True)
        ]
    return sorted(found)


def _with_nitro(car: Car, spaces: int, great: bool) -> list[int]:
    """FD-URBAN-2: once a lap, as many spaces more as the gear; FD-DRV-7: or three beyond.

    It needs a gear roll, so a great start has none (FD-START-4).
    """
    if NITRO in car.street.used or great:
        return []
    full = spaces + car.gear
    more = drivers.driver_of(car).nitro
    return [full, full + more] if more else [full]


# -- a space more, or less, than was rolled: house switch `extra_move` (FD-MOVE-1) ----------------

# `engine`: a space more for an engine point, in any turn ("red line", eatchitanddice);
# `engine-lap`: so once a lap (the federation's variants, 16-B); `top`: once a lap a space more or
# less, for nothing (variants, 6-A). No book is known to say more: the last engine point cannot be
# given, nothing comes on the track (16-B), and it is for a move on the road, not for a great
# start, a trial, the pit lane or an urban race, which has its nitro.

BY_ENGINE: Final = "engine"
BY_TOP: Final = "top"
EXTRA: Final = frozenset({BY_ENGINE, BY_TOP})
"""The words of a length that has such a space."""


class EnginePushed(Wears):
    """An engine point was given for a space more."""


def _may_go_further(state: State, seat: int, how: str) -> bool:
    """Whether this car may have a space that was not rolled, now."""
    car, kind = state.cars[seat], state.setup.house.extra_move
    if kind == "none" or how != "move" or car.status is not Status.RACING or state.is_urban:
        return False
    if state.phase is Phase.TRIALS or car.coasts or (kind != "engine" and car.memory.extra):
        return False
    return kind == "top" or car.wear[book.ENGINE] > 1


def _with_extra(state: State, found: Sequence[asks.Length]) -> list[asks.Length]:
    """These lengths, and each with the space that the switch gives, ascending."""
    by_top = state.setup.house.extra_move == "top"
    by, steps = (BY_TOP, (-1, 1)) if by_top else (BY_ENGINE, (1,))
    more = (asks.Length(one.spaces + step, (*one.by, by)) for one in found for step in steps)
    return sorted([*found, *(one for one in more if one.spaces > 0)])
