"""The page against its own description (docs/openapi.json): neither says more than the other."""

from __future__ import annotations

import json
import re

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.table.ports import Reply
from companion_web.api import OPENAPI
from companion_web.app import create_app
from companion_web.guard import Guard
from companion_web.limits import Window

from .conftest import JOIN_KEY, PIN, TOKENS, FakeAccess, FakeTable

DESCRIBED = json.loads(OPENAPI.read_text("utf-8"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 8
PLAIN = {"Accept-Encoding": "identity"}
STREAMS = "/stream$"
OF_LEAGUE = "^/(api/league|ergast|league)/"
"""Described in the same file; tests/web/league looks at them."""


def make_app() -> Flask:
    access, table = FakeAccess(), FakeTable()
    table.reply = Reply(200, {**table.reply.body, "seat": 1})  # as one who comes in is told
    return create_app(table, access, guard=Guard(access, posts=Window(10**9)))


PAGE = schemathesis.openapi.from_wsgi("/api/openapi.json", make_app())


def routes(app: Flask) -> set[tuple[str, str]]:
    found = set()
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:.*?:)?(\w+)>", r"{\1}", str(rule))
        methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        found |= {(path, method.lower()) for method in methods if path.startswith("/api/")}
    return found


def test_every_address_of_the_api_is_described_and_no_other(client: FlaskClient) -> None:
    paths = {
        path: does for path, does in DESCRIBED["paths"].items() if not re.match(OF_LEAGUE, path)
    }
    told = {(path, method) for path, does in paths.items() for method in does}
    assert told == routes(client.application)


def test_the_description_is_served(client: FlaskClient) -> None:
    assert client.get("/api/openapi.json").get_json() == DESCRIBED


@pytest.mark.slow
@pytest.mark.parametrize("key", [PIN, TOKENS[1], JOIN_KEY, "nobodys"])
@PAGE.exclude(path_regex=f"{STREAMS}|{OF_LEAGUE}").parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_asked_is_answered_as_described(case: schemathesis.Case, key: str) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {key}", **PLAIN}, checks=CHECKS)
