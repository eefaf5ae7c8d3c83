"""A league that is there before anybody asks for it."""

from __future__ import annotations

from typing import Any

from support.leagues.records import JSON, do, ended, keep

from companion.league.standings import standings


def seasons(league: Any) -> list[tuple[str, str, bool]]:
    return [(one.key, one.title, one.is_open) for one in league.queries.seasons()]


def evening(league: Any, race: str, day: str, **more: Any) -> list[JSON]:
    lines = ended(race, started=f"{day}T20:00:00", **more)
    keep(league.folder.data, lines)
    league.catch_up()
    return lines


def test_the_first_race_of_a_folder_makes_the_season_of_its_year(open_league: Any) -> None:
    league = open_league()
    evening(league, "r1", "2026-05-17")
    assert seasons(league) == [("2026", "2026", True)]
    evening(league, "r2", "2026-05-24")
    (season,) = league.queries.seasons()
    races = league.queries.races(season="2026")
    assert [(race.id, race.round) for race in races] == [("r1", 1), ("r2", 2)]
    assert [line.points for line in standings(season, races)] == [20, 16, 12]
    assert league.rebuild().is_same


def test_the_first_race_of_the_next_year_makes_its_season_too(open_league: Any) -> None:
    league = open_league()
    evening(league, "r1", "2026-12-31")
    evening(league, "r2", "2027-01-02")
    assert seasons(league) == [("2027", "2027", True), ("2026", "2026", False)]


def test_where_somebody_has_made_a_season_no_other_one_is_made(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s", "title": "Winter", "open": False}, by="t")
    evening(league, "r1", "2026-05-17")
    assert [key for key, _, _ in seasons(league)] == ["s"]
    do(league, {"act": "season", "season": "s", "open": True}, by="t")
    evening(league, "r2", "2027-05-17")
    assert [key for key, _, _ in seasons(league)] == ["s"]
    assert [race.season for race in league.queries.races()] == [None, "s"]


def test_a_season_that_was_made_by_itself_goes_when_its_races_go_into_another(
    open_league: Any,
) -> None:
    league = open_league()
    evening(league, "r1", "2026-05-17")
    do(league, {"act": "season", "season": "s", "title": "Spring", "open": True}, by="t")
    assert [key for key, _, _ in seasons(league)] == ["s", "2026"]
    do(league, {"act": "round", "race": "r1", "season": "s"}, by="t")
    assert [key for key, _, _ in seasons(league)] == ["s"]
    league.undo(league.history()[-1]["n"], by="t")
    assert [key for key, _, _ in seasons(league)] == ["s", "2026"]


def test_what_bots_drive_among_themselves_is_no_race_of_the_league(open_league: Any) -> None:
    league = open_league()
    seats = [{"seat": n, "name": name, "bot": "fast"} for n, name in enumerate("AB", 1)]
    lines = ended("r1", ("A", "B"), seats=seats)
    lines = [line | ({"by": "bot"} if "by" in line else {}) for line in lines]
    keep(league.folder.data, lines)
    assert list(league.catch_up()) == []
    assert (seasons(league), league.queries.races()) == ([], [])
    keep(league.folder.data, [line | ({"by": "phone"} if "by" in line else {}) for line in lines])
    league.catch_up()
    assert len(league.queries.races()) == 1  # somebody has taken a seat over
