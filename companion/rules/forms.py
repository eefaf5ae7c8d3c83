"""The forms of plain values: numbers within bounds, words, seats, spaces, and lists of these.

Each says how the values of a field are told and read, and refuses what no record could have there;
what a record itself is told as stands in `codec`.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from companion.frozen import dataclass
from companion.rules.codec import Context, Form, Word
from companion.rules.reading import bad, one_of, read_name, whole, yes_or_no

T = TypeVar("T")
U = TypeVar("U")
WordT = TypeVar("WordT", bound=str)


@dataclass(frozen=True, slots=True)
class Within(Form[int]):
    """A whole number within bounds, both included."""

    low: int
    high: int
    rule: str | None = None

    def read(self, data: object, what: str, context: Context) -> int:
        return whole(data, what, self.low, self.high, rule=self.rule)


@dataclass(frozen=True, slots=True)
class Flag(Form[bool]):
    """True or false; `key` refuses all else."""

    rule: str | None = None
    key: str = "yes-or-no"

    def read(self, data: object, what: str, context: Context) -> bool:
        return yes_or_no(data, what, rule=self.rule, key=self.key)


@dataclass(frozen=True, slots=True)
class OneOf(Form[WordT]):
    """One of some words."""

    words: tuple[WordT, ...]
    rule: str | None = None

    def tell(self, value: WordT, context: Context) -> str:
        return str(value)

    def read(self, data: object, what: str, context: Context) -> WordT:
        return one_of(data, what, self.words, rule=self.rule)


class Name(Form[str]):
    """A name of 1 to 40 characters."""

    def read(self, data: object, what: str, context: Context) -> str:
        return read_name(data, what)


@dataclass(frozen=True, slots=True)
class Maybe(Form[T | None]):
    """None, or what another form takes."""

    form: Form[T]

    def tell(self, value: T | None, context: Context) -> object:
        return None if value is None else self.form.tell(value, context)

    def read(self, data: object, what: str, context: Context) -> T | None:
        return None if data is None else self.form.read(data, what, context)


@dataclass(frozen=True, slots=True)
class Many(Form[tuple[T, ...]]):
    """A list of what another form takes, as a tuple; left out it is empty."""

    form: Form[T]

    def tell(self, value: tuple[T, ...], context: Context) -> list[object]:
        return [self.form.tell(one, context) for one in value]

    def read(self, data: object, what: str, context: Context) -> tuple[T, ...]:
        data = [] if data is None else data
        if not isinstance(data, list):
            bad("pending-form", f"{what} is a list, not {data!r:.60}")
        return tuple(self.form.read(one, what, context) for one in data)


@dataclass(frozen=True, slots=True)
class Pair(Form[tuple[T, U]]):
    """A list of two."""

    first: Form[T]
    second: Form[U]

    def read(self, data: object, what: str, context: Context) -> tuple[T, U]:
        if not isinstance(data, list) or len(data) != 2:
            bad("pending-form", f"{what} is a list of 2, not {data!r:.60}")
        first, second = data
        return self.first.read(first, what, context), self.second.read(second, what, context)


@dataclass(frozen=True, slots=True)
class Seat(Form[int]):
    """A seat of the race; with `table` 0 too, which is the table."""

    table: bool = False

    def read(self, data: object, what: str, context: Context) -> int:
        is_table = self.table and data == 0
        if type(data) is not int or not (is_table or data in context.seats):
            bad("no-such-seat", f"{what} names a seat of the race, not {data!r:.20}")
        return data


class Space(Form[int]):
    """A space of the board, by its id."""

    def tell(self, value: int, context: Context) -> str:
        return context.board.ids[value]

    def read(self, data: object, what: str, context: Context) -> int:
        if not isinstance(data, str) or data not in context.board.index:
            name = context.board.name
            bad("no-such-space", f"{name} has no space {data!r:.40}", to=str(data)[:40])
        return context.board.index[data]


@dataclass(frozen=True, slots=True)
class Points(Form[tuple[int, ...]]):
    """Wear points by their names; `lost`: only those that are not 0. Never read as such."""

    lost: bool = False

    def tell(self, value: tuple[int, ...], context: Context) -> dict[str, int]:
        named = zip(context.categories, value, strict=True)
        return {name: points for name, points in named if points or not self.lost}


Seats = Annotated[tuple[int, ...], Many(Seat())]
Spaces = Annotated[tuple[int, ...], Many(Space()), Word("at")]
