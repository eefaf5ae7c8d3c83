"""A request that comes twice is done once, and answered the same; what was done can be undone."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.league.acts import parse_act
from companion.league.change import Change
from companion.league.league import League

from .conftest import PIN, pages_of

PENALTY = {"act": "penalty", "season": "winter", "driver": "Ana", "points": 1, "reason": "late"}
RACE = {"date": "2026-02-09", "order": ["Ana", "Bea"]}
STAGES = [
    {"act": "season", "season": "final"},
    {"act": "path", "season": "winter", "into": "final", "first": 1, "last": 1},
    *({"act": "enter", "season": "final", "driver": f"D{n}"} for n in range(4)),
]


def post(client: FlaskClient, path: str, body: Any, key: str | None = "k1", pin: str = PIN) -> Any:
    headers = {"Authorization": f"Bearer {pin}"} | ({} if key is None else {"Idempotency-Key": key})
    return client.post(f"/api/league/{path}", json=body, headers=headers)


def count(league: League) -> int:
    return len(league.history())


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("acts", {"acts": [PENALTY]}),
        ("race", RACE),
        ("csv", {"text": "date,driver\n2026-05-01,Ana\n2026-05-01,Bea\n"}),
        ("keys", {"person": "Eve", "role": "steward"}),
        ("keys", {"table": "Three"}),
        ("qualify", {"season": "winter"}),
        ("draw", {"season": "final", "tables": 2, "how": "lot", "grid": True}),
        ("forget", {"driver": "Bea"}),
    ],
)
def test_a_request_that_comes_again_is_answered_the_same_and_does_nothing(
    client: FlaskClient, league: League, path: str, body: Any
) -> None:
    assert post(client, "acts", {"acts": STAGES}, key=None).status_code == 200
    first = post(client, path, body)
    assert first.status_code == 200, first.text
    done = count(league)
    for key in ("k1", '"k1"'):
        again = post(client, path, body, key)
        assert (again.status_code, again.json) == (200, first.json)
    assert count(league) == done
    assert post(client, path, body, "k1", pin="00000000").status_code == 401


def test_a_key_with_another_body_is_refused(client: FlaskClient, league: League) -> None:
    post(client, "acts", {"acts": [PENALTY]})
    done = count(league)
    reply = post(client, "acts", {"acts": [{**PENALTY, "points": 2}]})
    assert (reply.status_code, reply.json["error"]["key"]) == (422, "key-reused")
    assert post(client, "race", RACE).status_code == 422
    assert count(league) == done


@pytest.mark.parametrize("key", ["", '""', "k" * 256, "k\tk", "clé"])
def test_a_key_that_is_none_is_refused(client: FlaskClient, league: League, key: str) -> None:
    done = count(league)
    reply = post(client, "acts", {"acts": [PENALTY]}, key.encode().decode("latin-1"))
    assert (reply.status_code, reply.json["error"]["key"]) == (400, "bad-key")
    assert count(league) == done


def test_what_was_refused_may_be_sent_again_under_its_key(
    client: FlaskClient, league: League
) -> None:
    act = {**PENALTY, "season": "summer"}
    assert post(client, "acts", {"acts": [act]}).status_code == 400
    post(client, "acts", {"acts": [{"act": "season", "season": "summer"}]}, key=None)
    assert post(client, "acts", {"acts": [act]}).status_code == 200


def test_a_second_request_waits_for_nothing_while_the_first_is_under_way(
    client: FlaskClient, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_begun, goes_on, place = Event(), Event(), Change.place
    said: list[int] = []

    def slow(own: Change) -> None:
        is_begun.set()
        assert goes_on.wait(20)
        place(own)

    other = client.application.test_client()
    with monkeypatch.context() as patched:
        patched.setattr(Change, "place", slow)
        first = Thread(
            target=lambda: said.append(post(client, "acts", {"acts": [PENALTY]}).status_code)
        )
        first.start()
        assert is_begun.wait(20)
        reply = post(other, "acts", {"acts": [PENALTY]})
        assert (reply.status_code, reply.json["error"]["key"]) == (409, "under-way")
        goes_on.set()
        first.join()
    assert said == [200]
    assert post(other, "acts", {"acts": [PENALTY]}).status_code == 200
    assert len(league.queries.seasons("winter")[0].penalties) == 1


def test_what_a_page_has_done_it_can_undo(client: FlaskClient, league: League) -> None:
    before = league.queries.seasons("winter")
    number = post(client, "acts", {"acts": [PENALTY]}).json["act"]
    assert league.queries.seasons("winter") != before
    undo = {"act": "undo", "number": number, "reason": "the other Ana"}
    assert post(client, "acts", {"acts": [undo]}, "k2").status_code == 200
    assert league.queries.seasons("winter") == before


def test_a_steward_undoes_nothing(client: FlaskClient, league: League) -> None:
    key = post(client, "keys", {"person": "Cai", "role": "steward"}).json["key"]
    undo = {"acts": [{"act": "undo", "number": 1}]}
    assert post(pages_of(league), "acts", undo, "k2", pin=key).status_code == 403


def test_a_page_tells_what_was_done_by_person_and_day_and_no_hidden_name(
    client: FlaskClient, league: League
) -> None:
    note = {"act": "note", "race": "driven", "text": "Ana was late"}
    league.do(parse_act(note), by="Bea")
    page = client.get("/league/acts?lang=en").text
    assert "What was done" in page
    assert 'data-act="undo"' in page
    for query in ("by=Bea", "day=2026-03-01", "race=driven"):
        assert "Ana was late" in client.get(f"/league/acts?{query}").text, query
    for query in ("by=Cai", "day=2026-03-02", "race=x"):
        assert "Ana was late" not in client.get(f"/league/acts?{query}").text, query
    league.do(parse_act({"act": "hide", "driver": "Ana"}), by="t")
    page = client.get("/league/acts").text
    assert "Ana" not in page
    assert "hide" not in page
    league.do(parse_act({"act": "season", "season": "secret", "private": True}), by="t")
    assert "secret" not in client.get("/league/acts").text
    (number,) = (one["n"] for one in league.history() if one["act"] == "note")
    league.undo(number, by="t")
    assert "↶" in client.get("/league/acts").text
