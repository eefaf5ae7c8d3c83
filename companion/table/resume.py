"""A race of the journal, opened again: by all of its lines, or sooner by what was kept of it.

So that a start need not play a race again from its first answer. The log alone is the truth: what
is kept is only ever what the lines of the log make of the race, and whoever loses it or cannot use
it reads them.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields
from enum import Enum
from functools import cache, partial
from importlib import import_module
from itertools import chain
from operator import attrgetter
from typing import Any, cast

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import RecordError, tracks_of
from companion.race.times import Stretch, Turn
from companion.rules.lines import WORDS, Answer, InRace, Refusal
from companion.table import commands
from companion.table.ports import JSON
from companion.table.race import LOG_LENGTH, Given, Race

Engines = Callable[[TrackLibrary, int], Engine]
"""Makes an engine with these boards whose version goes on from a number."""
Kept = tuple[int, bytes]
"""After how many lines of a race, what `memory_of` made of it."""


class BrokenRace(Exception):
    """A race of the journal that today's rules do not accept; the message names line and rule."""


def open_race(engines: Engines, lines: Sequence[JSON], base: int, kept: Kept | None = None) -> Race:
    """The race that these lines of a journal tell, as it stood after the last of them.

    Args:
        base: the version that the engine goes on from.
        kept: spares all lines but those behind it; where it is of no use it changes nothing.

    Raises:
        BrokenRace: a line is refused that was accepted once, or there is none.
    """
    if kept is not None:
        # Whatever is wrong with it, the lines are all there.
        with suppress(Exception):
            return _opened(engines, lines, base, kept)
    return _opened(engines, lines, base, None)


def _opened(engines: Engines, lines: Sequence[JSON], base: int, kept: Kept | None) -> Race:
    if not lines:
        raise BrokenRace("the journal has no line of this race that can be read")
    number, known = 0, 1
    try:
        race = Race(engines(tracks_of(lines[0]), base), lines[0])
        if kept is not None:
            known = kept[0]
            _recall(race, base, lines[1:known], kept[1])
        for number, line in enumerate(lines):
            if number >= known and (entry := commands.race_entry(line)) is not None:
                race.fold(entry, line.get("by", "companion"), line.get("at", 0.0))
    except Refusal as refusal:
        fault = RecordError(number + 1, refusal.message, rule=refusal.rule)
        name = lines[0]["name"]
        raise BrokenRace(f"race {name!r} does not hold any more: {fault}") from refusal
    race.lines = list(lines)
    race.saved = len(lines)
    return race


# -- what is kept ---------------------------------------------------------------------------------

REMEMBERED = ("old", "preset", "preset_by", "proposal", "seed", "watch_from")
"""What a race has beside its engine, its lines, its story and what it knows of each answer."""
OF_ANSWER = attrgetter("version", "since", "reveals", "noted", "presser", "joined")
OF_STRETCH = attrgetter("at", "round", "mover", "asked", "playing")
OF_TURN = attrgetter("seat", "round", "used_s", "flagged")
"""What the rules have made of each answer. What was said, by whom and when is the log's."""
RECORDS = re.compile(r"companion\.(rules\..*|race\.times|table\.commands)")
"""The modules whose records may be kept."""
NO_COMMANDS = {"table", "note", "result", "seed"}
"""A line with one of these is none of the engine's."""
ANSWER = ("at", "by", "seat", "its kind")
"""The keys of an answer's line."""
MADE_OF: dict[str, Callable[[list[Any]], object]] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset,
    "dict": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
}  # fmt: skip


def _given_by_header(engine: Engine) -> dict[str, object]:
    """Board, ground, edition, house: what the states of a race hold on to from its beginning. It is
    not kept, but had of the header, and checked, at every start."""
    begun, setup = engine.begun, getattr(engine.begun, "setup", None)
    found = {f"{one.name} of {type(owner).__name__}": getattr(owner, one.name)
             for owner in (begun, setup) if owner for one in fields(owner)}  # fmt: skip
    plain = (int, float, str, tuple, frozenset, dict, type(None))
    return {name: one for name, one in found.items() if not isinstance(one, plain)}


def _told(one: Any, names: Mapping[int, str]) -> Any:
    """A value as JSON: what is no number, word or None as a list, of its kind and its parts."""
    kind = type(one)
    if one is None or kind in (bool, int, float, str):
        return one
    if id(one) in names:
        return ["given", names[id(one)]]
    name, parts = f"{kind.__module__}:{kind.__name__}", one
    if kind.__name__ in MADE_OF:
        name, parts = kind.__name__, chain.from_iterable(one.items()) if kind is dict else one
    elif isinstance(one, Enum):
        parts = [one.name]
    elif not isinstance(one, tuple):
        parts = [getattr(one, its.name) for its in fields(one)]
    return [name, *(_told(its, names) for its in parts)]


def _read(one: Any, named: Mapping[str, object]) -> Any:
    """A value of which `_told` was kept; whoever wrote it gets fresh records of it, no more."""
    if type(one) is not list:
        return one
    name, *parts = one
    if name == "given":
        return named[parts[0]]
    return (MADE_OF.get(name) or _made_of(name))([_read(its, named) for its in parts])


@cache
def _made_of(name: str) -> Callable[[list[Any]], object]:
    """What makes a record of its parts."""
    module, _, own = name.partition(":")
    kind: Any = getattr(import_module(module), own) if RECORDS.fullmatch(module) else None
    if not isinstance(kind, type) or kind.__module__ != module:  # not what it imports
        raise ValueError(f"{name} is no kind of record")
    if issubclass(kind, Enum):
        return lambda parts: kind[parts[0]]
    if issubclass(kind, tuple):
        return partial(tuple.__new__, kind)
    names = [one.name for one in fields(cast(Any, kind))]

    def record(parts: list[Any]) -> object:
        made: Any = object.__new__(kind)
        for name, its in zip(names, parts, strict=True):
            object.__setattr__(made, name, its)  # as it is frozen
        return made

    return record


def _columns(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Rows as JSON: each column by its different values, of which there are few."""
    told = []
    for column in zip(*rows, strict=True):
        found: dict[Any, int] = {}
        places = [found.setdefault(one, len(found)) for one in column]
        told.append([[_told(one, {}) for one in found], places])
    return told


def _read_columns(told: list[Any]) -> list[Iterator[Any]]:
    return [map([_read(one, {}) for one in found].__getitem__, at) for found, at in told]


def memory_of(race: Race, base: int) -> Callable[[], bytes]:
    """What `open_race` can begin with instead of the lines so far; another thread may make it."""
    engine, given, times = race.engine, [*race.given], deepcopy(race.times.memory)
    stretches, turns = [*race.times.stretches], [*race.times.over]
    own = {name: deepcopy(getattr(race, name)) for name in REMEMBERED}
    parts = [engine.memory, own, times, [*race.log]]

    def make() -> bytes:
        names = {id(one): name for name, one in _given_by_header(engine).items()}
        rows = map(OF_ANSWER, given), map(OF_STRETCH, stretches), map(OF_TURN, turns)
        told = [base, _told(parts, names), *map(_columns, rows)]
        return json.dumps(told, separators=(",", ":")).encode()

    return make


def _recall(race: Race, base: int, lines: Sequence[JSON], kept: bytes) -> None:
    """Let a race that has just begun be the one of which this was kept after these lines.

    Raises:
        Exception: of any kind: it is none of this version's.
    """
    then, parts, *columns = json.loads(kept)
    if then != base:
        raise ValueError("it was kept of another start")
    memory, own, times, log = _read(parts, _given_by_header(race.engine))
    answers, stretches, turns = map(_read_columns, columns)
    stand, kinds = _standing(lines), race.kinds.keys() - WORDS
    said = [_said(line, kinds) for line in stand]
    by, at = ([line.get(*one) for line in stand] for one in (("by", "companion"), ("at", 0.0)))
    race.given = [*map(Given, said, by, *answers[:3], at, *answers[3:])]
    began = [*map(Stretch, *stretches, [None, *said])]
    if not len(began) == len(race.given) + 1 == len(said) + 1:
        raise ValueError("it was kept of other lines")
    race.times.recall(times, began, [Turn(*one) for one in zip(*turns, strict=True)])
    vars(race).update({name: own[name] for name in REMEMBERED})
    race.log = deque(log, maxlen=LOG_LENGTH)
    race.engine.recall(memory, said)
    race.take_seats()
    # What every picture reads: what of it is of another kind is found here.
    race.times.turns(race.last_at)
    if race.paused not in (True, False) or not all(type(one) is dict for one in race.log):
        raise ValueError("it was kept of another program")


def _standing(lines: Iterable[JSON]) -> list[JSON]:
    """The lines that the engine was given and that were not taken back."""
    stand: list[JSON] = []
    for line in lines:
        if "undo" in line:
            del stand[-line["undo"] :]
        elif NO_COMMANDS.isdisjoint(line):
            stand.append(line)
    return stand


def _said(line: JSON, kinds: Container[str]) -> InRace:
    """The command of a line; of an answer, as nearly all are, without looking at its form again."""
    *_, word = line
    if word in kinds and len(line) == len(ANSWER):
        return Answer(line["seat"], word, line[word])
    return cast(InRace, commands.race_entry(line))
