"""A track file that is written from a plan says what the plan says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.each import in_one

from companion.race.boards import TrackLibrary
from companion.rules.board.edit import write_plan
from companion.rules.board.plan import Faults, Plan, read_plan

SHIPPED = [name for name in TrackLibrary(()).names() if not name.endswith(".toml")]


def plan_of(text: str) -> Plan:
    faults = Faults()
    plan = read_plan(text, faults)
    assert plan is not None, faults.found
    return plan


@in_one("name", SHIPPED)
def test_a_shipped_board_written_and_read_again_is_the_same(name):
    plan = plan_of(TrackLibrary().text(name))
    assert plan_of(write_plan(plan)) == plan


def test_a_board_without_pit_weather_and_arrows_is_written_without_them(sound):
    plan = plan_of(sound)
    bare = [replace(section, changes=None, beside=(), closed=()) for section in plan.sections]
    sketch = replace(plan, exact=False, pit=None, weather=None, sections=tuple(bare))
    text = write_plan(sketch)
    assert plan_of(text) == sketch
    assert not {"[pit]", "[weather]", "changes", "beside", "closed"} & set(text.split())


def test_features_of_an_urban_board_are_written(sound):
    plan = replace(plan_of(sound), noise=("l1",), dark=("S2.m1",), tunnel=("l2>S2.l2",))
    assert plan_of(write_plan(plan)) == plan


@pytest.mark.parametrize("name", ['The "Ring"', "back\\slash", "Zürich [1]", "# none"])
def test_any_printable_name_survives(sound, name):
    plan = replace(plan_of(sound), name=name)
    assert plan_of(write_plan(plan)).name == name


def test_long_lists_are_wrapped_and_nothing_is_lost(sound):
    plan = replace(plan_of(sound), noise=tuple(f"l{n}" for n in range(1, 90)))
    text = write_plan(plan)
    assert max(map(len, text.splitlines())) <= 96
    assert plan_of(text) == plan
