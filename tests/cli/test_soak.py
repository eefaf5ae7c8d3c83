"""A season at one table: what its process holds stays as it was (`make soak`: a longer one)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.tables.soak import WARM, Held, growth, season

RACES = WARM + 5


@pytest.mark.long
@pytest.mark.faults("the table: a season without a pause, phones that come and go")
def test_memory_threads_and_files_of_a_table_stay_flat_over_a_season(tmp_path: Path) -> None:
    held = list(season(tmp_path / "data", RACES))
    assert len(held) == RACES
    assert growth(held) == []


def test_a_table_that_keeps_a_file_a_race_is_not_called_flat() -> None:
    held = [Held(100_000, 8, 120)] * WARM + [Held(101_000, 8, 127), Held(110_000, 10, 129)]
    assert growth(held[: WARM + 1]) == ["files were 120, and are 127"]
    assert [one.split(" ")[0] for one in growth(held)] == ["threads", "files", "memory"]
    assert growth([Held(100_000, 8, 120)] * WARM + [Held(101_000, 7, 120)]) == []
