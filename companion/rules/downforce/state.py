"""The state of a game of Downforce: immutable records, nothing that could be worked out.

What waits for answers is one explicit queue of pending steps; where it is empty, the phase
says what comes next (`turns.settle`). Bids and bets stand here in the open: hiding them is
the business of `tell` and of `Event.as_json`, which is all that leaves the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.rules.downforce.tables import CARS

NO_BET = "none"
"""In a player's bets: at that line the player had left the table. Everybody may know it."""
LOST = ""
"""In a player's bets: one was made, but this program was not told which (a position)."""


class Phase(StrEnum):
    """Where a game is; setting up the grid belongs to the auction."""

    AUCTION = "auction"
    POWERS = "powers"
    RACE = "race"
    FINISHED = "finished"


class Why(StrEnum):
    """Why a race ended (DF-END-1, DF-VAR-1, DF-VAR-3)."""

    ALL_FINISHED = "all-finished"
    FIRST_HOME = "first-home"
    NOBODY_PLAYS = "nobody-plays"
    CALLED = "called"
    DISTANCE = "distance"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Car:
    """One of the six cars; `price` in millions is None as long as nobody owns it."""

    owner: int | None = None
    price: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """What a card bids: millions, how many cars it shows, whether one of them is a wild."""

    amount: int
    cars: int = 1
    wild: bool = False


@dataclass(frozen=True, slots=True)
class Lot:
    """A speed-8 card and the power turned up with it (None: no power goes with it)."""

    car: str
    power: str | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A player's score sheet of one race, in millions; `best` is the best place of a car."""

    bets: tuple[str, ...]
    race: int
    bets_won: int
    spent: int
    best: int | None

    @property
    def total(self) -> int:
        """DF-PAY-3."""
        return self.race + self.bets_won - self.spent


@dataclass(frozen=True, slots=True)
class Player:
    """One player. `bets` has one for each line; each is a car, `NO_BET` or `LOST`.

    `powers` are those won, and from the race on the one kept. `cards` tells whether there is
    a hand to play from, `here` whether the player is at the table. `legs` are the sheets of
    the races before this one (DF-VAR-4).
    """

    seat: int
    name: str
    powers: tuple[str, ...] = ()
    bets: tuple[str, ...] = ()
    cards: bool = True
    here: bool = True
    legs: tuple[Sheet, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One pending step; which fields are used depends on `kind` (see `STEPS`).

    `seats` are those who still have to answer, of `award` those who may get the lot. In
    `bids` a None is a bid that was made, but of which this program was not told (a position).
    """

    kind: str
    seat: int = 0
    seats: tuple[int, ...] = ()
    lot: Lot | None = None
    again: bool = False
    number: int = 0
    bids: Mapping[int, Bid | None] = field(default_factory=dict)
    why: str = ""


# The fields that each kind of step uses besides `kind`; `lot` is told as its car and power.
STEPS: Mapping[str, tuple[str, ...]] = {
    "pole": (),
    "lot": (),
    # bids on a lot, those that are in; `again`: the lot has been set aside once (DF-BID-5)
    "bids": ("lot", "seats", "bids", "again"),
    # a tie for a lot at the price `number` (DF-BID-2)
    "award": ("lot", "seats", "number"),
    # a car that is dealt, not sold (DF-VAR-1)
    "deal": ("lot",),
    "keep": ("seats",),
    "play": ("seat",),
    # the bets at line `number`; `again`: those of which this program was not told
    "bets": ("seats", "number", "again"),
    # all cards of a long-distance race are played: the table says how the cars stand
    "order": (),
    # the race is over, once what stands before this is answered
    "count": ("why",),
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a header settles for the whole game."""

    rules: frozenset[str] = frozenset()

    def plays(self, rule: str) -> bool:
        """Whether a variant is on."""
        return rule in self.rules


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment. Mappings are never changed in place.

    `grid` are the cars, pole first, empty until told. `lots` are those turned up, in order;
    `aside` those waiting for their second time. `turn` is the seat whose card was the last or
    is the next to be played. `lines` counts the yellow lines crossed. `players` stand in the
    order in which they sit, clockwise. `leg` is the race of a championship, from 1.
    """

    setup: Setup
    phase: Phase = Phase.AUCTION
    leg: int = 1
    grid: tuple[str, ...] = ()
    lots: tuple[Lot, ...] = ()
    aside: tuple[Lot, ...] = ()
    turn: int | None = None
    lines: int = 0
    cars: Mapping[str, Car] = field(default_factory=lambda: dict.fromkeys(CARS, Car()))
    players: Mapping[int, Player] = field(default_factory=dict)
    pending: tuple[Step, ...] = ()

    def cars_of(self, seat: int) -> list[str]:
        """The cars that a seat owns."""
        return [name for name, car in self.cars.items() if car.owner == seat]

    def placed(self) -> list[str]:
        """The cars that have a place, best first."""
        known = [(car.place, name) for name, car in self.cars.items() if car.place is not None]
        return [name for _, name in sorted(known)]

    def here(self) -> list[int]:
        """The seats of the players at the table, clockwise."""
        return [seat for seat, player in self.players.items() if player.here]
