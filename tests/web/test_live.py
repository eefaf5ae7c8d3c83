"""The page of the live test: for the referee, and true to what the test tells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from flask.testing import FlaskClient

from companion.seats.live import Tried
from companion.seats.plan import Finding
from companion_web.cabinet import create_live
from companion_web.guard import Guard

from .conftest import FakeAccess

Keys = dict[str, dict[str, str]]
SEAT = Tried(
    2,
    bytes(1024),
    (1, 3),
    (3,),
    (2,),
    bounces={3: 4},
    errors={"i2c": 7},
    troubles={"screen: silent": 2},
    has_lamp=False,
)


@dataclass
class PaperTest:
    """A live test on paper: seat 2 is asked for button 3."""

    done: list[tuple[str, int]] = field(default_factory=list)
    why: str = ""
    is_on: bool = True
    asked: tuple[int, int] | None = (2, 3)

    def tried(self) -> list[Tried]:
        return [SEAT]

    def found(self) -> list[Finding]:
        return [Finding("cable", "is exchanged", ok=False, mend="exchange it", seat=2)]

    def do(self, what: str, seat: int) -> str:
        self.done.append((what, seat))
        return self.why


@pytest.fixture
def paper() -> PaperTest:
    return PaperTest()


@pytest.fixture
def page(paper: PaperTest) -> FlaskClient:
    return create_live(paper, Guard(FakeAccess())).test_client()


def test_it_tells_what_is_asked_every_seat_and_what_was_found(
    page: FlaskClient, keys: Keys
) -> None:
    told = page.get("/api/live", headers=keys["referee"]).get_json()
    assert (told["on"], told["asked"]) == (True, {"seat": 2, "button": 3})
    (seat,) = told["seats"]
    shown = {name: seat[name] for name in ("seat", "lit", "down", "wrong", "bounces", "errors")}
    assert shown == {
        "seat": 2,
        "lit": [1, 3],
        "down": [3],
        "wrong": [2],
        "bounces": {"3": 4},
        "errors": {"i2c": 7},
    }
    assert told["found"][0]["mend"] == "exchange it"


def test_the_referee_and_nobody_else_tests_the_seats(
    page: FlaskClient, keys: Keys, paper: PaperTest
) -> None:
    for who, status in (("nobody", 401), ("host", 403), ("referee", 200)):
        assert page.get("/api/live", headers=keys[who]).status_code == status
        assert page.post("/api/live", json={"do": "start"}, headers=keys[who]).status_code == status
    assert paper.done == [("start", 0)]


def test_a_refusal_has_a_sentence_in_the_language_of_the_page(
    page: FlaskClient, keys: Keys, paper: PaperTest
) -> None:
    paper.why = "live-racing"
    reply = page.post("/api/live", json={"do": "start"}, headers=keys["referee"])
    error = reply.get_json()["error"]
    assert (reply.status_code, error["key"]) == (409, "live-racing")
    assert error["message"] == "A race is running: pause it first, or wait until it is over."
    assert "Une course est en cours" in page.get("/live", headers={"Accept-Language": "fr"}).text


@pytest.mark.parametrize("body", [{}, {"do": "dance"}, {"do": "lamp", "seat": "2"}, {"do": 1}])
def test_what_makes_no_sense_is_refused(
    page: FlaskClient, keys: Keys, paper: PaperTest, body: dict[str, object]
) -> None:
    assert page.post("/api/live", json=body, headers=keys["referee"]).status_code == 400
    assert paper.done == []


def test_a_button_is_of_a_seat(page: FlaskClient, keys: Keys, paper: PaperTest) -> None:
    page.post("/api/live", json={"do": "buzzer", "seat": 2}, headers=keys["referee"])
    assert paper.done == [("buzzer", 2)]


def test_all_that_the_page_names_is_there(page: FlaskClient) -> None:
    names = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.get("/live").text)
    assert [page.get(name).status_code for name in names] == [200] * 4
