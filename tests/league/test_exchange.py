"""Out and in again: a season in each form that a league reads, into an empty league."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from support.leagues.records import by_hand, do, ended, ergast, keep

from companion.cli import main
from companion.league.acts import EnterRace
from companion.league.byhand import race_acts
from companion.league.errors import BadAct
from companion.league.exchange.outside import forms
from companion.league.league import League
from companion.league.standings import Standing, standings, team_standings
from race_companion_ergast import format_time

READ = [name for name, form in forms().items() if form.is_read]


@pytest.fixture
def league(open_league: Any) -> League:
    """On SQLite alone: what goes out is made of plain records, whatever they were kept in."""
    found: League = open_league()
    return found


def quarrel(league: League) -> None:
    """A season in which everything happens that standings depend on."""
    season = {"points": "12,9,7,5 + pole 1, gained 2, fastest 1", "drops": 1, "team_cars": 1}
    do(
        league,
        {"act": "season", "season": "s", "title": "Été", "planned": 4, **season, "open": True},
        by_hand("r1", ("Ana", "Bea Paz", "Cai", "Dot"), name="Night"),
        by_hand("r2", ("Bea Paz", "Ana", "Dot"), name="Night"),
        {"act": "round", "race": "r1", "season": "s", "round": 1},
        {"act": "round", "race": "r2", "season": "s", "round": 1, "factor": 2},
        {"act": "race", "race": "r3", "date": "2026-03-01", "game": "formula-d", "laps": 2}
        | {"track": "Le Manège, by night"}
        | {
            "entries": [
                {"name": "Cai", "grid": 3, "team": "Red", "lap": 3, "fastest": True},
                {"name": "Anna", "grid": 1, "team": "Red", "lap": 3, "fastest": True},
                {"name": "Bea Paz", "grid": 2, "team": "Blue", "status": "running", "lap": 2},
                {"name": "Dot", "grid": 4, "status": "out", "out": "engine", "lap": 1},
                {"name": "Eve", "grid": 5, "status": "out", "out": "retired", "lap": 1},
            ]
        },
        {"act": "round", "race": "r3", "season": "s", "round": 2},
        {"act": "merge", "name": "Anna", "into": "Ana"},
        {"act": "team", "season": "s", "driver": "Dot", "team": "Blue"},
        {"act": "penalty", "race": "r1", "driver": "Ana", "places": 2, "reason": "a false start"},
        {"act": "penalty", "race": "r3", "driver": "Cai", "points": 3, "reason": "words"},
        {"act": "penalty", "race": "r2", "driver": "Dot", "disqualified": True, "reason": "fuel"},
        {"act": "penalty", "season": "s", "driver": "Bea Paz", "points": 2, "reason": "late, late"},
        {"act": "note", "race": "r3", "text": "Rain, and\nno coffee"},
        by="t",
    )


def tables(league: League, key: str = "s") -> dict[str, Any]:
    """What the standings say, without the ids of races."""
    season = next(one for one in league.queries.seasons() if one.key == key)
    races = league.queries.races(season=key)
    names = {driver.key: driver.name for driver in league.queries.drivers()}
    about = (season.title, season.points, season.drops, season.team_cars, season.planned)
    drivers = standings(season, races, names)
    return {
        "season": about,
        "drivers": [told(line) for line in drivers],
        "teams": [told(line) for line in team_standings(season, races)],
    }


def told(line: Standing) -> tuple[Any, ...]:
    rounds = [(s.round, s.place, s.status, s.points, s.extras, s.dropped) for s in line.scores]
    return (line.place, line.key, line.name, line.team, line.points, line.penalty, rounds)


def export(league: League, form: str, key: str = "s") -> bytes:
    return forms()[form].writer()(league.queries, key)


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.parametrize("form", READ)
def test_a_season_that_is_read_back_into_an_empty_league_has_equal_standings(
    league: League, open_league: Any, tmp_path: Path, form: str
) -> None:
    quarrel(league)
    other = open_league(None, tmp_path / "other")
    other.do(*forms()[form].reader()(export(league, form)), by="t")
    assert tables(other) == tables(league)
    assert [line[1] for line in tables(league)["drivers"]][:2] == ["bea-paz", "ana"]
    notes = [note.text for race in other.queries.races() for note in race.notes]
    assert notes == ["Rain, and\nno coffee"]


@pytest.mark.parametrize("form", READ)
def test_the_millions_of_downforce_come_back_with_shared_places_and_several_cars(
    open_league: Any, tmp_path: Path, form: str
) -> None:
    league = open_league(None, tmp_path / "one")
    cars = [("Ana", 1, 12), ("Bea", 2, 7), ("Cai", 2, 7), ("Ana", 4, -3)]
    entries = [{"name": name, "place": place, "points": won} for name, place, won in cars]
    race = {"act": "race", "race": "d", "date": "2026-01-02T20:00:00", "game": "downforce"}
    do(
        league,
        {"act": "season", "season": "s", "title": "Money", "points": "result"},
        {**race, "entries": entries},
        {"act": "round", "race": "d", "season": "s"},
        {"act": "penalty", "race": "d", "driver": "Cai", "reason": "a mere warning"},
        by="t",
    )
    other = open_league(None, tmp_path / "two")
    other.do(*forms()[form].reader()(export(league, form)), by="t")
    assert tables(other) == tables(league)
    assert [line[:5:2] for line in tables(other)["drivers"]] == [
        (1, "Ana", 12),
        (2, "Bea", 7),
        (2, "Cai", 7),
    ]
    (there,) = other.queries.races()
    assert there.date == "2026-01-02T20:00:00"
    assert [one.reason for one in there.penalties] == ["a mere warning"]


@pytest.mark.parametrize("form", READ)
def test_what_is_no_such_file_is_refused_in_a_sentence(form: str) -> None:
    reader = forms()[form].reader()
    for content in (b"", b"\xff\xfe", b"[]", b"{}", b'{"MRData": 3}', b"[" * 10**5, b"a,b\n1,2\n"):
        with pytest.raises(BadAct):
            reader(content)


def test_a_season_of_another_program_has_the_points_that_it_states(
    open_league: Any, tmp_path: Path
) -> None:
    def car(place: int, text: str, name: str, points: str, status: str) -> dict[str, Any]:
        person = {"driverId": name.lower(), "givenName": "A", "familyName": name}
        who = {"Driver": person, "Constructor": {"constructorId": "x", "name": "Team X"}}
        about = {"number": f"{place}", "position": f"{place}", "positionText": text}
        return {**about, **who, "points": points, "grid": "0", "laps": "200", "status": status}

    results = [
        car(1, "1", "Alpha", "26", "Finished"),
        car(2, "R", "Beta", "0", "Gearbox"),
        car(3, "D", "Gamma", "0", "Disqualified"),
    ]
    race = {"season": "1950", "round": "3", "raceName": "R" * 60, "date": "1950-05-30"}
    race |= {"Circuit": {"circuitName": "Oval"}, "Results": results}
    content = json.dumps({"MRData": {"RaceTable": {"season": "1950", "Races": [race]}}})
    league = open_league(None, tmp_path)
    reader = forms()["ergast"].reader()
    league.do(*reader(content.encode()), by="t")
    (line, *_) = tables(league, "1950")["drivers"]
    assert line[2:5] == ("A Alpha", "Team X", 26)
    (found,) = league.queries.races()
    assert [entry.out for entry in found.entries] == [None, "Gearbox", None]
    halved = reader(content.replace('"26"', '"12.5"').encode())
    (race,) = (act for act in halved if isinstance(act, EnterRace))
    assert [car.points for car in race.entries] == [12.5, 0, 0]


def test_ergast_letters_tell_who_was_out_taken_out_and_disqualified(league: League) -> None:
    quarrel(league)
    races = json.loads(export(league, "ergast"))["MRData"]["RaceTable"]["Races"]
    letters = [[car["positionText"] for car in race["Results"]] for race in races]
    assert letters == [["1", "2", "3", "4"], ["1", "2", "D"], ["1", "2", "3", "R", "W"]]
    last = races[-1]["Results"]
    assert [car["status"] for car in last[2:]] == ["Running", "engine", "retired"]
    assert [car["laps"] for car in last] == ["2", "2", "1", "0", "0"]


def test_one_race_is_told_alone_and_without_a_season_by_its_own_points(league: League) -> None:
    do(league, by_hand("r9", ("Ana", "Bea")), by="t")
    told = json.loads(export(league, "ergast", "r9"))["MRData"]
    assert "StandingsTable" not in told
    (race,) = told["RaceTable"]["Races"]
    assert [car["points"] for car in race["Results"]] == ["10", "8"]
    assert [row["points"] for row in rows(export(league, "results", "r9"))] == ["10", "8"]
    with pytest.raises(BadAct, match="no race 'r8'"):
        export(league, "results", "r8")


def test_a_key_of_nothing_is_refused_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["league", "export", "laps", "nowhere", "--data", str(tmp_path)]) == 2
    assert "neither a season nor a race 'nowhere'" in capsys.readouterr().err
    assert main(["league", "export", "record", "nowhere", "--data", str(tmp_path)]) == 2
    assert "there is no race 'nowhere'" in capsys.readouterr().err


def test_csv_tells_the_penalties_in_results_and_standings(league: League) -> None:
    quarrel(league)
    results = rows(export(league, "results"))
    assert [row["name"] for row in results if row["race"] == "r1"] == [
        "Bea Paz",
        "Cai",
        "Ana",
        "Dot",
    ]
    standing = [
        (row["of"], row["key"], row["penalty"]) for row in rows(export(league, "standings"))
    ]
    assert ("driver", "bea-paz", "2") in standing
    assert ("team", "red", "0") in standing


def test_grids_laps_and_stops_of_a_race_by_hand_are_empty_tables(league: League) -> None:
    do(league, by_hand("r9", ("Ana", "Bea")), by="t")
    for form in ("laps", "pitstops", "qualifying"):
        content = export(league, form, "r9")
        assert rows(content) == []
        assert content.startswith(b"\xef\xbb\xbfseason,round,race")


def test_the_record_is_given_out_as_it_was_written(league: League, tmp_path: Path) -> None:
    keep(tmp_path, ended("a"))
    league.catch_up()
    content = export(league, "record", "a")
    assert content == (tmp_path / "records" / "a.jsonl").read_bytes()
    do(league, by_hand("r9", ("Ana",)), by="t")
    with pytest.raises(BadAct, match="has no record"):
        export(league, "record", "r9")


def test_a_roll_is_a_second_in_the_form_of_ergast() -> None:
    assert [format_time(n) for n in (0, 59, 60, 3600.5)] == [
        "0:00.000",
        "0:59.000",
        "1:00.000",
        "60:00.500",
    ]


SIGNS = ("=1+1", "+Ana", "-Bea", "@Cai", "'=Dot", "'Eve")


def test_a_name_that_a_spreadsheet_would_carry_out_is_guarded_and_read_back(
    open_league: Any, tmp_path: Path
) -> None:
    one: League = open_league(None, tmp_path / "one")
    do(one, {"act": "season", "season": "s", "title": "=S"}, by="t")
    one.do(*race_acts({"date": "2026-05-01", "order": list(SIGNS), "season": "s"}), by="t")
    for form in ("csv", "results", "standings"):
        text = forms()[form].writer()(one.queries, "s").decode()
        cells = [cell for row in csv.reader(text.splitlines()) for cell in row]
        assert "'=1+1" in cells
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]
    two: League = open_league(None, tmp_path / "two")
    two.do(*forms()["csv"].reader()(forms()["csv"].writer()(one.queries, "s")), by="t")
    (race,) = two.queries.races()
    assert [entry.name for entry in race.entries] == list(SIGNS)


def test_a_race_without_a_board_is_on_an_unknown_circuit_and_none_called_after_its_game(
    league: League,
) -> None:
    quarrel(league)
    data = json.loads(forms()["ergast"].writer("en")(league.queries, "s"))["MRData"]
    first, second, third = (race["Circuit"] for race in data["RaceTable"]["Races"])
    assert (
        first
        == second
        == {
            "circuitId": "unknown",
            "circuitName": "Unknown",
            "Location": {"locality": "", "country": ""},
        }
    )
    assert third["circuitName"] == "Le Manège, by night"
    for of in ("s/circuits", "circuits"):
        listed: Any = ergast(league.public, of)
        ids = {one["circuitId"] for one in listed["CircuitTable"]["Circuits"]}
        assert ids == {"unknown", "le-manege-by-night"}
        held: Any = ergast(league.public, f"{of}/unknown/races")
        assert held["total"] == "2"
