"""The coach: each mistake of a race is made again on the board as it stood, then told with why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from support.browser import chromium
from support.browser.axe import violations
from support.leagues.records import NAMES, ended, keep

from companion.league.league import League
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import replay
from companion.rules.packs import part
from companion.study.reviews import KeptReviews, make_review, what_if
from companion.views.words import words
from companion_web.door import Door, listen
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess
from companion_web.league.reviews import Mistake, told_mistake


class MadeBefore(KeptReviews):
    """Reviews that were made before anybody asks; races are driven on three times."""

    def make(self, race: str, lines: Any) -> None:
        make_review(self._solved, self._path(race), list(lines))

    def what_if(self, race: str, lines: Any, line: int, answers: Any) -> Any:
        left = iter((True, True, False))
        return {"ways": what_if(lines, line, answers, lambda: next(left))}


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "solved"


@pytest.fixture
def reviewed(league: League, solved: Path, driven: list[dict[str, Any]]) -> Iterator[MadeBefore]:
    with MadeBefore(solved) as kept:
        if kept.known("driven") is None:
            kept.make("driven", driven)
        yield kept


@pytest.fixture
def pages(league: League, reviewed: MadeBefore) -> FlaskClient:
    guard = Guard(KeeperPin("31415926"))
    access = LeagueAccess(league.public, league, guard, reviews=reviewed, has_table=True)
    return create_league_app(access=access).test_client()


@pytest.fixture
def mistakes(reviewed: MadeBefore) -> list[dict[str, Any]]:
    found = reviewed.known("driven")
    assert found is not None
    made = [one for car in found["cars"].values() for one in car["mistakes"]]
    assert made, "this race was chosen because it has some"
    return made


def test_the_review_lists_every_mistake_by_its_grade_and_leads_to_it(
    pages: FlaskClient, mistakes: list[dict[str, Any]]
) -> None:
    page = pages.get("/league/races/driven/review?lang=en").text
    for one in mistakes:
        assert f'href="/league/races/driven/coach/{one["line"]}"' in page
        assert f"is-{one['grade']}" in page
    assert re.search(r"Unluckiest roll: round \d+, a \d+ \(\+\d+\.\d turns\)", page)
    assert "Luckiest roll" in page


def test_from_the_result_it_is_one_touch_to_the_car_that_went_out_and_two_to_its_mistake(
    league: League, pages: FlaskClient, reviewed: MadeBefore, tmp_path: Path
) -> None:
    lines = ended("gone", rolls=100, out=[2], laps=2)
    keep(tmp_path, lines)
    league.catch_up()
    reviewed.make("gone", lines)
    assert 'href="/league/races/gone/review#car-2"' in pages.get("/league/races/gone").text
    page = pages.get("/league/races/gone/review").text
    section = page[page.index('id="car-2"') :]
    section = section[: section.index("</section>")]
    first = re.search(r'href="(/league/races/gone/coach/\d+)"', section)
    assert first
    assert pages.get(first[1]).status_code == 200
    chart = pages.get("/league/races/gone/expected.en.svg").text
    assert all(f">{name}</text>" in chart for name in NAMES), "who went out has a line too"


def test_a_mistake_tells_the_board_as_it_stood_both_ways_and_why(
    pages: FlaskClient, mistakes: list[dict[str, Any]], driven: list[dict[str, Any]]
) -> None:
    for kept in mistakes:
        told = pages.get(f"/api/league/races/driven/coach/{kept['line']}.en").get_json()
        assert len(told["choices"]) == len(told["costs"]) == len(kept["choices"])
        assert told["costs"][told["best"] - 1].endswith("turns to go")
        assert told["costs"][told["played"] - 1].startswith("costs")
        assert told["state"] == replay(driven[: kept["line"] - 1]).state()
        assert told["why"].endswith(".")
        assert "{" not in told["why"]
        page = pages.get(f"/league/races/driven/coach/{kept['line']}")
        assert page.status_code == 200
        assert "Play on from here" in page.text


def test_the_race_goes_on_from_a_mistake_with_bots_in_all_other_cars(
    pages: FlaskClient, mistakes: list[dict[str, Any]], driven: list[dict[str, Any]]
) -> None:
    line = mistakes[0]["line"]
    told = pages.get(f"/api/league/races/driven/coach/{line}.en").get_json()
    bots = {seat["seat"]: seat.get("bot") for seat in told["header"]["seats"]}
    assert [seat for seat, bot in bots.items() if bot is None] == [told["seat"]]
    engine = Engine(TrackLibrary())
    reply = engine.handle({"new": part(told["header"])[0]})
    assert reply["ok"], reply["error"]
    (ask,) = engine.asks()
    (was,) = replay(driven[: line - 1]).asks()
    assert ask == {**was, "since": ask["since"]}


def test_what_if_drives_the_rest_of_the_race_after_both_ways(
    pages: FlaskClient, mistakes: list[dict[str, Any]]
) -> None:
    told = pages.get(f"/api/league/races/driven/what-if/{mistakes[0]['line']}.en").get_json()
    assert told["ready"]
    assert len(told["ways"]) == 2
    for way in told["ways"]:
        assert re.fullmatch(r"place \d\.\d on average, \d wins and \d times out in 3 races", way), (
            way
        )


@pytest.mark.parametrize("language", ["fr", "de"])
def test_the_figures_of_a_mistake_have_the_comma_of_the_language(
    pages: FlaskClient, mistakes: list[dict[str, Any]], language: str
) -> None:
    address = f"/api/league/races/driven/coach/{mistakes[0]['line']}"
    costs = pages.get(f"{address}.{language}").get_json()["costs"]
    english = pages.get(f"{address}.en").get_json()["costs"]
    assert any(re.search(r"\d,\d", cost) for cost in costs)
    assert not any(re.search(r"\d\.\d", cost) for cost in costs)
    assert not any(re.search(r"\d,\d", cost) for cost in english)


WHY = {
    "gone": "It puts the car out at once.",
    "spun": "It spins the car.",
    "costs": "It costs 4 points more.",
    "behind": "The better end lies 4 spaces farther on.",
    "out": "5th: 4 of 20 faces put the car out.",
    "spin": "5th: 4 of 20 faces spin the car.",
    "misses": "5th: 4 of 20 faces miss the 2nd stop of Le Chêne.",
    "misses one": "5th: 4 of 20 faces miss the stop of L'Étang.",
    "stops": "5th: 4 of 20 faces can end in Le Chêne and cost nothing.",
    "over-rev": "5th: the way down costs 4 points more.",
    "short": "5th: 4 spaces farther on average, and 7 of 8 faces are clean.",
    "worth": "5th: 4 spaces farther on average, which is worth what it may cost.",
    "later": "The next roll is as good; what it costs comes later.",
}


@pytest.mark.parametrize("key", WHY)
def test_every_reason_has_its_sentence(
    key: str, league: League, mistakes: list[dict[str, Any]], driven: list[dict[str, Any]]
) -> None:
    race, one = league.public.races(race="driven")[0], key == "misses one"
    of = 0 if key in ("short", "worth") else 20
    told_by = {"misses one": "misses", "worth": "short"}.get(key, key)
    why = {"key": told_by, "n": 4, "of": of, "gear": 5, "corner": 0 if one else 3}
    roll = {"gear": 3, "faces": 8, "clean": 7, "over": 1, "spin": 0, "out": 0}
    kept = next(some for some in mistakes if some["kind"] == "gear")
    kept = {**kept, "why": None if key == "later" else why, "rolls": [roll, roll]}
    if key == "worth":
        kept["rolls"] = [roll, {**roll, "clean": 5, "over": 3}]
    seat = driven[kept["line"] - 1]["seat"]
    told = told_mistake(Mistake(race, driven, seat, kept), words("en"))
    assert told["why"] == WHY[key]
    assert told["rolls"][0]["text"] == "3rd: 7 of 8 faces clean, 1 too far"
    then = told_mistake(Mistake(race, driven, seat, {**kept, "kind": "move"}), words("en"))
    assert then["rolls"][0]["text"].startswith("Then 3rd:")


def facts_of(found: Mistake, weather: str, *rules: str, language: str) -> list[str]:
    """What is told beside the board, in another weather and by other rules."""
    lines = [*found.lines[: found.kept["line"] - 1], {"correct": {"weather": weather}}]
    kept = {**found.kept, "line": len(lines) + 1}
    other = Mistake(replace(found.race, rules=rules), lines, found.seat, kept)
    return list(told_mistake(other, words(language))["facts"])


def test_a_mistake_names_weather_and_tires_where_they_matter(
    league: League, mistakes: list[dict[str, Any]], driven: list[dict[str, Any]]
) -> None:
    race, line = league.public.races(race="driven")[0], mistakes[0]["line"]
    found = Mistake(race, driven, driven[line - 1]["seat"], mistakes[0])
    told = partial(facts_of, found)
    without = told("fine", language="en")
    assert not any("hard" in fact or "dry" in fact for fact in without)
    assert "rain for now, hard tires lap 1" in [
        re.sub(r"lap \d+$", "lap 1", fact)
        for fact in told("variable-rain", "weather", "tires", language="en")
    ]
    assert "dry" in told("fine", "weather", language="en")
    assert told("fine", language="en") == told("fine", "bonus", language="en")
    assert "pluie" in told("rain", "weather", language="fr")


def test_what_is_no_mistake_is_not_found(pages: FlaskClient) -> None:
    for address in ("driven/coach/1", "nobody/coach/3"):
        assert pages.get(f"/league/races/{address}").status_code == 404
        assert pages.get(f"/api/league/races/{address}.en").status_code == 404
    assert pages.get("/api/league/races/driven/what-if/1.en").status_code == 404


def test_the_addresses_of_puzzles_lead_to_the_coach_of_their_race(
    pages: FlaskClient, client: FlaskClient
) -> None:
    for old, status, new in (
        ("/league/puzzles", 302, "/league/races/driven/review"),
        ("/league/puzzles/driven/12", 301, "/league/races/driven/coach/12"),
        ("/api/league/puzzles/driven/12.fr", 301, "/api/league/races/driven/coach/12.fr"),
    ):
        reply = pages.get(old)
        assert (reply.status_code, reply.location) == (status, new)
    assert client.get("/league/puzzles").location == "/league/", "there is no review yet"


# -- in Chromium ---------------------------------------------------------------------------------


@pytest.fixture
def address(pages: FlaskClient) -> Iterator[str]:
    with Door(pages.application, listen("127.0.0.1", 0)) as door:
        yield f"http://127.0.0.1:{door.port}/league/races/driven"


@pytest.mark.slow
@pytest.mark.skipif(chromium.CHROMIUM is None, reason="Debian's chromium is not installed")
def test_a_mistake_is_made_again_by_touch_and_told_with_both_ways(
    address: str, open_page: Callable[..., Page], mistakes: list[dict[str, Any]]
) -> None:
    one = next(some for some in mistakes if all(some["rolls"]))
    page = open_page(
        f"{address}/coach/{one['line']}", viewport={"width": 320, "height": 760}, has_touch=True
    )
    expect(page.locator("#board .token").first).to_be_visible()
    wrong = next(n for n in range(len(one["choices"])) if n != one["best"])
    page.locator(".choice").nth(wrong).tap()
    expect(page.locator(".choice .turns")).to_have_count(len(one["choices"]))
    expect(page.locator(".choice").nth(wrong).locator("b")).to_have_text("✗")
    expect(page.locator(".choice").nth(one["best"]).locator("b")).to_have_text("✓")
    expect(page.locator("#verdict")).to_contain_text("Better:")
    expect(page.locator("#why")).not_to_be_empty()
    expect(page.locator("#ways .faces")).to_have_count(2)
    page.get_by_role("button", name="What if?").tap()
    expect(page.locator("#driven dd").last).to_contain_text("in 3 races")
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 760})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == [], width
    page.get_by_role("button", name="Keep as a lesson").tap()
    kept = page.evaluate("JSON.parse(localStorage.lessons).mine.map((one) => one.address)")
    assert kept == [f"/league/races/driven/coach/{one['line']}"]
