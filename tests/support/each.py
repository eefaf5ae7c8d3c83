"""One test of many cases that names every one that fails.

For cases by the hundred that take no time: as tests of their own each would cost more to collect,
in every worker, than to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def holds_for_each(check: Callable[..., object], cases: Iterable[tuple[Any, ...]]) -> None:
    """Call a check with the arguments of every case.

    Raises:
        AssertionError: a line for every case that raised, with what it raised.
    """
    failed, tried = [], 0
    for case in cases:
        tried += 1
        try:
            check(*case)
        except Exception as error:
            failed.append(f"{case}: {type(error).__name__}: {error}")
    assert tried, "there is no case"
    assert not failed, "\n".join(failed)
