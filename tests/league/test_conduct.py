"""Penalties that act: places on the grid, bans, points on the licence, seconds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.each import few_now
from support.leagues.records import LIBRARY, do, draw, image, seat_late

from companion.cli import main
from companion.league.errors import BadAct
from companion.league.exchange.outside import forms
from companion.league.federation import Conduct, places_after
from companion.league.federation.stages import conduct_of, header_of, table_sheets
from companion.league.league import League
from companion.league.plain import Race, Season
from companion.league.results import classify, score_in, takes_seconds
from companion.league.standings import standings
from companion.race.engine import Engine

JSON = dict[str, Any]


def season_of(league: League, key: str = "s") -> Season:
    (season,) = league.queries.seasons(key)
    return season


def races_of(league: League, key: str = "s") -> list[Race]:
    return league.queries.races(season=key)


def conduct(league: League, key: str = "s") -> Conduct:
    return conduct_of(league.queries, season_of(league, key), races_of(league, key))


def points(league: League, key: str = "s") -> dict[str, float]:
    return {
        line.name: line.points for line in standings(season_of(league, key), races_of(league, key))
    }


def driven(number: int, order: str, key: str = "s", **cars: float) -> list[JSON]:
    """A race by hand as a round; `cars` are the seconds that some took."""
    race = f"{key}-{number}"
    entries = [
        {"name": name, **({"time": cars[name]} if name in cars else {})} for name in order.split()
    ]
    date = f"2026-03-{number:02}"
    return [
        {"act": "race", "race": race, "date": date, "game": "formula-d", "entries": entries},
        {"act": "round", "race": race, "season": key, "round": number},
    ]


def given(number: int, driver: str, key: str = "s", **what: object) -> JSON:
    return {
        "act": "penalty",
        "race": f"{key}-{number}",
        "driver": driver,
        "reason": "rammed",
        **what,
    }


NEW = {"act": "season", "season": "s", "points": "10,8,6"}


# -- bans ------------------------------------------------------------------------------------


def test_a_banned_driver_scores_nothing_in_the_rounds_of_the_ban_and_those_behind_move_up(
    league: League,
) -> None:
    do(league, NEW, *driven(1, "Ana Bea Cai"), given(1, "Ana", ban=1), by="t")
    do(league, *driven(2, "Ana Bea Cai"), *driven(3, "Ana Bea Cai"), by="t")
    assert points(league) == {"Ana": 20, "Bea": 26, "Cai": 20}
    (ban,) = races_of(league)[1].penalties
    assert (ban.banned, ban.disqualified, ban.reason, ban.driver) == (True, True, "rammed", "ana")
    assert [one.status for one in classify(races_of(league)[1])][-1] == "disqualified"
    assert races_of(league)[2].penalties == ()
    before = image(league)
    league.rebuild()
    assert image(league) == before


def test_a_ban_that_is_lifted_or_a_race_that_is_struck_gives_the_points_back(
    open_league: Any,
) -> None:
    league = open_league()
    do(league, NEW, *driven(1, "Ana Bea"), *driven(2, "Ana Bea"), by="t")
    number = league.do(*_parsed(given(1, "Ana", ban=2)), by="t")
    assert points(league) == {"Ana": 10, "Bea": 18}
    do(league, {"act": "strike", "race": "s-1", "reason": "no race"}, by="t")
    assert points(league) == {"Ana": 10, "Bea": 8}
    do(league, {"act": "restore", "race": "s-1"}, by="t")
    assert points(league) == {"Ana": 10, "Bea": 18}
    do(league, {"act": "lift", "penalty": number, "reason": "was not he"}, by="t")
    assert points(league) == {"Ana": 20, "Bea": 16}
    assert league.queries.career("ana").totals.tally["wins"] == 2


def _parsed(*acts: JSON) -> list[Any]:
    from companion.league.acts import parse_act

    return [parse_act(act) for act in acts]


def test_a_banned_driver_neither_stands_in_nor_comes(open_league: Any) -> None:
    league = open_league()
    plan = ({"act": "plan", "season": "s", "round": n} for n in (1, 2, 3))
    do(league, NEW, *plan, *driven(1, "Ana Bea"), given(1, "Ana", ban=1), by="t")
    come = {"act": "come", "season": "s", "driver": "Ana", "comes": True}
    with pytest.raises(BadAct, match="Ana is banned from round 2: rammed"):
        do(league, {**come, "round": 2}, by="t")
    stand = {"act": "stand-in", "season": "s", "driver": "Ana", "absent": "Bea"}
    with pytest.raises(BadAct, match="Ana is banned from round 2: rammed"):
        do(league, {**stand, "round": 2}, by="t")
    do(league, {**come, "round": 2, "comes": False}, {**come, "round": 3}, by="t")


def test_a_ban_is_served_by_rounds_that_are_driven_one_ban_after_another(
    open_league: Any,
) -> None:
    league = open_league()
    do(league, NEW, *driven(1, "Ana Bea"), given(1, "Ana", ban=1), given(1, "Ana", ban=1), by="t")
    assert [bool(conduct(league).barred_by("ana", n)) for n in (1, 2, 3)] == [False, True, True]
    (record,) = conduct(league).records(2)
    assert (record.driver, record.ban) == ("ana", 2)
    do(league, *driven(2, "Bea Cai"), by="t")
    assert [one.ban for one in conduct(league).records(3)] == [1]
    do(league, *driven(3, "Bea Cai"), by="t")
    assert conduct(league).records(4) == []
    assert conduct(league).barred_by("ana", 4) is None


def test_a_ban_of_a_season_holds_until_it_is_lifted_or_from_the_round_that_it_names(
    open_league: Any,
) -> None:
    league = open_league()
    season = {"act": "penalty", "season": "s", "driver": "Ana", "reason": "rude", "ban": 1}
    do(league, NEW, *driven(1, "Ana Bea"), by="t")
    number = league.do(*_parsed(season), by="t")
    assert points(league) == {"Ana": 0, "Bea": 10}
    do(league, {"act": "lift", "penalty": number, "reason": "said sorry"}, by="t")
    do(league, {**season, "round": 1}, *driven(2, "Ana Bea"), *driven(3, "Ana Bea"), by="t")
    assert points(league) == {"Ana": 20, "Bea": 26}
    with pytest.raises(BadAct, match="round is said of a season's"):
        do(league, given(1, "Ana", ban=1, round=1), by="t")


def test_licence_points_that_reach_the_bound_are_a_ban_from_the_next_round(
    open_league: Any,
) -> None:
    league = open_league()
    do(league, {**NEW, "licence": 5}, *driven(1, "Ana Bea"), given(1, "Ana", licence=3), by="t")
    do(league, *driven(2, "Ana Bea"), *driven(3, "Ana Bea"), *driven(4, "Ana Bea"), by="t")
    assert points(league)["Ana"] == 40
    do(league, given(2, "Ana", licence=2), by="t")
    assert points(league)["Ana"] == 30
    assert [race.penalties[-1].banned for race in races_of(league) if race.penalties] == [
        False,
        False,
        True,
    ]
    do(league, {"act": "season", "season": "s", "licence": None}, by="t")
    assert points(league)["Ana"] == 40


def test_in_a_competition_a_ban_reaches_into_the_later_stage(open_league: Any) -> None:
    league = open_league()
    stage = {"act": "season", "competition": "open", "points": "10,8,6"}
    do(
        league,
        {"act": "competition", "competition": "open"},
        {**stage, "season": "heats", "step": 1},
        {**stage, "season": "final", "step": 2},
        *driven(1, "Ana Bea", key="heats"),
        given(1, "Ana", key="heats", ban=1),
        *driven(1, "Ana Bea", key="final"),
        by="t",
    )
    assert points(league, "final") == {"Ana": 0, "Bea": 10}


# -- the grid --------------------------------------------------------------------------------


def test_places_on_the_grid_are_lost_once_with_the_next_race_of_the_driver(
    open_league: Any,
) -> None:
    league = open_league()
    do(league, NEW, *driven(1, "Ana Bea"), given(1, "Ana", grid=3), by="t")
    assert conduct(league).grid("ana", 2) == 3
    assert conduct(league).grid("ana", 1) == 0
    do(league, *driven(2, "Bea Cai"), by="t")
    assert conduct(league).grid("ana", 3) == 3
    do(league, *driven(3, "Ana Cai"), by="t")
    assert conduct(league).grid("ana", 4) == 0


def test_who_loses_places_on_the_grid_stands_behind_the_car_that_is_there() -> None:
    order = ["ana", "bea", "cai", "dot"]
    assert places_after(order, {"ana": 1, "bea": 1}) == ["ana", "cai", "bea", "dot"]
    assert places_after(order, {"ana": 10}) == ["bea", "cai", "dot", "ana"]
    assert places_after(order, {"dot": 2}) == order


# -- seconds ---------------------------------------------------------------------------------


def test_seconds_move_a_car_behind_those_that_were_quicker_then(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, *driven(1, "Ana Bea Cai", Ana=100, Bea=103.5, Cai=110), by="t")
    do(league, given(1, "Ana", seconds=5), by="t")
    (race,) = races_of(league)
    assert [(one.name, one.time, one.place) for one in classify(race)] == [
        ("Bea", 103.5, 1),
        ("Ana", 105, 2),
        ("Cai", 110, 3),
    ]
    assert points(league) == {"Ana": 8, "Bea": 10, "Cai": 6}


def test_seconds_move_nobody_where_a_car_that_came_home_has_no_time(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, *driven(1, "Ana Bea", Ana=100), given(1, "Ana", seconds=50), by="t")
    (race,) = races_of(league)
    assert not takes_seconds(race)
    assert points(league) == {"Ana": 10, "Bea": 8}


def test_seconds_of_time_trials_are_added_to_the_trial_and_minutes_to_its_score(
    open_league: Any,
) -> None:
    league = open_league()
    trials = {"Ana": (20, 119.5), "Bea": (20, 130), "Cai": (19, 185)}
    entries = [{"name": name, "trial": n, "time": s} for name, (n, s) in trials.items()]
    entries.append({"name": "Dot", "status": "out", "out": "corner"})
    race = {"act": "race", "race": "s-1", "date": "2026-03-01", "game": "formula-d"}
    do(
        league,
        {"act": "season", "season": "s", "stage": "trials"},
        {**race, "entries": entries},
        {"act": "round", "race": "s-1", "season": "s", "round": 1},
        by="t",
    )
    assert trials_of(league) == [
        ("Ana", (21, 119.5)),
        ("Bea", (22, 130)),
        ("Cai", (22, 185)),
        ("Dot", None),
    ]
    do(league, given(1, "Ana", seconds=20), by="t")  # over the second minute
    assert takes_seconds(races_of(league)[0])
    assert trials_of(league)[:2] == [("Bea", (22, 130)), ("Ana", (22, 139.5))]
    with pytest.raises(BadAct, match="a trial has a time"):
        do(league, {**race, "race": "x", "entries": [{"name": "Ana", "trial": 9}]}, by="t")


def test_time_trials_are_told_by_score_and_time_and_without_points_everywhere(
    open_league: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = open_league(None, tmp_path / "club")
    trials = {"Ann": (20, 110), "Bob": (23, 100), "Cem": (20, 115)}
    entries = [{"name": name, "trial": n, "time": s} for name, (n, s) in trials.items()]
    race = {"act": "race", "race": "r", "date": "2026-03-01", "game": "formula-d"}
    place = {"act": "round", "race": "r", "season": "s", "round": 1}
    do(
        league,
        {"act": "season", "season": "s", "stage": "trials"},
        {**race, "entries": entries},
        place,
        by="t",
    )
    (scored,) = (score_in(season_of(league), one) for one in races_of(league))
    assert [(one.place, one.entry.name, one.points) for one in scored] == [
        (1, "Ann", 0),
        (2, "Cem", 0),
        (3, "Bob", 0),
    ]
    table = forms()["standings"].writer()(league.queries, "s").decode().splitlines()
    assert table[0].endswith(",trial_score,trial_seconds")
    assert table[2].startswith("s,driver,2,cem,")
    assert table[2].endswith(",21,115")
    data = ["--data", str(tmp_path / "club")]
    assert main(["league", "standings", "s", *data]) == 0
    assert re.search(r"Cem +21 +115", capsys.readouterr().out)
    assert main(["league", "standings", "s", "--json", *data]) == 0
    told = json.loads(capsys.readouterr().out)["lines"]
    assert told[1]["trial"] == {"score": 21, "seconds": 115}


def trials_of(league: League) -> list[tuple[str, object]]:
    lines = standings(season_of(league), races_of(league))
    return [(line.name, line.trial) for line in lines]


# -- what tables are handed -------------------------------------------------------------------


def entered(*names: str, key: str = "s") -> list[JSON]:
    return [
        {"act": "enter", "season": key, "driver": name, "number": n}
        for n, name in enumerate(names, 1)
    ]


def test_the_next_rounds_sheet_has_the_grid_with_the_places_lost_and_no_banned_driver(
    open_league: Any,
) -> None:
    league = open_league()
    do(league, NEW, *entered("Ana", "Bea", "Cai", "Dot"), *driven(1, "Ana Bea Cai Dot"), by="t")
    do(league, given(1, "Ana", grid=2), given(1, "Bea", ban=1), by="t")
    do(league, {"act": "plan", "season": "s", "round": 2, "board": "Manege"}, by="t")
    drawn = draw(league, "s", 1, "number", Random(1), with_grid=True)
    assert list(map(str, drawn.banned)) == ["Bea is banned from round 2: rammed"]
    assert drawn.names == ["Ana", "Cai", "Dot"]
    (sheet,) = table_sheets(league.queries, "s")
    assert [(car.seat, car.name, car.grid, car.lost) for car in sheet.cars] == [
        (1, "Ana", 3, 2),
        (2, "Cai", 1, 0),
        (3, "Dot", 2, 0),
    ]
    header = header_of(sheet, "formula-d")
    assert (header["track"], header["grid"]) == ("manege", [2, 3, 1])
    assert Engine(LIBRARY).handle({"new": header})["ok"]


def test_who_is_banned_after_the_draw_is_not_on_the_sheet_either(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, *entered("Ana", "Bea", "Cai"), *driven(1, "Ana Bea Cai"), by="t")
    draw(league, "s", 1, "number", Random(1))
    do(league, given(1, "Bea", ban=1), by="t")
    (sheet,) = table_sheets(league.queries, "s")
    assert [car.name for car in sheet.cars] == ["Ana", "Cai"]
    assert list(map(str, sheet.banned)) == ["Bea is banned from round 2: rammed"]
    printed = forms()["forms"].writer("fr")(league.queries, "s").decode()
    assert "Bea est suspendu pour la manche 2 : rammed" in printed
    draw(league, "s", 1, "number", Random(1))
    assert [one.table for one in season_of(league).entrants] == ["1", None, "1"]


def test_a_draw_seats_whoever_the_sheets_have_and_nobody_who_is_away(open_league: Any) -> None:
    league = open_league()
    do(
        league,
        NEW,
        *entered("Ana", "Bea", "Cai", "Dot", "Eve"),
        {"act": "plan", "season": "s", "round": 1, "date": "2026-03-01"},
        by="t",
    )
    draw(league, "s", 2, "number", Random(1))
    do(
        league,
        *driven(1, "Ana Bea Cai Dot Eve"),
        {"act": "plan", "season": "s", "round": 2, "date": "2026-03-02"},
        {"act": "enter", "season": "s", "driver": "Bea", "until": 1},
        {"act": "come", "season": "s", "round": 2, "driver": "Dot", "comes": False},
        by="t",
    )
    assert draw(league, "s", 1, "number", Random(1)).names == ["Ana", "Cai", "Eve"]
    assert [one.table for one in season_of(league).entrants] == ["1", None, "1", None, "1"]
    (sheet,) = table_sheets(league.queries, "s")
    assert [car.name for car in sheet.cars] == ["Ana", "Cai", "Eve"]
    with pytest.raises(BadAct, match="everybody who may drive has a table"):
        seat_late(league, "s")


def test_who_stands_in_for_a_banned_driver_is_drawn_with_that_ones_car(open_league: Any) -> None:
    league = open_league()
    do(league, NEW, *entered("Ana", "Bea", "Cai"), *driven(1, "Ana Bea Cai"), by="t")
    stands_in = {"act": "stand-in", "season": "s", "round": 2, "driver": "Rex", "absent": "Ana"}
    do(league, given(1, "Ana", ban=1), stands_in, by="t")
    drawn = draw(league, "s", 1, "number", Random(1))
    assert (drawn.names, drawn.banned) == (["Ana", "Bea", "Cai"], ())
    (sheet,) = table_sheets(league.queries, "s")
    assert [car.name for car in sheet.cars] == ["Rex", "Bea", "Cai"]


def test_a_regular_who_stands_in_for_another_drives_one_car(open_league: Any) -> None:
    league = open_league()
    stands_in = {"act": "stand-in", "season": "s", "round": 1, "driver": "Bea", "absent": "Ana"}
    do(league, NEW, *entered("Ana", "Bea", "Cai"), stands_in, by="t")
    assert draw(league, "s", 1, "number", Random(1)).names == ["Ana", "Cai"]
    (sheet,) = table_sheets(league.queries, "s")
    assert [(car.number, car.name) for car in sheet.cars] == [(1, "Bea"), (3, "Cai")]


def test_places_that_one_of_a_crew_has_lost_are_lost_by_the_car(open_league: Any) -> None:
    league = open_league()
    crew = {"act": "enter", "season": "s", "driver": "Ana", "crew": ["Fay", "Gus"]}
    do(league, NEW, *entered("Ana", "Bea", "Cai"), crew, *driven(1, "Ana Bea Cai"), by="t")
    lost = {"act": "penalty", "season": "s", "round": 1, "driver": "Gus", "reason": "late"}
    do(league, {**lost, "grid": 1}, by="t")
    draw(league, "s", 1, "number", Random(1), with_grid=True)
    (sheet,) = table_sheets(league.queries, "s")
    assert [(car.name, car.grid, car.lost) for car in sheet.cars] == [
        ("Ana", 2, 1),
        ("Bea", 1, 0),
        ("Cai", 3, 0),
    ]


def test_a_stand_in_has_the_line_of_the_one_he_drives_for_and_who_stays_away_has_none(
    open_league: Any,
) -> None:
    league = open_league()
    stand = {"act": "stand-in", "season": "s", "round": 1, "driver": "Rae", "absent": "Ana"}
    come = {"act": "come", "season": "s", "round": 1, "driver": "Cai", "comes": False}
    plan = {"act": "plan", "season": "s", "round": 1, "weather": "rain", "laps": 3}
    do(league, NEW, *entered("Ana", "Bea", "Cai"), stand, plan, come, by="t")
    (sheet,) = table_sheets(league.queries, "s")
    assert [(car.name, car.number) for car in sheet.cars] == [("Rae", 1), ("Bea", 2)]
    header = header_of(sheet, "formula-d", "manege")
    assert (header["weather"], header["laps"], "grid" in header) == ("rain", 3, False)
    assert Engine(LIBRARY).handle({"new": header})["ok"]
    do(league, {"act": "season", "season": "empty"}, by="t")
    with pytest.raises(BadAct, match="nobody is entered for round 1"):
        table_sheets(league.queries, "empty")


# -- out and in again -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["acts", "csv", "ergast"])
@pytest.mark.parametrize("crews", few_now(["each", "car"], 1))
def test_bans_seconds_and_crews_go_out_and_come_back_with_equal_standings(
    open_league: Any, tmp_path: Path, form: str, crews: str
) -> None:
    league = open_league()
    timed = driven(1, "Ana Bea Cai Dot", Ana=100, Bea=103.5, Cai=110, Dot=2000.25)
    timed[0]["entries"][2]["crew"] = ["Eve", "Fay"]
    do(league, {**NEW, "licence": 5, "crews": crews, "title": "S"}, *timed, by="t")
    do(league, *driven(2, "Dot Cai Bea Ana"), *driven(3, "Bea Ana Cai Dot"), by="t")
    do(
        league,
        given(1, "Ana", seconds=5),
        given(1, "Dot", licence=5),
        given(2, "Bea", ban=1),
        by="t",
    )
    content = forms()[form].writer()(league.queries, "s")
    other = open_league(data=tmp_path / "other")
    other.do(*forms()[form].reader()(content), by="t")
    names = {one.key: one.name for one in league.queries.drivers()}
    tables = [
        [(one.name, one.points) for one in standings(season_of(one_), races_of(one_), names)]
        for one_ in (league, other)
    ]
    assert tables[0] == tables[1]
    assert ("Dot", 6) in tables[0]  # nothing of round 2, and third where Bea is banned


def test_seconds_are_refused_where_there_is_no_race_to_add_them_to(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s"}, *driven(1, "Ana Bea"), by="t")
    late = {"act": "penalty", "season": "s", "driver": "Ana", "reason": "late"}
    for more in ({}, {"points": 1}, {"round": 1}):
        with pytest.raises(BadAct, match="give them in the race"):
            do(league, {**late, **more, "seconds": 5}, by="t")
    assert season_of(league).penalties == ()
