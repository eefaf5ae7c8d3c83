"""Cars that several people drive: each of them is counted, the points go where the season says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.leagues.records import JSON, do, ended, image, keep

from companion.league.errors import BadAct
from companion.league.exchange import acts as form_of_acts
from companion.league.exchange import tables
from companion.league.exchange.outside import forms
from companion.league.hooks import Club
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion.league.standings import standings, team_standings

NEW = {"act": "season", "season": "s", "points": "10,8"}
ENTERED = {"act": "enter", "season": "s", "driver": "Rapid", "crew": ["Ana", "Bea"], "team": "Bleu"}


def race(number: int, *cars: JSON) -> list[JSON]:
    name, date = f"r{number}", f"2026-03-{number:02}"
    return [
        {"act": "race", "race": name, "date": date, "game": "formula-d", "entries": [*cars]},
        {"act": "round", "race": name, "season": "s", "round": number},
    ]


def points(league: League) -> dict[str, float]:
    (season,) = league.queries.seasons("s")
    races = league.queries.races(season="s")
    names = {one.key: one.name for one in league.queries.drivers()}
    return {line.name: line.points for line in standings(season, races, names)}


def wins(league: League, driver: str) -> float:
    career = league.queries.career(driver)
    return 0 if career is None else career.totals.tally.get("wins", 0)


def test_each_of_a_crew_has_driven_the_race_and_the_car_has_the_points(league: League) -> None:
    do(league, NEW, *race(1, {"name": "Rapid"}, {"name": "Dot"}), ENTERED, by="t")
    assert points(league) == {"Rapid": 10, "Dot": 8}
    assert (wins(league, "ana"), wins(league, "bea"), wins(league, "rapid")) == (1, 1, 0)
    assert [one.races for one in league.queries.drivers(["ana", "bea"])] == [1, 1]
    assert [one.id for one in league.queries.races(driver="bea")] == ["r1"]
    before = image(league)
    league.rebuild()
    assert image(league) == before


def test_each_of_a_crew_has_the_points_where_the_season_says_so_and_the_team_has_them_once(
    open_league: Any,
) -> None:
    league = open_league()
    do(league, {**NEW, "crews": "each"}, ENTERED, by="t")
    assert points(league) == {"Ana": 0, "Bea": 0}
    do(league, *race(1, {"name": "Rapid"}, {"name": "Dot"}), by="t")
    assert points(league) == {"Ana": 10, "Bea": 10, "Dot": 8}
    (season,) = league.queries.seasons("s")
    (team,) = team_standings(season, league.queries.races(season="s"))
    assert (team.name, team.points) == ("Bleu", 10)


def test_a_race_may_say_itself_who_drove_a_car_and_so_may_an_amendment(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, ENTERED, *race(1, {"name": "Rapid", "crew": ["Bea", "Eve"]}), by="t")
    assert (wins(league, "ana"), wins(league, "bea"), wins(league, "eve")) == (0, 1, 1)
    amend = {"act": "amend", "race": "r1", "reason": "Ana drove, too"}
    do(league, {**amend, "entries": [{"seat": 1, "crew": ["Ana", "Eve"]}]}, by="t")
    assert (wins(league, "ana"), wins(league, "bea"), wins(league, "eve")) == (1, 0, 1)
    assert league.queries.races()[0].earlier[0].entries[0].crew == ("bea", "eve")
    with pytest.raises(BadAct, match="crew names somebody twice"):
        do(league, {**ENTERED, "crew": ["Ana", "ana"]}, by="t")


def test_a_record_names_the_crew_of_a_seat_and_forgets_whom_it_is_to_forget(
    open_league: Any,
) -> None:
    league = open_league()
    record = ended("duo", ("Rapid", "Dot"))
    record[0]["seats"][0]["crew"] = ["Ana", "Bea"]
    keep(league.folder.data, record)
    assert league.catch_up() == []
    assert [one.key for one in league.queries.drivers()] == ["ana", "bea", "dot", "rapid"]
    league.forget("Bea", by="t")
    told = str(league.queries.record("duo")) + str(league.queries.races())
    assert "Bea" not in told
    assert "Bea" not in (league.folder.records / "duo.jsonl").read_text()
    assert len(league.queries.races()[0].entries[0].crew) == 2


def test_a_crew_that_is_taken_away_again_leaves_the_driver_alone(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, ENTERED, *race(1, {"name": "Rapid"}), by="t")
    do(league, {**ENTERED, "crew": []}, by="t")
    assert (wins(league, "ana"), wins(league, "rapid")) == (0, 1)


def test_two_names_of_one_person_in_a_crew_are_one_when_they_are_merged(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, ENTERED, *race(1, {"name": "Rapid"}, {"name": "Dot"}), by="t")
    do(league, *race(2, {"name": "Anna"}, {"name": "Dot"}), by="t")
    with pytest.raises(BadAct, match="both drove in"):  # with the crew of the other car
        do(league, {"act": "merge", "name": "Dot", "into": "Bea"}, by="t")
    do(league, {"act": "merge", "name": "Anna", "into": "Bea"}, by="t")
    assert league.queries.races()[0].entries[0].crew == ("ana", "bea")
    assert league.queries.career("bea").totals.tally["races"] == 2
    do(league, {"act": "merge", "name": "Ana", "into": "Bea"}, by="t")
    assert league.queries.races()[0].entries[0].crew == ("bea",)
    assert wins(league, "ana") == 0


def test_crews_grids_and_times_go_out_in_acts_and_come_back(
    open_league: Any, tmp_path: Any
) -> None:
    league = open_league()
    do(league, {**NEW, "crews": "each", "licence": 9}, {**ENTERED, "grid": 2}, by="t")
    do(league, *race(1, {"name": "Rapid", "time": 60.5}, {"name": "Dot", "time": 61}), by="t")
    content = forms()["acts"].writer()(league.queries, "s")
    other = open_league(data=tmp_path / "other")
    other.do(*form_of_acts.read(content), by="t")
    assert points(other) == points(league)
    assert other.queries.seasons("s")[0].entrants == league.queries.seasons("s")[0].entrants
    assert [one.time for one in other.queries.races()[0].entries] == [60.5, 61]


def test_points_taken_from_a_car_or_one_of_its_crew_come_off_who_has_its_points(
    open_league: Any,
) -> None:
    league = open_league()
    do(league, NEW, ENTERED, *race(1, {"name": "Rapid"}, {"name": "Dot"}), by="t")
    taken = {"act": "penalty", "reason": "late", "points": 1}
    do(league, {**taken, "season": "s", "driver": "Rapid"}, by="t")
    do(league, {**taken, "race": "r1", "driver": "Bea"}, by="t")
    assert points(league) == {"Rapid": 8, "Dot": 8}
    do(league, {**NEW, "crews": "each"}, by="t")
    assert points(league) == {"Ana": 9, "Bea": 8, "Dot": 8}


def test_one_of_a_crew_who_is_disqualified_takes_the_car_along(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, ENTERED, *race(1, {"name": "Rapid"}, {"name": "Dot"}), by="t")
    out = {"act": "penalty", "race": "r1", "reason": "rude", "disqualified": True}
    do(league, {**out, "driver": "Bea"}, by="t")
    assert points(league) == {"Dot": 10, "Rapid": 0}


def test_the_penalties_of_a_crew_go_out_in_csv_and_come_back(
    open_league: Any, tmp_path: Any
) -> None:
    league = open_league()
    do(league, {**NEW, "crews": "each"}, ENTERED, by="t")
    do(league, *race(1, {"name": "Dot"}, {"name": "Rapid"}), *race(2, {"name": "Rapid"}), by="t")
    taken = {"act": "penalty", "reason": "late", "driver": "Bea"}
    do(league, {**taken, "season": "s", "points": 1}, {**taken, "race": "r1", "points": 2}, by="t")
    do(league, {**taken, "driver": "Dot", "season": "s", "points": 3}, by="t")
    other = open_league(data=tmp_path / "other")
    other.do(*tables.read(forms()["csv"].writer()(league.queries, "s")), by="t")
    assert points(other) == points(league) == {"Ana": 18, "Bea": 15, "Dot": 7}


def test_nobody_is_entered_twice_as_a_car_and_in_a_crew(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, ENTERED, {"act": "enter", "season": "s", "driver": "Dot"}, by="t")
    for act, sentence in (
        ({"driver": "Dot", "crew": ["Dot", "Eve"]}, "Dot is entered already: a crew is of others"),
        ({"driver": "Eve", "crew": ["Eve"]}, "Eve is entered already"),
        ({"driver": "Duo", "crew": ["Eve", "Dot"]}, "Dot is entered already"),
        ({"driver": "Duo", "crew": ["Eve", "Ana"]}, "Ana is in the crew of Rapid already"),
        ({"driver": "Ana"}, "Ana is in the crew of Rapid already"),
    ):
        with pytest.raises(BadAct, match=sentence):
            do(league, {"act": "enter", "season": "s", **act}, by="t")
    do(league, ENTERED, by="t")


def test_strangers_see_a_hidden_member_of_a_crew_under_the_alias_everywhere(
    league: League,
) -> None:
    do(league, {**NEW, "crews": "each"}, ENTERED, *race(1, {"name": "Rapid"}), by="t")
    do(league, {"act": "hide", "driver": "Bea"}, by="t")
    (season,) = league.public.seasons("s")
    ana, bea = season.entrants[0].crew
    names = league.public.names([ana, bea, "bea"])
    assert (ana, names[ana]) == ("ana", "Ana")
    assert re.fullmatch(r"Driver [0-9a-f]{6}", names[bea])
    assert "bea" not in names
    table = forms()["standings"].writer()(league.public, "s").decode()
    assert names[bea] in table
    assert "Rapid" not in table
    assert "Bea" not in table


def test_a_receiver_hears_the_name_of_each_of_a_crew(league: League) -> None:
    do(league, {**NEW, "crews": "each"}, ENTERED, *race(1, {"name": "Rapid"}), by="t")
    do(league, {**ENTERED, "driver": "Late", "crew": ["Gus", "Hal"]}, by="t")
    live = LiveFiles(league.storage, lambda: 0.0)
    club = Club(league.public, live, league.catch_up)
    told = next(fact for fact in club.league({}, "") if fact.about == "season:s")
    lines: Any = told.data["lines"]
    assert [line["name"] for line in lines] == ["Ana", "Bea", "Gus", "Hal"]
