"""The page of a race's review, its chart, and what a season of reviews comes to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.leagues.records import raced

from companion.advice.review import Choice, Course, Line, Thrown, moment_of
from companion.league.league import League
from companion.study.reviews import IdleReviews, KeptReviews, make_review
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess


class AtOnce(KeptReviews):
    """Reviews that are made when `make` says so, in this process."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked_for: list[tuple[str, Any]] = []

    def review(self, race: str, lines: Any, *, gently: bool = False) -> Any:
        found = self.known(race)
        if found is None:
            self.asked_for.append((race, lines))
        return found

    def why_none(self, race: str, lines: Any) -> str | None:
        return (self._kept(self._path(race)) or {}).get("none")

    def make(self) -> None:
        for race, lines in self.asked_for:
            make_review(self._solved, self._path(race), list(lines))


@pytest.fixture
def reviews(tmp_path: Path) -> Iterator[AtOnce]:
    with AtOnce(tmp_path / "solved") as kept:
        yield kept


@pytest.fixture
def pages(league: League, reviews: AtOnce) -> FlaskClient:
    guard = Guard(KeeperPin("31415926"))
    access = LeagueAccess(league.public, league, guard, reviews=reviews)
    return create_league_app(access=access).test_client()


def test_a_review_is_made_on_request_and_told_in_words(pages: FlaskClient, reviews: AtOnce) -> None:
    assert 'href="/league/races/driven/review"' in pages.get("/league/races/driven").text
    first = pages.get("/league/races/driven/review")
    assert "is being reviewed" in first.text
    assert first.headers["Refresh"] == "5", "the page looks again by itself"
    assert pages.get("/league/races/driven/expected.en.svg").status_code == 404

    reviews.make()
    page = pages.get("/league/races/driven/review")
    assert "Refresh" not in page.headers
    for words in ("Where the turns came from", "Ana", "Accuracy", "Luckiest roll"):
        assert words in page.text
    assert "<b>Zoë" not in page.text
    assert "Bilan" in pages.get("/league/races/driven/review?lang=fr").text
    chances = pages.get("/league/races/driven/chances.en.svg")
    assert chances.status_code == 200
    assert "chance to win" in chances.text
    svg = pages.get("/league/races/driven/expected.en.svg")
    assert svg.mimetype == "image/svg+xml"
    assert "expected turns" in svg.text

    season = pages.get("/league/seasons/winter/luck?lang=en")
    assert "Of 1 races of 2 with a review" in season.text
    assert "The standings without luck" in season.text


def test_the_parts_that_are_shown_add_up_to_what_a_car_took(
    pages: FlaskClient, reviews: AtOnce
) -> None:
    pages.get("/league/races/driven/review")
    reviews.make()
    told = reviews.known("driven")
    assert told is not None
    home = [car for car in told["cars"].values() if car["result"] is not None]
    assert home
    for car in home:
        parts = car["start"] + car["luck"] + car["errors"] + car["traffic"]
        assert parts == pytest.approx(car["result"], abs=1e-9)
        last = max(car["curve"], key=int)
        assert car["curve"][last] == pytest.approx(car["result"], abs=1e-9)


def test_a_race_without_advice_says_that_it_has_no_review(
    league: League, pages: FlaskClient, reviews: AtOnce
) -> None:
    make_review(reviews._solved, reviews._path("driven"), raced("x", laps=1, advice=False))
    page = pages.get("/league/races/driven/review").text
    assert "This race has no review." in page
    assert "without advice" in page


def test_a_race_entered_by_hand_has_no_review(league: League, pages: FlaskClient) -> None:
    races = league.public.races(season="winter")
    (by_hand,) = (race.id for race in races if race.source == "hand")
    assert pages.get(f"/league/races/{by_hand}/review").status_code == 404
    assert "/review" not in pages.get(f"/league/races/{by_hand}").text


def test_a_season_gets_its_reviews_without_anybody_asking(
    league: League, reviews: AtOnce, tmp_path: Path
) -> None:
    with IdleReviews(league, reviews, tmp_path / "solved", pause_s=3600) as idle:
        assert idle.step() == "driven"
        assert idle.step() is None, "each race once"
        with IdleReviews(league, reviews, tmp_path / "solved", pause_s=3600) as other:
            assert other.step() is None, "one process does it"
    reviews.make()
    with IdleReviews(league, reviews, tmp_path / "solved", pause_s=3600) as idle:
        assert idle.step() is None, "what is known is not made again"
    assert reviews.known("driven")


def test_reviews_of_another_form_are_made_again(reviews: AtOnce) -> None:
    path = reviews._path("old")
    path.parent.mkdir(parents=True)
    path.write_text('{"form": 0}')
    assert reviews.known("old") is None


def test_the_moment_that_decided_brought_the_winner_most_on_the_second() -> None:
    winner, second = Course(start=30.0), Course(start=30.0)
    winner.rolls.append(Thrown(Line(8, 3), 14, -2.5))
    second.choices.append(Choice(Line(5, 2), "gear", 2, 4, 1.0))
    moment = moment_of({1: winner, 2: second}, [1, 2])
    assert moment == (8, 3, 1, "roll", 2.5)
    assert moment_of({1: winner}, [1]) is None
    assert moment_of({1: second, 2: winner}, [1, 2]) is None, "nothing went the winner's way"


def test_nobody_is_blamed_for_what_others_did_at_the_line_of_a_choice() -> None:
    winner, second = Course(start=30.0), Course(start=30.0)
    second.choices.append(Choice(Line(9, 4), "move", "S1.m4", "S1.m4", 0.0))
    second.meets(Line(9, 4), 1.2)
    moment = moment_of({1: winner, 2: second}, [1, 2])
    assert moment == (9, 4, 1, "traffic", 1.2)
    winner.choices.append(Choice(Line(20, 7), "gear", 3, 3, 0.0))
    winner.meets(Line(20, 7), -0.5)
    winner.meets(Line(20, 7), -1.0)
    second.choices.append(Choice(Line(22, 8), "move", "S2.m4", "S2.m5", 1.4))
    second.meets(Line(22, 8), -1.4)
    assert moment_of({1: winner, 2: second}, [1, 2]) == (20, 7, 1, "traffic", 1.5)
