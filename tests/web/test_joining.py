"""The door for whoever comes in by the table's one code."""

from __future__ import annotations

import re
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


def test_a_phone_that_has_lost_its_seat_comes_back_by_another_seats_word(
    client: FlaskClient, keys: Keys
) -> None:
    """What a seat holds face down comes with its link, and that with somebody's word alone."""
    status, asked = post(client, "back", {"seat": 1}, JOINER)
    assert status == 200
    ticket, said = {"ticket": asked["ticket"]}, {"seat": 1, "number": asked["number"], "yes": True}
    assert post(client, "back", ticket, JOINER) == (200, {"ok": True, "link": None})
    for nobody, refused in ((JOINER, 403), (keys["stranger"], 401), (keys["nobody"], 401)):
        assert post(client, "let", said, nobody)[0] == refused
    other = {**said, "number": asked["number"] % 90 + 10}
    assert post(client, "let", other, keys["guest"])[0] == 409
    assert post(client, "let", {**said, "seat": 2}, keys["guest"])[0] == 409
    assert post(client, "back", ticket, JOINER)[1]["link"] is None
    assert post(client, "let", said, keys["guest"])[0] == 200
    assert post(client, "back", ticket, JOINER)[1]["link"] == "http://table/seat/1#token-of-ana"
    assert post(client, "back", {"ticket": "another"}, JOINER)[0] == 409


@pytest.mark.parametrize("word", [False, None, "yes", 1])
def test_any_word_but_yes_lets_no_phone_back_in_and_the_first_one_holds(
    client: FlaskClient, keys: Keys, word: object
) -> None:
    _, asked = post(client, "back", {"seat": 1}, JOINER)
    said = {"seat": 1, "number": asked["number"]}
    assert post(client, "let", {**said, "yes": word}, keys["guest"])[0] == 200
    assert post(client, "let", {**said, "yes": True}, keys["host"])[0] == 409
    assert post(client, "back", {"ticket": asked["ticket"]}, JOINER)[0] == 409


def test_one_phone_at_a_time_asks_for_a_seat_and_nobody_asks_without_end(
    client: FlaskClient, keys: Keys
) -> None:
    """Or the word for one phone would let another in, and questions would keep all from playing."""
    assert post(client, "back", {"seat": 1}, keys["nobody"])[0] == 401
    for seat in (0, 3, "1", None, True, [1]):
        assert post(client, "back", {"seat": seat}, JOINER)[0] == 404
    told = []
    for _ in range(8):
        status, asked = post(client, "back", {"seat": 1}, JOINER)
        told.append(status)
        if status == 200:
            assert post(client, "back", {"seat": 1}, JOINER)[0] == 409
            said = {"seat": 1, "number": asked["number"], "yes": False}
            assert post(client, "let", said, keys["host"])[0] == 200
    assert told == [200] * 6 + [429] * 2


def test_a_question_to_the_table_does_not_stand_for_ever(
    client: FlaskClient, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "RETURN_S", -1.0)
    _, asked = post(client, "back", {"seat": 1}, JOINER)
    assert post(client, "back", {"ticket": asked["ticket"]}, JOINER)[0] == 409
    assert post(client, "back", {"seat": 1}, JOINER)[0] == 200
