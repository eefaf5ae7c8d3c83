"""The state of a game of Downforce, and what changes it: steps, events, and the flow.

A state is an immutable record and holds nothing that could be worked out.

What waits for answers is one explicit queue of pending steps; where it is empty, the phase
says what comes next (`game.py`). Bids and bets stand here in the open: hiding them is the
business of `header.visible` and of the events, which are all that leaves the rules. The fields are
the words of STATE, with the form of each.

An event is a record in the past tense that carries all that it changes, so that applying it
(`applied`) decides no rule and refuses nothing. Each stands in its chapter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from companion.rules import codec
from companion.rules.downforce import tables
from companion.rules.downforce.tables import POWERS
from companion.rules.game import Ask, Decision
from companion.rules.lines import bad
from companion.system.frozen import dataclass

TABLE = 0
"""The seat of what the whole table is asked, and of events that are nobody's."""
NOWHERE = codec.Context()
"""Nothing here needs a board."""
MOST_CARDS = tables.SPEED_CARDS + len(tables.CARS)
"""In one hand."""
LONGEST = 8
"""So many steps may be pending."""
_MONEY = codec.Within(0, 1_000)
_PLACE = codec.Maybe(codec.Within(1, len(tables.CARS), "DF-END-1"))
_CARDS = codec.Maybe(tables.Listed(tables.CARD, "hand-form", MOST_CARDS))
Bets = Annotated[tuple[str | None, ...], tables.Listed(tables.Bet(), "bets-form", tables.LINES)]
"""One for each line: a car, `NO_BET`, or None for one that is not known here (a position)."""


class Phase(StrEnum):
    """Where a game is; setting up the grid belongs to the auction."""

    AUCTION = "auction"
    POWERS = "powers"
    RACE = "race"
    FINISHED = "finished"


# -- pending steps --------------------------------------------------------------------------------


class Step(codec.Record):
    """One pending step; `phases` are where it may wait, `kinds` all kinds by their names."""

    kind: ClassVar[str]
    rule: ClassVar[str]
    phases: ClassVar[tuple[Phase, ...]]
    kinds: ClassVar[dict[str, type[Step]]] = {}

    def __init_subclass__(
        cls, *, kind: str = "", rule: str = "", phases: tuple[Phase, ...] = ()
    ) -> None:
        super().__init_subclass__()
        if phases:
            cls.phases = phases
        # Classes that others build on have no name and are no kind.
        if kind:
            cls.kind, cls.rule = kind, rule
            Step.kinds[kind] = cls

    def asks(self, state: State) -> Sequence[Ask]:
        """What is asked while it is the first one."""
        return ()

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        """What an answer brings about; the step is still the first of the queue.

        Raises:
            Malformed: the value is not of the form of this kind.
            Illegal: it is not on offer.
        """
        raise NotImplementedError

    def settle(self, flow: Flow) -> bool:
        """Go by itself as far as it can; False: it waits for somebody."""
        return False

    def without(self, flow: Flow, seat: int) -> Step:
        """What is left of it when a player leaves the table."""
        return self

    def check(self, state: State) -> None:
        """Refuse what contradicts the state, with the rule (`Malformed`)."""
        if state.phase not in self.phases:
            bad("pending-form", f"{self.kind} is not asked in the phase {state.phase}")

    def hidden(self) -> Step:
        """The step as everybody may see it."""
        return self

    def recalled(self, known: Step | None) -> Step:
        """The step with the secrets of the one that was first before a correction."""
        return self


@dataclass(frozen=True, slots=True)
class Lot:
    """A speed-8 card and the power turned up with it (None: no power goes with it)."""

    car: Annotated[str, tables.CAR]
    power: Annotated[str | None, tables.POWER]


class LotStep(Step, phases=(Phase.AUCTION,)):
    """A step about the lot on the table: turned up, and nobody's yet."""

    lot: Annotated[Lot, codec.Spread(Lot)]

    def check(self, state: State) -> None:
        super().check(state)
        car = self.lot.car
        if self.lot not in state.lots or state.cars[car].owner is not None:
            bad("pending-form", f"{car} is on the table: turned up, and nobody's yet", car=car)


class SeatsStep(Step):
    """A step that waits for several seats, in any order, and is done once all have answered."""

    seats: Annotated[tuple[int, ...], tables.SEATS]

    def answered(self, seat: int) -> Self:
        """It waits for this seat no more."""
        return replace(self, seats=tuple(other for other in self.seats if other != seat))

    def settle(self, flow: Flow) -> bool:
        return not self.seats and flow.take()

    def without(self, flow: Flow, seat: int) -> Step:
        return self.answered(seat)

    def check(self, state: State) -> None:
        super().check(state)
        if len(set(self.seats)) != len(self.seats):
            bad("seat-twice", f"a pending step names a seat twice: {self.seats}")
        if not set(self.seats) <= set(state.here()):
            bad("pending-form", f"{self.kind} waits for a player who has left the table")


class StepForm(codec.Form[Step]):
    """A pending step, by its kind."""

    def tell(self, value: Step, context: codec.Context) -> dict[str, object]:
        return {"step": value.kind, **codec.tell(value, context)}

    def read(self, data: object, what: str, context: codec.Context) -> Step:
        # A tuple instead of the dict: a name that cannot be hashed must be refused, not crash.
        if not isinstance(data, dict) or data.get("step") not in tuple(Step.kinds):
            known = ", ".join(sorted(Step.kinds))
            bad("pending-form", f"pending is a list of steps ({known}), not {data!r:.60}")
        given = {key: value for key, value in data.items() if key != "step"}
        return codec.read(Step.kinds[data["step"]], given, f"the step {data['step']}", context)


# -- cars and players -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Car:
    """One of the six cars; `price` in millions is None as long as nobody owns it."""

    owner: Annotated[int | None, codec.Maybe(codec.Seat())] = None
    price: Annotated[int | None, codec.Maybe(codec.Within(0, tables.BIDS[-1], "DF-BID-1"))] = None
    place: Annotated[int | None, _PLACE] = None


@dataclass(frozen=True, slots=True)
class Bid:
    """What a card bids: millions, how many cars it shows, whether one of them is a wild."""

    amount: int
    cars: int = 1
    wild: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A player's score sheet of one race, in millions; `best` is the best place of a car."""

    bets: Bets = ()
    race: Annotated[int, _MONEY] = 0
    bets_won: Annotated[int, _MONEY] = 0
    spent: Annotated[int, _MONEY] = 0
    total: int = field(init=False, default=0)
    best: Annotated[int | None, _PLACE] = None

    def __post_init__(self) -> None:
        """DF-PAY-3."""
        # The record is frozen, and the total follows from its other fields.
        object.__setattr__(self, "total", self.race + self.bets_won - self.spent)


class SheetForm(codec.Form[Sheet]):
    """A score sheet; its total may be left out, and else agrees."""

    def tell(self, value: Sheet, context: codec.Context) -> dict[str, object]:
        return codec.tell(value, context)

    def read(self, data: object, what: str, context: codec.Context) -> Sheet:
        if not isinstance(data, dict):
            bad("legs-form", f"a sheet is an object, not {data!r:.60}")
        given = {key: value for key, value in data.items() if key != "total"}
        sheet = codec.read(Sheet, given, "a sheet", context)
        if data.get("total", sheet.total) != sheet.total:
            bad("money-differs", f"the total of a sheet is {sheet.total}", rule="DF-PAY-3")
        return sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One player.

    `powers` are those won, and from the race on the one kept. `hand` counts the cards left, None
    before the race; `cards` are those of a hand that is entered, None where they are not known.
    Who is `out_of_cards` plays no more, who has `left` is not at the table. `legs` are the sheets
    of the races before this one (DF-VAR-4).
    """

    name: Annotated[str, codec.Name()]
    powers: Annotated[
        tuple[str, ...], tables.Listed(tables.Power(), "powers-form", len(tables.CARS))
    ] = ()
    bets: Bets = ()
    hand: Annotated[int | None, codec.Maybe(codec.Within(0, MOST_CARDS, "DF-SETUP-1"))] = None
    cards: Annotated[tuple[tables.Card, ...] | None, _CARDS, codec.Word(sparse=True)] = None
    out_of_cards: Annotated[bool, tables.IS_SO, codec.Word(sparse=True)] = False
    left: Annotated[bool, tables.IS_SO, codec.Word(sparse=True)] = False
    legs: Annotated[
        tuple[Sheet, ...],
        tables.Listed(SheetForm(), "legs-form", tables.LEGS),
        codec.Word(sparse=True),
    ] = ()


# -- the whole ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPower:
    """A power that is not in the box, and what it does in its players' words."""

    name: Annotated[str, codec.Name()]
    reminder: Annotated[str, tables.Text()] = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a header settles for the whole game.

    `auction`, `cards` and `first_home` are house switches (`tables.HOUSE`), `own_powers` those of
    an expansion, `circuit` is the name of the board, "" for one without. `entered` are the seats
    whose hand is entered (DF-CARD-1).
    """

    rules: frozenset[str] = frozenset()
    auction: str = tables.HOUSE["auction"][0]
    cards: str = tables.HOUSE["cards"][0]
    first_home: str = tables.HOUSE["first_home"][0]
    own_powers: tuple[OwnPower, ...] = ()
    circuit: str = ""
    entered: tuple[int, ...] = ()

    def plays(self, rule: str) -> bool:
        """Whether a variant is on, by itself or as a part of another (DF-VAR-1)."""
        return rule in self.rules or any(rule in tables.PARTS.get(one, ()) for one in self.rules)

    @property
    def enters(self) -> bool:
        """Whether the table enters who won a lot, rather than everybody a bid (DF-BID-1)."""
        return self.auction == "entered"

    @property
    def counts(self) -> bool:
        """Whether turns and cards are counted, rather than only what they brought."""
        return self.cards == "counted"

    @property
    def powers(self) -> tuple[str, ...]:
        """All powers that a lot may have: the box's, and the table's own (DF-POWER-1)."""
        # A power that both have is there once, and the order stays.
        return tuple(dict.fromkeys((*POWERS, *(one.name for one in self.own_powers))))


_STANDING = tables.Listed(tables.CAR, "standing-form", len(tables.CARS))
_LOTS = tables.Listed(codec.Nested(Lot, "lots-form"), "lots-form")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A game at one moment. Mappings are never changed in place.

    `grid` are the cars, pole first, empty until it is known. `lots` are those turned up, in
    order; `aside` those waiting for their second time. `turn` is the seat whose card was the
    last or is the next to be played. `lines` counts the yellow lines crossed, `pile` the cards of
    the common pile (DF-VAR-1), None where there is none yet; `standing` are the cars on the road as
    they stood when the table last said it, the foremost first (DF-CARD-4). `players` stand by their
    seats in the order in which they sit, clockwise. `leg` is the race of a championship, from 1.
    """

    setup: Setup = Setup()
    phase: Annotated[Phase, codec.OneOf(tuple(Phase))] = Phase.AUCTION
    turn: Annotated[int | None, codec.Maybe(codec.Seat())] = None
    grid: Annotated[tuple[str, ...], tables.Grid()] = ()
    lots: Annotated[tuple[Lot, ...], _LOTS] = ()
    aside: Annotated[tuple[Lot, ...], _LOTS] = ()
    lines: Annotated[int, codec.Within(0, tables.LINES, "DF-BET-1")] = 0
    pile: Annotated[
        int | None,
        codec.Maybe(codec.Within(0, tables.SPEED_CARDS, "DF-VAR-1")),
        codec.Word(sparse=True),
    ] = None
    standing: Annotated[tuple[str, ...], _STANDING, codec.Word(sparse=True)] = ()
    cars: Annotated[Mapping[str, Car], tables.ByCar(codec.Nested(Car, "cars-form"))]
    players: Mapping[int, Player]
    leg: Annotated[int, codec.Within(1, tables.LEGS, "DF-VAR-4")] = 1
    pending: Annotated[tuple[Step, ...], tables.Listed(StepForm(), "pending-form", LONGEST)] = ()

    def cars_of(self, seat: int) -> list[str]:
        """The cars that a seat owns."""
        return [name for name, car in self.cars.items() if car.owner == seat]

    def placed(self) -> list[str]:
        """The cars that have a place, best first."""
        known = [(car.place, name) for name, car in self.cars.items() if car.place is not None]
        return [name for _, name in sorted(known)]

    def here(self) -> list[int]:
        """The seats of the players at the table, clockwise."""
        return [seat for seat, player in self.players.items() if not player.left]

    def with_car(self, name: str, car: Car) -> State:
        """The state with another record of a car."""
        return replace(self, cars={**self.cars, name: car})

    def with_player(self, seat: int, player: Player) -> State:
        """The state with another record of a player."""
        return replace(self, players={**self.players, seat: player})


NO_CARS: Mapping[str, Car] = dict.fromkeys(tables.CARS, Car())
"""The six cars before the auction."""


# -- events, and the work of one decision ---------------------------------------------------------


class Event(codec.Record):
    """Base of all events; `rule` is the id of the rule behind it."""

    seat: int
    rule: str | None

    public: ClassVar[bool] = False
    names: ClassVar[dict[str, type[Event]]] = {}
    """Every public event, by its name."""

    def __init_subclass__(cls, *, public: bool = True) -> None:
        super().__init_subclass__()
        cls.public = public
        if public:
            Event.names[cls.__name__] = cls

    def applied(self, state: State) -> State:
        """The state after it."""
        return state

    def as_json(self) -> dict[str, object]:
        """The event as the engine protocol tells it to everybody."""
        return {"event": type(self).__name__, **codec.tell(self, NOWHERE)}


class StepsPended(Event, public=False):
    """The queue of pending steps after an answer; not public."""

    steps: tuple[Step, ...]

    def applied(self, state: State) -> State:
        return replace(state, pending=self.steps)


class Flow:
    """Collects the events of one decision, each applied at once, and keeps the queue of steps."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.queue = list(state.pending)

    def emit(self, event: Event) -> None:
        """Something happens: what follows sees it."""
        self.events.append(event)
        self.state = event.applied(self.state)

    def take(self) -> Literal[True]:
        """Take the first step off the queue: it is done."""
        del self.queue[0]
        return True

    def first(self, *steps: Step) -> None:
        """Put steps before all others, in this order."""
        self.queue[:0] = steps

    def instead(self, step: Step) -> None:
        """Put a step in the place of the first."""
        self.queue[0] = step

    def done(self) -> Decision[State, Event]:
        """All events, the queue last, and the state after them."""
        queue = tuple(self.queue)
        if queue != self.state.pending:
            self.emit(StepsPended(seat=TABLE, rule=None, steps=queue))
        return Decision(self.events, self.state)


# -- the cards that everybody has left, counted ---------------------------------------------------

# 42 are dealt evenly, an 8 comes with each car, and a turn takes one (DF-SETUP-1, DF-TURN-2). Two
# players' draw pile is their own and counts as theirs. Hands of three are filled up from the
# common pile as long as it lasts (DF-VAR-1, DF-VAR-2). Nothing is counted where the table says
# only what happened (`house.cards` "events").


def full_hand(state: State, seat: int) -> int:
    """The cards of a seat before its first turn."""
    few = state.setup.plays("hands-of-three")
    dealt = tables.HAND_OF if few else tables.SPEED_CARDS // len(state.players)
    return dealt + len(state.cars_of(seat))


def cards_left(state: State, seat: int) -> int:
    """How many cards a seat has left."""
    hand = state.players[seat].hand
    return full_hand(state, seat) if hand is None else hand


def full_pile(state: State) -> int | None:
    """The common pile before the first turn; None where everybody's hand is all there is."""
    few = state.setup.counts and state.setup.plays("hands-of-three")
    return tables.SPEED_CARDS - tables.HAND_OF * len(state.players) if few else None


def dealt(state: State) -> State:
    """The state at the start of the race: full hands, a full pile, as far as they are counted."""
    if not state.setup.counts:
        return state
    players = {
        seat: replace(player, hand=full_hand(state, seat)) for seat, player in state.players.items()
    }
    return replace(state, players=players, pile=full_pile(state))


def has_cards(state: State, seat: int) -> bool:
    """Whether a seat may have a card to play."""
    if state.players[seat].out_of_cards:
        return False
    return not state.setup.counts or cards_left(state, seat) > 0


def may_bid_eight(state: State, seat: int) -> bool:
    """Whether a seat may hold a speed-8 card: it has won a car (two players lay theirs open)."""
    return bool(state.cars_of(seat)) and not state.setup.plays("two-players")
