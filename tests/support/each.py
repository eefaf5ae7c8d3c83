"""Tests of many cases.

Cases by the hundred that take no time are one test that names every case that fails: as tests of
their own each would cost more to collect, in every worker, than to run. Of cases that each take a
second and show the same, the first few are enough for `make test`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest

LATER = (pytest.mark.slow, pytest.mark.long)


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


def few_now(cases: Iterable[Any], few: int, quick: Collection[Any] | None = None) -> list[Any]:
    """Cases for `parametrize`: the first few for `make test`, all others for `make long`.

    Args:
        quick: those for `make check` too, wherever they stand; None: the first few.

    >>> [len(case.marks) for case in few_now("abcd", 2, quick="bd")]
    [1, 0, 2, 0]
    """
    told = list(cases)
    at_once = told[:few] if quick is None else quick

    def marks(at: int, case: Any) -> tuple[pytest.MarkDecorator, ...]:
        return () if case in at_once else LATER[:1] if at < few else LATER

    return [pytest.param(case, marks=marks(at, case)) for at, case in enumerate(told)]
