"""Names, days and files as people have them: in any script, from any spreadsheet, of any clock."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from support.leagues.records import by_hand, do, ended, ergast, keep

from companion.league.acts import Act, EnterRace, Penalize, parse_act
from companion.league.byhand import race_acts
from companion.league.errors import BadAct, key_of, parse_name
from companion.league.exchange import tables
from companion.league.exchange.acts import Otherwise, new_in
from companion.league.exchange.outside import forms
from companion.league.plain import format_points, parse_points
from companion.league.standings import standings
from companion.rules.lines import Malformed, read_name

NAMES = ("👩‍🚀 Zoé", "علی‌رضا", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Eve", "\u200fدנה", "冬")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_taken_in_whatever_script_people_write_it(name: str) -> None:
    assert (parse_name(name), read_name(name, "name")) == (name, name)


@pytest.mark.parametrize("name", ["Ana\x07", "Bea\x00", "\u200d", "x\ufffe", "\ud800"])
def test_a_name_of_what_nobody_writes_is_refused(name: str) -> None:
    with pytest.raises(BadAct):
        parse_name(name)
    with pytest.raises(Malformed):
        read_name(name, "name")


def test_marks_that_nobody_sees_make_no_other_person() -> None:
    assert key_of("علی‌رضا") == key_of("علیرضا")
    assert key_of("\u200d") != key_of("")


def sprinted(league: Any) -> None:
    do(
        league,
        {"act": "season", "season": "s", "title": "S", "points": "10,5,1", "open": True},
        by_hand("main", ("Ana", "Bea"), track="Monza"),
        by_hand("dash", ("Bea", "Ana"), track="Monza"),
        {"act": "round", "race": "main", "season": "s", "round": 1},
        {"act": "round", "race": "dash", "season": "s", "round": 1, "points": "5.5,0.5"},
        by="t",
    )


def test_a_sprint_has_points_and_no_places_that_count(open_league: Any) -> None:
    league = open_league()
    sprinted(league)
    (season,) = league.queries.seasons()
    ana, bea = standings(season, league.queries.races(season="s"))
    assert [(one.name, one.points, one.wins) for one in (ana, bea)] == [
        ("Ana", 10.5, 1),
        ("Bea", 10.5, 0),
    ]
    assert (ana.place, bea.place) == (1, 2)  # on equal points the race's places decide
    won = {one.driver.name: one.tally.get("wins", 0) for one in league.queries.people()[0]}
    assert won == {"Ana": 1, "Bea": 0}


def test_a_race_with_points_of_its_own_is_a_sprint_once_another_stands_beside_it(
    open_league: Any,
) -> None:
    league = open_league()
    sprinted(league)
    do(league, {"act": "strike", "race": "main", "reason": "the board was turned over"}, by="t")
    assert [one.is_sprint for one in league.queries.races(race="dash")] == [False]
    won = {one.driver.name: one.tally.get("wins", 0) for one in league.queries.people()[0]}
    assert won == {"Ana": 0, "Bea": 1}


# -- files ----------------------------------------------------------------------------------------


def read(text: str, encoding: str = "utf-8") -> Any:
    """The race in a sheet."""
    races = [act for act in tables.read(text.encode(encoding)) if isinstance(act, EnterRace)]
    assert len(races) == 1
    return races[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_sheet_is_read_in_the_encodings_that_spreadsheets_write(encoding: str) -> None:
    race = read("date;driver\n2026-03-01;Zoé\n2026-03-01;Jürgen\n", encoding)
    assert [car.name for car in race.entries] == ["Zoé", "Jürgen"]


def test_a_sheet_of_a_spreadsheet_is_read_with_all_that_it_adds() -> None:
    race = read(
        "sep=;\r\nDate;Driver;Pos;Status;Points;Time;\r\n03.04.2025;Ana;1;;12,5;61,5;\r\n"
        "03.04.2025;Bea;2;;9;62;\r\n03.04.2025;Cai;;DNF;0;;\r\n03.04.2025;Dot;DNS;;;;\r\n;;;;;;\r\n\r\n"
    )
    assert race.date == "2025-04-03"
    assert [
        (one.name, one.place, one.status, one.points, one.time) for one in race.entries[:2]
    ] == [
        ("Ana", 1, race.entries[0].status, 12.5, 61.5),
        ("Bea", 2, race.entries[1].status, 9, 62),
    ]
    assert [(one.place, one.status) for one in race.entries[2:]] == [(3, "out"), (4, "not-started")]


def test_a_sheet_parted_by_tabs_disqualifies_by_a_penalty() -> None:
    sheet = "date\tdriver\tstatus\n2026-03-01\tAna\t\n2026-03-01\tBea\tDSQ\n"
    found = [act for act in tables.read(sheet.encode()) if isinstance(act, Penalize)]
    assert [(act.driver, act.disqualified) for act in found] == [("Bea", True)]


def test_a_date_that_may_be_two_is_asked_for_with_its_line_until_another_one_tells() -> None:
    with pytest.raises(BadAct, match="line 2: is 3/4/2025 of month 3 or 4"):
        tables.read(b"date,driver\n3/4/2025,Ana\n")
    acts = tables.read(b"date,driver\n3/4/2025,Ana\n25/4/2025,Ana\n")
    assert [act.date for act in acts if isinstance(act, EnterRace)] == ["2025-04-03", "2025-04-25"]


@pytest.mark.parametrize("cell", ["maybe", "2"])
def test_a_place_that_nobody_knows_is_asked_for(cell: str) -> None:
    with pytest.raises(BadAct):
        tables.read(
            f"date,driver,place,status\n2026-03-01,Ana,1,\n2026-03-01,Bea,,{cell}\n".encode()
        )
    with pytest.raises(BadAct, match="no place and is not out"):
        tables.read(b"date,driver,place\n2026-03-01,Ana,1\n2026-03-01,Bea,\n")


SHEET = (
    "date,race,season,round,driver\n"
    + "".join(f"2026-03-01,Night,s,1,{name}\n" for name in ("Ana", "Bae", "Cia", "Dot"))
)  # fmt: skip


def put_in(league: Any, acts: Any, *, is_amending: bool = False) -> int:
    fresh = new_in(acts, league.queries, is_amending=is_amending)
    if fresh:
        league.do(*fresh, by="t")
    return len(fresh)


def totals(league: Any, season: str = "s") -> dict[str, float]:
    (found,) = league.queries.seasons(season)
    lines = standings(found, league.queries.races(season=season))
    return {line.name: line.points for line in lines}


def test_a_sheet_that_was_corrected_counts_no_round_twice(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s", "title": "S", "open": True}, by="t")
    assert put_in(league, tables.read(SHEET.encode())) == 2
    assert put_in(league, tables.read(SHEET.encode())) == 0  # it is there
    corrected = SHEET.replace("Bae", "Bea").replace("Cia", "Cai")
    with pytest.raises(Otherwise, match="Night of 2026-03-01"):
        put_in(league, tables.read(corrected.encode()))
    put_in(league, tables.read(corrected.encode()), is_amending=True)
    assert totals(league) == {"Ana": 10, "Bea": 8, "Cai": 6, "Dot": 5}
    grown = corrected + "2026-03-08,Night,s,2,Dot\n2026-03-08,Night,s,2,Ana\n"
    put_in(league, tables.read(grown.encode()))
    assert totals(league) == {"Ana": 18, "Bea": 8, "Cai": 6, "Dot": 15}


def test_a_round_that_a_sheet_dates_otherwise_is_driven_on_that_day(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s", "title": "S"}, by="t")
    put_in(league, tables.read(SHEET.encode()))
    put_in(league, tables.read(SHEET.replace("03-01", "02-28").encode()), is_amending=True)
    assert [race.date for race in league.queries.races()] == ["2026-02-28"]


def read_ergast(content: bytes) -> Sequence[Act]:
    return forms()["ergast"].reader()(content)


def ergast_page(
    names: str, rounds: tuple[int, ...] = (1,), offset: int = 0, total: int | None = None
) -> Any:
    """A page of an API: a car a name."""

    def car(place: int, name: str) -> dict[str, Any]:
        person = {"driverId": name.lower(), "givenName": name, "familyName": "Paz"}
        row = {"number": f"{place}", "position": f"{place}", "positionText": f"{place}"}
        return {
            **row,
            "Driver": person,
            "points": "5",
            "grid": "0",
            "laps": "2",
            "status": "Finished",
        }

    races = [
        {
            "season": "2022",
            "round": f"{number}",
            "raceName": f"GP {number}",
            "date": f"2022-03-{number:02}",
            "Circuit": {"circuitName": "Oval"},
            "Results": [car(offset + n, name) for n, name in enumerate(names, 1)],
        }
        for number in rounds
    ]
    about = {"limit": f"{len(names)}", "offset": f"{offset}", "total": f"{total or len(names)}"}
    return {"MRData": {**about, "RaceTable": {"Races": races}}}


def test_a_document_that_is_a_page_of_several_is_refused_with_its_numbers() -> None:
    with pytest.raises(BadAct, match="rows 1 to 2 of 4"):
        read_ergast(json.dumps(ergast_page("AB", total=4)).encode())


def test_the_pages_of_a_document_are_put_together() -> None:
    pages = [ergast_page("CD", offset=2, total=4), ergast_page("AB", total=4)]
    (race,) = [one for one in read_ergast(json.dumps(pages).encode()) if isinstance(one, EnterRace)]
    assert sorted(car.name for car in race.entries) == ["A Paz", "B Paz", "C Paz", "D Paz"]


def test_a_document_that_has_grown_brings_the_new_round_alone(open_league: Any) -> None:
    league = open_league()
    put_in(league, read_ergast(json.dumps(ergast_page("AB")).encode()))
    put_in(league, read_ergast(json.dumps(ergast_page("AB", (1, 2))).encode()))
    assert totals(league, "2022") == {"A Paz": 10, "B Paz": 10}


def test_a_list_that_was_pasted_has_names_alone() -> None:
    race, _ = race_acts(
        {
            "date": "2026-05-17",
            "order": "1. Ana\n- Dot\n\U0001f949 Cai\n",
            "out": "Eve: engine\nFay",
        }
    )
    assert isinstance(race, EnterRace)
    assert [car.name for car in race.entries] == ["Ana", "Dot", "Cai", "Fay", "Eve"]


# -- days -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("day", ["2026-02-30", "2026-05-17T25:00:00", "9999-99-99", "9999-01-01"])
def test_a_day_that_does_not_exist_is_refused(day: str, open_league: Any) -> None:
    with pytest.raises(BadAct):
        parse_act(by_hand("r", ("Ana", "Bea")) | {"date": day})
    league = open_league()
    keep(league.folder.data, ended("r", started=day))
    assert league.catch_up()
    assert not league.queries.races()


def test_an_evening_of_a_table_without_a_clock_is_dated_when_it_comes_in(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s", "title": "S", "open": True}, by="t")
    for race, started in (("r1", "1970-01-01T00:10:00"), ("r2", "2026-01-01T20:00:00")):
        keep(league.folder.data, ended(race, started=started))
        league.catch_up()
    assert {race.date[:4] for race in league.queries.races()} == {
        league.history()[0]["at"][:4],
        "2026",
    }
    assert league.queries.years() != {"s": "1970"}


def test_the_date_of_a_race_is_amended_and_ratings_follow(open_league: Any) -> None:
    league = open_league()
    do(
        league,
        by_hand("r1", ("Ana", "Bea"), date="2026-03-01"),
        by_hand("r2", ("Bea", "Ana"), date="2026-03-02"),
        by="t",
    )
    before = [one.rating for one in league.queries.people()[0]]
    do(
        league,
        {"act": "amend", "race": "r1", "reason": "a week late", "date": "2026-03-08"},
        by="t",
    )
    people, _ = league.queries.people()
    assert [race.id for race in league.queries.races()] == ["r2", "r1"]
    assert [one.driver.name for one in people] == ["Ana", "Bea"]
    assert [one.rating for one in people] == before
    with pytest.raises(BadAct, match="entries, date, or both"):
        do(league, {"act": "amend", "race": "r1", "reason": "why"}, by="t")


def test_an_amended_date_stays_when_more_of_the_record_comes(open_league: Any) -> None:
    league = open_league()
    keep(league.folder.data, ended("r1"))
    league.catch_up()
    do(league, {"act": "amend", "race": "r1", "reason": "no", "date": "2025-12-31"}, by="t")
    keep(league.folder.data, ended("r1", rolls=2))
    league.catch_up()
    assert [race.date for race in league.queries.races()] == ["2025-12-31"]
    assert league.rebuild().is_same


# -- points ---------------------------------------------------------------------------------------


def test_the_best_rounds_count_from_the_first_one_on(open_league: Any) -> None:
    league = open_league()
    act = {"act": "season", "season": "s", "title": "S", "points": "10,5,1", "best": 2}
    do(league, act, by="t")
    for number, order in enumerate(("Ana Bea Cai", "Ana Cai Bea", "Ana Bea Cai", "Bea Cai Ana"), 1):
        race = by_hand(f"r{number}", order.split(), date=f"2026-03-{number:02}")
        do(league, race, {"act": "round", "race": f"r{number}", "season": "s"}, by="t")
    assert totals(league) == {"Ana": 20, "Bea": 15, "Cai": 10}


def test_the_fastest_lap_earns_its_point_among_the_first_only() -> None:
    table = parse_points("f1 + pole 1, fastest 1 top 10")
    assert (table.fastest_top, format_points(table)) == (10, "f1 + pole 1, fastest 1 top 10")
    with pytest.raises(BadAct):
        parse_points("f1 + pole 1 top 3")


def test_the_fastest_lap_of_a_car_behind_them_earns_nothing(open_league: Any) -> None:
    league = open_league()
    act = {"act": "season", "season": "s", "title": "S", "points": "10,5,1 + fastest 2 top 2"}
    cars = [{"name": name, "fastest": name == "Cai"} for name in ("Ana", "Bea", "Cai")]
    do(
        league,
        act,
        by_hand("r", (), entries=cars),
        {"act": "round", "race": "r", "season": "s"},
        by="t",
    )
    assert totals(league) == {"Ana": 10, "Bea": 5, "Cai": 1}
    do(league, {"act": "season", "season": "s", "points": "10,5,1 + fastest 2 top 3"}, by="t")
    assert totals(league)["Cai"] == 3


def test_planned_rounds_are_told_to_programs_with_the_next_one(open_league: Any) -> None:
    league = open_league()
    do(
        league,
        {"act": "season", "season": "s", "title": "S", "open": True},
        by_hand("r", ("Ana", "Bea"), date="2026-03-01", track="Monza"),
        {"act": "round", "race": "r", "season": "s"},
        {"act": "plan", "season": "s", "round": 2, "date": "2026-04-01", "board": "Spa"},
        {"act": "plan", "season": "s", "round": 3, "title": "The last"},
        by="t",
    )

    def rounds(address: str) -> Any:
        told: Any = ergast(league.queries, address)
        return [
            (one["round"], one["raceName"], one.get("date")) for one in told["RaceTable"]["Races"]
        ]

    coming = [("2", "Spa", "2026-04-01"), ("3", "The last", None)]
    assert rounds("current.json") == [("1", "Monza", "2026-03-01"), *coming]
    assert rounds("current/next.json") == coming[:1]
    assert rounds("current/last.json") == [("1", "Monza", "2026-03-01")]
    assert len(rounds("current/results.json")) == 1
