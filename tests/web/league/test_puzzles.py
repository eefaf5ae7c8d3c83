"""The league's puzzles: a list, one for the day, and each with its answers; nobody is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from support.browser import chromium
from support.browser.axe import violations
from support.leagues.records import do

from companion.league.league import League
from companion.league.plain import Race
from companion.race.record import tracks_of
from companion.rules.board.track import Track
from companion.study.reviews import KeptReviews, make_review
from companion.views.words import words
from companion_web.door import Door, listen
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess
from companion_web.league.reviews import Found, of_the_day, told_puzzle

from .conftest import NAMES, NASTY

DAY = date(2026, 3, 1)


class MadeBefore(KeptReviews):
    """Reviews that were made before anybody asks."""

    def make(self, race: str, lines: Any) -> None:
        make_review(self._solved, self._path(race), list(lines))


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "solved"


@pytest.fixture
def reviewed(league: League, solved: Path, driven: list[dict[str, Any]]) -> Iterator[KeptReviews]:
    with MadeBefore(solved) as kept:
        if kept.known("driven") is None:
            kept.make("driven", driven)
        yield kept


@pytest.fixture
def pages(league: League, reviewed: KeptReviews) -> FlaskClient:
    guard = Guard(KeeperPin("31415926"))
    access = LeagueAccess(league.public, league, guard, reviews=reviewed, today=lambda: DAY)
    return create_league_app(access=access).test_client()


@pytest.fixture
def puzzles(reviewed: KeptReviews) -> list[dict[str, Any]]:
    found = reviewed.known("driven")
    assert found is not None
    assert found["puzzles"], "this race was chosen because it has some"
    return list(found["puzzles"])


def test_all_puzzles_are_listed_and_one_is_that_of_the_day(
    pages: FlaskClient, puzzles: list[dict[str, Any]]
) -> None:
    page = pages.get("/league/puzzles?lang=en").text
    assert "Puzzle of the day" in page
    for puzzle in puzzles:
        assert f"/league/puzzles/driven/{puzzle['line']}" in page
    assert "Énigmes" in pages.get("/league/puzzles?lang=fr").text


def test_a_puzzle_tells_position_and_answers_and_names_nobody(
    pages: FlaskClient, puzzles: list[dict[str, Any]]
) -> None:
    for puzzle in puzzles:
        address = f"driven/{puzzle['line']}"
        told = pages.get(f"/api/league/puzzles/{address}.en").get_json()
        assert len(told["choices"]) == len(told["costs"]) == len(puzzle["choices"])
        assert told["costs"][told["best"] - 1].endswith("turns to go")
        assert told["costs"][told["played"] - 1].startswith(("costs", "puts"))
        assert told["state"]["turn"] == told["seat"]
        page = pages.get(f"/league/puzzles/{address}").text
        said = page + str(told)
        assert not any(name in said for name in (*NAMES, NASTY, "Zoë"))


@pytest.mark.parametrize("language", ["fr", "de"])
def test_the_figures_of_a_puzzle_have_the_comma_of_the_language(
    pages: FlaskClient, puzzles: list[dict[str, Any]], language: str
) -> None:
    address = f"/api/league/puzzles/driven/{puzzles[0]['line']}"
    costs = pages.get(f"{address}.{language}").get_json()["costs"]
    english = pages.get(f"{address}.en").get_json()["costs"]
    assert any(re.search(r"\d,\d", cost) for cost in costs)
    assert not any(re.search(r"\d\.\d", cost) for cost in costs)
    assert not any(re.search(r"\d,\d", cost) for cost in english)


def facts_of(
    puzzle: dict[str, Any], race: Race, track: Track, weather: str, *rules: str, language: str
) -> list[str]:
    state = {**puzzle["state"], "weather": weather}
    found = Found(replace(race, rules=rules), {**puzzle, "state": state})
    return list(told_puzzle(found, track, words(language))["facts"])


def test_a_puzzle_names_weather_and_tires_where_they_matter(
    league: League, puzzles: list[dict[str, Any]], driven: list[dict[str, Any]]
) -> None:
    race = league.public.races(race="driven")[0]
    track = tracks_of(driven[0]).load(driven[0]["track"])
    told = partial(facts_of, puzzles[0], race, track)
    without = told("fine", language="en")
    assert not any("hard" in fact or "dry" in fact for fact in without)
    assert "rain for now, hard tires lap 1" in [
        re.sub(r"lap \d+$", "lap 1", fact)
        for fact in told("variable-rain", "weather", "tires", language="en")
    ]
    assert "dry" in told("fine", "weather", language="en")
    assert told("fine", language="en") == told("fine", "bonus", language="en")
    assert "pluie" in told("rain", "weather", language="fr")


def test_what_is_no_puzzle_is_not_found(pages: FlaskClient) -> None:
    for address in ("driven/1", "nobody/3"):
        assert pages.get(f"/league/puzzles/{address}").status_code == 404
        assert pages.get(f"/api/league/puzzles/{address}.en").status_code == 404


def test_a_race_that_was_struck_has_no_puzzles(
    league: League, pages: FlaskClient, puzzles: list[dict[str, Any]]
) -> None:
    do(league, {"act": "strike", "race": "driven", "reason": "a wrong board"}, by="t")
    assert "/league/puzzles/driven" not in pages.get("/league/puzzles").text
    assert pages.get(f"/league/puzzles/driven/{puzzles[0]['line']}").status_code == 404


def test_the_puzzle_of_a_day_stays_when_a_race_of_that_day_comes_in(league: League) -> None:
    race = league.public.races(race="driven")[0]
    old = [Found(race, {"line": line}) for line in range(2, 12)]
    days = [date(2026, month, 7) for month in range(2, 12)]
    drawn = [of_the_day(old, day) for day in days]
    assert len({one.line for one in drawn if one}) > 3
    for day, one in zip(days, drawn, strict=True):
        came = [Found(replace(race, date=f"{day}T20:00:00"), {"line": n}) for n in range(20, 30)]
        assert of_the_day([*came, *reversed(old)], day) == one
        assert of_the_day(came, day) in came, "the first race of all is better than none"
    assert of_the_day([], days[0]) is None


def test_a_league_without_reviews_says_where_puzzles_come_from(client: FlaskClient) -> None:
    assert "They come out of" in client.get("/league/puzzles?lang=en").text.replace("they", "They")


# -- in Chromium ---------------------------------------------------------------------------------


@pytest.fixture
def address(pages: FlaskClient) -> Iterator[str]:
    with Door(pages.application, listen("127.0.0.1", 0)) as door:
        yield f"http://127.0.0.1:{door.port}/league/puzzles"


@pytest.mark.slow
@pytest.mark.skipif(chromium.CHROMIUM is None, reason="Debian's chromium is not installed")
def test_a_puzzle_is_answered_by_touch_and_shows_what_each_answer_costs(
    address: str, open_page: Callable[..., Page], puzzles: list[dict[str, Any]]
) -> None:
    page = open_page(address, viewport={"width": 320, "height": 760}, has_touch=True)
    page.locator(".today a").tap()
    expect(page.locator("#board .token").first).to_be_visible()
    line = int(page.url.rsplit("/", 1)[1])
    puzzle = next(one for one in puzzles if one["line"] == line)
    wrong = next(n for n in range(len(puzzle["choices"])) if n != puzzle["best"])
    page.locator(".choice").nth(wrong).tap()
    expect(page.locator(".choice .turns")).to_have_count(len(puzzle["choices"]))
    expect(page.locator(".choice").nth(wrong).locator("b")).to_have_text("✗")
    expect(page.locator(".choice").nth(puzzle["best"]).locator("b")).to_have_text("✓")
    expect(page.locator("#verdict")).to_contain_text("Better:")
    expect(page.locator("#verdict")).to_contain_text("In the race car")
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 760})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == [], width
    page.get_by_role("link", name="More puzzles").tap()
    expect(page.locator(".today")).to_be_visible()
