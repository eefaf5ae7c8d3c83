"""The two Formula games as `Game`: one body of rules, an edition each.

Here all chapters of the rulebook come together, so that every kind of step and event is known. Who
is asked what, and what an answer brings about, the first pending step says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from companion.rules.board.broken_ways import Fault
from companion.rules.board.build import NO_BOARD
from companion.rules.board.track import Track
from companion.rules.codec import Context
from companion.rules.formula import (
    collisions,
    corners,
    drivers,
    forecast,
    gears,
    grid,
    ground,
    moves,
    moving,
    order,
    pit,
    rounds,
    urban,
    weather,
)
from companion.rules.formula import referee as referee_chapter
from companion.rules.formula.asks import KINDS, BlackAsk, GearAsk, MoveAsk, SlipstreamAsk
from companion.rules.formula.book import FORMULA_D, FORMULE_DE, Edition, Reason, Unhurt
from companion.rules.formula.car import Option, Status
from companion.rules.formula.header import read_header
from companion.rules.formula.moving import Length, Move, Slipstream, read_end
from companion.rules.formula.position import begin, tell_state
from companion.rules.formula.referee import elsewhere, referee
from companion.rules.formula.rounds import timing
from companion.rules.formula.state import Asks, Event, Flow, Phase, State, Step
from companion.rules.game import (
    NEAREST,
    Ask,
    Decision,
    Explanation,
    Left,
    Outline,
    by_trying,
    not_asked,
)
from companion.rules.lines import Answer, Correct, Referee, Refusal, refuse


class _Ids:
    """While it is open a refusal names its rule by the id that it has in this edition."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, Refusal):
            error.rule = self._edition.rule(error.rule)


class Formula:
    """The rules of an edition; see `companion.rules.game.Game`."""

    needs_track = True
    plays_boardless = True
    kinds = KINDS

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.name = edition.name
        self._context = Context(categories=edition.categories)

    def begin(self, header: Mapping[str, object], track: Track | None) -> Decision[State, Event]:
        """The events that open the race, the first of which sets its state.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        with _Ids(self.edition):
            read = read_header(header, track or NO_BOARD, self.edition)
        with _Ids(read.setup.edition):
            return begin(read)

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask."""
        return asks(state)

    def decide(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Decision[State, Event]:
        """What follows from an answer."""
        try:
            return decide(state, answer, asks)
        except Refusal as refusal:
            refusal.rule = state.setup.edition.rule(refusal.rule)
            raise

    def explain(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Explanation:
        """Why an answer is, or is not, legal now."""
        found = explain(state, answer, asks)
        rules = tuple(str(state.setup.edition.rule(rule)) for rule in found.rules)
        return replace(found, rules=rules)

    def referee(self, state: State, command: Referee) -> Decision[State, Event]:
        """What follows from a referee's command."""
        with _Ids(state.setup.edition):
            return referee(state, command)

    def tell(self, state: State) -> dict[str, object]:
        """STATE of the engine protocol."""
        return tell_state(state)

    def public(self, events: Iterable[Event]) -> list[dict[str, object]]:
        """The events as the engine protocol tells them."""
        return [event.as_json(self._context) for event in events if event.public]

    def visible(self, state: State) -> State:
        """All of it: at a race everything is open."""
        return state

    def own(self, state: State, seat: int) -> None:
        """Nothing."""

    def seats(self, state: State) -> frozenset[int]:
        """The seats of the race."""
        return frozenset(state.cars)

    def outline(self, state: State) -> Outline:
        """A watch runs in time trials; cars that are home or out have no part to play any more."""
        home = (Status.FINISHED, Status.OUT)
        racing = [car.seat for car in state.cars.values() if car.status not in home]
        return Outline(
            phase=state.phase,
            is_over=state.phase is Phase.FINISHED,
            round=state.round,
            on_trial=state.phase is Phase.TRIALS,
            mover=state.turn,
            bystanders=frozenset(car.seat for car in state.cars.values() if car.status in home),
            # A race of a single car was alone from the start, which nobody has to be told.
            alone=racing[0] if len(racing) == 1 < len(state.cars) else None,
            timing=timing(state.setup),
            was_driven=order.was_driven(state),
            laps=state.setup.laps,
        )

    def turns_left(self, state: State, begun: State, had: Mapping[int, int]) -> Left | None:
        """The forecast."""
        return forecast.turns_left(state, begun, had)

    def elsewhere(
        self, state: State, asks: Sequence[Ask], seat: int, space: str
    ) -> Answer | Correct:
        """What says that the car of a seat stands at this space."""
        return elsewhere(state, asks, seat, space)


FormulaD: Final = partial(Formula, FORMULA_D)
FormuleDe: Final = partial(Formula, FORMULE_DE)


# -- asks and answers -----------------------------------------------------------------------------

CHAPTERS = (
    *(grid, drivers, gears, moving, collisions, corners, pit, weather, order, rounds, ground),
    *(referee_chapter, urban),
)
"""All that have a kind of step or event; a turn is what their steps' points make of it."""
ONE_BY_ONE = frozenset({"gear", "roll", "move"})
"""A turn is the gear, then its die, then the move (FD-GEAR-1)."""


def asks(state: State) -> Asks:
    """Every open ask, in the order in which a table would take them; `decide` accepts no other."""
    return state.pending[0].asks(state) if state.pending else ()


def decide(state: State, answer: Answer, open_asks: Sequence[Ask]) -> Decision[State, Event]:
    """What follows from an answer to one of the open asks, down to the next ones.

    Raises:
        Illegal: nobody asked this seat that, or the value is not on offer.
        Malformed: the value is not of the kind's form.
    """
    ask = _asked(answer, open_asks)
    if ask is None:
        why = _why_not_asked(state, answer, open_asks)
        if why is not None and why.key:
            said = dict(why.said)
            refuse(why.key, moves.why()[why.key].format_map(said), rule=why.rule, **said)
        raise not_asked(answer, open_asks, why.rule if why else None)
    flow = Flow(state)
    if not gears.holds(flow, ask, answer.value):
        flow.take().answer(flow, ask, answer.value)
    rounds.settle(flow)
    return flow.done()


class Course:
    """A race that runs on from answer to answer, as by `decide`, where nobody keeps what was told.

    For who plays races by the thousand. What `decide` makes for each answer and that is dropped
    here is left out: it tells no queue, and puts it into the state only where that is looked at.
    """

    def __init__(self, state: State) -> None:
        self._flow = Flow(state)
        # A second roll looks for what waits behind it, so the state has it at every ask.
        self._looks = gears.may_hold(state)

    @property
    def state(self) -> State:
        """As it stands now."""
        return self._flow.standing()

    @property
    def cars(self) -> State:
        """The same for who looks at the cars alone: of what is pending it may know old things."""
        return self._flow.state

    def asks(self) -> Asks:
        """As `asks` of a state."""
        flow = self._flow
        state = self.state if self._looks else flow.state
        return flow.queue[0].asks(state) if flow.queue else ()

    def go_on(self, ask: Ask, value: object) -> None:
        """An answer to one of the asks; refused as by `decide`."""
        flow = self._flow
        if not (self._looks and gears.holds(flow, ask, value)):
            flow.take().answer(flow, ask, value)
        rounds.settle(flow)
        flow.events.clear()

    @property
    def move(self) -> Move | None:
        """The move that is asked for now, on a board."""
        step = self._flow.queue[0] if self._flow.queue else None
        return step if isinstance(step, Move) else None

    def drive(self, move: Move, end: Option) -> None:
        """The move goes to one of its ends, which nobody has to look for in the list again."""
        flow = self._flow
        flow.take()
        moving.drive(flow, move.seat, end, move.how, drifts=move.drifts)
        rounds.settle(flow)
        flow.events.clear()


def _asked(answer: Answer, open_asks: Sequence[Ask]) -> Ask | None:
    """The open ask that an answer answers; None: nobody has asked this seat that."""
    seat, kind = answer.seat, answer.kind
    for ask in open_asks:
        if ask.seat == seat and ask.kind == kind:
            return ask
    return None


def _why_not_asked(state: State, answer: Answer, asks: Sequence[Ask]) -> Fault | None:
    """Whose turn it is, then what of it is over or yet to come, then the order of a turn.

    Rolls that are open come before what waits for them. What is never on offer now has its own
    rule (a slipstream, a bonus, a second roll …).
    """
    if not asks:
        return None
    step, seat, kind = state.pending[0], answer.seat, answer.kind
    rolls = any(ask.kind == "black" for ask in asks)
    own = Step.kinds.get(kind)
    if state.turn not in (None, seat):
        return Fault(step.rule if rolls else "FD-ORDER-1", 0)
    if own is None or any(isinstance(one, own) for one in state.pending):
        in_order = not rolls and kind in ONE_BY_ONE and step.kind in ONE_BY_ONE
        return Fault("FD-GEAR-1" if in_order else step.rule, 0)
    if kind in ONE_BY_ONE:
        is_turn = state.turn is not None and step.kind in ONE_BY_ONE and not rolls
        return Fault("FD-GEAR-1" if is_turn else step.rule, 0)
    return _why_not_on_offer(state, answer) or Fault(own.rule, 0)


def _why_not_on_offer(state: State, answer: Answer) -> Fault | None:
    """Why the seat on turn has no slipstream or no such length; None of anything else."""
    seat, step = answer.seat, state.pending[0]
    if state.turn != seat or state.setup.boardless:
        return None
    if answer.kind == Slipstream.kind:
        early = step.kind in ONE_BY_ONE or step.kind == Length.kind
        first = Fault("FD-SLIP-1", 0, "slip-early")
        return first if early else moving.no_slipstream(state, seat)
    if answer.kind == Length.kind and isinstance(answer.value, dict):
        return moving.no_length(state, state.cars[seat], answer.value.get("by"))
    return None


# -- why an answer is legal or not ----------------------------------------------------------------


def explain(state: State, answer: Answer, asks: Sequence[Ask]) -> Explanation:
    """Why an answer is legal or not; its rules have the ids of Formula D."""
    ask = _asked(answer, asks)
    if answer.kind in ("move", "slipstream") and _is_of_a_way(state, answer, ask):
        return _of_way(state, answer)
    tried = by_trying(lambda: decide(state, answer, asks))
    if isinstance(ask, GearAsk):
        return _of_gear(ask, answer.value, tried)
    options = ask.data().get("options") if ask is not None else None
    listed = options if isinstance(options, list) and not tried.legal else []
    return Explanation(tried.legal, tried.rules, instead=tuple(listed[:NEAREST]))


def _of_gear(ask: GearAsk, value: object, tried: Explanation) -> Explanation:
    """FD-GEAR-1 to FD-GEAR-3, FD-REV-2: a gear that puts the car out is legal and says so."""
    if tried.legal:
        out = any(choice.out for choice in ask.choices if choice.gear == value)
        return Explanation(True, ("FD-REV-2",) if out else ())
    wanted = value if type(value) is int else 0
    near = sorted((choice.gear for choice in ask.choices), key=lambda gear: abs(gear - wanted))
    return Explanation(False, tried.rules, instead=tuple(near[:NEAREST]))


def _is_of_a_way(state: State, answer: Answer, ask: Ask | None) -> bool:
    """Whether an answer names an end on the board that may be asked of its seat."""
    if not isinstance(ask, MoveAsk | SlipstreamAsk):
        return False
    try:
        to, brakes = read_end(answer.kind, answer.value)
    except Refusal:
        return False
    return to in state.setup.track.index and brakes >= 0


def _of_way(state: State, answer: Answer) -> Explanation:
    """Where a way ends, in the ids of the board."""
    ids, step = state.setup.track.ids, state.pending[0]
    to, brakes = read_end(answer.kind, answer.value)
    assert isinstance(step, Move | Slipstream)
    found = step.explain(state, to, brakes)
    instead = tuple({"to": ids[option.to], "brakes": option.brakes} for option in found.instead)
    at = tuple(ids[space] for space in found.at)
    ways = tuple(tuple(ids[space] for space in way) for way in found.ways)
    return Explanation(found.legal, found.rules, at, instead, ways)


# -- the rolls of a report ------------------------------------------------------------------------

# Who touches throws before the report, so that a move is said together with its end.

ROLLS = (Reason.COLLISION, Reason.DEBRIS)
"""What a report brings to roll for and a table rolls for at once."""


def unhurt(state: State, report: Answer) -> tuple[Answer, ...]:
    """The answers to all rolls that this report brings, where nobody is hurt by one.

    Empty where it brings none, or would be refused; only those before any other question.
    """
    rolls: list[Answer] = []
    try:
        state = decide(state, report, asks(state)).state
    except Refusal:
        return ()
    while roll := _spared(state):
        rolls.append(roll)
        state = decide(state, roll, asks(state)).state
    return tuple(rolls)


def _spared(state: State) -> Answer | None:
    """The first open roll, with the outcome that hurts nobody; None where another is asked."""
    ask = next(iter(asks(state)), None)
    if not isinstance(ask, BlackAsk) or ask.reason not in ROLLS:
        return None
    # The harmless range of a roll that may hurt comes last (`losses.ask_hurting`).
    last = ask.outcomes[-1]
    if not isinstance(last.meaning, Unhurt):
        return None
    return Answer(ask.seat, ask.kind, last.low if last.low == last.high else [last.low, last.high])
