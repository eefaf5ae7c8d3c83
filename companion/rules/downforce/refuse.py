"""Why an answer is refused: the sentence, the rule, and what would be accepted.

What a seat says in secret is never quoted, not even when it is wrong (DF-BET-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from companion.rules.downforce.asks import KINDS
from companion.rules.downforce.tables import CARS
from companion.rules.errors import Illegal, Malformed
from companion.rules.game import Answer, Ask
from companion.rules.reading import only_keys


def illegal(key: str, message: str, rule: str | None, **args: Any) -> NoReturn:
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


def an_object(value: Any, keys: Sequence[str], kind: str) -> dict[str, Any]:
    """The value as an object with no other keys than these.

    Raises:
        Malformed: anything else.
    """
    known = ", ".join(keys)
    if not isinstance(value, dict):
        raise Malformed(f"{kind}-form", f"{kind} is an object of {known}", args={"keys": known})
    if KINDS[kind].revealed_by and not set(value) <= set(keys):
        raise Malformed("unknown-key", f"{kind} has only {known}", args={"what": kind})
    only_keys(value, keys, kind)
    return value


def a_number(value: Any, what: str) -> int:
    """A whole number, unquoted where it is none.

    Raises:
        Malformed: anything else (true and 3.0 too).
    """
    if type(value) is not int:
        raise Malformed("not-a-number", f"{what} is a whole number", args={"kind": what})
    return value


def a_flag(value: Any, what: str) -> bool:
    """True or false.

    Raises:
        Malformed: anything else.
    """
    if not isinstance(value, bool):
        raise Malformed("not-a-flag", f"{what} is true or false", args={"kind": what})
    return value


def a_car(value: Any, what: str) -> str:
    """One of the six cars, unquoted where it is none.

    Raises:
        Malformed: anything else.
    """
    if not isinstance(value, str) or value not in CARS:
        cars = ", ".join(CARS)
        raise Malformed("no-such-car", f"{what} is one of {cars}", args={"kind": what})
    return value


def cars_in_order(value: Any, what: str) -> list[str]:
    """Different cars in an order.

    Raises:
        Malformed: anything else.
    """
    if not isinstance(value, list):
        raise Malformed("order-form", f"{what} is a list of cars", args={"kind": what})
    found = [a_car(one, what) for one in value]
    if len(set(found)) != len(found):
        raise Malformed("car-twice", f"{what} names a car twice", args={"kind": what})
    return found


def all_cars(value: Any, what: str) -> list[str]:
    """All six cars in an order.

    Raises:
        Malformed: anything else.
    """
    found = cars_in_order(value, what)
    if len(found) != len(CARS):
        message = f"{what} names each of the six cars once: {', '.join(CARS)}"
        raise Malformed("order-form", message, args={"kind": what})
    return found
