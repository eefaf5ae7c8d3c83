"""A season of ten races driven by careful drivers, from their records to the standings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.leagues.records import do, image, keep, raced

from companion.league.standings import standings

POINTS = (10, 8, 6, 5)
NAMES = ("Ana", "Bea", "Cai", "Dot")


@pytest.fixture(scope="module")
def records() -> list[list[dict[str, Any]]]:
    """Ten races; the seats go round, as do the places on the grid."""
    return [
        raced(
            f"race-{n}",
            NAMES[n % 4 :] + NAMES[: n % 4],
            seed=n,
            started=f"2026-01-{n + 1:02}T20:00:00",
        )
        for n in range(10)
    ]


def added_by_hand(records: list[list[dict[str, Any]]]) -> dict[str, int]:
    """The same table with pencil and paper: place by place out of the results."""
    totals = dict.fromkeys(NAMES, 0)
    for lines in records:
        names = {seat["seat"]: seat["name"] for seat in lines[0]["seats"]}
        for row in lines[-1]["result"]:
            home = row["status"] == "finished"
            totals[names[row["seat"]]] += POINTS[row["place"] - 1] if home else 0
    return totals


@pytest.mark.slow
@pytest.mark.long
def test_ten_races_on_two_databases_come_to_the_sum_of_their_results_and_again_from_nothing(
    records: list[list[dict[str, Any]]], open_league: Any, postgres: Any, tmp_path: Path
) -> None:
    images = []
    for url, folder in ((None, tmp_path / "one"), (postgres.database(), tmp_path / "two")):
        league = open_league(url, folder)
        do(league, {"act": "season", "season": "s", "title": "Winter", "open": True}, by="t")
        for lines in records:
            keep(folder, lines)
            assert list(league.catch_up()) == []
        (season,) = league.queries.seasons()
        lines = standings(season, league.queries.races(season="s"))
        assert {line.name: line.points for line in lines} == added_by_hand(records)
        assert [line.points for line in lines] == sorted(
            (one.points for one in lines), reverse=True
        )
        before = image(league)
        league.rebuild()
        assert image(league) == before
        images.append(before)
    assert images[0] == images[1]
    races = images[0]["races"]
    assert [race.round for race in races] == list(range(1, 11))
    assert all(entry.best_lap for race in races for entry in race.entries if not entry.out)
