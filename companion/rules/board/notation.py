"""The notation of track files: `l7`, `S2.m1`, `l1>m1` (a change), `l2|m1` (side by side)."""

from __future__ import annotations

import re

from companion.frozen import dataclass

_PLACE = re.compile(r"(?:([ST][0-9]{1,3})\.)?([a-z])([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Written:
    """A space as written: `label` is None where it means the section at hand."""

    label: str | None
    lane: str
    number: int


def parse_place(text: str) -> Written | None:
    """Read `l7` or `S2.l7`; None for anything else.

    >>> parse_place("S2.m1")
    Written(label='S2', lane='m', number=1)
    """
    match = _PLACE.fullmatch(text)
    return Written(match[1], match[2], int(match[3])) if match else None


def parse_pair(text: str, sign: str) -> tuple[Written, Written] | None:
    """Read two spaces with `sign` (">" or "|") between them; None for anything else.

    >>> parse_pair("l2|m1", "|")
    (Written(label=None, lane='l', number=2), Written(label=None, lane='m', number=1))
    """
    first, found, second = text.partition(sign)
    start, end = parse_place(first), parse_place(second)
    return (start, end) if found and start and end else None
