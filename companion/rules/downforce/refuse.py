"""Why an answer is refused: the sentence, the rule, and what would be accepted.

What a seat says in secret is never quoted, not even when it is wrong (DF-BET-2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from companion.rules.downforce.asks import KINDS
from companion.rules.downforce.tables import CARS
from companion.rules.errors import Illegal
from companion.rules.game import Answer, Ask
from companion.rules.reading import bad, only_keys


def illegal(key: str, message: str, rule: str | None, **args: object) -> NoReturn:
    """Refuse what the rules do not allow."""
    raise Illegal(key, message, rule=rule, args=args)


def not_asked(answer: Answer, asks: Sequence[Ask]) -> Illegal:
    """Nobody asked this seat that."""
    wanted = ", ".join(f"seat {ask.seat}: {ask.kind}" for ask in asks) or "nothing"
    return Illegal(
        "not-asked",
        f"seat {answer.seat} is not asked for {answer.kind} now; asked is {wanted}",
        args={"seat": answer.seat, "kind": answer.kind},
    )


def an_object(value: object, keys: Sequence[str], kind: str) -> Mapping[str, object]:
    """The value as an object with no other keys than these; else Malformed."""
    known = ", ".join(keys)
    if not isinstance(value, dict):
        bad(f"{kind}-form", f"{kind} is an object of {known}", keys=known)
    if KINDS[kind].revealed_by and not set(value) <= set(keys):
        bad("unknown-key", f"{kind} has only {known}", what=kind)
    only_keys(value, keys, kind)
    return value


def a_number(value: object, what: str) -> int:
    """A whole number, unquoted where it is none; else Malformed (true and 3.0 too)."""
    if not isinstance(value, int) or isinstance(value, bool):
        bad("not-a-number", f"{what} is a whole number", kind=what)
    return value


def a_flag(value: object, what: str) -> bool:
    """True or false; else Malformed."""
    if not isinstance(value, bool):
        bad("not-a-flag", f"{what} is true or false", kind=what)
    return value


def a_car(value: object, what: str) -> str:
    """One of the six cars, unquoted where it is none; else Malformed."""
    if not isinstance(value, str) or value not in CARS:
        bad("no-such-car", f"{what} is one of {', '.join(CARS)}", kind=what)
    return value


def cars_in_order(value: object, what: str) -> tuple[str, ...]:
    """Different cars in an order; else Malformed."""
    if not isinstance(value, list):
        bad("order-form", f"{what} is a list of cars", kind=what)
    found = tuple(a_car(one, what) for one in value)
    if len(set(found)) != len(found):
        bad("car-twice", f"{what} names a car twice", kind=what)
    return found


def all_cars(value: object, what: str) -> tuple[str, ...]:
    """All six cars in an order; else Malformed."""
    found = cars_in_order(value, what)
    if len(found) != len(CARS):
        bad("order-form", f"{what} names each of the six cars once: {', '.join(CARS)}", kind=what)
    return found
