"""How the corpus is written: sums of JSON values, and files that are the same bytes each time."""

from __future__ import annotations

import gzip
import json
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RACES, SITTINGS, RECORDS = HERE / "races", HERE / "sittings", HERE / "records"
CHANGED = HERE / "changed.toml"
SUM_BYTES = 6


def sum_of(value: Any) -> str:
    """Eight letters that stand for a JSON value, whatever the order of its keys.

    >>> sum_of({"a": 1, "b": [2]}) == sum_of({"b": [2], "a": 1})
    True
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sum_of_bytes(text.encode("ascii"))


def sum_of_bytes(content: bytes) -> str:
    """Eight letters that stand for these bytes."""
    return urlsafe_b64encode(blake2b(content, digest_size=SUM_BYTES).digest()).decode("ascii")


def write_rows(path: Path, rows: Iterable[Any]) -> None:
    """Write JSON values as packed lines; equal values give equal bytes."""
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))


def read_rows(path: Path) -> list[Any]:
    """The JSON values of a packed file."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


@dataclass(frozen=True)
class Changed:
    """What is meant to differ from the corpus by now (`changed.toml`).

    `overshot_told`: STATE says `"how": ["overshot"]` of a step `halt`. `refusal_parts` are those
    parts of an error that are compared, `sitting_parts` those of what an evening shows.
    `boardless_parts` those of a race without a board. `choices` are what a lobby offers.
    `record_words` are words to the table that a record has since.
    `lines` holds race, number of the line and part of each single difference.
    """

    overshot_told: bool
    refusal_parts: tuple[str, ...]
    sitting_parts: tuple[str, ...]
    boardless_parts: tuple[str, ...]
    choices: tuple[str, ...]
    record_words: tuple[str, ...]
    lines: frozenset[tuple[str, int, str]]

    def of(self, race: str) -> set[tuple[int, str]]:
        """Lines and parts of one race."""
        return {(line, part) for name, line, part in self.lines if name == race}


@cache
def read_changed(path: Path = CHANGED) -> Changed:
    """The listed exceptions; each entry names race, lines, part, and why with its rule."""
    table = tomllib.loads(path.read_text("utf-8"))
    found = set()
    for entry in table.get("changed", []):
        assert set(entry) == {"race", "lines", "part", "why", "rule"}, entry
        found |= {(entry["race"], line, entry["part"]) for line in entry["lines"]}
    parts, choices = tuple(table["refusal_parts"]), tuple(table["choices"])
    shown, blank = tuple(table["sitting_parts"]), tuple(table["boardless_parts"])
    words = tuple(table["record_words"])
    return Changed(table["overshot_told"], parts, shown, blank, choices, words, frozenset(found))
