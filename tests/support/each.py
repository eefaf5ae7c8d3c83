"""Tests of many cases.

Cases by the hundred that take no time are one test that names every case that fails: as tests of
their own each would cost more to collect, in every worker, than to run. Of cases that each take a
second and show the same, the first few are enough for `make test`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial, wraps
from inspect import signature
from typing import Any

import pytest

LATER = (pytest.mark.slow, pytest.mark.long)


def holds_for_each(check: Callable[..., object], cases: Iterable[tuple[Any, ...]]) -> None:
    """Call a check with the arguments of every case.

    Raises:
        AssertionError: a line for every case that raised, with what it raised.
    """
    _hold((case, partial(check, *case)) for case in cases)


def _hold(cases: Iterable[tuple[object, Callable[[], object]]]) -> None:
    failed, tried = [], 0
    for label, check in cases:
        tried += 1
        try:
            check()
        # What `pytest.raises` says where nothing was raised is none of the Exceptions.
        except (Exception, pytest.fail.Exception) as error:
            failed.append(f"{label}: {type(error).__name__}: {error}")
    assert tried, "there is no case"
    assert not failed, "\n".join(failed)


def in_one(
    names: str | Sequence[str],
    cases: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[str] | None = None,
) -> Callable[[Callable[..., object]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, but all cases are one test, which names every case that fails.

    For cases that take next to no time and leave nothing behind: they share their fixtures.

    >>> @in_one("n, half", [(2, 1), (4, 1), (6, 3)])
    ... def is_half(n: int, half: int) -> None:
    ...     with pytest.raises(ZeroDivisionError):
    ...         n / (n - 2 * half)
    >>> is_half()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: (4, 1): Failed: DID NOT RAISE ...
    """
    keys = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    told = list(cases)
    labels = told if ids is None else [*map(ids, told)] if callable(ids) else list(ids)
    values = [case if len(keys) > 1 else (case,) for case in told]
    rows = [dict(zip(keys, one, strict=True)) for one in values]

    def decorate(check: Callable[..., object]) -> Callable[..., None]:
        @wraps(check)
        def each(**given: object) -> None:
            tries = (partial(check, **given, **row) for row in rows)
            _hold(zip(labels, tries, strict=True))

        whole = signature(check)
        left = [one for name, one in whole.parameters.items() if name not in keys]
        each.__signature__ = whole.replace(parameters=left)  # type: ignore[attr-defined]
        return each

    return decorate


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
