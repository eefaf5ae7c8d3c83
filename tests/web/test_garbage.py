"""Whatever a body holds, the answer is a refusal in JSON and the table hears nothing."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion_web.api import BODY_LIMIT

Keys = dict[str, dict[str, str]]
PRESS = "/api/seat/1/press"

GARBAGE = {
    "no JSON": b"gear three",
    "half a JSON": b'{"button": ',
    "not UTF-8": b'{"button": "\xff"}',
    "UTF-16": '{"button": 1}'.encode("utf-16"),
    "a list": b"[1, 2]",
    "a number": b"1",
    "null": b"null",
    "deep": b"[" * 30_000,
    "deep object": b'{"button":' * 6_000,
    "a number of sixty thousand digits": b'{"button": ' + b"9" * 60_000 + b"}",
    "not a number": b'{"button": NaN}',
    "infinity": b'{"button": 1, "picture": Infinity}',
    "beyond infinity": b'{"button": 1e999}',
    "a lone surrogate": b'{"button": "\\ud800"}',
    "a NUL": b"\0",
}


@pytest.mark.parametrize("body", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_malformed(client: FlaskClient, table: Any, keys: Keys, body: bytes) -> None:
    response = client.post(PRESS, data=body, headers=keys["host"])
    assert response.status_code == 400
    assert response.get_json()["error"]["code"] == "malformed"
    assert table.heard == []


def test_a_body_above_the_limit_is_too_large(client: FlaskClient, table: Any, keys: Keys) -> None:
    response = client.post(PRESS, data=b" " * (BODY_LIMIT + 1), headers=keys["host"])
    assert response.status_code == 413
    assert response.get_json()["error"]["args"] == {"limit": BODY_LIMIT}
    assert table.heard == []


def test_a_body_at_the_limit_is_read(client: FlaskClient, table: Any, keys: Keys) -> None:
    body = b'{"button": 1}'.ljust(BODY_LIMIT)
    assert client.post(PRESS, data=body, headers=keys["host"]).status_code == 200
    assert len(table.heard) == 1


def test_a_key_is_judged_before_the_body(client: FlaskClient, keys: Keys) -> None:
    large = b" " * (BODY_LIMIT + 1)
    assert client.post(PRESS, data=large, headers=keys["stranger"]).status_code == 401
    assert client.post(PRESS, data=b"{", headers=keys["stranger"]).status_code == 401


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200), path=st.sampled_from(["press", "answer"]))
@pytest.mark.slow
def test_no_bytes_break_the_page(client: FlaskClient, keys: Keys, body: bytes, path: str) -> None:
    response = client.post(f"/api/seat/1/{path}", data=body, headers=keys["host"])
    assert response.status_code == 400
    assert response.get_json()["ok"] is False
