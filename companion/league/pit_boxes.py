"""Who chooses a pit box when (DE-PIT-3); pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.league.names import key_of
from companion.league.standings import Standing


def box_order(table: Sequence[Standing], names: Iterable[str]) -> list[list[str]]:
    """In which order teams (or drivers, where there are none) choose their boxes.

    Args:
        table: the standings of the championship before this Grand Prix, best first; empty
            before the first one.
        names: who takes part.

    Returns:
        Groups of names, the first to choose first. A group of several settles its order by the
        highest roll: everybody at the first Grand Prix, then those whom the standings do not
        tell apart, and those who are not in them yet, who choose last.

    >>> box_order([], ["Rouge", "Bleu"])
    [['Rouge', 'Bleu']]
    """
    places = {line.key: line.place for line in table}
    last = len(table) + 1
    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(places.get(key_of(name), last), []).append(name)
    return [groups[place] for place in sorted(groups)]
