"""A finger is not a contact: the table of cases, and what holds for any bouncing."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.each import in_one

from companion.seats.contacts import SETTLE_MS, first_seen, observe

CASES = tomllib.loads((Path(__file__).parent / "debounce_cases.toml").read_text("utf-8"))["case"]


def edges(seen: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
    (at_ms, down), *later = seen
    contact = first_seen(at_ms, bool(down))
    found = []
    for at_ms, down in later:
        contact, edge = observe(contact, at_ms, bool(down))
        if edge:
            found.append((edge.at_ms, edge.down))
    return found


@in_one("case", CASES, ids=lambda case: case["name"])
def test_the_table_of_cases_holds(case: dict[str, Any]) -> None:
    assert edges(case["seen"]) == [(at, bool(level)) for at, level in case["edges"]]


walks = st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=1, max_size=60)


@given(walks)
def test_edges_alternate_and_stand_at_least_the_settling_time_apart(
    walk: list[tuple[int, bool]],
) -> None:
    at_ms, seen = 0, []
    for wait_ms, down in walk:
        at_ms += wait_ms
        seen.append((at_ms, down))
    found = edges(seen)
    for (before, was_down), (after, is_down) in pairwise(found):
        assert is_down != was_down
        assert after - before >= SETTLE_MS
    assert not found or found[0][1] != seen[0][1]
