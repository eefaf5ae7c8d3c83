"""`companion league`: what each action prints, its JSON, and its errors in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.leagues.records import ended, keep

from companion.cli import main


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs an action on the test's folder: status, stdout, stderr."""

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["league", *words, "--data", str(tmp_path)])
        out, err = capsys.readouterr()
        return status, out, err

    run.capsys = capsys  # type: ignore[attr-defined]
    return run


@pytest.fixture
def season(say: Any) -> Any:
    assert say("new", "Winter 2026", "--points", "f1 + pole 1", "--drops", "1")[0] == 0
    words = ("--season", "winter-2026", "--date", "2026-02-01", "--note", "a long night")
    assert say("add", "--order", "Ana, Bea", "--out", "Cai: engine", *words)[0] == 0
    return say


def test_a_race_told_in_a_minute_is_in_the_standings(season: Any) -> None:
    status, out, _ = season("standings")
    assert status == 0
    assert "Winter 2026" in out
    assert [line.split()[:2] for line in out.splitlines()[3:6]] == [
        ["1", "Ana"],
        ["2", "Bea"],
        ["3", "Cai"],
    ]
    told = json.loads(season("standings", "--json")[1])
    assert [(line["name"], line["points"]) for line in told["lines"]] == [
        ("Ana", 25),
        ("Bea", 18),
        ("Cai", 0),
    ]


def test_a_stage_is_set_up_shown_and_left_by_commands(season: Any) -> None:
    assert season("competition", "Cup", "--ranking", "sum")[0] == 0
    assert season("new", "Final", "--closed", "--competition", "cup", "--stage", "final")[0] == 0
    assert season("new", "Winter 2026", "--competition", "cup")[0] == 0
    assert season("enter", "winter-2026", "Ana", "Bea", "--number", "7", "--team", "Red")[0] == 0
    assert json.loads(season("draw", "winter-2026", "--tables", "2", "--json")[1]).keys() == {
        "1",
        "2",
    }
    assert "Red" in season("entries", "winter-2026")[1]
    words = ("--date", "2026-12-01T20:00", "--board", "Monza", "--cancelled", "snow")
    assert season("plan", "winter-2026", "2", *words)[0] == 0
    assert "cancelled: snow" in season("calendar", "winter-2026")[1]
    assert "STATUS:CANCELLED" in season("export", "calendar", "winter-2026")[1]
    way = {"act": "path", "season": "winter-2026", "into": "final", "first": 1, "last": 2}
    assert season("do", json.dumps(way))[0] == 0
    assert "Ana, place 1: final" in season("qualify", "winter-2026", "--dry-run")[1]
    assert json.loads(season("entries", "final", "--json")[1]) == []
    assert season("qualify", "winter-2026")[0] == 0
    told = json.loads(season("entries", "final", "--json")[1])
    assert [(one["name"], one["number"]) for one in told] == [("Ana", 7), ("Bea", 8)]
    assert json.loads(season("standings", "cup", "--json")[1])["lines"][0]["points"] == 25
    status, _, err = season("draw", "final", "--tables", "5")
    assert (status, "2 drivers are entered" in err) == (2, True)


def test_a_finished_record_is_in_the_open_season_without_a_word(
    season: Any, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a"))
    races = json.loads(season("races", "winter-2026", "--json")[1])
    assert [race["round"] for race in races] == [1, 2]
    assert "a " in season("races")[1]


def test_a_record_of_elsewhere_and_csv_are_added(say: Any, tmp_path: Path) -> None:
    keep(tmp_path / "other", ended("a"))
    say("new", "S")
    assert say("add", str(tmp_path / "other" / "records" / "a.jsonl"))[0] == 0
    file = tmp_path / "races.csv"
    file.write_text("date;driver;place;season\n2026-03-01;Bea;2;s\n2026-03-01;Ana;1;s\n")
    assert json.loads(say("add", str(file), "--json")[1])["races"]
    races = json.loads(say("races", "s", "--json")[1])
    assert [[entry["name"] for entry in race["entries"]] for race in races] == [
        ["Ana", "Bea", "Cai"],
        ["Ana", "Bea"],
    ]


def test_two_names_are_merged_and_parted(season: Any) -> None:
    assert season("add", "--order", "Anna, Bea", "--date", "2026-02-08")[0] == 0
    assert "one person" in season("merge", "Anna", "Ana")[1]
    drivers = json.loads(season("drivers", "--json")[1])
    assert [one["names"] for one in drivers] == [["Ana", "Anna"], ["Bea"], ["Cai"]]
    assert "two people" in season("merge", "Anna", "Ana", "--undo")[1]
    status, out, err = season("merge", "Cai", "Ana")
    assert (status, out) == (2, "")
    assert "Cai and Ana cannot be one person: both drove in 2026-02-01\n" in err


def test_an_act_is_carried_out(season: Any) -> None:
    act = {"act": "penalty", "season": "winter-2026", "driver": "Ana", "points": 9}
    assert "it is act 5" in season("do", json.dumps({**act, "reason": "late"}))[1]
    assert json.loads(season("standings", "--json")[1])["lines"][0]["name"] == "Bea"


def test_a_race_for_a_season_that_is_not_there_is_not_added_at_all(season: Any) -> None:
    assert season("add", "--order", "Dot, Eve", "--season", "x")[0] == 2
    assert len(json.loads(season("races", "--json")[1])) == 1


def test_boxes_are_chosen_in_the_order_of_the_standings_de_pit_3(season: Any) -> None:
    out = season("standings", "--boxes", "Dot, Bea, Ana, Eve")[1]
    assert out.splitlines() == ["1. Ana", "2. Bea", "3. Dot, Eve (by the highest roll)"]


def test_a_world_championship_of_downforce_adds_two_races_df_var_4(
    say: Any, tmp_path: Path
) -> None:
    file = tmp_path / "nights.csv"
    lines = ["date,game,track,driver,points", "2026-01-01,downforce,one,Ana,15"]
    lines += ["2026-01-01,downforce,one,Bea,9", "2026-01-02,downforce,two,Bea,11"]
    file.write_text("\n".join([*lines, "2026-01-02,downforce,two,Ana,1"]))
    races = json.loads(say("add", str(file), "--json")[1])["races"]
    told = json.loads(say("standings", "--championship", *races, "--json")[1])
    assert [(line["name"], line["points"]) for line in told["lines"]] == [("Bea", 20), ("Ana", 16)]
    status, _, err = say("standings", "--championship", races[0], races[0])
    assert (status, "DF-VAR-4" in err) == (2, True)


def test_the_database_is_thrown_away_and_made_again(season: Any) -> None:
    before = season("standings", "--json")[1]
    assert json.loads(season("rebuild", "--json")[1]) == {"races": 1, "idle": {}}
    assert season("standings", "--json")[1] == before


def test_a_season_is_exported_and_read_into_an_empty_league_with_equal_standings(
    season: Any, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a", names=("Anna", "Bea", "Cai")))
    acts = (
        {"act": "merge", "name": "Anna", "into": "Ana"},
        {"act": "penalty", "race": "a", "driver": "Ana", "places": 1, "reason": "jumped"},
        {"act": "penalty", "season": "winter-2026", "driver": "Bea", "points": 3, "reason": "late"},
        {"act": "penalty", "race": "a", "driver": "Cai", "disqualified": True, "reason": "dice"},
        {"act": "team", "season": "winter-2026", "driver": "Cai", "team": "Rouge"},
        {"act": "round", "race": "a", "season": "winter-2026", "factor": 2},
    )
    for act in acts:
        assert season("do", json.dumps(act))[0] == 0
    file = tmp_path / "season.json"
    assert season("export", "acts", "winter-2026", "-o", str(file))[0] == 0
    elsewhere = ("--data", str(tmp_path / "elsewhere"))
    assert main(["league", "import", "acts", str(file), *elsewhere]) == 0
    assert season.capsys.readouterr().out == "2 races are in the league now\n"
    for which in ((), ("--teams",)):
        told = season("standings", *which, "--json")[1]
        assert main(["league", "standings", *which, "--json", *elsewhere]) == 0
        assert season.capsys.readouterr().out == told
    assert main(["league", "import", "acts", str(file), *elsewhere]) == 0
    assert season.capsys.readouterr().out == "it has no race that is new here\n"
    assert main(["league", "standings", "--json", *elsewhere]) == 0
    assert season.capsys.readouterr().out == season("standings", "--json")[1]


def test_a_sheet_that_was_corrected_amends_once_it_is_said(season: Any, tmp_path: Path) -> None:
    sheet = tmp_path / "evening.csv"
    sheet.write_text("date,race,driver\n2026-01-09,Night,Ana\n2026-01-09,Night,Bae\n")
    assert season("add", str(sheet))[0] == 0
    sheet.write_text(sheet.read_text().replace("Bae", "Bea"))
    assert season("add", str(sheet))[0] == 2
    assert season("add", str(sheet), "--amend")[0] == 0
    told = json.loads(season("races", "--json")[1])
    (night,) = (one for one in told if one["name"] == "Night")
    assert [entry["name"] for entry in night["entries"]] == ["Ana", "Bea"]


def test_a_damaged_record_is_told_with_its_line_and_the_rest_is_shown(
    season: Any, tmp_path: Path
) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "x.jsonl").write_text('{"record": 1}\n{')
    status, out, err = season("standings")
    assert status == 0
    assert "Ana" in out
    assert "x.jsonl is not in the league: line 2: no JSON" in err


def test_a_key_is_shown_once_and_only_its_digest_is_kept(season: Any, tmp_path: Path) -> None:
    key = json.loads(season("table", "Table 3", "--json")[1])["key"]
    assert len(key) >= 24
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or key.encode() not in file.read_bytes()
    assert "no more records" in season("table", "Table 3", "--close")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["standings"], "no season yet: companion league new"),
        (["standings", "x"], "no season yet"),
        (["add"], "name files to add"),
        (["add", "nowhere.csv"], "cannot be read"),
        (["add", "--order", "Ana, ana"], "in the race twice"),
        (["add", "--order", "Ana", "--round", "2"], "a round is one of a season"),
        (["add", "--order", "Ana", "--season", "x"], "no season 'x'"),
        (["new", "S", "--points", "lots"], "is no points table"),
        (["new", "S", "--drops", "-1"], "drops is 0 to"),
        (["do", "{"], "is no JSON"),
        (["do", "[]"], "an act is a JSON object"),
        (["merge", "Ana", "Bea"], "nobody in the league is called 'Ana'"),
        (["push"], "which club?"),
        (["export", "acts"], "no season yet"),
        (["import", "acts", "nowhere.json"], "cannot be read"),
        (["push", "--club", "ftp://x", "--key", "k"], "the club is an address such as"),
        (["standings", "--database", "mysql://x/y"], "sqlite or postgresql"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence_with_status_2(
    say: Any, words: list[str], message: str
) -> None:
    status, out, err = say(*words)
    assert (status, out) == (2, "")
    assert err.startswith("companion: ")
    assert message in err
    assert err.count("\n") == 1


def test_standings_without_a_key_are_those_of_the_open_season(season: Any) -> None:
    assert season("new", "Sprint cup", "--closed")[0] == 0
    assert json.loads(season("standings", "--json")[1])["title"] == "Winter 2026"
    assert json.loads(season("export", "acts")[1])[0]["season"] == "winter-2026"


def test_without_an_open_season_the_newest_one_is_meant(season: Any) -> None:
    season("new", "Winter 2026", "--closed")
    season("new", "Sprint cup", "--closed")
    assert json.loads(season("standings", "--json")[1])["title"] == "Sprint cup"


@pytest.mark.parametrize("way", ["file", "environment"])
def test_a_key_need_not_be_written_on_the_command_line(
    say: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    words = ["push", "--club", "http://127.0.0.1:9", "--json"]
    if way == "file":
        (tmp_path / "key").write_text("k\n")
        words += ["--key-file", str(tmp_path / "key")]
    else:
        monkeypatch.setenv("COMPANION_LEAGUE_KEY", "k")
    status, out, _ = say(*words)
    assert (status, json.loads(out)) == (0, {"sent": [], "trouble": None})


@pytest.mark.parametrize("content", ["", " \n", "two\nlines\n"])
def test_a_file_that_has_no_key_is_told(say: Any, tmp_path: Path, content: str) -> None:
    (tmp_path / "key").write_text(content)
    status, _, err = say(
        "push", "--club", "http://127.0.0.1:9", "--key-file", str(tmp_path / "key")
    )
    assert (status, "one line" in err) == (2, True)


def test_a_tournament_day_is_run_from_the_command_line(say: Any, tmp_path: Path) -> None:
    assert say("new", "Heats", "--stage", "heats", "--round", "1", "--licence", "6")[0] == 0
    names = ("Ana", "Bea", "Cai", "Dot")
    assert say("enter", "heats", *names, "--number", "1")[0] == 0
    assert say("enter", "heats", "Rapid", "--crew", "Eve, Fay")[0] == 0
    plan = ("plan", "heats", "1", "--board", "manege", "--weather", "rain", "--laps", "1")
    assert say(*plan)[0] == 0
    ban = '{"act": "penalty", "season": "heats", "driver": "Dot", "ban": 1, "reason": "rude"}'
    assert say("do", ban)[0] == 0
    status, out, _ = say("draw", "heats", "--tables", "2", "--by", "number", "--grid")
    assert status == 0
    assert "Dot is banned from round 1: rude" in out
    assert out.endswith("1: Ana, Bea\n2: Cai, Rapid\n")
    assert say("enter", "heats", "Lou")[0] == 0
    assert "1: Ana, Bea, Lou" in say("draw", "heats", "--late")[1]
    header = json.loads(say("sheet", "heats", "--table", "2")[1])
    assert [seat["name"] for seat in header["seats"]] == ["Cai", "Rapid"]
    assert header["seats"][1]["crew"] == ["Eve", "Fay"]
    assert (header["track"], header["weather"], header["grid"]) == ("manege", "rain", [1, 2])
    for words, sentence in (
        (("sheet", "heats"), "which table? there are 1, 2"),
        (("draw", "heats"), "draw --tables N for everybody, or --late"),
        (("draw", "heats", "--late"), "everybody who may drive has a table"),
        (("person", "Max", "--role", "marshal"), "a marshal has a table, and nobody else"),
    ):
        status, _, err = say(*words)
        assert (status, sentence in err) == (2, True), err
    told = say("person", "Max", "--role", "marshal", "--table", "Table 2")[1]
    assert "/league/tables/Table%202#pin=" in told
    file = tmp_path / "cards.html"
    assert say("export", "cards", "heats", "-o", str(file), "--language", "fr")[0] == 0
    assert "Table 2" in file.read_text()


def test_the_entry_list_tells_crew_table_place_on_the_grid_and_last_round(say: Any) -> None:
    assert say("new", "Heats", "--stage", "heats", "--round", "1")[0] == 0
    assert say("enter", "heats", "Ana", "--number", "7", "--until", "4")[0] == 0
    assert say("enter", "heats", "Rapid", "--crew", "Eve, Fay")[0] == 0
    assert say("draw", "heats", "--tables", "1", "--by", "number", "--grid")[0] == 0
    out = say("entries", "heats")[1]
    for head in ("crew", "table", "grid", "until"):
        assert head in out
    ana, rapid = (line.split() for line in out.splitlines() if "Ana" in line or "Rapid" in line)
    assert ana == ["7", "Ana", "regular", "1", "1", "4"]
    assert rapid == ["Rapid", "Eve,", "Fay", "regular", "1", "2"]
    told = json.loads(say("entries", "heats", "--json")[1])
    assert [(one["table"], one["grid"], one["until"]) for one in told] == [
        ("1", 1, 4),
        ("1", 2, None),
    ]
    assert told[1]["crew"] == ["eve", "fay"]


def test_a_sheet_names_no_board_that_is_not_there(say: Any, tmp_path: Path) -> None:
    assert say("new", "Heats", "--stage", "heats", "--round", "1")[0] == 0
    assert say("enter", "heats", "Ana", "Bea")[0] == 0
    status, out, err = say("sheet", "heats", "--track", "nowhere")
    assert (status, out) == (2, "")
    assert "there is no track 'nowhere'; accepted are " in err
    assert err.count("\n") == 1
    assert say("plan", "heats", "1", "--board", "Nowhere")[0] == 0
    status, out, err = say("sheet", "heats")
    assert (status, out) == (2, "")
    assert "there is no track 'nowhere'" in err
    assert "--track" in err, "the calendar names the board: what helps is said"
    assert json.loads(say("sheet", "heats", "--track", "monza")[1])["track"] == "monza"
    assert say("plan", "heats", "1", "--board", "Le Manège")[0] == 0
    assert json.loads(say("sheet", "heats")[1])["track"] == "manege"
