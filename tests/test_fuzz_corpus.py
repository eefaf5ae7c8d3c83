"""Whatever the fuzzer has found once is read again at every run: `make fuzz` looks for more."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from support.each import holds_for_each, in_one
from support.fuzzing import CORPUS, DOORS

KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@in_one("door", DOORS)
def test_no_bytes_break_a_door(door: str) -> None:
    def holds(path: Path) -> None:
        DOORS[door](path.read_bytes())

    holds_for_each(holds, product(path for path in KEPT if path.parent.name == door))


def test_every_door_has_its_corpus() -> None:
    assert {path.parent.name for path in KEPT} == set(DOORS)
