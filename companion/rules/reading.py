"""How input is refused, and the small checks that headers, positions, lines and answers share.

Three kinds of refusal are kept apart because a table treats them differently: what cannot be
understood (`Malformed`), what the rules do not allow now (`Illegal`), and what was meant for a
moment that has passed (`Stale`). Whichever is raised, nothing has changed. A check returns what it
has read, or raises `Malformed` with what would be accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, NoReturn, TypeVar


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


SENTENCES: set[str] = set()
"""Messages that people read as they are; the catalogues have them in other languages."""


def sentence(text: str) -> str:
    """Mark a message of a refusal as one of these."""
    SENTENCES.add(text)
    return text


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
    found = next((word for word in known if isinstance(value, str) and word == value), None)
    if found is None:
        words = ", ".join(known)
        bad("not-one-of", f"{what} is one of {words}, not {value!r:.60}", rule=rule, kind=what)
    return found


def read_name(value: object, what: str) -> str:
    """A name of 1 to 40 printable characters."""
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LENGTH:
        bad("name-form", f"{what} is a text of 1 to {NAME_LENGTH} characters, not {value!r:.60}")
    if not value.isprintable():
        bad("name-form", f"{what} has characters that cannot be shown: {value!r:.60}")
    return value


def read_reason(line: Mapping[str, object]) -> str:
    """The reason of a referee's line, empty where none is given."""
    reason = line.get("reason", "")
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
