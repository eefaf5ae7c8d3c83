"""The tutorial: eleven positions on Le Manège, each with the rule that it shows; three are of the
basic game (FD-BASIC).

What a position is, what may be answered and what is right is data (`manege.json`); whether an
answer is right the engine says, on a race of its own that nobody keeps. A position begins as
HEADER of the engine protocol does, then the answers of `played` are given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.lines import Answer
from companion.system.frozen import dataclass

SEAT: Final = 1
"""The seat of whoever learns."""
TRACK: Final = "manege"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A position and what is asked in it.

    `choices` are answers of the ask `kind`; `right` is the place of the right one, which loses what
    `loses` says; `words` are `title`, `says` and `do` by language, `rules` the optional rules that
    are on.
    """

    id: str
    rule: str
    position: Mapping[str, Any]
    played: Sequence[Mapping[str, Any]]
    kind: str
    choices: Sequence[Any]
    loses: Mapping[str, int]
    right: int
    words: Mapping[str, Mapping[str, str]]
    rules: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the engine says of a choice: whether it is `right`, and why it is not.

    `rules` are those that it breaks, or by which it ends badly, at the spaces `at`; `loses` is what
    it costs, `is_out` that it puts the car out.
    """

    right: bool
    legal: bool
    rules: tuple[str, ...]
    at: tuple[str, ...]
    loses: Mapping[str, int]
    is_out: bool


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """The lessons in their order."""
    text = files("companion.lessons").joinpath("manege.json").read_text("utf-8")
    return tuple(Lesson(**one) for one in json.loads(text))


def posed(lesson: Lesson) -> Engine:
    """An engine that asks what the lesson asks.

    Raises:
        ValueError: the engine refuses the position, or asks something else; the message says what.
    """
    engine = Engine(TrackLibrary())
    seats = [{"seat": int(seat), "name": seat} for seat in lesson.position["cars"]]
    header = {"game": "formula-d", "track": TRACK, "laps": 2, "rules": list(lesson.rules)}
    lines = [{"new": {**header, "seats": seats, "position": lesson.position}}, *lesson.played]
    for line in lines:
        reply = engine.handle(line)
        if not reply["ok"]:
            raise ValueError(f"{lesson.id}: {reply['error']['message']}")
    if not any((one.seat, one.kind) == (SEAT, lesson.kind) for one in engine.open):
        raise ValueError(f"{lesson.id}: nobody is asked {lesson.kind}")
    return engine


def judge(lesson: Lesson, choice: int) -> Verdict:
    """What comes of a choice, by its place.

    Raises:
        IndexError: there is no such choice.
    """
    engine, value = posed(lesson), lesson.choices[choice]
    found = engine.explain(Answer(SEAT, lesson.kind, value))
    loses, is_out = _price(engine, lesson.kind, value) if found.legal else ({}, False)
    right = found.legal and not is_out and loses == lesson.loses
    return Verdict(
        right=right, legal=found.legal, rules=found.rules, at=found.at, loses=loses, is_out=is_out
    )


def _price(engine: Engine, kind: str, value: Any) -> tuple[Mapping[str, int], bool]:
    """What a legal answer costs, and whether it puts the car out."""
    asks: list[Any] = engine.asks()
    ask = next(one for one in asks if (one["seat"], one["kind"]) == (SEAT, kind))
    if kind == "gear":
        return ask["costs"].get(str(value), {}), value in ask["out"]
    # An option has more keys than the answer that chooses it; null, for no slipstream, has none.
    end = next(one for one in ask["options"] if one and {**one, **value} == one)
    return end["cost"], end["out"] or end["spin"]
