"""One engine, several games: the header's `game` says which."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import CARS
from support.downforce.table import header as downforce
from support.formula.table import OneRead
from support.formula.table import header as formula

from companion.race.engine import Engine
from companion.rules.games import NAMES, fetch


def test_every_game_is_on_the_shelf_under_its_name() -> None:
    assert {"formula-d", "downforce"} <= set(NAMES)
    assert all(fetch(name).name == name for name in NAMES)


def test_an_engine_plays_one_game_after_the_other_and_versions_go_on() -> None:
    engine = Engine(OneRead())
    assert engine.handle({"new": downforce(2)})["version"] == 1
    assert engine.track is None
    assert engine.handle({"seat": 0, "pole": CARS})["version"] == 2
    assert engine.handle({"new": formula(2)})["version"] == 3
    assert engine.track is not None
    assert engine.handle({"new": downforce(2)})["asks"][0]["kind"] == "pole"
    assert engine.track is None


def test_a_header_that_is_refused_leaves_the_game_that_was() -> None:
    engine = Engine(OneRead())
    engine.handle({"new": downforce(2)})
    before = (engine.state(), engine.asks(), engine.version, engine.header)
    for wrong in ({"game": "ludo"}, {**formula(2), "laps": -1}, downforce(9)):
        assert engine.handle({"new": wrong})["error"]["code"] == "malformed"
        assert (engine.state(), engine.asks(), engine.version, engine.header) == before
    assert engine.handle({"seat": 0, "pole": CARS})["ok"]


@pytest.mark.parametrize("line", [{"seat": 1, "gear": 1}, {"seat": 2, "black": 3}])
def test_an_answer_of_another_game_is_asked_of_nobody(line: dict[str, Any]) -> None:
    engine = Engine(OneRead())
    engine.handle({"new": downforce(2)})
    error = engine.handle(line)["error"]
    assert (error["code"], error["key"]) == ("illegal", "not-asked")


def test_the_tables_end_is_no_answer_where_there_is_no_such_ask() -> None:
    engine = Engine(OneRead())
    engine.handle({"new": formula(2)})
    assert engine.handle({"seat": 0, "end": True})["error"]["code"] == "illegal"
    assert engine.handle({"end": True})["ok"]


def test_a_seat_has_secrets_only_where_the_game_has() -> None:
    engine = Engine(OneRead())
    assert engine.secrets(1) == {}
    engine.handle({"new": formula(2)})
    assert engine.secrets(1) == {}
    engine.handle({"new": downforce(2)})
    assert engine.secrets(1) == {"bets": []}


def test_an_answer_to_a_secret_ask_is_stale_only_if_it_is_older_than_its_ask() -> None:
    """Others who bid in the meantime do not make it stale."""
    engine = Engine(OneRead())
    engine.handle({"new": downforce(2)})
    engine.handle({"seat": 0, "pole": CARS})
    version = engine.handle({"seat": 0, "lot": {"car": "red", "power": "sly"}})["version"]
    engine.handle({"seat": 1, "bid": {"amount": 0}})
    assert engine.asks()[0]["since"] == version
    stale = {"seat": 2, "bid": {"amount": 0}, "version": version - 1}
    assert engine.handle(stale)["error"]["code"] == "stale"
    assert engine.handle({**stale, "version": version})["ok"]
