"""The door for whoever comes in by the table's one code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.ports import Caller, Reply
from companion_web import api

Keys = dict[str, dict[str, str]]
JOINER = {"Authorization": "Bearer come-in"}


def test_the_code_is_told_to_whoever_has_the_pin_and_to_nobody_else(
    client: FlaskClient, keys: Keys
) -> None:
    told = client.get("/api/join", headers=keys["referee"]).get_json()
    assert told["link"] == "http://table/join#come-in"
    assert told["qr"].startswith("<svg")
    assert client.get("/api/join", headers=keys["nobody"]).status_code == 401
    assert client.get("/api/join", headers=keys["guest"]).status_code == 403
    assert client.get("/api/join", headers=JOINER).status_code == 403


HOST = {"Host": "localhost:8000"}
AT_THE_MACHINE = {**HOST, "Authorization": "Bearer at-this-machine"}
ELSEWHERE = [
    {"environ_base": {"REMOTE_ADDR": "192.168.1.7"}},
    {"headers": {**AT_THE_MACHINE, "Host": "pi.local"}},
    {"headers": {**AT_THE_MACHINE, "X-Forwarded-For": "192.168.1.7"}},
    {"headers": {**AT_THE_MACHINE, "X-Forwarded-Proto": "https"}},
    {"headers": {**AT_THE_MACHINE, "Forwarded": "for=192.168.1.7"}},
]


def test_at_the_machine_itself_nobody_is_asked_for_a_pin(client: FlaskClient, table: Any) -> None:
    assert client.get("/api/join", headers=AT_THE_MACHINE).status_code == 200
    for base, host in (("127.0.0.1", "127.0.0.1:8000"), ("::1", "[::1]:8000")):
        headers = {**AT_THE_MACHINE, "Host": host}
        told = client.get("/api/join", headers=headers, environ_base={"REMOTE_ADDR": base})
        assert told.status_code == 200
    assert client.post("/api/table", json={"table": "start"}, headers=HOST).status_code == 401
    reply = client.post("/api/table", json={"table": "start"}, headers=AT_THE_MACHINE)
    assert (reply.status_code, table.heard[0][0].referee) == (200, True)


@pytest.mark.parametrize("how", ELSEWHERE)
def test_from_elsewhere_the_machines_own_word_opens_nothing(
    client: FlaskClient, table: Any, how: dict[str, Any]
) -> None:
    how = {"headers": AT_THE_MACHINE, **how}
    assert client.get("/api/join", **how).status_code in (401, 403)
    assert client.post("/api/table", json={"table": "start"}, **how).status_code in (401, 403)
    assert table.heard == []


def letters_of(client: FlaskClient) -> str:
    told = client.get("/api/join", headers=AT_THE_MACHINE).get_json()["letters"]
    assert re.fullmatch("[A-HJ-NP-Z]{4}", told)
    return str(told)


def test_four_letters_take_a_seat_and_open_nothing_else(client: FlaskClient, table: Any) -> None:
    table.reply = Reply(200, {"ok": True, "seat": 2})
    for letters in (letters_of(client), letters_of(client).lower()):
        given = {"Authorization": f"Bearer {letters}"}
        reply = client.post("/api/join", json={"name": "Zoé"}, headers=given)
        assert reply.get_json()["link"] == "http://table/seat/2#token-of-bo"
        assert client.get("/api/join", headers=given).status_code == 403
    assert {one[0] for one in table.heard} == {Caller()}


def test_wrong_letters_are_told_to_look_at_the_television_and_count_with_the_pins(
    client: FlaskClient, keys: Keys
) -> None:
    wrong = {"Authorization": "Bearer IIII", "X-Language": "en"}
    reply = client.post("/api/join", json={}, headers=wrong)
    assert reply.status_code == 401
    assert reply.get_json()["say"] == "Not these four letters. Look at the television."
    guard = client.application.extensions["companion_guard"]
    guard.pins.shared(left=-100)  # as after so many wrong PINs
    assert client.post("/api/join", json={}, headers=wrong).status_code == 429
    right = {"Authorization": f"Bearer {guard.letters.now}"}
    assert client.post("/api/join", json={}, headers=right).status_code == 429
    guard.pins.shared(left=1)
    assert client.post("/api/join", json={}, headers=wrong).status_code == 401
    assert client.get("/api/join", headers=keys["referee"]).status_code == 429


def test_an_empty_table_shows_a_race_to_anybody_but_not_as_often_as_one_likes(
    client: FlaskClient, table: Any
) -> None:
    table.reply = Reply(200, {"ok": True, "seat": 1})
    assert client.post("/api/demo/play").get_json()["link"] == "http://table/seat/1#token-of-ana"
    assert table.heard == [(Caller(), {"table": "demo", "value": "play"})]
    assert client.post("/api/demo/watch", headers={"Origin": "http://x"}).status_code == 403
    told = [client.post("/api/demo/watch").status_code for _ in range(20)]
    assert (told[0], told[-1]) == (200, 429)


def test_who_comes_in_is_given_the_link_of_the_seat(client: FlaskClient, table: Any) -> None:
    table.reply = Reply(200, {"ok": True, "seat": 2})
    reply = client.post("/api/join", json={"name": "Zoé", "color": "pink"}, headers=JOINER)
    assert reply.get_json()["link"] == "http://table/seat/2#token-of-bo"
    line = {"table": "sit", "value": {"name": "Zoé", "color": "pink"}}
    assert table.heard == [(Caller(), line)]


def test_without_the_key_nobody_comes_in(client: FlaskClient, table: Any, keys: Keys) -> None:
    assert client.post("/api/join", json={}, headers=keys["stranger"]).status_code == 401
    assert client.post("/api/join", json={"seat": 3}, headers=JOINER).status_code == 400
    assert table.heard == []


def test_a_refusal_gives_no_link(client: FlaskClient, table: Any) -> None:
    table.reply = Reply(409, {"ok": False, "error": {"key": "no-free-seat"}, "asks": []})
    reply = client.post("/api/join", json={}, headers=JOINER)
    assert reply.status_code == 409
    assert "link" not in reply.get_json()


def post(client: FlaskClient, path: str, body: object, headers: dict[str, str]) -> Any:
    reply = client.post(f"/api/join/{path}", json=body, headers=headers)
    return reply.status_code, reply.get_json()


@pytest.fixture
def seated(table: Any) -> Callable[[str], None]:
    """Ana and Bo in a race of a game, Ana its host, and a bot."""

    def sit(game: str) -> None:
        seats = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}]
        race = {"game": game, "seats": [*seats, {"seat": 3, "name": "Rudi", "bot": "1200"}]}
        body = json.dumps({"race": race, "lobby": None}).encode()
        table._snapshot = replace(table._snapshot, make_body=lambda: body, host=1)

    sit("formula-d")
    return sit


@pytest.mark.usefixtures("seated")
@pytest.mark.parametrize("whose", ["host", "referee", "guest"])
def test_a_phone_that_has_lost_its_seat_comes_back_by_the_hosts_word_or_by_that_seats_own(
    client: FlaskClient, keys: Keys, whose: str
) -> None:
    """What a seat holds face down comes with its link, and that with such a word alone."""
    status, asked = post(client, "back", {"seat": 2}, JOINER)
    assert status == 200
    ticket, said = {"ticket": asked["ticket"]}, {"seat": 2, "number": asked["number"], "yes": True}
    assert post(client, "back", ticket, JOINER) == (200, {"ok": True, "link": None})
    for nobody, refused in ((JOINER, 403), (keys["stranger"], 401), (keys["nobody"], 401)):
        assert post(client, "let", said, nobody)[0] == refused
    other = {**said, "number": asked["number"] % 90 + 10}
    assert post(client, "let", other, keys[whose])[0] == 409
    assert post(client, "back", ticket, JOINER)[1]["link"] is None
    assert post(client, "let", said, keys[whose])[0] == 200
    assert post(client, "back", ticket, JOINER)[1]["link"] == "http://table/seat/2#token-of-bo"
    assert post(client, "back", {"ticket": "another"}, JOINER)[0] == 409


@pytest.mark.usefixtures("seated")
def test_nobody_lets_himself_into_another_seat(client: FlaskClient, keys: Keys) -> None:
    """One person may have a seat and the code for all."""
    assert post(client, "back", {"seat": 1}, keys["guest"])[0] == 403
    _, asked = post(client, "back", {"seat": 1}, JOINER)
    said = {"seat": 1, "number": asked["number"], "yes": True}
    assert post(client, "let", said, keys["guest"])[0] == 403


def test_where_hands_lie_face_down_the_hosts_word_opens_no_seat(
    client: FlaskClient, keys: Keys, seated: Callable[[str], None]
) -> None:
    seated("downforce")
    _, asked = post(client, "back", {"seat": 2}, JOINER)
    said = {"seat": 2, "number": asked["number"], "yes": True}
    assert post(client, "let", said, keys["host"])[0] == 403
    assert post(client, "let", said, keys["guest"])[0] == 200


@pytest.mark.usefixtures("seated")
@pytest.mark.parametrize("word", [False, None, "yes", 1])
def test_any_word_but_yes_lets_no_phone_back_in_and_the_first_one_holds(
    client: FlaskClient, keys: Keys, word: object
) -> None:
    _, asked = post(client, "back", {"seat": 2}, JOINER)
    said = {"seat": 2, "number": asked["number"]}
    assert post(client, "let", {**said, "yes": word}, keys["guest"])[0] == 200
    assert post(client, "let", {**said, "yes": True}, keys["host"])[0] == 409
    assert post(client, "back", {"ticket": asked["ticket"]}, JOINER)[0] == 409
    assert post(client, "back", {"seat": 2}, JOINER)[0] == 409, "a no holds for a while"


@pytest.mark.usefixtures("seated")
def test_only_for_seats_that_somebody_has_it_is_asked_and_not_without_end(
    client: FlaskClient, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or questions would keep all from playing."""
    assert post(client, "back", {"seat": 1}, keys["nobody"])[0] == 401
    for seat in (0, 3, 4, "1", None, True, [1]):
        assert post(client, "back", {"seat": seat}, JOINER)[0] == 404
    assert post(client, "back", {"seat": 1}, JOINER)[0] == 200
    assert post(client, "back", {"seat": 1}, JOINER)[0] == 409
    monkeypatch.setattr(api, "RETURN_S", -1.0)
    # What somebody says of his address gives him no questions more.
    said = [{**JOINER, "X-Forwarded-For": f"10.42.0.{n}"} for n in range(7)]
    told = [post(client, "back", {"seat": 2}, one)[0] for one in said]
    assert told == [200] * 5 + [429] * 2


@pytest.mark.usefixtures("seated")
def test_a_stranger_who_asks_for_all_seats_keeps_nobody_from_coming_back(
    client: FlaskClient, keys: Keys
) -> None:
    stranger = {"REMOTE_ADDR": "10.0.0.66"}
    told = [
        client.post("/api/join/back", json={"seat": seat}, headers=JOINER, environ_base=stranger)
        for seat in (1, 2) * 9
    ]
    status, asked = post(client, "back", {"seat": 2}, JOINER)
    assert status == 200
    theirs = [one.get_json()["number"] for one in told if one.status_code == 200]
    assert asked["number"] not in theirs, "the host can tell them apart"
    said = {"seat": 2, "number": asked["number"], "yes": True}
    assert post(client, "let", said, keys["host"])[0] == 200
    link = post(client, "back", {"ticket": asked["ticket"]}, JOINER)[1]["link"]
    assert link == "http://table/seat/2#token-of-bo"
    ticket = {"ticket": told[1].get_json()["ticket"]}
    assert post(client, "back", ticket, JOINER)[1]["link"] is None


@pytest.mark.usefixtures("seated")
def test_two_who_ask_are_told_apart_by_the_number_alone_while_there_are_others(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when the draw favors the same one each time; and no seat's questions close another."""
    monkeypatch.setattr(api, "NUMBERS", frozenset(range(10, 14)))
    monkeypatch.setattr("secrets.choice", min)

    def ask(address: int, seat: int) -> tuple[int, object]:
        by = {"REMOTE_ADDR": f"10.0.0.{address}"}
        told = client.post("/api/join/back", json={"seat": seat}, headers=JOINER, environ_base=by)
        return told.status_code, told.get_json().get("number")

    assert [ask(n, 1 + n % 2) for n in range(4)] == [(200, 10), (200, 11), (200, 12), (200, 13)]
    assert [ask(n, 1) for n in (5, 7)] == [(200, 11), (200, 13)]
    assert ask(9, 1) == (429, None)
    assert ask(9, 2) == (200, 10), "the other seat may still be asked for"


@pytest.mark.usefixtures("seated")
def test_a_question_to_the_table_does_not_stand_for_ever(
    client: FlaskClient, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "RETURN_S", -1.0)
    _, asked = post(client, "back", {"seat": 1}, JOINER)
    assert post(client, "back", {"ticket": asked["ticket"]}, JOINER)[0] == 409
    said = {"seat": 1, "number": asked["number"], "yes": True}
    assert post(client, "let", said, keys["host"])[0] == 409, "nor is a late yes told to anybody"
    assert post(client, "back", {"seat": 1}, JOINER)[0] == 200
