"""docs/turn.svg is drawn from the points of a turn and their steps, and is up to date."""

from __future__ import annotations

from xml.etree import ElementTree

from turn import TARGET, drawing, rows

from companion.rules.formula.state import Step


def test_the_drawing_of_a_turn_is_up_to_date() -> None:
    assert TARGET.read_text("utf-8") == drawing(), "docs/turn.svg is not up to date: make turn"


def test_every_kind_of_step_is_drawn_once_and_in_the_order_of_the_turn() -> None:
    """FD-TURN-1"""
    drawn = [kind for _, _, kinds in rows() for kind in kinds]
    assert sorted(kind.kind for kind in drawn) == sorted(Step.kinds)
    assert [kind.at for kind in drawn] == sorted(kind.at for kind in drawn)
    assert all(words for _, words, _ in rows())


def test_it_is_a_picture() -> None:
    assert ElementTree.fromstring(drawing()).tag.endswith("svg")
