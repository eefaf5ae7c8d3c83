"""What `make faults` tells at its end: each kind of fault, and how the table took it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

PROPERTY = "fault"
"""The property of a test's report that says what it does to the table."""


def fault_lines(outcomes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A line a kind of fault, from pairs of what was done and what came of it.

    >>> list(fault_lines([("kill -9", "passed"), ("kill -9", "passed"), ("noise", "skipped")]))
    ['held      kill -9 (2 passed)', 'not tried noise (1 skipped)']
    """
    kinds: dict[str, Counter[str]] = {}
    for what, outcome in outcomes:
        kinds.setdefault(what, Counter())[outcome] += 1
    for what, came in sorted(kinds.items()):
        counts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(came.items()))
        yield f"{_verdict(came):<9} {what} ({counts})"


def _verdict(came: Counter[str]) -> str:
    if came["failed"] or came["error"]:
        return "TO MEND"
    return "held" if came["passed"] else "not tried"
