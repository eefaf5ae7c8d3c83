"""Records of races by house switches that are gone: the result stays, and a sentence says why."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.leagues.records import ended
from support.tables.sitting import CachedLibrary

from companion.league.finished import read_finished
from companion.race.engine import Engine
from companion.race.record import GONE, RecordError, replay
from companion.rules.formula.book import switches


def changed(lines: list[Any], **more: Any) -> list[Any]:
    return [{**lines[0], **more}, *lines[1:]]


def by(house: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """A whole race whose header says so."""
    return changed(ended("a"), house=house, **more)


def test_no_switch_is_gone_and_there() -> None:
    assert switches().keys() & GONE.keys() == set()


@pytest.mark.parametrize("house", [dict(GONE), {"red_flag": False, "causer": "rolls"}])
def test_a_switch_that_is_gone_and_said_what_is_played_today_is_as_if_absent(
    house: dict[str, Any],
) -> None:
    found = read_finished(by(house))
    assert ([row.place for row in found.rows], found.remark) == ([1, 2, 3], None)
    assert replay(by(house)).state() == replay(ended("a")).state()


SAID = "not played by today's rules: line 1: the house switch wing is gone"
PACK = {"name": "Ours", "toml": 'name = "Ours"\ngame = "formula-d"\n[house]\nwing = "choice"\n'}


@pytest.mark.parametrize("more", [{"house": {"wing": "choice"}}, {"pack": PACK}])
def test_a_record_by_a_switch_that_is_gone_keeps_its_result_and_says_so(
    more: dict[str, Any],
) -> None:
    lines = changed(ended("a"), **more)
    found = read_finished(lines)
    assert [row.place for row in found.rows] == [1, 2, 3]
    assert str(found.remark).startswith(SAID)
    with pytest.raises(RecordError, match="the house switch wing is gone") as caught:
        replay(lines)
    assert caught.value.result == lines[-1]["result"]


def test_a_record_that_is_damaged_is_refused_whatever_its_house_said() -> None:
    lines = by({"wing": "none"})
    lines[1] = {**lines[1], "gear": 6}
    with pytest.raises(Exception, match="line 2"):
        read_finished(lines)


@in_one("name", GONE)
def test_a_new_race_by_a_switch_that_is_gone_is_refused_with_those_that_there_are(
    name: str,
) -> None:
    header = {"game": "formula-d", "track": "monaco", "seats": [{"seat": 1}]}
    reply = Engine(CachedLibrary()).handle({"new": {**header, "house": {name: GONE[name]}}})
    assert reply["error"]["key"] == "unknown-key"
    assert "known are black_flag, block_contact, " in reply["error"]["message"]
