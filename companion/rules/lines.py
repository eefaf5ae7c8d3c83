"""The lines of the engine protocol: as types, and the one reader that makes these of a line.

A `Command` is what may be said to an engine. `read` makes one of a line from outside or refuses
it; `line` gives the line back, as a journal and a record keep it. What a value of an answer has to
be only its game knows; all the rest is read here and nowhere else. How all input is refused stands
here too.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, NoReturn, TypeVar

from companion.system.frozen import dataclass

Line = Mapping[str, object]
"""A line of the engine protocol, of a journal or a record: what stands in it is looked at first."""


@dataclass(frozen=True, slots=True)
class New:
    """A race with this header, in place of the one that was."""

    header: Line


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer to an ask of this kind; `value` is plain JSON.

    `version` is that of the picture or page that it was read from, None if the line names none.
    """

    seat: int
    kind: str
    value: object
    version: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it, without a version.

        >>> Answer(2, "gear", 1, version=7).line
        {'seat': 2, 'gear': 1}
        """
        return {"seat": self.seat, self.kind: self.value}


@dataclass(frozen=True, slots=True)
class Undo:
    """The last `count` accepted lines count no more."""

    count: int

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"undo": self.count}


@dataclass(frozen=True, slots=True)
class Correct:
    """A part of STATE is otherwise than the engine has it."""

    part: Line
    reason: str | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"correct": self.part, **_given(self.reason)}


@dataclass(frozen=True, slots=True)
class Retire:
    """A seat leaves the race."""

    seat: int
    reason: str | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"seat": self.seat, "retire": True, **_given(self.reason)}


@dataclass(frozen=True, slots=True)
class Return:
    """A seat that has left, or whose car is out, goes on. Nobody reads the reason."""

    seat: int
    reason: object = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"seat": self.seat, "return": True, **_given(self.reason)}


@dataclass(frozen=True, slots=True)
class Join:
    """A player comes late; `entry` is what a header would have in `seats`."""

    entry: Line

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"join": self.entry}


@dataclass(frozen=True, slots=True)
class End:
    """The race ends now, as it stands."""

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"end": True}


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag falls for a seat: `time`, its turn has taken too long; `error`, a mistake.

    `black`: it is out; `placing`: a wrong space in its trial; `red`, for seat 0: a restart.
    """

    seat: int
    why: str

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"seat": self.seat, "flag": self.why}


@dataclass(frozen=True, slots=True)
class Bell:
    """The time of the race is over: its last lap."""

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"bell": True}


@dataclass(frozen=True, slots=True)
class Explain:
    """Why this answer is, or is not, legal now; it changes nothing."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class ShowState:
    """STATE in the reply."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Nothing more is said."""


Timely = Flag | Bell
"""What time brings: the companion says it, or the referee; the rules know no clock."""
Referee = Correct | Retire | Return | Join | End | Timely
InRace = Answer | Undo | Referee
"""What changes a race under way."""
Command = New | InRace | Explain | ShowState | Quit


def _given(reason: object) -> Line:
    return {} if reason is None else {"reason": reason}


# -- the reader -----------------------------------------------------------------------------------

BEFORE_A_RACE = ("new", "quit")
"""What may be said where there is no race yet."""


def line_of(value: object) -> Line:
    """A line out of JSON.

    Raises:
        Malformed: it is no object.
    """
    if not isinstance(value, dict):
        bad("not-an-object", f"a line is one JSON object, not {value!r:.60}")
    return value


def word_of(line: Line, kinds: Mapping[str, object]) -> str:
    """The one word by which a line says what it is.

    Args:
        kinds: the kinds of asks that there are.

    Raises:
        Malformed: it has none, or several.
    """
    words: list[str] = [word for word in line if word in WORDS or word in kinds]
    if len(words) != 1:
        known = (*WORDS, *(kind for kind in kinds if kind not in WORDS))
        words = [word for word in known if word in line]
        found = " and ".join(words) or ", ".join(sorted(map(repr, line)))[:60] or "nothing"
        message = f"a line has exactly one of {', '.join(known)}; this one has {found}"
        bad("no-command", message, found=found)
    return words[0]


def read_as(word: str, line: Line) -> Command:
    """The command in a line that has this word.

    Raises:
        Malformed: it is not of the word's form.
    """
    # `end` is the referee's; from seat 0 it answers the ask of that name.
    if word in WORDS and not (word == "end" and line.get("seat") == 0):
        return WORDS[word](line)
    return _answer(line, word)


def read(line: Line, kinds: Mapping[str, object]) -> Command:
    """The command in a line.

    Raises:
        Malformed: it has none, or is not of its form.
    """
    return read_as(word_of(line, kinds), line)


def _new(line: Line) -> New:
    header = line["new"]
    if set(line) != {"new"} or not isinstance(header, dict):
        bad("new-form", f'new is {{"new": HEADER}}, not {line!r:.60}')
    return New(header)


def _explain(line: Line) -> Explain:
    """The answer in it is the word that is left beside its seat."""
    inner = line["explain"]
    if set(line) != {"explain"} or not isinstance(inner, dict):
        message = f'explain is {{"explain": an answer}}, not {line!r:.60}'
        bad("explain-form", message)
    kinds = [word for word in inner if word not in ("seat", "version")]
    if len(kinds) != 1 or "seat" not in inner:
        message = f"what is explained is an answer, a seat and one kind, not {inner!r:.60}"
        bad("explain-form", message)
    return Explain(_answer(inner, kinds[0]))


def _undo(line: Line) -> Undo:
    if set(line) != {"undo"}:
        bad("undo-form", f'undo is {{"undo": n}}, not {line!r:.60}')
    count = whole_number(line["undo"], "undo")
    if count < 1:
        bad("undo-form", f"undo takes back 1 answer or more, not {count}")
    return Undo(count)


def _correct(line: Line) -> Correct:
    _check_seat(line)
    only_keys(line, ("correct", "reason"), "correct")
    reason, part = _reason(line), line["correct"]
    if not isinstance(part, dict) or not part:
        bad("correct-form", f"correct is a part of a state, not {part!r:.60}")
    return Correct(part, reason)


def _retire(line: Line) -> Retire:
    return Retire(_seat_of_word(line, "retire"), _reason(line))


def _return(line: Line) -> Return:
    return Return(_seat_of_word(line, "return"), line.get("reason"))


def _join(line: Line) -> Join:
    entry = line["join"]
    if set(line) != {"join"} or not isinstance(entry, dict):
        bad("join-form", f'join is {{"join": a seat}}, not {line!r:.60}')
    return Join(entry)


def _end(line: Line) -> End:
    _check_seat(line)
    only_keys(line, ("end",), "end")
    is_true(line, "end")
    return End()


FLAGS = ("time", "error", "black", "placing")


def _flag(line: Line) -> Flag:
    if "seat" not in line:
        bad("seat-missing", "flag names a seat")
    seat, why = whole_number(line["seat"], "seat"), line["flag"]
    only_keys(line, ("seat", "flag"), "flag")
    if why not in FLAGS:
        bad("flag-form", f"a flag is one of {', '.join(FLAGS)}, not {why!r:.40}")
    return Flag(seat, str(why))


def _alone(word: str, command: Command) -> Callable[[Line], Command]:
    """A word that says nothing but true."""

    def read(line: Line) -> Command:
        if line[word] is not True or len(line) != 1:
            bad("not-true", f'{word} is {{"{word}": true}}, not {line!r:.60}')
        return command

    return read


def _answer(line: Line, kind: str) -> Answer:
    unknown = line.keys() - {"seat", kind, "version"}
    if unknown:
        first = min(unknown)
        message = f"an answer has seat, {kind} and version, not {first!r:.40}"
        bad("unknown-key", message, what="answer", name=first[:40])
    if "seat" not in line:
        bad("seat-missing", f"{kind} is answered by a seat")
    seat = whole_number(line["seat"], "seat")
    version = whole_number(line["version"], "version") if "version" in line else None
    return Answer(seat, kind, line[kind], version)


def _seat_of_word(line: Line, word: str) -> int:
    if "seat" not in line:
        bad("seat-missing", f"{word} names a seat")
    seat = whole_number(line["seat"], "seat")
    only_keys(line, ("seat", word, "reason"), word)
    is_true(line, word)
    return seat


def _check_seat(line: Line) -> None:
    if "seat" in line:
        whole_number(line["seat"], "seat")


def _reason(line: Line) -> str | None:
    return read_reason(line) if "reason" in line else None


WORDS: Mapping[str, Callable[[Line], Command]] = {
    "new": _new,
    "explain": _explain,
    "undo": _undo,
    "correct": _correct,
    "retire": _retire,
    "return": _return,
    "join": _join,
    "end": _end,
    "flag": _flag,
    "bell": _alone("bell", Bell()),
    "state": _alone("state", ShowState()),
    "quit": _alone("quit", Quit()),
}
"""The words that are no answers; a line with any other is an answer of that kind."""


# -- JSON -----------------------------------------------------------------------------------------

DEEPEST = 60


def parse_line(raw: bytes) -> object:
    """The JSON of one line.

    Raises:
        Malformed: not JSON in UTF-8, or nested deeper than anything here is.
    """
    try:
        # Python reads NaN and Infinity too, which are not JSON.
        value = json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise Malformed("not-utf8", f"the line is not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise Malformed("too-deep", f"the line is nested deeper than {DEEPEST} levels") from None
    except ValueError as error:
        raise Malformed("not-json", f"the line is not JSON: {str(error)[:80]}") from None
    if _depth(value) > DEEPEST:
        bad("too-deep", f"the line is nested deeper than {DEEPEST} levels")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _depth(value: object) -> int:
    """How deep lists and objects are nested; no recursion, as the value is not trusted."""
    depth, level = 0, [value]
    while level and depth <= DEEPEST:
        inner: list[object] = []
        for one in level:
            if isinstance(one, dict):
                inner += one.values()
            elif isinstance(one, list):
                inner += one
        depth, level = depth + 1, inner
    return depth


# -- refusals, and the checks that all readers share ----------------------------------------------

# A table treats three kinds differently: what cannot be understood (`Malformed`), what the rules do
# not allow now (`Illegal`), and what was meant for a moment that has passed (`Stale`). When one is
# raised, nothing has changed. A check returns what it has read, or raises `Malformed` with what
# would be accepted.


class Refusal(Exception):
    """A line that was not accepted.

    `key` and `args` are what a catalogue translates; `message` is English and says what
    would be accepted; `rule` is the id of the rule that decides, or None.
    """

    code: ClassVar[str] = "illegal"

    def __init__(
        self, key: str, message: str, *, rule: str | None = None, args: Mapping[str, object] = {}
    ) -> None:
        super().__init__(message)
        self.key = key
        self.message = message
        self.rule = rule
        # A copy, so that the default is never shared.
        self.arguments = dict(args)

    def as_json(self) -> dict[str, object]:
        """The `error` object of the engine protocol."""
        return {
            "code": self.code,
            "rule": self.rule,
            "key": self.key,
            "args": self.arguments,
            "message": self.message,
        }


class Illegal(Refusal):
    """Understood, but the rules do not allow it now."""

    code = "illegal"


class Malformed(Refusal):
    """Not understood, or a header or position that contradicts itself."""

    code = "malformed"


class Stale(Refusal):
    """An answer to an ask that has closed since the picture it was read from."""

    code = "stale"


class NoRace(Refusal):
    """A line that needs a race, and none has been started."""

    code = "no-race"


def no_such_space(space: object) -> Malformed:
    """A place that the board does not have."""
    return Malformed(
        "no-such-space", f"the board has no space {space!r:.40}", args={"space": f"{space!s:.40}"}
    )


# -- checks ---------------------------------------------------------------------------------------

NAME_LENGTH = 40
REASON_LENGTH = 200
WordT = TypeVar("WordT", bound=str)


def bad(key: str, message: str, *, rule: str | None = None, **args: object) -> NoReturn:
    """Refuse a header, a position, a line or an answer that cannot be understood."""
    raise Malformed(key, message, rule=rule, args=args)


def refuse(key: str, message: str, *, rule: str | None = None, **args: object) -> NoReturn:
    """Refuse what is understood, but not allowed now."""
    raise Illegal(key, message, rule=rule, args=args)


def only_keys(data: Mapping[str, object], known: Iterable[str], what: str) -> None:
    """Refuse keys that mean nothing here."""
    if unknown := sorted(set(data).difference(known)):
        message = f"{what} has no {unknown[0]!r:.40}; known are {', '.join(sorted(known))}"
        bad("unknown-key", message, what=what, name=unknown[0][:40])


def whole_number(value: object, what: str) -> int:
    """The value as a whole number; true and 3.0 are none."""
    if type(value) is not int:
        bad("not-a-number", f"{what} is a whole number, not {value!r:.60}", kind=what)
    return value


def whole(value: object, what: str, low: int, high: int, *, rule: str | None = None) -> int:
    """A whole number within bounds, both included."""
    number = whole_number(value, what)
    if not low <= number <= high:
        message = f"{what} is {low} to {high}, not {number}"
        bad("out-of-bounds", message, rule=rule, kind=what, low=low, high=high)
    return number


def yes_or_no(value: object, what: str, *, rule: str | None = None, key: str = "yes-or-no") -> bool:
    """The value as true or false; 1 and "yes" are neither."""
    if not isinstance(value, bool):
        bad(key, f"{what} is true or false, not {value!r:.60}", rule=rule, kind=what)
    return value


def one_of(value: object, what: str, known: tuple[WordT, ...], *, rule: str | None = None) -> WordT:
    """One of some words."""
    # The known word and not the value: it may be a member of an enumeration.
    found = next((word for word in known if isinstance(value, str) and word == value), None)
    if found is None:
        words = ", ".join(known)
        bad("not-one-of", f"{what} is one of {words}, not {value!r:.60}", rule=rule, kind=what)
    return found


NO_LETTERS = ("Cc", "Cs", "Co", "Zl", "Zp")
"""Categories of Unicode that nobody writes into a line: controls, halves, private signs, breaks."""


def is_written(text: str) -> bool:
    """Whether a line is what people can write, in any script: joiners, marks of direction and signs
    younger than this program are in, as long as there is something to be seen.

    >>> is_written("\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET} Zoé"), is_written("Ana\x07")
    (True, False)
    """
    is_seen = any(unicodedata.category(sign)[0] != "Z" and not is_unseen(sign) for sign in text)
    return is_seen and all(map(can_be_written, text))


def can_be_written(sign: str) -> bool:
    """Whether people can write a sign into a line."""
    # The last two of every plane are no characters, and no XML takes them.
    return unicodedata.category(sign) not in NO_LETTERS and ord(sign) & 0xFFFE != 0xFFFE


def is_unseen(sign: str) -> bool:
    """Whether a sign only joins, parts or turns those beside it."""
    return unicodedata.category(sign) == "Cf"


def read_name(value: object, what: str) -> str:
    """A name of 1 to 40 characters as people write them."""
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LENGTH:
        bad("name-form", f"{what} is a text of 1 to {NAME_LENGTH} characters, not {value!r:.60}")
    if not is_written(value):
        bad("name-form", f"{what} has characters that cannot be shown: {value!r:.60}")
    return value


def read_reason(line: Mapping[str, object]) -> str:
    """The reason of a referee's line, empty where none is given."""
    reason = line.get("reason", "")
    # JSON can say half a surrogate pair, which no UTF-8 file can keep.
    lone = isinstance(reason, str) and any("\ud800" <= letter <= "\udfff" for letter in reason)
    if not isinstance(reason, str) or len(reason) > REASON_LENGTH or lone:
        bad("reason-form", f"reason is a text of up to {REASON_LENGTH} characters")
    return reason


def is_true(line: Mapping[str, object], word: str) -> None:
    """The word of a line that says nothing but true."""
    if line[word] is not True:
        bad("not-true", f"{word} is true, not {line[word]!r:.20}", word=word)


def merged(whole: Mapping[str, object], part: Mapping[str, object]) -> dict[str, object]:
    """Objects are merged key by key; anything else is replaced.

    >>> merged({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 5}})
    {'a': {'b': 5, 'c': 2}, 'd': 3}
    """
    data = dict(whole)
    for key, value in part.items():
        old = data.get(key)
        data[key] = (
            merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
        )
    return data
