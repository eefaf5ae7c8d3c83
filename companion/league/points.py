"""Points by place, and what else earns points: tables, their names, and how they are written.

>>> parse_points("f1").for_place(1)
25
>>> format_points(parse_points("12.5,9,7.0 + pole 1, gained 2"))
'12.5,9,7 + pole 1, gained 2'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from companion.frozen import dataclass
from companion.league.errors import BadAct

EXTRAS = ("pole", "gained", "fastest")
"""`pole`: first on the grid. `gained`: the finisher who gained most places on the grid place,
all of them where several did. `fastest`: the lap with the fewest rolls, likewise."""
MOST_POINTS = 1000
MOST_PLACES = 40
FINEST = 4
"""Digits behind the point that sums are kept to."""


def tidy(points: float) -> float:
    """Points as people write them: whole ones without a point, others without what adding left.

    >>> tidy(25.0), tidy(0.1 + 0.2)
    (25, 0.3)
    """
    near = round(points, FINEST)
    return int(near) if near == int(near) else near


@dataclass(frozen=True, slots=True)
class PointsTable:
    """What a round is worth.

    Args:
        places: points of the first, second … place; none after the last.
        extras: points by a name of `EXTRAS`.
        by_result: the race's own points are added as they are, the millions of a game for
            money (DF-VAR-4: totals added), and `places` is empty.
    """

    places: tuple[float, ...] = ()
    extras: Mapping[str, float] = field(default_factory=dict)
    by_result: bool = False

    def for_place(self, place: int) -> float:
        """Points of a place, counted from 1."""
        return self.places[place - 1] if 1 <= place <= len(self.places) else 0


FORMULA_D = PointsTable((10, 8, 6, 5, 4, 3, 2, 1))
"""FD-TEAM-1."""
F1 = PointsTable((25, 18, 15, 12, 10, 8, 6, 4, 2, 1))
RESULT = PointsTable(by_result=True)
TABLES: Mapping[str, PointsTable] = MappingProxyType(
    {"formula-d": FORMULA_D, "f1": F1, "result": RESULT}
)
ACCEPTED = (
    f"accepted is a name ({', '.join(TABLES)}) or the points of the places (10,8,6), and behind "
    f"a + what else earns points ({', '.join(EXTRAS)}), such as: f1 + pole 1, fastest 1"
)
_NUMBER = re.compile(r"\d{1,4}(\.\d{1,2})?")
_EXTRA = re.compile(rf"([a-z]+) +({_NUMBER.pattern})")


def parse_points(text: str) -> PointsTable:
    """The table that a text names or spells out.

    Raises:
        BadAct: it is no such text, or a number is above `MOST_POINTS`.
    """
    head, _, tail = text.partition("+")
    named = TABLES.get(head.strip().lower())
    places = () if named else _places(text, head)
    extras = _extras(text, tail)
    base = named or PointsTable(places)
    return PointsTable(base.places, extras, base.by_result)


def format_points(table: PointsTable) -> str:
    """The text that `parse_points` reads back to the same table."""
    names = {known.places: name for name, known in TABLES.items() if not known.by_result}
    spelled = ",".join(map(str, table.places))
    head = "result" if table.by_result else names.get(table.places, spelled)
    tail = ", ".join(f"{name} {table.extras[name]}" for name in EXTRAS if name in table.extras)
    return f"{head} + {tail}" if tail else head


def _places(text: str, head: str) -> tuple[float, ...]:
    words = [word.strip() for word in head.split(",")]
    are_points = all(_NUMBER.fullmatch(w) and float(w) <= MOST_POINTS for w in words)
    if len(words) > MOST_PLACES or not are_points:
        raise BadAct(f"{text!r:.80} is no points table; {ACCEPTED}")
    return tuple(tidy(float(word)) for word in words)


def _extras(text: str, tail: str) -> dict[str, float]:
    extras: dict[str, float] = {}
    for part in tail.split(",") if tail.strip() else ():
        found = _EXTRA.fullmatch(part.strip().lower())
        if not found or found[1] not in EXTRAS or float(found[2]) > MOST_POINTS:
            raise BadAct(f"{text!r:.80} is no points table; {ACCEPTED}")
        extras[found[1]] = tidy(float(found[2]))
    return extras
