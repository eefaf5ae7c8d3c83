"""Touching a space that is no end: the referee explains, another seat agrees."""

from __future__ import annotations

import json
from typing import Any

from support.tables.sitting import REFEREE, Room, phone, race_header

from companion.table.ports import Reply


def moving(room: Room) -> dict[str, Any]:
    """A race in which seat 1 has to say where its car ended; that ask."""
    session = room.session
    assert session.submit(REFEREE, {"new": race_header(3)}).status == 200
    session.submit(phone(1), {"seat": 1, "gear": 1})
    reply = session.submit(phone(1), {"seat": 1, "roll": 2})
    ask: dict[str, Any] = reply.body["asks"][0]
    assert ask["kind"] == "move"
    return ask


def explain(room: Room, to: str) -> Reply:
    line = {"seat": 1, "move": {"to": to, "brakes": 0}}
    return room.session.submit(phone(1), {"explain": line})


def test_the_referee_explains_an_end_that_is_none_and_nothing_changes(room: Room) -> None:
    moving(room)
    before = room.session.snapshot().version
    body = explain(room, "T3.l1").body
    assert body["explain"]["legal"] is False
    assert body["explain"]["rules"]
    assert body["why"]["key"]
    assert body["place"]["en"].startswith("Mirabeau") or "left" in body["place"]["en"]
    assert "T3" not in body["place"]["fr"]
    assert room.session.snapshot().version == before == body["version"]


def test_an_end_that_is_legal_needs_no_reason(room: Room) -> None:
    end = moving(room)["options"][0]["to"]
    body = explain(room, end).body
    assert (body["explain"]["legal"], body["why"]) == (True, None)


def test_another_seat_agrees_and_the_car_stands_there(room: Room) -> None:
    moving(room)
    word = {"table": "propose", "seat": 1, "space": "T1.l1"}
    assert room.session.submit(phone(1), word).status == 200
    view = room.session.snapshot().tell_seat(2, True)
    assert view["map"]["ghost"] is not None
    assert room.session.submit(phone(1), {"table": "agree", "seat": 1, "yes": True}).status >= 400
    assert room.session.submit(phone(2), {"table": "agree", "seat": 2, "yes": True}).status == 200
    state = json.loads(room.session.snapshot().body)["state"]
    assert state["cars"]["1"]["space"] == "T1.l1"


def test_the_page_is_told_which_button_ends_the_move_where(room: Room) -> None:
    ask = moving(room)
    keyed = json.loads(room.session.snapshot().body)["keyed"]
    assert {one["to"] for one in keyed} <= {option["to"] for option in ask["options"]}
    assert all(one["seat"] == 1 and one["button"] in range(1, 7) for one in keyed)
    assert keyed


def test_stepping_a_place_on_buttons_shows_a_ghost_on_the_page(room: Room) -> None:
    moving(room)
    session = room.session

    def press(button: int) -> list[Any]:
        number = session.snapshot().private[1].number
        assert session.press(phone(1), 1, button, False, number).status == 200
        ghosts: list[Any] = json.loads(session.snapshot().body)["ghosts"]
        return ghosts

    keys = [press(6)]
    other = next(k for k in session.snapshot().tell_seat(1, True)["keys"] if k["label"] == "other")
    keys += [press(other["button"]), press(1)]
    first, second = keys[-1], press(1)
    assert keys[:2] == [[], []]
    assert first[0]["seat"] == second[0]["seat"] == 1
    assert first[0]["space"] != second[0]["space"]
