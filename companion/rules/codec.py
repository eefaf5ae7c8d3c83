"""Records as JSON and back, from what their fields are annotated with.

A `Record` is a frozen dataclass whose fields are given by keyword. Each of its fields says once,
beside its type, which values it takes and by which rule:

    gear: Annotated[int, Within(0, 6, "FD-GEAR-1")] = 0
    spaces: Annotated[tuple[int, ...], Many(Space()), Word("at")] = ()

`tell` makes the JSON object of a record, `read` the record of an object. Both walk the fields in
their order, so a field cannot be forgotten by one of them. A form refuses a value that no record of
this kind could have; whether two values contradict one another is for whoever reads the record, as
is what a value left out means (`read` takes the field's default, and where there is none the form
is given None).

Flags share one list of words, `how`: `Annotated[bool, How("fatal")]` puts its word there where it
is true, `Annotated[str, How("move", "great", "fast")]` its own, but for the first one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    Protocol,
    TypeVar,
    dataclass_transform,
    get_type_hints,
)

from companion.rules.board.track import Track
from companion.rules.lines import bad, one_of, only_keys, read_name, whole, yes_or_no
from companion.system.frozen import dataclass


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record:
    """The base of all records: every class below it is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Of a record alone: a file that was kept cannot change its kind (`RecordReader`)."""
        vars(self).update(state)


class Fielded(Protocol):
    """What the codec tells and reads: a `Record`, or another frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


RecordT = TypeVar("RecordT", bound=Fielded)


@dataclass(frozen=True, slots=True)
class Context:
    """What a form may ask: the board, the seats of the race, the names of wear points.

    `names` are those that a header gives to what is not in the box.
    """

    track: Track | None = None
    seats: Collection[int] = ()
    categories: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def board(self) -> Track:
        """The board; only forms of records that need one ask for it."""
        assert self.track is not None
        return self.track


@dataclass(frozen=True, slots=True)
class Word:
    """The key of a field, where it is not its name.

    `sparse`: it is left out at its default; `last`: it comes after the fields of its subclasses;
    `hidden`: it is neither written nor read.
    """

    name: str = ""
    sparse: bool = False
    last: bool = False
    hidden: bool = False


class How:
    """A flag in the list `how`, or (several words) which of them stands there.

    The first of several never does. `sparse`: the list is left out where it is empty.
    """

    def __init__(self, *words: str, sparse: bool = False) -> None:
        self.words, self.sparse = words, sparse
        self.known = words if len(words) == 1 else words[1:]

    def tell(self, value: bool | str) -> list[str]:
        """The words that stand in the list."""
        if isinstance(value, bool):
            return [self.words[0]] if value else []
        return [] if value == self.words[0] else [value]

    def read(self, words: Collection[object]) -> bool | str:
        """The value that a list of words gives."""
        if len(self.words) == 1:
            return self.words[0] in words
        return next((word for word in self.known if word in words), self.words[0])


# -- records --------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A field of a record; `key` is "" of flags, of marks and of records that are spread."""

    name: str
    key: str
    form: Any
    default: object
    sparse: bool
    as_it_is: bool
    """Whether the form writes a value as the value is, but a tuple as a list."""


@cache
def _parts(record: type[Fielded]) -> tuple[_Part, ...]:
    """The fields of a record that are written, in their order; worked out once."""
    hints = get_type_hints(record, include_extras=True)
    first: list[_Part] = []
    last: list[_Part] = []
    for field in fields(record):
        notes = getattr(hints[field.name], "__metadata__", ())
        form = next((note for note in notes if hasattr(note, "tell")), PLAIN)
        # The last one counts: a `Word` beside a field overrules the one inside its named type.
        word = next((note for note in reversed(notes) if isinstance(note, Word)), Word())
        key = "" if isinstance(form, How | Marks | Spread) else word.name or field.name
        if not word.hidden:
            as_it_is = getattr(type(form), "tell", None) is Form.tell
            part = _Part(field.name, key, form, field.default, word.sparse, as_it_is)
            (last if word.last else first).append(part)
    return (*first, *last)


def tell(record: Fielded, context: Context) -> dict[str, object]:
    """The object of a record."""
    data: dict[str, object] = {}
    hows: list[str] = []
    for name, key, form, default, sparse, as_it_is in _parts(type(record)):
        value = getattr(record, name)
        if key:
            if not sparse or value != default:
                is_plain = as_it_is and not isinstance(value, tuple)
                data[key] = value if is_plain else form.tell(value, context)
        elif isinstance(form, How):
            hows += form.tell(value)
            # One list for all flags, so `how` stands where the first of their words does.
            if hows or not form.sparse:
                data["how"] = hows
        # A shortcut: at its default a spread record would tell nothing either.
        elif not sparse or value is not default:
            data |= form.tell(value, context)
    return data


def read(
    record: type[RecordT], data: object, what: str, context: Context, *, key: str = "record-form"
) -> RecordT:
    """The record that an object stands for; `key` refuses what is no object.

    Raises:
        Malformed: it is no object, has an unknown key, or a value that no such record has.
    """
    if not isinstance(data, Mapping):
        bad(key, f"{what} is an object, not {data!r:.60}")
    only_keys(data, keys(record), what)
    return _made(record, data, context)


def _made(record: type[RecordT], data: Mapping[str, object], context: Context) -> RecordT:
    """The record of an object that may have other keys too.

    Raises:
        Malformed: a value that no such record has.
    """
    return record(**values(record, data, context))


def changed(record: RecordT, data: Mapping[str, object], context: Context) -> RecordT:
    """A record with what an object says of its fields.

    Raises:
        Malformed: a value that no such record has.
    """
    return replace(record, **_named(type(record), data, context, record))


@cache
def keys(record: type[Fielded]) -> frozenset[str]:
    """The keys that the object of a record may have."""
    found: set[str] = set()
    for part in _parts(record):
        if isinstance(part.form, Spread):
            inner: type[Fielded] = part.form.record
            found |= keys(inner)
        elif isinstance(part.form, Marks):
            found |= {*part.form.known}
        else:
            found.add(part.key or "how")
    return frozenset(found)


def values(record: type[Fielded], data: Mapping[str, object], context: Context) -> dict[str, Any]:
    """The fields of a record that an object names, or that it must have."""
    return _named(record, _wanted(record) | dict(data), context)


@cache
def _wanted(record: type[Fielded]) -> dict[str, None]:
    """The keys that an object of a record must have, as None."""
    return dict.fromkeys(part.key for part in _parts(record) if part.default is MISSING)


@cache
def _flags(record: type[Fielded]) -> list[str]:
    """The words that may stand in the list `how` of a record, sorted."""
    forms = [part.form for part in _parts(record) if isinstance(part.form, How)]
    return sorted({word for form in forms for word in form.known})


def _named(
    record: type[Fielded], data: Mapping[str, object], context: Context, old: Fielded | None = None
) -> dict[str, Any]:
    """The fields of a record that an object names; a record that is spread goes on from `old`."""
    parts, known = _parts(record), _flags(record)
    words = (data.get("how") or []) if known else []
    if not isinstance(words, list) or not all(word in known for word in words):
        bad("pending-form", f"how is a list of {', '.join(known)}, not {words!r:.60}")
    found: dict[str, Any] = {}
    for name, key, form, *_ in parts:
        if key:
            if key in data:
                found[name] = form.read(data[key], key, context)
        elif isinstance(form, How):
            found[name] = form.read(words)
        elif isinstance(form, Marks):
            found[name] = form.read_keys(data)
        elif old is not None:
            found[name] = changed(getattr(old, name), data, context)
        else:
            found[name] = _made(form.record, data, context)
    return found


# -- forms ----------------------------------------------------------------------------------------

T = TypeVar("T")
U = TypeVar("U")
WordT = TypeVar("WordT", bound=str)


class Form(Generic[T]):
    """How the values of a field become JSON and are read again; what has the two methods is one."""

    def tell(self, value: T, context: Context) -> object:
        """The value as JSON."""
        return list(value) if isinstance(value, tuple) else value

    def read(self, data: object, what: str, context: Context) -> T:
        """The value that was written as this; `what` is the field's word.

        Raises:
            Malformed: it stands for none.
        """
        raise NotImplementedError


class Plain(Form[Any]):
    """A value that is JSON already; its form is checked where it is used."""

    def read(self, data: object, what: str, context: Context) -> object:
        return data


PLAIN = Plain()


@dataclass(frozen=True, slots=True)
class Nested(Form[RecordT]):
    """Another record; `key` refuses what is no object, `what` it is called where not its word."""

    record: type[RecordT]
    key: str = "record-form"
    what: str = ""

    def tell(self, value: RecordT, context: Context) -> dict[str, object]:
        return tell(value, context)

    def read(self, data: object, what: str, context: Context) -> RecordT:
        return read(self.record, data, self.what or what, context, key=self.key)


@dataclass(frozen=True, slots=True)
class Marks(Form[frozenset[str]]):
    """A set of names, each written as a key of its own with the value true.

    `known` are all the names there are; chapters may still add to it.
    """

    known: Collection[str]

    def tell(self, value: frozenset[str], context: Context) -> dict[str, bool]:
        return dict.fromkeys(sorted(value), True)

    def read_keys(self, data: Mapping[str, object]) -> frozenset[str]:
        """The set of the names that an object says are true; one left out is not.

        Raises:
            Malformed: one that is neither true nor false.
        """
        return frozenset(n for n in sorted(self.known) if n in data and yes_or_no(data[n], n))


class Spread(Nested[RecordT]):
    """Another record whose keys stand among those of the record that has it.

    A sparse one tells nothing at its default: all its own fields are sparse.
    """


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
        # Points of one pool say themselves what they are called.
        named = zip(getattr(value, "categories", context.categories), value, strict=True)
        return {name: points for name, points in named if points or not self.lost}


Seats = Annotated[tuple[int, ...], Many(Seat())]
Spaces = Annotated[tuple[int, ...], Many(Space()), Word("at")]


# -- copies ---------------------------------------------------------------------------------------

# An answer makes several states, cars and steps out of others; `dataclasses.replace` asks each
# field of each of them and runs its `__init__`, which was a sixth of all that an answer took.

# To a type checker it is the one of `dataclasses`, whose field names it checks.
if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(record, /, **values):
        """A record without slots and `__post_init__`, with these fields otherwise.

        Raises:
            TypeError: it has no field of that name.

        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Die:
        ...     low: int
        ...     high: int
        >>> replace(Die(1, 2), high=4)
        Die(low=1, high=4)
        >>> replace(Die(1, 2), most=4)
        Traceback (most recent call last):
        TypeError: Die has no most
        """
        kind, old = type(record), record.__dict__
        new, fields = object.__new__(kind), {**old, **values}
        # A name that the record does not have makes the dict longer.
        if len(fields) != len(old):
            raise TypeError(f"{kind.__name__} has no {', '.join(values.keys() - old.keys())}")
        # The dict as a whole: to fill the record's own takes twice as long.
        object.__setattr__(new, "__dict__", fields)
        return new
