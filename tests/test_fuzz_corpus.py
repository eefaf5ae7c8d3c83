"""Whatever the fuzzer has found once is read again at every run: `make fuzz` looks for more."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.fuzzing import CORPUS, DOORS

KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name[:12]}")
def test_no_bytes_break_a_door(path: Path) -> None:
    DOORS[path.parent.name](path.read_bytes())


def test_every_door_has_its_corpus() -> None:
    assert {path.parent.name for path in KEPT} == set(DOORS)
