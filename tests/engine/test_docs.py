"""docs/engine.md names everything that a program outside can meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.downforce import game as downforce
from companion.rules.formula import decide
from companion.rules.formula.state import Event, Step

TOLD = (Path(__file__).parents[2] / "docs" / "engine.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*Event.names, "TakenBack", *Step.kinds])
def test_every_event_and_every_pending_step_is_documented(name: str) -> None:
    assert f"`{name}`" in TOLD


@pytest.mark.parametrize("name", [*downforce.EVENTS, *downforce.STEPS])
def test_every_event_and_every_pending_step_of_downforce_is_documented(name: str) -> None:
    assert f"`{name}`" in TOLD[TOLD.index("## Downforce") :]


def test_all_chapters_are_read() -> None:
    assert {"Moved", "Retired", "TrailLeft"} <= set(Event.names)
    assert len(decide.CHAPTERS) > 20


def test_what_is_not_documented_is_seen() -> None:
    assert "`CarFlew`" not in TOLD
