"""Compares what the program of today says with a race of the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from corpus import then
from corpus.form import Changed, read_changed, sum_of
from corpus.look import JSON, Boards, Transcript, has_one_race, record_of, replayed

SHOWN = 400
"""Letters of a line that a difference prints."""
EVERY = 6
"""One race in so many is also played as a record."""


@dataclass(frozen=True)
class Difference:
    """One thing that is not as the corpus has it."""

    race: str
    line: int
    part: str
    said: Any
    was: Any
    now: Any

    def __str__(self) -> str:
        said = json.dumps(self.said)[:SHOWN]
        return f"{self.race} line {self.line}: {self.part}: was {self.was}, is {self.now}: {said}"

    def entry(self) -> str:
        """An entry for `changed.toml`."""
        return (
            f'[[changed]] # {str(self)[:SHOWN]}\nrace = "{self.race}"\nlines = [{self.line}]\n'
            f'part = "{self.part}"\nwhy = ""\nrule = ""\n'
        )


def compare(row: JSON) -> Iterator[Difference]:
    """Whatever differs in a race, listed or not; after a line with another fate no more."""
    with then.uncounted():
        yield from _heard(row)


def _heard(row: JSON) -> Iterator[Difference]:
    name, changed = row["race"], read_changed()
    if is_boardless(row):
        yield from (one for one in _compared(row, changed) if one.part in changed.boardless_parts)
        return
    yield from _compared(row, changed)
    if number_of(name) % EVERY == 0 and has_one_race(row["lines"], row["outcomes"]):
        end = sum_of(replayed(record_of(row["lines"], row["outcomes"])))
        if end != row["end"]:
            yield Difference(name, len(row["lines"]), "record", None, row["end"], end)


def is_boardless(row: JSON) -> bool:
    """Whether a race of this transcript is run on no board, or on the card of one."""
    headers = [line["new"] for line in row["lines"] if isinstance(line, dict) and "new" in line]
    return any(
        isinstance(head, dict)
        and head.get("game") in ("formula-d", "formule-de")
        and _is_blank(head.get("track"))
        for head in headers
    )


def _is_blank(track: Any) -> bool:
    if track is None:
        return True
    return isinstance(track, str) and track in Boards().cards()


def _compared(row: JSON, changed: Changed) -> Iterator[Difference]:
    """Line by line, and the end."""
    name = row["race"]
    talk, moments = Transcript(), {moment["at"]: moment for moment in row["moments"]}
    states = dict(row["states"])
    for at, (line, was) in enumerate(zip(row["lines"], row["outcomes"], strict=True)):
        now = talk.hear(line)
        parts = list(_parts(was, now, talk, changed))
        if at in moments:
            parts += _moment(moments[at], talk, changed)
        if at in states:
            parts += _whole(states[at], talk, changed)
        for part, before, after in parts:
            yield Difference(name, at, part, line, before, after)
        if isinstance(was, str) != isinstance(now, str):
            return
    if sum_of(talk.state) != row["end"]:
        yield Difference(name, len(row["lines"]), "end", None, row["end"], sum_of(talk.state))


def number_of(name: str) -> int:
    """The number at the end of a race's name."""
    return int(name.rpartition("-")[2])


Part = tuple[str, Any, Any]


def _parts(was: Any, now: Any, talk: Transcript, changed: Changed) -> Iterator[Part]:
    """What differs in the outcome of a line; an accepted one has sums, a refused one its error."""
    if isinstance(was, str) and isinstance(now, str):
        shown = {
            "events": [event["event"] for event in talk.reply["events"]],
            "asks": [[ask["seat"], ask["kind"]] for ask in talk.asks],
        }
        for part, one, other in zip(shown, was.split(), now.split(), strict=True):
            if one != other:
                yield part, one, [other, shown[part]]
    elif isinstance(was, dict) and isinstance(now, dict):
        for part in changed.refusal_parts:
            if was[part] != now[part]:
                yield part, was[part], talk.reply["error"][part]
    else:
        yield "ok", was, talk.reply["ok"] or talk.reply["error"]


def _moment(was: JSON, talk: Transcript, changed: Changed) -> Iterator[Part]:
    """What differs in STATE, in the asks it gives, and in what a new engine makes of it."""
    now = talk.moment()
    right = was["told"] if "told" in was and changed.overshot_told else was["state"]
    if now["state"] != right:
        yield "state", right, now["state"]
    for part in ("asks", "open", "again"):
        if now[part] != was[part]:
            yield f"moment {part}", was[part], now[part]


def _whole(was: JSON, talk: Transcript, changed: Changed) -> Iterator[Part]:
    """The places of STATE that differ."""
    now = talk.state
    if was != now and not (changed.overshot_told and talk.overshot()):
        yield "whole state", *_places(was, now)


def _places(was: Any, now: Any, way: str = "") -> tuple[str, str]:
    """The first place in which two values differ, and what stands there."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted({*was, *now}):
            if was.get(key, "nothing") != now.get(key, "nothing"):
                return _places(was.get(key, "nothing"), now.get(key, "nothing"), f"{way}.{key}")
    return f"{way} {json.dumps(was)[:SHOWN]}", json.dumps(now)[:SHOWN]


def differences_of(row: JSON) -> list[Difference]:
    """What differs in a race and is not listed in `changed.toml`."""
    listed = read_changed().of(row["race"])
    return [one for one in compare(row) if (one.line, one.part) not in listed]


def unused_of(row: JSON) -> set[tuple[int, str]]:
    """Entries of `changed.toml` for a race that differs in no such part."""
    return read_changed().of(row["race"]) - {(one.line, one.part) for one in compare(row)}
