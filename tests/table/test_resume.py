"""A race that goes on from what was kept of it: as from its lines, or not at all."""

from __future__ import annotations

import json
import os
import pickle
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.each import few_now
from support.tables.sitting import (
    REFEREE,
    CachedLibrary,
    ListJournal,
    Room,
    Sitting,
    phone,
    race_header,
)

from companion.rules.lines import Malformed, Refusal, Undo
from companion.table import commands
from companion.table.race import Given
from companion.table.resume import _read as read_kept
from companion.table.resume import memory_of
from companion.table.session import KEPT_AFTER


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The lines that were played again."""
    found: list[Any] = []
    real = commands.race_entry

    def noted(line: Any) -> Any:
        found.append(line)
        return real(line)

    monkeypatch.setattr(commands, "race_entry", noted)
    return found


def reloaded(sitting: Sitting, *, kept: bool) -> Sitting:
    """The same table after a restart, from what was kept or from the lines alone."""
    journal = ListJournal()
    journal.logs = {name: list(lines) for name, lines in sitting.journal.logs.items()}
    journal.memory = dict(sitting.journal.memory) if kept else {}
    return Sitting(journal)


def at_an_end(seats: int, answers: int, seed: int = 7, **more: Any) -> Sitting:
    """A race that was kept in the middle, and what else may stand open in it."""
    sitting, dice = Sitting(), Random(seed)
    sitting.begins(seats, **more)
    for number in range(answers):
        if not sitting.state.asks:
            break
        if number == answers // 2:
            sitting.keeps()
        if number % 11 == 5:
            with suppress(Refusal):
                sitting.says(REFEREE, {"undo": 1 + number % 3})
        if number % 13 == 4:
            sitting.says(phone(1 + number % seats), {"preset": 1, "seat": 1 + number % seats})
        sitting.goes_on(1, dice)
    return sitting


RACES: dict[str, dict[str, Any]] = {
    "plain": {},
    "weather": {"rules": ["weather"], "weather": "rolled", "laps": 2},
    "trials": {"rules": ["trials"]},
    "basic": {"rules": ["basic"]},
    "rolled": {"grid": "rolled", "start": "rolled"},
}


@pytest.mark.parametrize("name", RACES)
@pytest.mark.parametrize("seed", few_now(range(2), 2, quick=[0]))
def test_a_race_goes_on_from_what_was_kept_as_from_its_lines(
    name: str, seed: int, played: list[Any]
) -> None:
    header = {key: value for key, value in RACES[name].items() if value != "rolled"}
    sitting = at_an_end(4, 60, seed, **header)
    by_lines = reloaded(sitting, kept=False)
    played.clear()
    by_memory = reloaded(sitting, kept=True)
    assert len(played) < len(sitting.race.lines) * 2 / 3, "it did go on from there"
    assert by_memory.everything() == by_lines.everything() == sitting.everything()
    for one in (by_memory, by_lines):
        one.goes_on(min(10, 10 * len(one.state.asks)), Random(seed))
    assert by_memory.everything() == by_lines.everything()
    ours, theirs = (one.race.engine for one in (by_memory, by_lines))
    assert ours.moment == theirs.moment
    assert ours.begun.setup.track is ours.moment.setup.track


@pytest.mark.parametrize("count", [1, 20, 45])
def test_what_was_answered_before_it_was_kept_can_be_taken_back(count: int) -> None:
    sitting = at_an_end(4, 60)
    by_memory, by_lines = (reloaded(sitting, kept=kept) for kept in (True, False))
    for one in (by_memory, by_lines):
        one.accepts(REFEREE, {"undo": count})
    assert by_memory.everything() == by_lines.everything()
    for one in (by_memory, by_lines):
        one.goes_on(5)
        one.accepts(REFEREE, {"undo": 3})
    assert by_memory.everything() == by_lines.everything()


@pytest.mark.parametrize("fault", [Malformed("track-gone", "the board is gone"), MemoryError()])
def test_an_undo_that_cannot_be_worked_out_changes_nothing(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = reloaded(at_an_end(4, 60), kept=True)
    before = table.everything()

    def fails(*_: object) -> None:
        raise fault

    with monkeypatch.context() as broken:
        broken.setattr(CachedLibrary, "load", fails)
        with pytest.raises(type(fault)):
            table.race.put(Undo(45), by="referee", at=99.0)
    assert table.everything() == before
    table.accepts(REFEREE, {"undo": 45})
    table.goes_on(5)


class Evil:
    def __reduce__(self) -> Any:
        return os.mkdir, (os.environ.get("EVIL", ""),)


CHANGES_A_CLASS = b"\x80\x04ccompanion.table.race\nGiven\nN}\x8c\x09is_spoiltK\x01s\x86b."
"""A pickle of a record's class that is given an attribute, which needs nothing but that class."""
NO_RECORDS = [
    "os:mkdir",
    "companion.table.race:Race",
    "companion.rules.games:fetch",
    "companion.rules.game:Left.low",
    "companion.rules.games:Left",
    "dict:fromkeys",
]


def spoilt(content: bytes) -> dict[str, bytes]:
    then, parts, *columns = json.loads(content)
    named = {name: [then, [name, 1], *columns] for name in NO_RECORDS}
    return {
        "empty": b"",
        "cut": content[: len(content) // 2],
        "another version's": json.dumps([0, [], []]).encode(),
        "a stranger's": pickle.dumps(Evil()),
        "a class with something more": CHANGES_A_CLASS,
        "without end": b"[" * 100_000,
        "no list": b"{}",
        "a number in the story": json.dumps([then, [*parts[:-1], ["list", 7]], *columns]).encode(),
        **{name: json.dumps(one).encode() for name, one in named.items()},
    }


@pytest.mark.parametrize("how", spoilt(b"[0, [0]]"))
def test_what_is_kept_and_of_no_use_changes_nothing(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIL", str(tmp_path / "evil"))
    sitting = at_an_end(3, 6)
    ((name, (lines, content)),) = sitting.journal.memory.items()
    sitting.journal.memory[name] = lines, spoilt(content)[how]
    assert reloaded(sitting, kept=True).everything() == sitting.everything()
    assert not (tmp_path / "evil").exists(), "nothing that a file says is done"
    assert not hasattr(Given, "is_spoilt"), "no class is another one for it"


@pytest.mark.parametrize("name", NO_RECORDS)
def test_nothing_but_records_is_made_of_what_was_kept(name: str) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)):
        read_kept([name, 1], {})


def test_lines_that_do_not_follow_on_what_was_kept_are_all_read(played: list[Any]) -> None:
    sitting = at_an_end(3, 40)
    ((name, (lines, content)),) = sitting.journal.memory.items()
    sitting.journal.memory[name] = lines - 7, content
    played.clear()
    assert reloaded(sitting, kept=True).everything() == sitting.everything()
    assert len(played) >= len(sitting.race.lines) - 1, "all but the header"


def test_a_race_from_another_version_on_is_played_again() -> None:
    sitting = at_an_end(3, 30)
    name, made = sitting.race.id, memory_of(sitting.race, sitting.state.base + 1)
    sitting.journal.keep(name, len(sitting.race.lines), made)
    assert reloaded(sitting, kept=True).everything() == sitting.everything()


def test_a_session_has_it_kept_now_and_then_and_at_its_end() -> None:
    room = Room()
    room.session.start()
    kept = []
    try:
        assert room.session.submit(REFEREE, {"new": race_header(3)}).status == 200
        dice, sitting = Random(3), Sitting()
        for _ in range(KEPT_AFTER + 20):
            sitting.state = room.state
            ask = room.state.asks[0]
            line = sitting.sensible(ask, dice)
            assert room.session.submit(phone(ask["seat"]), line).status == 200
            kept += [lines for lines, _ in room.journal.memory.values() if lines not in kept]
    finally:
        room.session.close()
    assert kept == [KEPT_AFTER], "not with every answer: cards die of writes"
    ((lines, _),) = room.journal.memory.values()
    assert room.state.race is not None
    assert lines == len(room.state.race.lines)
