"""The door for whoever comes in by the table's one code."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from companion.table.ports import Caller, Reply

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
