"""Who may post what, and what the table hears of it."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.table.ports import Caller, Reply

Keys = dict[str, dict[str, str]]
HOST = Caller(seat=1, host=True)
GUEST = Caller(seat=2)
REFEREE = Caller(referee=True, by="referee")


def error_of(response: TestResponse) -> dict[str, Any]:
    """The `error` object of a refusal; it must be whole."""
    body = response.get_json()
    assert body["ok"] is False
    assert set(body["error"]) == {"code", "rule", "key", "args", "message"}
    assert body["error"]["code"] in ("illegal", "malformed", "stale", "no-race")
    error: dict[str, Any] = body["error"]
    return error


def test_error_of_notices_a_refusal_that_is_not_whole(client: FlaskClient) -> None:
    with pytest.raises((AssertionError, KeyError, TypeError)):
        error_of(client.get("/api/table"))


def test_a_press_reaches_the_table_as_it_was_made(
    client: FlaskClient, table: Any, keys: Keys
) -> None:
    body = {"button": 6, "hold": True, "picture": 12}
    response = client.post("/api/seat/2/press", json=body, headers=keys["guest"])
    assert response.status_code == 200
    assert response.get_json() == {"ok": True, "version": 1, "events": [], "asks": []}
    assert table.heard == [(GUEST, 2, 6, True, 12)]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"button": 0},
        {"button": 7},
        {"button": True},
        {"button": "3"},
        {"button": 1.0},
        {"button": 3, "hold": 1},
        {"button": 3, "picture": "7"},
        {"button": 3, "picture": True},
    ],
)
def test_a_press_of_another_form_is_malformed(
    client: FlaskClient, table: Any, keys: Keys, body: dict[str, Any]
) -> None:
    response = client.post("/api/seat/2/press", json=body, headers=keys["guest"])
    assert response.status_code == 400
    assert error_of(response)["code"] == "malformed"
    assert table.heard == []


def test_an_answer_becomes_a_line_of_its_seat(client: FlaskClient, table: Any, keys: Keys) -> None:
    client.post("/api/seat/2/answer", json={"gear": 3, "version": 7}, headers=keys["guest"])
    assert table.heard == [(GUEST, {"seat": 2, "gear": 3, "version": 7})]


def test_null_is_an_answer(client: FlaskClient, table: Any, keys: Keys) -> None:
    client.post("/api/seat/2/answer", json={"slipstream": None}, headers=keys["guest"])
    assert table.heard == [(GUEST, {"seat": 2, "slipstream": None})]


def test_any_seat_answers_for_the_table_and_only_there_is_the_end_an_answer(
    client: FlaskClient, table: Any, keys: Keys
) -> None:
    for body in ({"lot": {"car": "red", "power": None}}, {"end": True}):
        assert (
            client.post("/api/seat/0/answer", json=body, headers=keys["guest"]).status_code == 200
        )
        assert table.heard.pop() == (GUEST, {"seat": 0, **body})


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"version": 3},
        {"gear": 3, "roll": 4},
        {"undo": 1},
        {"retire": True},
        {"end": True},
        {"correct": {}, "reason": "cheating"},
        {"new": {}},
        {"seat": 1, "gear": 3},
        {"table": "pause"},
    ],
)
def test_nothing_but_an_answer_comes_in_by_a_seats_door(
    client: FlaskClient, table: Any, keys: Keys, body: dict[str, Any]
) -> None:
    response = client.post("/api/seat/2/answer", json=body, headers=keys["guest"])
    assert response.status_code == 400
    assert error_of(response)["code"] == "malformed"
    assert table.heard == []


@pytest.mark.parametrize("who", ["host", "referee"])
def test_the_host_and_the_referee_answer_for_any_seat(
    client: FlaskClient, table: Any, keys: Keys, who: str
) -> None:
    for path in ("press", "answer"):
        body = {"button": 1} if path == "press" else {"gear": 1}
        assert client.post(f"/api/seat/2/{path}", json=body, headers=keys[who]).status_code == 200
    assert {heard[0] for heard in table.heard} == {HOST if who == "host" else REFEREE}


def test_the_host_answers_for_the_table_itself(client: FlaskClient, table: Any, keys: Keys) -> None:
    client.post("/api/seat/0/answer", json={"order": [2, 1]}, headers=keys["host"])
    assert table.heard == [(HOST, {"seat": 0, "order": [2, 1]})]


@pytest.mark.parametrize(
    ("who", "path", "status"),
    [
        ("nobody", "/api/seat/1/press", 401),
        ("stranger", "/api/seat/1/press", 401),
        ("guest", "/api/seat/1/press", 403),
        ("guest", "/api/seat/1/answer", 403),
        ("guest", "/api/seat/1/link", 405),
        ("host", "/api/seat/9/press", 404),
        ("host", "/api/seat/9/answer", 404),
        ("nobody", "/api/referee/undo", 401),
        ("guest", "/api/referee/undo", 403),
        ("host", "/api/referee/end", 403),
        ("nobody", "/api/table", 401),
        ("referee", "/api/referee/shout", 404),
        ("referee", "/api/nothing", 404),
        ("referee", "/", 405),
        ("referee", "/api/stream", 405),
    ],
)
def test_whoever_may_not_is_told_so_and_the_table_hears_nothing(
    client: FlaskClient, table: Any, keys: Keys, who: str, path: str, status: int
) -> None:
    response = client.post(path, json={"button": 1}, headers=keys[who])
    assert response.status_code == status
    error_of(response)
    assert table.heard == []


def test_a_missing_key_is_asked_for_as_a_bearer(client: FlaskClient) -> None:
    assert client.post("/api/seat/1/press").headers["WWW-Authenticate"].startswith("Bearer")


def test_a_method_that_is_not_allowed_is_told_which_are(client: FlaskClient) -> None:
    assert "POST" in client.get("/api/seat/1/press").headers["Allow"]


def test_a_key_in_the_address_is_no_key(client: FlaskClient, table: Any) -> None:
    response = client.post("/api/seat/1/press?token=token-of-ana", json={"button": 1})
    assert response.status_code == 401
    assert table.heard == []


@pytest.mark.parametrize(
    "origin",
    [
        "http://elsewhere",
        "null",
        "http://localhost:81",
        "https://localhost",
        "file://",
        "http://localhost.elsewhere",
        "http://[",
        "",
    ],
)
def test_a_post_from_a_foreign_page_is_refused_even_with_a_key(
    client: FlaskClient, table: Any, keys: Keys, origin: str
) -> None:
    headers = keys["host"] | {"Origin": origin}
    response = client.post("/api/seat/1/press", json={"button": 1}, headers=headers)
    assert response.status_code == 403
    assert error_of(response)["key"] == "foreign-origin"
    assert table.heard == []


@pytest.mark.parametrize("origin", ["http://localhost", "http://localhost:80"])
def test_a_post_from_the_tables_own_page_is_judged_by_its_key(
    client: FlaskClient, keys: Keys, origin: str
) -> None:
    headers = keys["host"] | {"Origin": origin}
    response = client.post("/api/seat/1/press", json={"button": 1}, headers=headers)
    assert response.status_code == 200


@pytest.mark.parametrize("status", [400, 403, 409])
def test_the_tables_refusal_is_passed_on_as_it_stands(
    client: FlaskClient, table: Any, keys: Keys, status: int
) -> None:
    error = {"code": "illegal", "rule": "FD-GEAR-2", "key": "k", "args": {}, "message": "no"}
    table.reply = Reply(status, {"ok": False, "error": error, "asks": []})
    response = client.post("/api/seat/1/answer", json={"gear": 6}, headers=keys["host"])
    assert response.status_code == status
    assert error_of(response)["rule"] == "FD-GEAR-2"


REFEREE_LINES = [
    ("undo", {"undo": 2}, {"undo": 2}),
    ("undo", {"undo": 2, "preview": True}, {"undo": 2, "preview": True}),
    ("amend", {"amend": 2, "value": None, "version": 7}, {"amend": 2, "value": None, "version": 7}),
    ("amend", {"amend": 2, "preview": True}, {"amend": 2, "preview": True}),
    ("answers", {"answers": 12}, {"answers": 12}),
    (
        "correct",
        {"correct": {"weather": "rain"}, "reason": "misread"},
        {"correct": {"weather": "rain"}, "reason": "misread"},
    ),
    ("retire", {"seat": 2, "reason": "gone"}, {"seat": 2, "retire": True, "reason": "gone"}),
    ("retire", {"seat": 2, "retire": True}, {"seat": 2, "retire": True}),
    ("return", {"seat": 2}, {"seat": 2, "return": True}),
    ("end", {}, {"end": True}),
    ("end", {"end": True}, {"end": True}),
    ("note", {"note": "pizza"}, {"note": "pizza"}),
    ("pause", {}, {"table": "pause"}),
    ("resume", {"resume": True}, {"table": "resume"}),
]


@pytest.mark.parametrize(("word", "body", "line"), REFEREE_LINES)
def test_each_word_of_the_referee_becomes_its_line(
    client: FlaskClient,
    table: Any,
    keys: Keys,
    word: str,
    body: dict[str, Any],
    line: dict[str, Any],
) -> None:
    assert (
        client.post(f"/api/referee/{word}", json=body, headers=keys["referee"]).status_code == 200
    )
    assert table.heard == [(REFEREE, line)]


@pytest.mark.parametrize(
    ("word", "body"),
    [
        ("undo", {}),
        ("amend", {"value": 3}),
        ("amend", {"amend": 2, "value": 3, "seat": 1}),
        ("answers", {}),
        ("undo", {"end": True}),
        ("undo", {"undo": 1, "end": True}),
        ("end", {"end": False}),
        ("retire", {}),
        ("retire", {"seat": 2, "retire": False}),
        ("pause", {"pause": 3}),
        ("note", {}),
    ],
)
def test_a_body_that_says_something_else_than_its_address_is_malformed(
    client: FlaskClient, table: Any, keys: Keys, word: str, body: dict[str, Any]
) -> None:
    response = client.post(f"/api/referee/{word}", json=body, headers=keys["referee"])
    assert response.status_code == 400
    assert error_of(response)["code"] == "malformed"
    assert table.heard == []


@pytest.mark.parametrize(
    "body",
    [
        {"table": "laps", "value": 3},
        {"table": "start"},
        {"table": "agree", "yes": True},
        {"new": {"game": "formula-d"}},
    ],
)
@pytest.mark.parametrize("who", ["host", "referee"])
def test_host_and_referee_set_up_a_race(
    client: FlaskClient, table: Any, keys: Keys, who: str, body: dict[str, Any]
) -> None:
    assert client.post("/api/table", json=body, headers=keys[who]).status_code == 200
    assert [heard[1] for heard in table.heard] == [body]


@pytest.mark.parametrize(
    "body", [{}, {"table": 3}, {"undo": 1}, {"new": {}, "undo": 1}, {"table": "laps", "by": "x"}]
)
def test_setting_up_takes_words_to_the_table_only(
    client: FlaskClient, table: Any, keys: Keys, body: dict[str, Any]
) -> None:
    assert client.post("/api/table", json=body, headers=keys["host"]).status_code == 400
    assert table.heard == []


def test_a_page_that_names_its_language_is_told_the_refusal_in_it(
    client: FlaskClient, keys: Keys
) -> None:
    asked = keys["guest"] | {"X-Language": "fr"}
    told = client.post("/api/referee/undo", json={"undo": 1}, headers=asked).get_json()
    assert told["say"] != told["error"]["message"]
    plain = client.post("/api/referee/undo", json={"undo": 1}, headers=keys["guest"]).get_json()
    assert "say" not in plain


def test_a_touch_elsewhere_is_a_word_to_the_table(
    client: FlaskClient, table: Any, keys: Keys
) -> None:
    path = "/api/seat/2/elsewhere"
    assert client.post(path, json={"to": "S2.m3"}, headers=keys["guest"]).status_code == 200
    assert client.post(path, json={"agree": True}, headers=keys["guest"]).status_code == 200
    assert table.heard == [
        (GUEST, {"table": "propose", "seat": 2, "space": "S2.m3"}),
        (GUEST, {"table": "agree", "seat": 2, "yes": True}),
    ]


@pytest.mark.parametrize(
    "body",
    [{}, {"to": 3}, {"agree": 1}, {"to": "S2.m3", "agree": True}, {"to": "S2.m3", "seat": 3}],
)
def test_a_touch_elsewhere_of_another_form_is_malformed(
    client: FlaskClient, table: Any, keys: Keys, body: dict[str, Any]
) -> None:
    response = client.post("/api/seat/2/elsewhere", json=body, headers=keys["guest"])
    assert response.status_code == 400
    assert error_of(response)["code"] == "malformed"
    assert table.heard == []


def test_what_is_to_be_explained_reaches_the_table_as_an_answer(
    client: FlaskClient, table: Any, keys: Keys
) -> None:
    why = {"code": "illegal", "rule": "FD-MOVE-1", "key": "no-such-move", "args": {}, "message": ""}
    table.reply = Reply(200, {"ok": True, "explain": {"legal": False}, "why": why})
    body = {"move": {"to": "S2.m3", "brakes": 0}}
    headers = keys["guest"] | {"X-Language": "fr"}
    response = client.post("/api/seat/2/explain", json=body, headers=headers)
    assert table.heard == [(GUEST, {"explain": {"seat": 2, **body}})]
    assert response.get_json()["say"]
    assert client.post("/api/seat/1/explain", json=body, headers=keys["guest"]).status_code == 403
    assert client.post("/api/seat/2/explain", json=body).status_code == 401


@pytest.mark.parametrize(
    ("who", "is_own"), [("guest", True), ("nobody", False), ("host", False), ("referee", False)]
)
def test_only_a_seats_own_token_is_told_its_own_page(
    client: FlaskClient, table: Any, keys: Keys, who: str, is_own: bool
) -> None:
    shown = table.publish()
    object.__setattr__(shown, "tell_seat", lambda seat, own: {"seat": seat, "own": own})
    told = client.get("/api/seat/2/view", headers=keys[who]).get_json()
    assert told == {"seat": 2, "own": is_own}
    assert client.get("/api/seat/7/view").status_code == 404
