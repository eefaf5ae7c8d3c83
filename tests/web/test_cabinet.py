"""The cabinet's page: for the machine that it runs on, and for the referee."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.seats.hub import Stand
from companion.table.ports import Caller
from companion_web.cabinet import create_cabinet
from companion_web.guard import Guard

PIN = "12345678"


class Keys:
    """One referee, no seats."""

    def holder(self, key: str) -> Caller | None:
        return None

    def who(self, key: str) -> Caller | None:
        return Caller(referee=True) if key == PIN else None


@dataclass
class Paper:
    """A cabinet on paper: one pod."""

    done: list[tuple[Any, ...]] = field(default_factory=list)

    def stands(self) -> list[Stand]:
        return [Stand(3, "pod", bytes(1024), lamp=True, down=(1,), faults=("noise",))]

    def press(self, seat: int, button: int, down: bool) -> bool:
        self.done.append((seat, button, down))
        return seat == 3

    def spoil(self, seat: int, fault: str, on: bool) -> bool:
        self.done.append((seat, fault, on))
        return fault == "noise"


@pytest.fixture
def paper() -> Paper:
    return Paper()


@pytest.fixture
def page(paper: Paper) -> FlaskClient:
    return create_cabinet(paper, Guard(Keys())).test_client()  # type: ignore[arg-type]


FAR = {"REMOTE_ADDR": "192.168.1.9"}


def test_it_tells_every_seat(page: FlaskClient) -> None:
    (seat,) = page.get("/api/cabinet").json["seats"]  # type: ignore[index]
    told = {key: seat[key] for key in ("seat", "kind", "lamp", "down", "faults")}
    assert told == {"seat": 3, "kind": "pod", "lamp": True, "down": [1], "faults": ["noise"]}


def test_fingers_and_faults_arrive(page: FlaskClient, paper: Paper) -> None:
    assert page.post("/api/cabinet/press?seat=3&button=2&down=1").status_code == 200
    assert page.post("/api/cabinet/press?seat=3&button=2&down=0").status_code == 200
    assert page.post("/api/cabinet/fault?seat=3&fault=noise&on=1").status_code == 200
    assert paper.done == [(3, 2, True), (3, 2, False), (3, "noise", True)]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("press?seat=4&button=2&down=1", 404),
        ("fault?seat=3&fault=fire&on=1", 404),
        ("press?seat=3&button=x&down=1", 400),
        ("press?seat=3&button=99999&down=1", 400),
        ("press", 400),
    ],
)
def test_what_makes_no_sense_is_refused(page: FlaskClient, address: str, status: int) -> None:
    assert page.post(f"/api/cabinet/{address}").status_code == status


def test_from_another_machine_it_needs_the_referees_pin(page: FlaskClient, paper: Paper) -> None:
    """It shows what only a seat may see, and presses for all."""
    press = "/api/cabinet/press?seat=3&button=2&down=1"
    assert page.get("/api/cabinet", environ_base=FAR).status_code == 401
    assert page.post(press, environ_base=FAR).status_code == 401
    assert paper.done == []
    key = {"Authorization": f"Bearer {PIN}"}
    assert page.post(press, environ_base=FAR, headers=key).status_code == 200


def test_a_foreign_page_presses_nothing(page: FlaskClient, paper: Paper) -> None:
    press = "/api/cabinet/press?seat=3&button=2&down=1"
    assert page.post(press, headers={"Origin": "http://evil.example"}).status_code == 403
    assert paper.done == []


def test_all_that_the_page_names_is_there(page: FlaskClient) -> None:
    names = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.get("/cabinet").text)
    assert [page.get(name).status_code for name in names] == [200] * 4


def test_the_page_is_there_in_two_languages(page: FlaskClient) -> None:
    english = page.get("/cabinet").text
    assert "Pull the cable" in english
    french = page.get("/cabinet", headers={"Accept-Language": "fr"}).text
    assert "Débrancher le câble" in french
