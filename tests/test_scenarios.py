"""Every scenario of tests/scenarios, one test each."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.scenario import every_scenario, read_scenario
from support.scenario_play import Play, Wrong


@pytest.mark.parametrize("path", every_scenario(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_table_stands_as_the_scenario_says(path: Path) -> None:
    Play(read_scenario(path)).run()
