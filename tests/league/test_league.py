"""Records and acts become a league, on SQLite and PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.leagues.records import amended, by_hand, do, ended, image, keep

from companion.league.change import Change
from companion.league.errors import BadAct, BrokenFile, LeagueFolder
from companion.league.league import League
from companion.league.standings import standings

ORDER = ("Ana", "Bea", "Cai")


def names(league: League, race: str) -> list[str]:
    (found,) = league.queries.races(race=race)
    return [entry.name for entry in found.entries]


def season_of_two(league: League, data: Path) -> None:
    """A season with a record and a race by hand in it, and one of everything that acts can do."""
    keep(data, ended("a", started="2026-01-01T20:00:00"))
    do(league, {"act": "season", "season": "2026", "title": "Winter 2026", "open": True}, by="t")
    keep(data, ended("b", names=("Anna", "Bea", "Cai"), out=[2], started="2026-01-08T20:00:00"))
    league.catch_up()
    acts = (
        {"act": "round", "race": "a", "season": "2026", "factor": 2},
        by_hand("c", ("Cai", "Dot", "Ana")),
        {"act": "round", "race": "c", "season": "2026"},
        {"act": "merge", "name": "Anna", "into": "Ana"},
        {"act": "penalty", "race": "a", "driver": "Anna", "places": 1, "reason": "jumped"},
        {"act": "penalty", "season": "2026", "driver": "Cai", "points": 2, "reason": "late"},
        {"act": "note", "race": "a", "text": "the dice fell off the table"},
        {"act": "team", "season": "2026", "driver": "Ana", "team": "Rouge"},
        {"act": "rename", "driver": "Dot", "name": "Dorothy"},
        {"act": "amend", "race": "c", "reason": "misread", "entries": [{"seat": 2}, {"seat": 1}]},
        {"act": "table", "table": "one", "key_sha256": "0" * 64},
    )
    do(league, *acts, by="keeper")


def test_a_finished_record_becomes_a_result_by_itself(league: League, tmp_path: Path) -> None:
    keep(tmp_path, ended("a", out=[1]))
    assert list(league.catch_up()) == []
    (race,) = league.queries.races()
    assert [(e.name, e.place, e.status, e.grid) for e in race.entries] == [
        ("Bea", 1, "running", 2),
        ("Cai", 2, "running", 3),
        ("Ana", 3, "out", 1),
    ]
    assert (race.board, race.laps, race.source, race.season) == ("Le Manège", 1, "record", "2026")


def test_a_record_is_in_the_league_once_however_often_it_is_looked_at(
    league: League, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a"))
    for _ in range(2):
        league.catch_up()
        keep(tmp_path, ended("a"))  # written again with another date
    league.catch_up()
    assert len(league.queries.races()) == 1
    assert [act["act"] for act in league.history()] == ["record", "season", "round"]


def test_a_race_goes_into_the_season_that_is_open_when_it_comes(
    league: League, tmp_path: Path
) -> None:
    season_of_two(league, tmp_path)
    placed = [(race.id, race.round) for race in league.queries.races(season="2026")]
    assert placed == [("b", 2), ("a", 3), ("c", 4)]  # the first had made the season


def test_a_league_thrown_away_is_made_again_from_records_and_acts(
    open_league, url: str | None, tmp_path: Path
) -> None:
    league: League = open_league(url)
    season_of_two(league, tmp_path)
    before = image(league)
    assert league.rebuild().idle == {}
    assert image(league) == before
    # On another database, with nothing but the lines that go into a backup.
    lines = LeagueFolder(tmp_path / "again").lines
    lines.parent.mkdir(parents=True)
    lines.write_bytes(league.dump())
    again: League = open_league(None, tmp_path / "again")
    assert again.history() == league.history()
    again.catch_up()
    assert image(again) == before
    assert again.table_of("x") is None


@pytest.mark.slow
def test_both_databases_give_the_same_answers(open_league, postgres, tmp_path: Path) -> None:
    leagues = [
        open_league(None, tmp_path / "one"),
        open_league(postgres.database(), tmp_path / "two"),
    ]
    for league, name in zip(leagues, ("one", "two"), strict=True):
        season_of_two(league, tmp_path / name)
    one, two = map(image, leagues)
    assert one == two
    assert len(one["races"]) == 3


def test_a_file_that_is_no_database_is_told_with_the_way_back(open_league, tmp_path: Path) -> None:
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "league.db").write_bytes(b"what a spilled tea leaves" * 400)
    with pytest.raises(BrokenFile, match=r"file is not a database; .*brings the last backup back"):
        open_league()


def test_two_names_of_one_person_are_one_driver_until_they_are_parted(
    league: League, tmp_path: Path
) -> None:
    season_of_two(league, tmp_path)
    ana = next(one for one in league.queries.drivers() if one.key == "ana")
    assert (ana.names, ana.races) == (("Ana", "Anna"), 2)
    assert [race.id for race in league.queries.races(driver="ana")] == ["a", "b"]
    with pytest.raises(BadAct, match="one person already"):
        do(league, {"act": "merge", "name": "Ana", "into": "Anna"}, by="t")
    do(league, {"act": "part", "name": "Anna"}, by="t")
    assert {one.key for one in league.queries.drivers()} >= {"ana", "anna"}


def test_who_drove_one_race_in_two_cars_is_not_made_one_person(
    league: League, tmp_path: Path
) -> None:
    season_of_two(league, tmp_path)
    before, both = league.history(), "cannot be one person: both drove in"
    for into in ("Ana", "Anna"):  # as it was asked for: another spelling may be hidden
        with pytest.raises(BadAct, match=f"Cai and {into} {both} Race a 2026-01-01$"):
            do(league, {"act": "merge", "name": "Cai", "into": into}, by="t")
    with pytest.raises(BadAct, match=f"Ana and Anna {both} .*; part them first"):  # one by now
        do(league, by_hand("x", ("Ana", "Anna")), by="t")
    cars = [{"seat": 1}, {"seat": 2, "name": "Anna"}, {"seat": 3}]
    mended = {"act": "amend", "race": "a", "reason": "x", "entries": cars}
    with pytest.raises(BadAct, match=both):
        do(league, mended, by="t")
    assert league.history() == before
    merged = next(one["n"] for one in before if one["act"] == "merge")
    do(league, {"act": "undo", "number": merged}, by="t")
    do(league, mended, by="t")
    with pytest.raises(BadAct, match=both):
        league.undo(league.history()[-2]["n"], by="t")


def test_to_undo_an_amended_race_makes_nobody_one_person_in_two_cars_either(
    league: League,
) -> None:
    do(league, by_hand("x", ("Ana", "Bea", "Anna")), by_hand("y", ("Anna", "Bea")), by="t")
    cars = [{"seat": 1}, {"seat": 2}, {"seat": 3, "name": "Eva"}]
    do(league, {"act": "amend", "race": "x", "reason": "misread", "entries": cars}, by="t")
    amended_at = league.history()[-1]["n"]
    do(league, {"act": "merge", "name": "Anna", "into": "Ana"}, by="t")
    with pytest.raises(BadAct, match=r"Ana and Anna .* 2026-02-01; part them first"):
        league.undo(amended_at, by="t")
    do(league, {"act": "part", "name": "Anna"}, by="t")
    league.undo(amended_at, by="t")
    assert names(league, "x") == ["Ana", "Bea", "Anna"]


def test_a_merge_of_two_who_raced_each_other_that_was_kept_before_is_read_and_can_be_parted(
    league: League, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season_of_two(league, tmp_path)
    with monkeypatch.context() as as_before:
        as_before.setattr(Change, "_refuse_one_in_two_cars", lambda _self, _act: None)
        do(league, {"act": "merge", "name": "Cai", "into": "Ana"}, by="t")
    assert league.rebuild().idle == {}
    assert [one.driver for one in league.queries.races(race="a")[0].entries].count("ana") == 2
    cars = [{"seat": 2}, {"seat": 1}, {"seat": 3}]
    do(league, {"act": "amend", "race": "a", "reason": "x", "entries": cars}, by="t")
    do(league, {"act": "part", "name": "Cai"}, by="t")
    assert [one.driver for one in league.queries.races(race="a")[0].entries].count("ana") == 1


def test_an_amended_race_keeps_what_it_was_before(league: League, tmp_path: Path) -> None:
    season_of_two(league, tmp_path)
    assert names(league, "c") == ["Dot", "Cai"]
    (race,) = league.queries.races(race="c")
    (earlier,) = race.earlier
    assert [entry.name for entry in earlier.entries] == ["Cai", "Dot", "Ana"]
    assert earlier.reason == "misread"
    assert [entry.points for entry in race.entries] == [10, 8]


def test_a_race_that_the_table_amended_keeps_what_it_was_before(
    league: League, tmp_path: Path
) -> None:
    lines = ended("a")
    keep(tmp_path, lines)
    league.catch_up()
    keep(tmp_path, amended(lines, out=1))
    league.catch_up()
    (race,) = league.queries.races()
    assert [entry.name for entry in race.entries] == ["Bea", "Cai", "Ana"]
    assert [[entry.name for entry in one.entries] for one in race.earlier] == [list(ORDER)]


def test_penalties_are_given_with_a_reason_and_lifted(league: League, tmp_path: Path) -> None:
    season_of_two(league, tmp_path)
    (season,) = league.queries.seasons()
    races = league.queries.races(season="2026")
    points = {line.name: line.points for line in standings(season, races)}
    # b: Anna 10, Cai 8, Bea out. a, twice: Bea 10, Ana 8, Cai 6. c: Dot 10, Cai 8.
    assert points == {"Ana": 26, "Cai": 26, "Bea": 20, "Dot": 10}
    penalty = season.penalties[0]
    assert (penalty.driver, penalty.reason) == ("cai", "late")
    do(league, {"act": "lift", "penalty": penalty.id, "reason": "the bus"}, by="t")
    (season,) = league.queries.seasons()
    assert standings(season, races)[0].points == 28


def test_notes_of_the_night_come_from_the_record_and_from_people(
    league: League, tmp_path: Path
) -> None:
    lines = ended("a")
    lines.insert(2, {"note": "Bea spilled her tea", "by": "referee", "at": 3.0})
    keep(tmp_path, lines)
    do(league, {"act": "note", "race": "a", "text": "mopped up"}, by="Cai")
    (race,) = league.queries.races()
    told = [(note.text, note.by) for note in race.notes]
    assert told == [("Bea spilled her tea", "referee"), ("mopped up", "Cai")]


def test_a_struck_race_counts_no_more_until_it_is_restored(league: League, tmp_path: Path) -> None:
    season_of_two(league, tmp_path)
    (season,) = league.queries.seasons()
    do(league, {"act": "strike", "race": "c", "reason": "wrong board"}, by="t")
    (race,) = league.queries.races(race="c")
    assert race.struck == "wrong board"
    assert "Dot" not in {line.name for line in standings(season, league.queries.races())}
    do(league, {"act": "restore", "race": "c"}, by="t")
    assert "Dot" in {line.name for line in standings(season, league.queries.races())}


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ({"act": "round", "race": "a", "season": "1999"}, "no season '1999'; there are 2026"),
        ({"act": "round", "race": "zzz", "season": "2026"}, "no race 'zzz'"),
        ({"act": "penalty", "race": "a", "driver": "Dot", "reason": "x"}, "not in that race"),
        ({"act": "penalty", "driver": "Ana", "reason": "x"}, "exactly one of the two"),
        ({"act": "penalty", "season": "2026", "driver": "Ana", "reason": "x"}, "takes points"),
        ({"act": "lift", "penalty": 1, "reason": "x"}, "no penalty with number 1"),
        ({"act": "rename", "driver": "Zoe", "name": "Z"}, "nobody in the league is called 'Zoe'"),
        ({"act": "part", "name": "Ana"}, "a person of its own already"),
        ({"act": "restore", "race": "a"}, "nothing to restore"),
        ({"act": "team", "season": "2026", "driver": "Bea", "team": None}, "no team of its own"),
        ({"act": "close-table", "table": "two"}, "no table 'two'"),
        (by_hand("a", ("Ana",)), "a race 'a' already"),
        ({"act": "amend", "race": "a", "reason": "x", "entries": [{"seat": 9}]}, "needs name"),
        ({"act": "dance"}, "an act is one of"),
    ],
)
def test_an_act_that_makes_no_sense_is_told_and_changes_nothing(
    one_league: League, act: dict, message: str
) -> None:
    before, acts = image(one_league), one_league.history()
    with pytest.raises(BadAct, match=message):
        do(one_league, act, by="t")
    assert image(one_league) == before
    assert one_league.history() == acts


@pytest.fixture(scope="module")
def one_league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    """One season for all the acts that change nothing."""
    folder = tmp_path_factory.mktemp("league")
    with League(folder, now=lambda: "2026-03-01T12:00:00") as league:
        season_of_two(league, folder)
        yield league
