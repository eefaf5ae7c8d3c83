"""The figures of tools/measure.py: that they are counted as they say."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from measure import ONE_RULE, Module, made_up, queue_edits, rows_of
from measure import source_figures as figures_of
from measure_running import HEADER, answers_at, entered_at

ROOT = Path(__file__).parent.parent
FIGURES = figures_of(ROOT)
SMALL = '''\
"""A docstring is no code."""

from typing import Any

JSON = dict[str, Any]


# nor is a comment
def change(data: JSON) -> Any:
    """Nor this."""
    return data
'''


def test_code_lines_and_what_may_be_anything_are_counted() -> None:
    module = Module("companion/small.py", SMALL)
    assert module.code_lines == 4
    assert module.loose == 4  # the import is not one of them


@pytest.mark.parametrize(
    ("line", "edits"),
    [
        ("flow.queue = []", 1),
        ("del self.queue[0]", 1),
        ("flow.queue[at] = step", 1),
        ("flow.queue.insert(1, step)", 1),
        ("flow.first(step)", 1),
        ("flow.due(step)", 0),
        ("print(flow.queue[0], other.first())", 0),
    ],
)
def test_only_what_changes_a_queue_at_a_place_is_counted(line: str, edits: int) -> None:
    assert queue_edits(ast.parse(line)) == edits


def test_event_fields_with_a_value_are_counted_by_class() -> None:
    text = """
class Event:
    public: ClassVar[bool] = True
    seat: int
class Moved(Event):
    to: str = ""
class Far(Moved):
    spaces: int = 0
    seat: int
class Other:
    to: str = ""
"""
    assert dict(made_up([Module("events.py", text)])) == {"Moved": 1, "Far": 1}


@pytest.mark.slow
def test_every_figure_of_the_source_has_its_row() -> None:
    rows = dict(rows_of(FIGURES))
    assert len(rows) == 17
    assert int(rows["files that name the rule 'reroll'"]) >= 1


def test_one_file_says_where_in_a_turn_a_step_goes() -> None:
    places = FIGURES["places that say where in a turn a step goes"]
    assert list(places) == ["companion/rules/formula/state.py"]


@pytest.mark.parametrize("rule", ONE_RULE)
def test_a_small_rule_is_named_in_five_files_at_most(rule: str) -> None:
    assert len(FIGURES["files that name one rule"][rule]) <= 5


def test_asks_are_made_once_and_events_applied_once() -> None:
    assert set(answers_at(ROOT).values()) == {1.0}


@pytest.mark.slow
def test_an_answer_over_http_passes_through_files_of_the_program(tmp_path: Path) -> None:
    found = dict(entered_at(ROOT, tmp_path))
    assert list(found) == ["gear", "roll", "move"]
    assert HEADER["track"] == "monaco"
    assert all("companion/engine.py" in one["files"] for one in found.values())
