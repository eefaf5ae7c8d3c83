"""The corpus: what the program said before its rules were rewritten, it says today.

tests/corpus/README.md tells what is in it, and how a change that is meant is listed.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from corpus.check import compare, differences_of, is_boardless, unused_of
from corpus.form import HERE, RACES, RECORDS, SITTINGS, read_changed, read_rows, sum_of
from corpus.look import replayed
from corpus.protocol import PROTOCOL, protocol_differences
from corpus.sittings import sitting_differences
from support.each import few_now

from companion.race.record import parse_record

FILES = sorted(RACES.glob("*.jsonl.gz"))
EVENINGS = sorted(SITTINGS.glob("*.jsonl.gz"))
ON_A_BOARD = next(path for path in FILES if path.name.startswith("formula-d"))
FEW, MOST = 1, 3_000_000
EVERY, EVERY_EVENING = 4, 5
"""So many races, and evenings, apart are those of `make test`; `make long` has all."""
SHOWN = 12


def named(path: Path) -> str:
    return path.name.partition(".")[0]


def check(rows: list[Any]) -> None:
    """No race differs, but for what is listed; nothing is listed that does not differ."""
    found = [str(one) for row in rows for one in differences_of(row)]
    assert not found, f"{len(found)} differences:\n" + "\n".join(found[:SHOWN])
    unused = {row["race"]: unused_of(row) for row in rows if read_changed().of(row["race"])}
    assert not any(unused.values()), f"listed in changed.toml, and does not differ: {unused}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_the_first_races_are_as_they_were(path: Path) -> None:
    check(read_rows(path)[:FEW])


@pytest.mark.slow
@pytest.mark.parametrize("step", few_now([EVERY, 1], 1))
@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_race_is_as_it_was(path: Path, step: int) -> None:
    """Every reply, twenty moments as STATE and as positions; a part of them as records."""
    check(read_rows(path)[FEW::step])


@pytest.mark.parametrize("path", EVENINGS, ids=named)
@pytest.mark.slow
def test_the_first_evening_shows_what_it_showed(path: Path) -> None:
    found = list(sitting_differences(read_rows(path)[0]))
    assert not found, "\n".join(found[:SHOWN])


@pytest.mark.slow
@pytest.mark.parametrize("step", few_now([EVERY_EVENING, 1], 1))
@pytest.mark.parametrize("path", EVENINGS, ids=named)
def test_every_evening_shows_what_it_showed(path: Path, step: int) -> None:
    """Each seat's picture and lamp, the public faces, the page and the record."""
    found = [line for row in read_rows(path)[1::step] for line in sitting_differences(row)]
    assert not found, f"{len(found)} differences:\n" + "\n".join(found[:SHOWN])


def test_the_engine_answers_byte_for_byte() -> None:
    (row,) = read_rows(PROTOCOL)
    found = list(protocol_differences(row))
    assert not found, f"{len(found)} differences:\n" + "\n".join(found[:SHOWN])


def test_records_of_the_table_are_read_and_played() -> None:
    """Whole records as the table wrote them, boards and all."""
    for row in read_rows(RECORDS / "records.jsonl.gz"):
        lines = parse_record(row["text"].encode())
        end = sum_of(replayed(lines))
        assert end == row["end"] or is_boardless({"lines": [{"new": lines[0]}]}), row["record"]


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in HERE.rglob("*") if path.is_file()) <= MOST


# The check can fail.


@pytest.mark.parametrize("what", ["events", "asks", "state", "whole state", "end", "code"])
def test_a_difference_is_noticed(what: str) -> None:
    row = copy.deepcopy(read_rows(ON_A_BOARD)[0])
    at = 5
    match what:
        case "events" | "asks":
            at = next(n for n, one in enumerate(row["outcomes"]) if n and isinstance(one, str))
            events, asks = row["outcomes"][at].split()
            row["outcomes"][at] = f"x {asks}" if what == "events" else f"{events} x"
        case "state":
            at = row["moments"][3]["at"]
            row["moments"][3]["state"] = "x"
        case "whole state":
            at = row["states"][0][0]
            row["states"][0][1]["round"] += 1
        case "end":
            at = len(row["lines"])
            row["end"] = "x"
        case "code":
            at = next(n for n, one in enumerate(row["outcomes"]) if not isinstance(one, str))
            row["outcomes"][at]["code"] = "x"
    (found,) = (one for one in compare(row) if one.part != "record")
    assert (found.line, found.part) == (at, what)
    assert f"{row['race']} line {at}: {what}" in str(found)


def test_a_line_with_another_fate_ends_the_comparison() -> None:
    row = copy.deepcopy(read_rows(ON_A_BOARD)[0])
    at = next(n for n, one in enumerate(row["outcomes"]) if not isinstance(one, str))
    row["outcomes"][at] = "x y"
    assert [(one.line, one.part) for one in compare(row)] == [(at, "ok")]
