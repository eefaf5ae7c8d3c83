"""The league's addresses against their description (docs/openapi.json): neither says more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.leagues.records import do

from companion.league.exchange.outside import forms
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion_web.api import OPENAPI
from companion_web.guard import Guard, KeeperPin, Window
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess

from .conftest import PIN, copied

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
OF_LEAGUE = "^/(api/league|ergast|league/export)/"
EXAMPLES = 6
PLAIN = {"Accept-Encoding": "identity"}
PATHS = json.loads(OPENAPI.read_text("utf-8"))["paths"]
STREAM = "/api/league/live/stream"
"""Served by the door, not by the app."""
OPERATIONS = [
    told["operationId"]
    for path, does in PATHS.items()
    for told in does.values()
    if re.match(OF_LEAGUE, path) and path != STREAM
]
KEY = "key-of-a-table"


@schemathesis.serializer("application/jsonl")
def as_lines(ctx: object, value: object) -> bytes:
    """A body that is no JSON, as it is."""
    return value if isinstance(value, bytes) else f"{value}".encode()


def make_app(league: League) -> Flask:
    guard = Guard(KeeperPin(PIN), posts=Window(10**9))
    access = LeagueAccess(league.public, league, guard)
    live = LiveFiles(league.storage, lambda: 0.0)
    return create_league_app(league, live, access)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> Iterator[Flask]:
    with copied(kept, tmp_path_factory.mktemp("described")) as league:
        table = {"act": "table", "table": "one", "key_sha256": digest_of_key(KEY)}
        do(league, table, by="t")
        yield make_app(league)


@pytest.fixture(scope="module")
def described(app: Flask) -> Any:
    return schemathesis.openapi.from_wsgi("/api/openapi.json", app)


def patterns(app: Flask) -> set[tuple[str, str]]:
    """The addresses that there are, without the names of what varies in them."""
    found = set()
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<any\((\w+), (\w+)\):\w+>", r"\1|\2", str(rule))
        for one in path.split("/")[3].split("|") if "|" in path else [""]:
            whole = re.sub(r"\w+\|\w+", one, path)
            shape = re.sub(r"<path:\w+>", "{}", re.sub(r"<(?!path)[^>]+>", "{}", whole))
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                if re.match(OF_LEAGUE, shape):
                    found.add((shape, method.lower()))
    return found


def test_every_address_of_the_league_is_described_and_no_other(app: Flask) -> None:
    assert app.test_client().get("/api/openapi.json").get_json()["paths"] == PATHS
    told = {
        (re.sub(r"\{\w+\}", "{}", path), method)
        for path, does in PATHS.items()
        for method in does
        if re.match(OF_LEAGUE, path)
    }
    # One rule answers at all addresses of Ergast.
    told = {(re.sub(r"^(/ergast/f1/).*", r"\1{}", path), method) for path, method in told}
    assert told == patterns(app) | {(STREAM, "get")}


def test_every_form_is_described() -> None:
    for of in ("season", "race"):
        (_, form) = PATHS[f"/league/export/{of}/{{key}}/{{form}}"]["get"]["parameters"]
        files = {name for name, one in forms().items() if one.of in (of, "either")}
        others = {name for name, one in forms().items() if one.is_link}
        assert set(form["schema"]["enum"]) == files - others


@pytest.mark.slow
@pytest.mark.parametrize("key", [PIN, KEY, "nobodys"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_is_asked_is_answered_as_described(
    described: Any, operation: str, key: str
) -> None:
    @given(case=described.find_operation_by_id(operation).as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {key}", **PLAIN}, checks=CHECKS)

    ask()


@pytest.mark.parametrize(
    ("operation", "values"),
    [
        ("ergastOfAll", {"what": "seasons.json"}),
        ("ergastOfAll", {"what": "results"}),
        ("ergastOfSeason", {"season": "2026", "what": "results.json"}),
        ("ergastOfRound", {"season": "winter", "round": "1", "what": "driverstandings"}),
        ("tellHall", {}),
        ("replay", {"race": "driven", "language": "en"}),
        ("exportSeason", {"key": "winter", "form": "csv"}),
        ("exportRace", {"key": "driven", "form": "record"}),
        ("drawBgStats", {"key": "driven"}),
    ],
)
def test_what_there_is_is_told_as_described(
    described: Any, operation: str, values: dict[str, str]
) -> None:
    """With the values that chance would hardly find."""
    case = described.find_operation_by_id(operation).Case(path_parameters=values)
    assert case.call_and_validate(headers=PLAIN, checks=CHECKS).status_code == 200
