"""An evening without a board on six keys ends as the race on the board that it tells of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest
from support.formula.boardless_evening import BOARD, Evening
from support.formula.mirror import card_of
from support.tables.sitting import CachedLibrary, Sitting

CARD = "monaco-card.toml"
MEAN_PRESSES, MOST_OF_95_PERCENT, MOST_PRESSES, MEAN_OF_AN_ORDER = 3.6, 6, 13, 2
"""In dense traffic: one turn in nine overshoots, one in ten touches."""
EVENINGS = [(None, "formula-d", 1), (CARD, "formula-d", 1), (None, "formule-de", 2)]
"""Without a board, on the card of one, and of the other edition."""
WITH_A_CONTACT = 3
"""Seed of a race in which the report that is amended tells of a contact."""


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Evening]:
    """Drive an evening without a board or on the card of one."""
    (tmp_path / CARD).write_text(card_of(BOARD), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    library = CachedLibrary((tmp_path,))

    def play(track: str | None, game: str, seed: int) -> Evening:
        return Evening(track, Sitting(tracks=library), game, seed).play()

    return play


def ends_as_it_was(evening: Evening) -> None:
    """FD-END-2: who finished and who is out, in their order."""
    told = evening.sitting.race.state["classification"]
    true = evening.driven[-1].state["classification"]
    assert [(row["seat"], row["status"]) for row in told] == [
        (row["seat"], row["status"]) for row in true
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("track", "game", "seed"), EVENINGS)
def test_an_evening_with_all_that_goes_wrong_ends_as_the_true_race(
    drive: Callable[..., Evening], track: str | None, game: str, seed: int
) -> None:
    """FD-END-2; and few presses on the way."""
    evening = drive(track, game, seed)
    ends_as_it_was(evening)
    presses = sorted(evening.turns)
    assert mean(presses) <= MEAN_PRESSES
    assert presses[int(len(presses) * 0.95)] <= MOST_OF_95_PERCENT
    assert presses[-1] <= MOST_PRESSES
    assert mean(evening.orders) <= MEAN_OF_AN_ORDER


@pytest.mark.slow
def test_what_an_amended_report_asks_anew_is_answered_once_more(
    drive: Callable[..., Evening],
) -> None:
    """FD-BUMP-1: it tells of a contact, whose rolls come before all that was answered after."""
    evening = drive(None, "formula-d", WITH_A_CONTACT)
    assert "touched" in evening.driven[evening.slips.missaid].report
    ends_as_it_was(evening)
