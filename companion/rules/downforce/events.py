"""What happens in a game of Downforce: frozen records in the past tense, without behaviour.

An event carries all that it changes, so that applying it needs no rule (`evolve`). `rule` is
the id of the rule behind it. The fields that `secret` names are told as null (DF-BET-2): they
come out with the event of the reveal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from typing import Any, ClassVar

from companion.rules.downforce.state import Bid, State, Step


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `seat` 0 is the table."""

    seat: int = 0
    rule: str | None = None

    public: ClassVar[bool] = True
    secret: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """The event as the engine protocol tells it to everybody."""
        told: dict[str, Any] = {"event": type(self).__name__}
        for one in fields(self):
            told[one.name] = None if one.name == self.secret else _plain(getattr(self, one.name))
        return told


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


@dataclass(frozen=True, slots=True)
class RaceSet(Event):
    """A game was set up, or set half-way by a position: the whole state that it begins with."""

    state: State | None = None

    def as_json(self) -> dict[str, Any]:
        """Only that a game began; what it began with is STATE."""
        assert self.state is not None
        rules = sorted(self.state.setup.rules)
        return {"event": "RaceSet", "seat": 0, "rule": self.rule, "rules": rules}


@dataclass(frozen=True, slots=True)
class StepsPended(Event):
    """The queue of pending steps after an answer; not told outside."""

    public = False
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[str, ...] = ()


# -- the auction --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LotTurned(Event):
    """A lot was turned up, or `again` came back after it had been set aside."""

    car: str = ""
    power: str | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """A seat has bid; what, is not told yet."""

    secret = "bid"
    car: str = ""
    bid: Bid | None = None


@dataclass(frozen=True, slots=True)
class BidsRevealed(Event):
    """The cards that were bid are turned up."""

    car: str = ""
    bids: Mapping[int, Bid] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LotTied(Event):
    """These seats tie for the lot; the table decides."""

    car: str = ""
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CarSold(Event):
    """A seat has the car and its power, at this price in millions."""

    car: str = ""
    power: str | None = None
    price: int = 0


@dataclass(frozen=True, slots=True)
class CarDealt(Event):
    """A seat was dealt the car; seat 0: it is left over and nobody's."""

    car: str = ""
    power: str | None = None


@dataclass(frozen=True, slots=True)
class LotSetAside(Event):
    """Nobody bid on the lot; it may come back after the auction."""

    car: str = ""
    power: str | None = None


@dataclass(frozen=True, slots=True)
class CarUnsold(Event):
    """The car is nobody's; it races all the same."""

    car: str = ""


@dataclass(frozen=True, slots=True)
class AuctionClosed(Event):
    """All lots are gone."""


@dataclass(frozen=True, slots=True)
class PowerKept(Event):
    """A seat keeps this power of those it won."""

    power: str = ""


# -- the race -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RaceBegan(Event):
    """The cars are off."""


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A seat is on turn."""


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A seat has played a card, and `lines` betting lines were crossed for the first time."""

    lines: int = 0
    out_of_cards: bool = False


@dataclass(frozen=True, slots=True)
class CarFinished(Event):
    """A car is over the line; `seat` is its owner, 0 where it has none."""

    car: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class BetsOpened(Event):
    """These seats bet at line `number`; who is not among them is not at the table."""

    number: int = 0
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BetMade(Event):
    """A seat has bet at line `number`; on which car, is not told yet."""

    secret = "car"
    number: int = 0
    car: str | None = None


@dataclass(frozen=True, slots=True)
class BetMissed(Event):
    """A seat has left the table without its bet at line `number`."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class CarsRanked(Event):
    """How far the cars have come, the furthest first."""

    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BetsRevealed(Event):
    """All bets, by seat and line; "none" where a seat had left, null where none was told."""

    bets: Mapping[int, tuple[str | None, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RaceEnded(Event):
    """The race is over: why, and the cars that have a place."""

    why: str = ""
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NextRaceSet(Event):
    """The next race of a championship begins with its own auction."""

    leg: int = 0


# -- the referee --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """The referee set this state."""

    reason: str = ""
    state: State | None = None

    def as_json(self) -> dict[str, Any]:
        """Only that there was a correction; what it changed is STATE."""
        return {"event": "Corrected", "seat": 0, "rule": self.rule, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Retired(Event):
    """A player has left the table."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A player who had left is back."""


# A record with slots is made twice over, hence each name once.
EVENT_NAMES = tuple(dict.fromkeys(one.__name__ for one in Event.__subclasses__() if one.public))
"""Every event that is told outside, for docs and catalogues."""
