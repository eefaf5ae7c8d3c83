"""What a seat is asked in a Formula race: a class for each kind.

An option knows what it means (what a range of the black die costs, how a move ends), so that
whoever shows an ask decides no rule. `data` gives it in the JSON of the engine protocol: the
fields as they are annotated, where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, ClassVar, NamedTuple, dataclass_transform

from companion.rules.board.track import Track
from companion.rules.codec import Context, Word, tell
from companion.rules.formula import book
from companion.rules.formula.car import NearEnd, Option
from companion.rules.game import Ask
from companion.system.frozen import dataclass

KINDS: dict[str, type[Ask]] = {}
"""What can be asked in a Formula race, by the names of the engine protocol."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class FormulaAsk(Ask):
    """An ask of a Formula race; every class below it is a frozen dataclass."""

    def __init_subclass__(cls, *, kind: str = "") -> None:
        dataclass(frozen=True)(cls)
        if kind:
            cls.kind = kind
            KINDS[kind] = cls

    @property
    def usual(self) -> object:
        """The answer to give without looking at the board; every small choice has one.

        Raises:
            TypeError: this is no small choice, but a die, a gear, a way, or a sum of points.
        """
        raise TypeError(f"{self.kind} has no usual answer")

    def data(self) -> dict[str, object]:
        """The fields but the seat, each as it is annotated."""
        data = tell(self, Context())
        del data["seat"]
        return data


class GearChoice(NamedTuple):
    """A gear on offer: what an over-rev costs, and whether it puts the car out."""

    gear: int
    cost: book.Wear = book.NOTHING
    skipped: int = 0
    out: bool = False


class GearAsk(FormulaAsk, kind="gear"):
    """The gears on offer, ascending; `categories` are the names of wear points in this game."""

    choices: Sequence[GearChoice]
    categories: tuple[str, ...]

    def puts_out(self, value: object) -> bool:
        """Whether this gear takes the last engine point by its over-rev (FD-REV-2)."""
        return any(choice.out and choice.gear == value for choice in self.choices)

    def data(self) -> dict[str, object]:
        """The gears, what over-revs cost, and those that put the car out."""
        costs = {str(c.gear): book.tell_cost(c.cost, self.categories) for c in self.choices}
        return {
            "options": [choice.gear for choice in self.choices],
            "costs": {gear: cost for gear, cost in costs.items() if cost},
            "out": [choice.gear for choice in self.choices if choice.out],
        }


class RollAsk(FormulaAsk, kind="roll"):
    """The face of the die of this gear (FD-DIE-1)."""

    gear: int

    @property
    def faces(self) -> range:
        """The faces, each once."""
        low, high = book.GEAR_DICE[self.gear]
        return range(low, high + 1)

    @property
    def sides(self) -> Sequence[int]:
        """Those of the die of this gear."""
        return book.GEAR_FACES[self.gear]

    def data(self) -> dict[str, object]:
        return {"options": list(self.faces)}


# -- the black die --------------------------------------------------------------------------------


class BlackAsk(FormulaAsk, kind="black"):
    """The black die, for a reason; `against` is the other car of a collision or a throw.

    `at` is the id of the debris space that is rolled for, None where none is known; `times` is how
    often this seat still rolls for what is open: once for each car that it met.
    """

    by_mover: ClassVar[bool] = True
    reason: book.Reason
    outcomes: Sequence[book.Outcome]
    against: int | None = None
    at: str | None = None
    times: int = 1

    @property
    def sides(self) -> Sequence[int]:
        """Each of its numbers."""
        return range(book.BLACK_DIE[0], book.BLACK_DIE[1] + 1)

    def data(self) -> dict[str, object]:
        """The ranges that matter, and what it is for."""
        options = [[outcome.low, outcome.high] for outcome in self.outcomes]
        known = {"with": self.against, "at": self.at}
        return {"options": options, "for": str(self.reason)} | {
            key: value for key, value in known.items() if value is not None
        }


# -- the way --------------------------------------------------------------------------------------


class Length(NamedTuple):
    """A total that a move may have, and what gives it: soft, nitro, drift, engine, top."""

    spaces: int
    by: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The option as the ask tells it."""
        return {"spaces": self.spaces, "by": list(self.by)}


class LengthAsk(FormulaAsk, kind="length"):
    """How many spaces the move has in all (FD-TIRE-3, FD-URBAN-2, FD-DRV-2)."""

    lengths: Sequence[Length]

    def data(self) -> dict[str, object]:
        return {"options": [length.as_json() for length in self.lengths]}


class MoveAsk(FormulaAsk, kind="move"):
    """Where the move ends; `near` are ends beside them on a board that is a sketch."""

    track: Track
    ends: Sequence[Option]
    near: Sequence[NearEnd] = ()

    def data(self) -> dict[str, object]:
        """The ends with their prices."""
        data: dict[str, object] = {"options": [end.as_json(self.track) for end in self.ends]}
        if not self.track.exact:
            data["near"] = [end.as_json(self.track) for end in self.near]
        return data


class SlipstreamAsk(FormulaAsk, kind="slipstream"):
    """Where a slipstream ends, or that it is not used: null (FD-SLIP-6)."""

    track: Track
    ends: Sequence[Option]

    def data(self) -> dict[str, object]:
        return {"options": [*(end.as_json(self.track) for end in self.ends), None]}


class ReportAsk(FormulaAsk, kind="report"):
    """Boardless: what a seat says of its move of so many spaces.

    `bounds` are lowest and highest number, the seats, or the words on offer, by what is
    reported; `slide` the spaces of a slide in rain (0: none); `card` tells of the corner ahead,
    `likely` what its figures make of the move, as reports, the likeliest first; `near` are the
    cars that it may have touched by the spaces that all have moved, the likeliest first.
    """

    bounds: Annotated[Mapping[str, Sequence[int]], Word("options")]
    spaces: int
    slide: Annotated[int, Word(sparse=True)] = 0
    card: Annotated[Mapping[str, str | int] | None, Word(sparse=True)] = None
    likely: Annotated[tuple[Mapping[str, int | bool], ...], Word(sparse=True)] = ()
    near: Annotated[tuple[int, ...], Word(sparse=True)] = ()


class OrderAsk(FormulaAsk, kind="order"):
    """Boardless: who runs where, asked of the table; `seats` as far as is known."""

    seats: Annotated[tuple[int, ...], Word("options")]


# -- the car --------------------------------------------------------------------------------------

STOPS = ("tires", "technical")


class PitAsk(FormulaAsk, kind="pit"):
    """Which stop it is (FD-TECH-1)."""

    options: tuple[str, ...] = field(default=STOPS, init=False)

    @property
    def usual(self) -> str:
        return "tires"


class BoxAsk(FormulaAsk, kind="box"):
    """Which box a car has (FD-PIT-1)."""

    options: tuple[int, ...]

    @property
    def usual(self) -> int:
        return self.options[0]


class TiresAsk(FormulaAsk, kind="tires"):
    """Which tires are fitted (FD-TIRE-1, FD-TIRE-7)."""

    options: tuple[str, ...] = field(default=book.TIRE_KINDS, init=False)


class BuildAsk(FormulaAsk, kind="build"):
    """All points of a car and the bounds of each category, by its name (FD-BUILD-1).

    `more` is how many points of the pit may be on the car as well.
    """

    points: int
    limits: Mapping[str, tuple[int, int]]
    more: int = 0

    def data(self) -> dict[str, object]:
        limits = {name: list(bounds) for name, bounds in self.limits.items()}
        options: dict[str, object] = {"points": self.points, "limits": limits}
        return {"options": options | ({"more": self.more} if self.more else {})}


class PointsAsk(FormulaAsk):
    """So many points go back to one or more of these categories, by their names."""

    points: int
    categories: tuple[str, ...]

    def data(self) -> dict[str, object]:
        return {"options": {"points": self.points, "categories": list(self.categories)}}


class RepairAsk(PointsAsk, kind="repair"):
    """A technical stop (FD-TECH-1)."""


class RecoverAsk(PointsAsk, kind="recover"):
    """A checkpoint or the prize of the police station (FD-URBAN-7, FD-URBAN-5)."""


class RadioAsk(FormulaAsk, kind="radio"):
    """At whom the radio is thrown (FD-DRV-3); nobody, null, is an answer too."""

    seats: tuple[int, ...]

    @property
    def usual(self) -> int | None:
        return self.seats[0] if self.seats else None

    def data(self) -> dict[str, object]:
        return {"options": [*self.seats, None]}


class TrailAsk(FormulaAsk, kind="trail"):
    """Whether debris is left on the space with this id (FD-DRV-10)."""

    options: tuple[bool, ...] = field(default=(True, False), init=False)
    at: str

    @property
    def usual(self) -> bool:
        return True


class RerollAsk(FormulaAsk, kind="reroll"):
    """Whether the weather is rolled again, which was this line at first (FD-DRV-5)."""

    options: tuple[bool, ...] = field(default=(True, False), init=False)
    outcome: str

    @property
    def usual(self) -> bool:
        """Again only if it was rain, which costs everybody; the ask tells no more than that."""
        return self.outcome == "rain"


class SecondRollAsk(FormulaAsk, kind="second_roll"):
    """Whether a roll is made once more; `roll` is what it shows."""

    options: tuple[bool, ...] = field(default=(True, False), init=False)
    roll: int | list[int]

    @property
    def usual(self) -> bool:
        return False


class TimeAsk(FormulaAsk, kind="time"):
    """How long a trial took; the stopwatch of the table answers (FD-TRIAL-1)."""
