"""Reports for print: what stands in them, in both languages, and that they are the same again."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path
from typing import Any

import pytest
from support.leagues.records import by_hand, do, ended, keep

from companion.cli import main
from companion.league.errors import Missing
from companion.league.exchange.registry import FORMS, Form
from companion.league.league import League
from companion.league.numbers.measure import measure
from companion.league.report.canvas import Canvas
from companion.league.report.paper import Paper
from companion.league.standings import Standing, standings


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is put on paper, of cells and paragraphs."""
    texts: list[str] = []
    rows, say, chart = Paper.rows, Paper._say, Paper.chart

    def keep_rows(self: Paper, columns: Any, lines: Any) -> None:
        lines = [list(line) for line in lines]
        texts.extend(column.head for column in columns)
        texts.extend(cell for line in lines for cell in line)
        rows(self, columns, lines)

    def keep_text(self: Paper, text: str, *more: Any, **named: Any) -> None:
        texts.append(text)
        say(self, text, *more, **named)

    def keep_chart(self: Paper, png: bytes) -> None:
        texts.append(f"<chart {png[1:4].decode()}>")
        chart(self, png)

    monkeypatch.setattr(Paper, "rows", keep_rows)
    monkeypatch.setattr(Paper, "_say", keep_text)
    monkeypatch.setattr(Paper, "chart", keep_chart)
    return texts


@pytest.fixture
def quarrel(tmp_path: Path) -> Any:
    """A season of two races, with a penalty, a note, a team and a car that is out."""
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        season = {"act": "season", "season": "s", "title": "Winter", "open": True}
        do(league, {**season, "drops": 1, "planned": 4}, by="t")
        keep(tmp_path, ended("a", ("Łukasz", "Zoë", "Cai"), out=(2,), rolls=3))
        do(
            league,
            by_hand("b", ("Zoë", "Cai", "<b>Dot</b>"), name="Round at home"),
            {"act": "round", "race": "b", "season": "s"},
            {"act": "team", "season": "s", "driver": "Zoë", "team": "Écurie"},
            {"act": "penalty", "race": "b", "driver": "Zoë", "points": 2, "reason": "words"},
            {"act": "note", "race": "b", "text": "The dice were lost."},
            by="Ana",
        )
        yield league


def report(league: League, form: str, key: str, language: str = "en") -> bytes:
    return FORMS[form].writer(language)(league.queries, key)


def pages(content: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", content))


def test_a_season_on_paper_has_standings_progress_races_and_quarrels(
    quarrel: League, said: list[str]
) -> None:
    content = report(quarrel, "report", "s")
    assert content.startswith(b"%PDF")
    assert pages(content) >= 1
    for text in ("Winter", "Standings", "Écurie", "Teams", "<chart PNG>", "Races", "−2"):
        assert text in said
    assert "Round 2 · Zoë, 2 points taken – words" in said
    assert "Round 2 · The dice were lost." in said
    assert "(0)" in said  # dropped
    assert "<b>Dot</b>" in said  # a name is no markup


def test_a_race_on_paper_has_its_result_positions_and_figures(
    quarrel: League, said: list[str]
) -> None:
    report(quarrel, "race-report", "a")
    for text in ("Result", "Grid", "out: retired", "Positions", "<chart PNG>", "Figures"):
        assert text in said
    assert any("Winter, round 1 · 2026-01-01 20:00" in text for text in said)


def test_the_title_of_a_race_names_its_board_and_who_won_not_the_first_seats(
    tmp_path: Path, said: list[str]
) -> None:
    lines = ended("m", ("Marguerite", "Jean-Baptiste", "Dad"), rolls=0, out=(1, 2))
    lines[0]["name"] = "manege: Marguerite, Jean-Baptiste, Dad"
    keep(tmp_path, lines)
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        do(league, {"act": "note", "race": "m", "text": "late"}, by="t")
        for language in ("en", "fr"):
            report(league, "race-report", "m", language)
    assert {"Le Manège: Dad wins", "Le Manège : Dad gagne"} <= set(said)


def test_a_race_that_somebody_has_named_keeps_its_name(quarrel: League, said: list[str]) -> None:
    report(quarrel, "race-report", "b")
    assert "Round at home: Zoë wins" in said


def test_a_race_by_hand_has_only_what_is_known_of_it(quarrel: League, said: list[str]) -> None:
    report(quarrel, "race-report", "b")
    assert "Grid" not in said
    assert "<chart PNG>" not in said
    assert "The dice were lost. (Ana)" in said


def test_reports_are_in_french_too(quarrel: League, said: list[str]) -> None:
    report(quarrel, "report", "s", "fr")
    report(quarrel, "race-report", "b", "fr")
    assert {"Classement", "Équipes", "Résultat", "Pénalités"} <= set(said)
    assert "Zoë, 2 points retirés – words" in said


def test_a_german_season_says_in_which_race_a_penalty_was_given_not_in_which_turn(
    quarrel: League, said: list[str]
) -> None:
    report(quarrel, "report", "s", "de")
    (line,) = (text for text in said if text.endswith(" – words"))
    assert line.startswith("Lauf 2 · Zoë, ")


def test_the_same_race_is_the_same_file(quarrel: League) -> None:
    assert report(quarrel, "race-report", "b") == report(quarrel, "race-report", "b")


def test_a_season_without_races_is_a_page_that_says_so_little(tmp_path: Path) -> None:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        do(league, {"act": "season", "season": "s", "title": "Empty"}, by="t")
        assert pages(report(league, "report", "s")) == 1


@pytest.mark.slow
def test_a_long_season_is_printed_across(tmp_path: Path, said: list[str]) -> None:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        acts: list[Any] = [{"act": "season", "season": "s", "title": "Long"}]
        for n in range(30):
            acts += [
                by_hand(f"r{n}", ("Ana", "Bea"), name=f"R{n}"),
                {"act": "round", "race": f"r{n}", "season": "s"},
            ]
        do(league, *acts, by="t")
        content = report(league, "report", "s")
    assert b"/MediaBox [0 0 841.89 595.28]" in content
    assert "30" in said
    assert "4" not in said[: said.index("Ana")]  # the oldest rounds have no column


def test_the_command_writes_a_report_in_a_language(quarrel: League, tmp_path: Path) -> None:
    file = tmp_path / "season.pdf"
    where = ["--data", str(tmp_path), "-o", str(file), "--language", "fr"]
    assert main(["league", "export", "report", "s", *where]) == 0
    assert file.read_bytes().startswith(b"%PDF")


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nowhere.report", None)
    form = Form("PDF", "season", ".pdf", "nowhere.report", extra="league")
    monkeypatch.setitem(sys.modules, "nowhere", None)
    with pytest.raises(Missing, match=r"pip install 'race-companion\[league\]'"):
        form.writer()


def test_a_race_is_a_picture_to_send_around(quarrel: League) -> None:
    for race, language in (("a", "en"), ("b", "fr")):
        picture = report(quarrel, "picture", race, language)
        assert picture.startswith(b"\x89PNG")
        assert struct.unpack(">II", picture[16:24]) == (1080, 1350)


def standings_of(league: League) -> list[Standing]:
    (season,) = league.queries.seasons("s")
    races = league.queries.races(season="s")
    names = league.queries.names({entry.driver for race in races for entry in race.entries})
    return standings(season, races, names)


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text of a picture."""
    texts: list[str] = []
    write = Canvas._text

    def keep_text(self: Canvas, x: float, y: float, text: str, *more: Any, **named: Any) -> None:
        texts.append(text)
        write(self, x, y, text, *more, **named)

    monkeypatch.setattr(Canvas, "_text", keep_text)
    return texts


def test_a_season_is_a_picture_of_who_leads_after_its_last_round(
    quarrel: League, painted: list[str]
) -> None:
    picture = report(quarrel, "picture", "s", "en")
    assert struct.unpack(">II", picture[16:24]) == (1080, 1350)
    lines = standings_of(quarrel)
    assert painted[:2] == [f"{lines[0].name} leads", "Winter"]
    assert painted[2].startswith("2 of 4 rounds · ")
    rows = [(painted[n], painted[n + 2]) for n in range(3, len(painted), 4)]
    assert rows == [(f"{line.place}", line.name) for line in lines]
    zoe = painted.index("Zoë", 3)
    assert painted[zoe + 1].startswith("Écurie · ")
    do(quarrel, {"act": "season", "season": "s", "planned": 2}, by="t")
    painted.clear()
    report(quarrel, "picture", "s", "fr")
    assert painted[0] == f"{lines[0].name} gagne !"
    assert painted[2].startswith("2 manches sur 2 · ")


def test_a_season_before_its_first_race_and_one_of_trials_have_a_picture_too(
    quarrel: League, painted: list[str]
) -> None:
    entry = {"act": "enter", "season": "new", "driver": "Ana", "number": 7, "color": "violet"}
    do(quarrel, {"act": "season", "season": "new", "title": "Spring"}, entry, by="t")
    report(quarrel, "picture", "new", "en")
    assert painted == ["Spring", "", "0 rounds", "1", "7", "Ana", ""]
    painted.clear()
    trial = [{"name": "Bob", "trial": 18, "time": 61}, {"name": "Cem", "status": "out"}]
    race = {"act": "race", "race": "t", "date": "2026-03-01", "game": "formula-d", "entries": trial}
    place = {"act": "round", "race": "t", "season": "new", "round": 1}
    do(quarrel, {"act": "season", "season": "new", "stage": "trials"}, race, place, by="t")
    report(quarrel, "picture", "new", "en")
    assert painted[0] == "Bob leads"
    assert "19 · 1:01" in painted


def test_a_year_book_has_the_season_and_each_race_as_a_chapter(
    quarrel: League, said: list[str]
) -> None:
    book = FORMS["year-book"].writer()(quarrel.queries, "s")
    assert book.startswith(b"%PDF")
    told = list(said)
    for race in quarrel.queries.races(season="s"):
        (chapter,) = (text for text in told if text.startswith(f"Round {race.round}: "))
        assert told.index("Standings") < told.index(chapter)
    assert told.count("Result") == 2
    said.clear()
    FORMS["report"].writer()(quarrel.queries, "s")
    assert told[: len(said)] == said, "it begins with the report as it is"
    assert FORMS["year-book"].writer()(quarrel.queries, "s") == book
