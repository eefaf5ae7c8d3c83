"""What a scenario says against what is so: differences in words, and the small forms for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

JSON = dict[str, Any]


def sorted_price(option: str) -> str:
    """`2 (gearbox 1, brakes 1)` whichever of the two is named first."""
    end, found, price = option.partition(" (")
    return f"{end} ({', '.join(sorted(price[:-1].split(', ')))})" if found else end


def is_said(value: Any, wanted: Any) -> bool:
    return bool(value == wanted or str(value) == wanted)


def asked_for(ask: Mapping[str, Any]) -> str:
    return f" for {ask['for']}" if "for" in ask else ""


def parse_car(words: list[str], seats: Mapping[str, int]) -> JSON:
    """A car of Downforce: `of Ana for 4`, `of nobody`, `place 2`."""
    if words[0] == "place":
        return {"place": int(words[1])}
    if words[1] == "nobody":
        return {"owner": None}
    return {"owner": seats[words[1]], **({"price": int(words[3])} if words[2:] else {})}


def apart(wanted: Mapping[str, Any], there: Any) -> Iterator[str]:
    """What is stated and not so, key by key."""
    for key, value in wanted.items():
        found = (there or {}).get(key)
        if isinstance(value, dict):
            yield from apart(value, found)
        else:
            yield from unequal(key, value, found)


def unequal(what: str, stated: Any, found: Any) -> Iterator[str]:
    if stated != found:
        yield f"{what} said: {_flat(stated)}"
        yield f"{what} is:   {_flat(found)}"


def _flat(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
