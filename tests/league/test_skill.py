"""Skill by Plackett–Luce, kept beside Elo: the same however the races came in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openskill.models import PlackettLuce
from support.leagues.records import by_hand, do, image

from companion.league import numbers
from companion.league.league import League
from companion.league.ratings import UNKNOWN, Skill

ORDERS = (("Ana", "Bea", "Cai", "Dot"), ("Bea", "Dot", "Ana"), ("Cai", "Ana", "Dot", "Bea"))


def driven(league: League, *numbers: int) -> None:
    for n in numbers:
        do(league, by_hand(f"r{n}", ORDERS[n], date=f"2026-0{n + 1}-01"), by="t")


def skills(league: League) -> dict[str, Skill | None]:
    return {one.driver.key: one.skill for one in league.queries.people()[0]}


def reckoned() -> dict[str, Skill]:
    """By the library alone, race after race."""
    model = PlackettLuce()
    known = {name: model.rating() for name in ORDERS[0]}
    for order in ORDERS:
        for name, [one] in zip(order, model.rate([[known[name]] for name in order]), strict=True):
            known[name] = one
    return {name.lower(): Skill(one.mu, one.sigma) for name, one in known.items()}


@pytest.mark.parametrize("numbers", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_skill_follows_the_order_of_the_races_whenever_they_come_in(
    open_league: Any, numbers: tuple[int, ...]
) -> None:
    league = open_league(None)
    driven(league, *numbers)
    found = skills(league)
    for driver, expected in reckoned().items():
        one = found[driver]
        assert one is not None
        assert (one.mu, one.sigma) == pytest.approx(expected)


def test_a_driver_s_page_has_the_curve_of_what_one_surely_has(open_league: Any) -> None:
    league: League = open_league(None)
    driven(league, 0, 1, 2)
    career = league.queries.career("ana")
    assert career is not None
    assert career.totals.skill is not None
    assert len(career.skills) == len(career.curve) == 3
    assert career.skills[-1] == pytest.approx(career.totals.skill.sure)
    assert career.skills[0] > UNKNOWN.sure


def test_without_the_library_nobody_s_skill_is_reckoned_and_with_it_all_is_made_up_for(
    open_league: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    league: League = open_league(None)
    with monkeypatch.context() as without:
        without.setattr(numbers, "is_reckoned", lambda: False)
        driven(league, 0, 1, 2)
        assert set(skills(league).values()) == {None}
        before = image(league)
    again: League = open_league(None)
    again.catch_up()
    assert skills(again)["ana"] == pytest.approx(reckoned()["ana"])
    assert image(again) == before


def test_the_library_comes_when_a_race_is_rated_and_not_when_a_league_is_opened(
    tmp_path: Path,
) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from companion.app.league import open_league\n"
        f"open_league(Path({str(tmp_path)!r})).close()\n"
        "assert 'openskill' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
