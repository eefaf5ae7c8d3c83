"""docs/engine.md names everything that a program outside can meet."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from companion.rules.downforce import game as downforce
from companion.rules.formula import game
from companion.rules.formula.state import Event, Step
from companion.rules.games import KINDS

TOLD = (Path(__file__).parents[2] / "docs" / "engine.md").read_text("utf-8")


def missing(names: Iterable[str], told: str) -> list[str]:
    return [name for name in names if f"`{name}`" not in told]


def test_every_event_and_every_pending_step_is_documented() -> None:
    assert missing([*Event.names, "TakenBack", *Step.kinds], TOLD) == []


def test_every_event_and_every_pending_step_of_downforce_is_documented() -> None:
    told = TOLD[TOLD.index("## Downforce") :]
    assert missing([*downforce.EVENTS, *downforce.STEPS], told) == []


def test_every_ask_has_its_row_in_a_table_of_kinds() -> None:
    tables = [block for block in TOLD.split("\n\n") if block.startswith("| kind |")]
    cells = [row.split("|")[1] for table in tables for row in table.splitlines()]
    assert missing(KINDS, "".join(cells)) == []


def test_all_chapters_are_read() -> None:
    assert {"Moved", "Retired", "TrailLeft"} <= set(Event.names)
    assert len(game.CHAPTERS) > 10


def test_what_is_not_documented_is_seen() -> None:
    assert missing(["CarFlew"], TOLD) == ["CarFlew"]
