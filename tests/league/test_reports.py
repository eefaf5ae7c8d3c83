"""Reports for print: what stands in them, in both languages, and that they are the same again."""

from __future__ import annotations

import re
import struct
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from support.leagues.records import by_hand, do, ended, keep

from companion.cli import main
from companion.league import charts as printing
from companion.league.charts import can_print
from companion.league.errors import LeagueError, Missing
from companion.league.exchange.outside import forms
from companion.league.exchange.registry import Form
from companion.league.games import measure
from companion.league.league import League
from companion.league.report.paper import ACROSS, style
from companion.league.standings import Standing, standings


class Said(HTMLParser):
    """Every text that is put on paper, of headings, cells and paragraphs, and each chart as one."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "svg":
            self.texts.append("<chart>")
        self._parts = []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "h2", "p", "th", "td"):
            self.texts.append("".join(self._parts))

    def handle_data(self, data: str) -> None:
        self._parts.append(data)


def said(page: bytes) -> list[str]:
    """What a paper says."""
    reader = Said()
    reader.feed(page.decode())
    return reader.texts


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
    return forms()[form].writer(language, as_page=True)(league.queries, key)


def test_a_season_on_paper_has_standings_progress_races_and_quarrels(quarrel: League) -> None:
    told = said(report(quarrel, "report", "s"))
    for text in ("Winter", "Standings", "Écurie", "Teams", "<chart>", "Races", "−2"):
        assert text in told
    assert "Round 2 · Zoë, 2 points taken – words" in told
    assert "Round 2 · The dice were lost." in told
    assert "(0)" in told  # dropped
    assert "<b>Dot</b>" in told  # a name is no markup


def test_a_race_on_paper_has_its_result_positions_and_figures(quarrel: League) -> None:
    told = said(report(quarrel, "race-report", "a"))
    for text in ("Result", "Grid", "out: retired", "Positions", "<chart>", "Figures"):
        assert text in told
    assert any("Winter, round 1 · 2026-01-01 20:00" in text for text in told)


def test_the_title_of_a_race_names_its_board_and_who_won_not_the_first_seats(
    tmp_path: Path,
) -> None:
    lines = ended("m", ("Marguerite", "Jean-Baptiste", "Dad"), rolls=0, out=(1, 2))
    lines[0]["name"] = "manege: Marguerite, Jean-Baptiste, Dad"
    keep(tmp_path, lines)
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        do(league, {"act": "note", "race": "m", "text": "late"}, by="t")
        titles = [said(report(league, "race-report", "m", tag))[0] for tag in ("en", "fr")]
    assert titles == ["Le Manège: Dad wins", "Le Manège : Dad gagne"]


def test_a_race_that_somebody_has_named_keeps_its_name(quarrel: League) -> None:
    assert "Round at home: Zoë wins" in said(report(quarrel, "race-report", "b"))


def test_a_race_by_hand_has_only_what_is_known_of_it(quarrel: League) -> None:
    told = said(report(quarrel, "race-report", "b"))
    assert "Grid" not in told
    assert "<chart>" not in told
    assert "The dice were lost. (Ana)" in told


def test_reports_are_in_french_too(quarrel: League) -> None:
    told = said(report(quarrel, "report", "s", "fr") + report(quarrel, "race-report", "b", "fr"))
    assert {"Classement", "Équipes", "Résultat", "Pénalités"} <= set(told)
    assert "Zoë, 2 points retirés – words" in told


def test_a_german_season_says_in_which_race_a_penalty_was_given_not_in_which_turn(
    quarrel: League,
) -> None:
    told = said(report(quarrel, "report", "s", "de"))
    (line,) = (text for text in told if text.endswith(" – words"))
    assert line.startswith("Lauf 2 · Zoë, ")


def test_figures_of_many_cars_are_tables_of_as_many_each(tmp_path: Path) -> None:
    names = tuple(f"Maximiliane-Konstanze {letter}" for letter in "ABCDEFGHIJ")
    keep(tmp_path, ended("a", names, rolls=3))
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        league.catch_up()
        page = report(league, "race-report", "a").decode()
    figures = re.findall(r'<table class="even">(.+?)</thead>', page, re.DOTALL)
    assert [re.findall("Konstanze (.)", heads) for heads in figures] == [
        list("ABCDE"),
        list("FGHIJ"),
    ]


def test_the_same_race_is_the_same_file(quarrel: League) -> None:
    assert report(quarrel, "race-report", "b") == report(quarrel, "race-report", "b")


def test_a_paper_loads_nothing_and_has_no_style_but_the_sheets_that_its_policy_names(
    quarrel: League,
) -> None:
    for form in ("report", "race-report"):
        page = report(quarrel, form, {"report": "s", "race-report": "a"}[form]).decode()
        assert not re.search(r'\b(?:src|href|style)="|<script', page)
        assert re.findall(r"<style>(.+?)</style>", page, re.DOTALL) == [style()]


def test_a_season_without_races_is_a_page_that_says_so_little(tmp_path: Path) -> None:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        do(league, {"act": "season", "season": "s", "title": "Empty"}, by="t")
        told = said(report(league, "report", "s"))
    assert told[0] == "Empty"
    assert not {"<chart>", "Races", "Teams"} & set(told)


def test_a_long_season_is_printed_across(tmp_path: Path) -> None:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        acts: list[Any] = [{"act": "season", "season": "s", "title": "Long"}]
        for n in range(30):
            acts += [
                by_hand(f"r{n}", ("Ana", "Bea"), name=f"R{n}"),
                {"act": "round", "race": f"r{n}", "season": "s"},
            ]
        do(league, *acts, by="t")
        page = report(league, "report", "s")
    assert f"<style>{ACROSS}</style>".encode() in page
    told = said(page)
    heads = told[: told.index("Ana")]
    assert "30" in heads
    assert "4" not in heads  # the oldest rounds have no column


@pytest.mark.skipif(not can_print(), reason="the program weasyprint is not installed")
def test_weasyprint_makes_a_pdf_of_a_report_by_the_command_and_the_same_again(
    quarrel: League, tmp_path: Path
) -> None:
    files = [tmp_path / "one.pdf", tmp_path / "two.pdf"]
    for file in files:
        printing.print_pdf.cache_clear()
        where = ["--data", str(tmp_path), "-o", str(file), "--language", "fr"]
        assert main(["league", "export", "report", "s", *where]) == 0
    read = PdfReader(files[0])
    told = " ".join(page.extract_text() for page in read.pages)
    for text in ("Winter", "Classement", "Écurie", "Zoë, 2 points retirés – words", "1 / 1"):
        assert text in told
    assert read.metadata is not None
    assert read.metadata.title == "Winter"
    assert [round(side) for side in read.pages[0].mediabox[2:]] == [595, 842]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_without_weasyprint_the_command_says_what_to_install_and_writes_a_page(
    quarrel: League,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(printing, "PRINTER", "no-such-program")
    words = ["league", "export", "year-book", "s", "--data", str(tmp_path), "-o"]
    assert main([*words, str(tmp_path / "book.pdf")]) == 2
    assert "sudo apt install no-such-program" in capsys.readouterr().err
    assert not (tmp_path / "book.pdf").exists()
    assert main([*words, str(tmp_path / "book.html")]) == 0
    assert "Winter" in said((tmp_path / "book.html").read_bytes())


def test_a_printer_that_fails_says_why(
    quarrel: League, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "weasyprint"
    broken.write_text("#!/bin/sh\necho no paper >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(printing, "PRINTER", str(broken))
    with pytest.raises(LeagueError, match="failed: no paper"):
        printing.print_pdf(b"")


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nowhere.report", None)
    form = Form("PDF", "season", ".pdf", "nowhere.report", extra="league")
    monkeypatch.setitem(sys.modules, "nowhere", None)
    with pytest.raises(Missing, match=r"pip install '.\[league\]'"):
        form.writer()


def test_a_race_is_a_picture_to_send_around(quarrel: League) -> None:
    for key, language in (("a", "en"), ("b", "fr"), ("s", "de")):
        picture = report(quarrel, "picture", key, language)
        assert picture.startswith(b"\x89PNG")
        assert struct.unpack(">II", picture[16:24]) == (1080, 1350)


def standings_of(league: League) -> list[Standing]:
    (season,) = league.queries.seasons("s")
    races = league.queries.races(season="s")
    names = league.queries.names({entry.driver for race in races for entry in race.entries})
    return standings(season, races, names)


def texts_of(league: League, key: str, language: str) -> list[str]:
    """Every text of a picture."""
    from companion.league.report.picture import draw

    drawn = ElementTree.fromstring(draw(league.queries, key, language=language))
    return [one.text or "" for one in drawn.iter("{http://www.w3.org/2000/svg}text")]


def test_a_season_is_a_picture_of_who_leads_after_its_last_round(
    quarrel: League,
) -> None:
    painted = texts_of(quarrel, "s", "en")
    lines = standings_of(quarrel)
    assert painted[:2] == [f"{lines[0].name} leads", "Winter"]
    assert painted[2].startswith("2 of 4 rounds · ")
    rows = [(painted[n], painted[n + 2]) for n in range(3, len(painted), 4)]
    assert rows == [(f"{line.place}", line.name) for line in lines]
    zoe = painted.index("Zoë", 3)
    assert painted[zoe + 1].startswith("Écurie · ")
    do(quarrel, {"act": "season", "season": "s", "planned": 2}, by="t")
    painted = texts_of(quarrel, "s", "fr")
    assert painted[0] == f"{lines[0].name} gagne !"
    assert painted[2].startswith("2 manches sur 2 · ")


def test_a_season_before_its_first_race_and_one_of_trials_have_a_picture_too(
    quarrel: League,
) -> None:
    entry = {"act": "enter", "season": "new", "driver": "Ana", "number": 7, "color": "violet"}
    do(quarrel, {"act": "season", "season": "new", "title": "Spring"}, entry, by="t")
    assert texts_of(quarrel, "new", "en") == ["Spring", "", "0 rounds", "1", "7", "Ana", ""]
    trial = [{"name": "Bob", "trial": 18, "time": 61}, {"name": "Cem", "status": "out"}]
    race = {"act": "race", "race": "t", "date": "2026-03-01", "game": "formula-d", "entries": trial}
    place = {"act": "round", "race": "t", "season": "new", "round": 1}
    do(quarrel, {"act": "season", "season": "new", "stage": "trials"}, race, place, by="t")
    painted = texts_of(quarrel, "new", "en")
    assert painted[0] == "Bob leads"
    assert "19 · 1:01" in painted


def test_a_year_book_has_the_season_and_each_race_as_a_chapter(quarrel: League) -> None:
    book = report(quarrel, "year-book", "s")
    told = said(book)
    for race in quarrel.queries.races(season="s"):
        (chapter,) = (text for text in told if text.startswith(f"Round {race.round}: "))
        assert told.index("Standings") < told.index(chapter)
    assert told.count("Result") == 2
    alone = said(report(quarrel, "report", "s"))
    assert told[: len(alone)] == alone, "it begins with the report as it is"
    assert report(quarrel, "year-book", "s") == book
