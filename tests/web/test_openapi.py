"""The page against its own description (docs/openapi.json): neither says more than the other."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.app.seats import Machine
from companion.system.config import Config
from companion.table.ports import Reply
from companion_web.api import OPENAPI, POWER, MachinePort
from companion_web.guard import Guard, Window
from companion_web.pages import create_app

from .conftest import JOIN_KEY, PIN, TOKENS, FakeAccess, FakeMachine, FakeTable

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
OPERATIONS = [
    told["operationId"]
    for path, does in DESCRIBED["paths"].items()
    for told in does.values()
    if not re.search(f"{STREAMS}|{OF_LEAGUE}", path)
]
OF_MACHINE = [told["operationId"] for told in DESCRIBED["paths"]["/api/machine"].values()]


def make_app(machine: MachinePort) -> Flask:
    access, table = FakeAccess(), FakeTable()
    table.reply = Reply(200, {**table.reply.body, "seat": 1})  # as one who comes in is told
    guard = Guard(access, posts=Window(10**9))
    return create_app(table, access, guard=guard, machine=machine)


@pytest.fixture(scope="module")
def page() -> Any:
    return schemathesis.openapi.from_wsgi("/api/openapi.json", make_app(FakeMachine()))


def ask_at_random(page: Any, operation: str, key: str) -> None:
    """Ask what chance finds at an address; each answer is as the description says."""

    @given(case=page.find_operation_by_id(operation).as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {key}", **PLAIN}, checks=CHECKS)

    ask()


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
@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_is_asked_is_answered_as_described(page: Any, operation: str, key: str) -> None:
    ask_at_random(page, operation, key)


class ThisMachine:
    """This very computer as `companion doctor` finds it, of which no switch does anything."""

    folder = Path()

    @property
    def _machine(self) -> Machine:
        switches = dict.fromkeys((*POWER, "settings"), ("true",))
        ails = {3: {"screen": "is dark"}}
        return Machine(Config(data=self.folder), lambda: ails, commands=switches)

    def examine(self) -> Mapping[str, object]:
        return self._machine.examine()

    def hotspot(self) -> Mapping[str, str] | None:
        return self._machine.hotspot()

    def switch(self, power: str) -> str:
        return self._machine.switch(power)

    def set_up(self, settings: Mapping[str, object]) -> str:
        return self._machine.set_up(settings)


HERE = ThisMachine()


@pytest.mark.slow
@pytest.mark.parametrize("key", [PIN, TOKENS[1], "nobodys"])
@pytest.mark.parametrize("operation", OF_MACHINE)
def test_a_real_computer_is_told_of_as_described(operation: str, key: str, tmp_path: Path) -> None:
    HERE.folder = tmp_path
    page = schemathesis.openapi.from_wsgi("/api/openapi.json", make_app(HERE))
    ask_at_random(page, operation, key)


def test_what_the_computer_is_held_against_has_findings_of_all_three_kinds(tmp_path: Path) -> None:
    HERE.folder = tmp_path
    told: Any = HERE.examine()
    assert {True, None} <= {one["ok"] for one in told["findings"]}
    assert [one["seat"] for one in told["findings"] if one["what"] == "screen"] == [3]
    assert HERE.switch("off") == ""
