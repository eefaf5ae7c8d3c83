"""Records as JSON and back, from what their fields are annotated with.

A record is a frozen dataclass. Each of its fields says once, beside its type, which values it
takes and by which rule:

    gear: Annotated[int, Within(0, 6, "FD-GEAR-1")]
    spaces: Annotated[tuple[int, ...], Spaces(), Word("at")]

`tell` makes the JSON object of a record, `read` the record of an object. Both walk the fields in
their order, so a field cannot be forgotten by one of them: what is told is what the record holds.
A form refuses a value that no record of this kind could have; whether two values contradict
one another is for whoever reads the record, as is what a value left out means (`read` takes the
field's default, and where there is none the form is given None).

Flags share one list of words, `how`: `Annotated[bool, How("fatal")]` puts its word there where it
is true, `Annotated[str, How("move", "great", "fast")]` its own, the first one being unsaid.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, NamedTuple, Protocol, TypeVar, get_type_hints, runtime_checkable

from companion.rules.board.track import Track
from companion.rules.reading import bad, one_of, only_keys, read_name, whole


@dataclass(frozen=True, slots=True)
class Context:
    """What a form may ask: the board, the seats of the race, the names of wear points."""

    track: Track | None = None
    seats: Collection[int] = ()
    categories: tuple[str, ...] = ()

    @property
    def board(self) -> Track:
        """The board; only forms of records that need one ask for it."""
        assert self.track is not None
        return self.track


@runtime_checkable
class Form(Protocol):
    """How the values of a field are told and read."""

    def tell(self, value: Any, context: Context) -> Any:
        """The value as plain JSON."""

    def read(self, data: Any, what: str, context: Context) -> Any:
        """The value that plain JSON stands for; `what` is the field's word.

        Raises:
            Malformed: it stands for none.
        """


@dataclass(frozen=True, slots=True)
class Word:
    """The key of a field, where it is not its name; `sparse`: left out at its default."""

    name: str = ""
    sparse: bool = False


@dataclass(frozen=True, slots=True)
class How:
    """A flag in the list `how`, or (several words) which of them stands there.

    The first of several is unsaid. `sparse`: the list is left out where it is empty.
    """

    words: tuple[str, ...]
    sparse: bool

    def __init__(self, *words: str, sparse: bool = False) -> None:
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "sparse", sparse)

    def said(self, value: bool | str) -> list[str]:
        """The words that stand in the list."""
        if isinstance(value, bool):
            return [self.words[0]] if value else []
        return [] if value == self.words[0] else [value]

    def heard(self, words: Collection[str]) -> bool | str:
        """The value that a list of words gives."""
        if len(self.words) == 1:
            return self.words[0] in words
        return next((word for word in self.words[1:] if word in words), self.words[0])

    @property
    def known(self) -> tuple[str, ...]:
        """The words that may stand in the list."""
        return self.words if len(self.words) == 1 else self.words[1:]


# -- forms ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plain:
    """A value that is JSON already; never read."""

    def tell(self, value: Any, context: Context) -> Any:
        """A tuple as a list, all else as it is."""
        if isinstance(value, tuple):
            return [self.tell(one, context) for one in value]
        return value

    def read(self, data: Any, what: str, context: Context) -> Any:
        """As it is: whoever uses this form checks for himself."""
        return data


PLAIN = Plain()


@dataclass(frozen=True, slots=True)
class Within:
    """A whole number within bounds, both included."""

    low: int
    high: int
    rule: str | None = None

    def tell(self, value: int, context: Context) -> int:
        """The number."""
        return value

    def read(self, data: Any, what: str, context: Context) -> int:
        """A number, and no other value."""
        return whole(data, what, self.low, self.high, rule=self.rule)


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false; `key` refuses all else."""

    rule: str | None = None
    key: str = "yes-or-no"

    def tell(self, value: bool, context: Context) -> bool:
        """The flag."""
        return value

    def read(self, data: Any, what: str, context: Context) -> bool:
        """A truth, and no number."""
        if not isinstance(data, bool):
            message = f"{what} is true or false, not {data!r:.60}"
            bad(self.key, message, rule=self.rule, kind=what)
        return data


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]
    rule: str | None = None

    def tell(self, value: str, context: Context) -> str:
        """The word."""
        return str(value)

    def read(self, data: Any, what: str, context: Context) -> str:
        """A word that is known."""
        return one_of(data, what, self.words, rule=self.rule)


@dataclass(frozen=True, slots=True)
class Name:
    """A name of 1 to 40 characters."""

    def tell(self, value: str, context: Context) -> str:
        """The name."""
        return value

    def read(self, data: Any, what: str, context: Context) -> str:
        """A name that can be shown."""
        return read_name(data, what)


@dataclass(frozen=True, slots=True)
class Maybe:
    """None, or what another form takes."""

    form: Form

    def tell(self, value: Any, context: Context) -> Any:
        """Null for None."""
        return None if value is None else self.form.tell(value, context)

    def read(self, data: Any, what: str, context: Context) -> Any:
        """None for null."""
        return None if data is None else self.form.read(data, what, context)


@dataclass(frozen=True, slots=True)
class Many:
    """A list of what another form takes, as a tuple; left out it is empty. `key` refuses others."""

    form: Form
    key: str = "pending-form"
    size: int | None = None

    def tell(self, value: tuple[Any, ...], context: Context) -> list[Any]:
        """A list."""
        return [self.form.tell(one, context) for one in value]

    def read(self, data: Any, what: str, context: Context) -> tuple[Any, ...]:
        """A list, of the size that is wanted."""
        if data is None and self.size is None:
            return ()
        if not isinstance(data, list) or self.size not in (None, len(data)):
            size = "" if self.size is None else f" of {self.size}"
            bad(self.key, f"{what} is a list{size}, not {data!r:.60}")
        return tuple(self.form.read(one, what, context) for one in data)


@dataclass(frozen=True, slots=True)
class Tupled:
    """A list with a form for each place, as a tuple of type `make`."""

    forms: tuple[Form, ...]
    make: Any = tuple
    key: str = "pending-form"

    def tell(self, value: tuple[Any, ...], context: Context) -> list[Any]:
        """A list."""
        return [form.tell(one, context) for form, one in zip(self.forms, value, strict=True)]

    def read(self, data: Any, what: str, context: Context) -> Any:
        """A list of the right length."""
        if not isinstance(data, list) or len(data) != len(self.forms):
            bad(self.key, f"{what} is a list of {len(self.forms)}, not {data!r:.60}")
        read = [form.read(one, what, context) for form, one in zip(self.forms, data, strict=True)]
        return self.make(read) if self.make is tuple else self.make(*read)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of the race; with `table` 0 too, which is the table."""

    table: bool = False

    def tell(self, value: int, context: Context) -> int:
        """Its number."""
        return value

    def read(self, data: Any, what: str, context: Context) -> int:
        """A number that the race has."""
        is_table = self.table and data == 0
        if type(data) is not int or not (is_table or data in context.seats):
            bad("no-such-seat", f"{what} names a seat of the race, not {data!r:.20}")
        return data


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the board, by its id."""

    def tell(self, value: int, context: Context) -> str:
        """Its id."""
        return context.board.ids[value]

    def read(self, data: Any, what: str, context: Context) -> int:
        """The space of this id."""
        if not isinstance(data, str) or data not in context.board.index:
            name = context.board.name
            bad("no-such-space", f"{name} has no space {data!r:.40}", to=str(data)[:40])
        return context.board.index[data]


@dataclass(frozen=True, slots=True)
class Points:
    """Wear points by their names; `lost`: only those that are not 0. Never read as such."""

    lost: bool = False

    def tell(self, value: tuple[int, ...], context: Context) -> dict[str, int]:
        """An object of categories."""
        named = zip(context.categories, value, strict=True)
        return {name: points for name, points in named if points or not self.lost}

    def read(self, data: Any, what: str, context: Context) -> Any:
        """As it is."""
        return data


@dataclass(frozen=True, slots=True)
class Nested:
    """Another record; `key` refuses what is no object."""

    record: type
    key: str = "record-form"

    def tell(self, value: Any, context: Context) -> dict[str, Any]:
        """Its object."""
        return tell(value, context)

    def read(self, data: Any, what: str, context: Context) -> Any:
        """A record of this kind."""
        return read(self.record, data, what, context, key=self.key)


@dataclass(frozen=True, slots=True)
class Spread(Nested):
    """Another record whose keys stand among those of the record that has it."""


# -- records --------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A field of a record: its name, key and form; `default` where it may be left out.

    `spread` is the record whose keys stand in place of one.
    """

    name: str
    key: str
    form: Form
    default: object
    sparse: bool
    spread: type | None


class _Parts(NamedTuple):
    """`how_at` is the place among the plain ones at which the list `how` is told."""

    plain: tuple[_Part, ...]
    hows: tuple[tuple[str, How], ...]
    how_at: int


_KNOWN: dict[type, _Parts] = {}


def _parts(record: type) -> _Parts:
    found = _KNOWN.get(record)
    if found is None:
        found = _KNOWN[record] = _read_parts(record)
    return found


def _read_parts(record: type) -> _Parts:
    hints = get_type_hints(record, include_extras=True)
    plain: list[_Part] = []
    hows: list[tuple[str, How]] = []
    how_at = 0
    for field in fields(record):
        notes = getattr(hints[field.name], "__metadata__", ())
        how = next((note for note in notes if isinstance(note, How)), None)
        if how is not None:
            how_at = how_at if hows else len(plain)
            hows.append((field.name, how))
            continue
        form = next((note for note in notes if isinstance(note, Form)), PLAIN)
        word = next((note for note in notes if isinstance(note, Word)), Word())
        default = field.default
        key, spread = word.name or field.name, form.record if isinstance(form, Spread) else None
        plain.append(_Part(field.name, key, form, default, word.sparse, spread))
    return _Parts(tuple(plain), tuple(hows), how_at)


def tell(record: Any, context: Context) -> dict[str, Any]:
    """A record as JSON."""
    parts = _parts(type(record))
    data: dict[str, Any] = {}
    for place, (name, key, form, default, sparse, spread) in enumerate(parts.plain):
        if parts.hows and place == parts.how_at:
            _tell_how(record, parts, data)
        value = getattr(record, name)
        if spread is not None:
            data |= form.tell(value, context)
        elif not (sparse and value == default):
            data[key] = form.tell(value, context)
    if parts.hows and parts.how_at == len(parts.plain):
        _tell_how(record, parts, data)
    return data


def _tell_how(record: Any, parts: _Parts, data: dict[str, Any]) -> None:
    words = [word for name, how in parts.hows for word in how.said(getattr(record, name))]
    if words or not all(how.sparse for _, how in parts.hows):
        data["how"] = words


Record = TypeVar("Record")


def read(
    record: type[Record], data: Any, what: str, context: Context, *, key: str = "record-form"
) -> Record:
    """The record that an object stands for; `key` refuses what is no object.

    Raises:
        Malformed: it is no object, has an unknown key, or a value that no such record has.
    """
    if not isinstance(data, Mapping):
        bad(key, f"{what} is an object, not {data!r:.60}")
    only_keys(data, keys(record), what)
    return record(**values(record, data, context))


def keys(record: type) -> frozenset[str]:
    """The keys that the JSON of a record may have."""
    parts = _parts(record)
    found = {"how"} if parts.hows else set()
    for part in parts.plain:
        found |= {part.key} if part.spread is None else keys(part.spread)
    return frozenset(found)


def values(record: type, data: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """The fields of a record that an object tells; what is left out stands at its default."""
    parts = _parts(record)
    found = {
        part.name: part.form.read(data.get(part.key), part.key, context)
        if part.spread is None
        else part.spread(**values(part.spread, data, context))
        for part in parts.plain
        if part.key in data or part.default is MISSING
    }
    if parts.hows:
        known = {word for _, how in parts.hows for word in how.known}
        words = data.get("how") or []
        if not isinstance(words, list) or not all(w in known for w in words if isinstance(w, str)):
            bad("pending-form", f"how is a list of {', '.join(sorted(known))}, not {words!r:.60}")
        if not all(isinstance(word, str) for word in words):
            bad("pending-form", f"how is a list of words, not {words!r:.60}")
        found |= {name: how.heard(words) for name, how in parts.hows}
    return found
