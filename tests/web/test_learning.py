"""The tutorial's addresses: what they tell, and what they leave alone."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion.lessons import all_lessons
from companion.views.words import LANGUAGES
from companion_web.guard import Guard
from companion_web.learning import create_learning

from .conftest import FakeAccess


@pytest.fixture
def learner() -> FlaskClient:
    return create_learning(Guard(FakeAccess())).test_client()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.slow
def test_every_choice_of_every_position_is_judged_in_words(
    language: str, learner: FlaskClient
) -> None:
    told = learner.get(f"/learn/positions.{language}.json").get_json()
    assert {position["track"] for position in told["positions"]} == {"manege", "monaco", None}
    for place, (position, lesson) in enumerate(
        zip(told["positions"], all_lessons(), strict=True), 1
    ):
        if lesson.track:
            assert position["state"]["cars"]["1"]["name"] != "1"
        assert len(position["choices"]) == len(set(position["choices"])) == 3
        for choice in (1, 2, 3):
            verdict = learner.get(f"/learn/positions/{place}/{choice}.{language}.json").get_json()
            assert verdict["right"] is (choice - 1 == lesson.right)
            assert re.search("(FD|DF)-", verdict["says"])
            assert "{" not in verdict["says"]


@pytest.mark.parametrize("path", ["0/1", "27/1", "1/0", "1/4"])
def test_a_position_or_choice_that_is_not_there_is_not_found(
    path: str, learner: FlaskClient
) -> None:
    assert learner.get(f"/learn/positions/{path}.en.json").status_code == 404


def test_the_page_is_in_the_language_of_whoever_reads_it(learner: FlaskClient) -> None:
    page = learner.get("/learn", headers={"Accept-Language": "fr"})
    assert page.headers["Content-Language"] == "fr"
    assert "Apprendre à piloter" in page.text


def test_nothing_can_be_posted_to_it(learner: FlaskClient) -> None:
    assert learner.post("/learn", json={}).status_code in (401, 403, 405)
