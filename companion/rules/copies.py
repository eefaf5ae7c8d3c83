"""Copies of frozen records with some fields otherwise, at the cost of a copied dict.

An answer makes several states, cars and steps out of others; `dataclasses.replace` asks each field
of each of them and runs its `__init__`, which was a sixth of all that an answer took.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same to a reader, and what mypy checks the fields of
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
        if len(fields) != len(old):
            raise TypeError(f"{kind.__name__} has no {', '.join(values.keys() - old.keys())}")
        object.__setattr__(new, "__dict__", fields)  # whole: half the time of filling its own
        return new
