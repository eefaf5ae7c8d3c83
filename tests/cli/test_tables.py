"""Tables for the terminal: columns stand below each other, whatever is in their cells."""

from __future__ import annotations

import pytest

from companion.cli.tools import print_table


def test_numbers_stand_to_the_right_and_wide_letters_take_two_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [["[Ana]", "2026", "3"], ["Zoe\u0308 日本", "", "1000"]]
    print_table("Races", ["name", "date", "races#"], rows)
    assert capsys.readouterr().out.splitlines() == [
        "Races",
        "  name      date  races",
        "  ────────  ────  ─────",
        "  [Ana]     2026      3",
        "  Zoe\u0308 日本         1000",
    ]


def test_a_table_of_nothing_has_its_heads(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Drivers", ["name"], [])
    assert capsys.readouterr().out.splitlines() == ["Drivers", "  name", "  ────"]
