"""The plug pulled at any moment: unsynced writes and names lost, torn and reordered."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.tables.crashes import Call, Disk, crash, record

from companion.app.league import open_league
from companion.app.table import RunningTable
from companion.system.config import Config

EVENING = """
import json, os, sys
from pathlib import Path
from companion.app.table import BY_COMMAND, RunningTable
from companion.journal.backups import make_backup, restore
from companion.journal.journal import FolderLock
from companion.system.config import Config
from support.tables.sitting import race_header

data = Path(sys.argv[1])
kept = data.with_name("kept")

def ack(what):
    os.write(2, b"ACK " + json.dumps(what).encode())

def evening(number):
    with RunningTable(Config(data, "127.0.0.1", 0)) as table:
        table.start()
        ack(["pin", table.access.pin])
        say = lambda line: table.session.submit(BY_COMMAND, line).status
        for race in range(2):
            assert say({"new": race_header(2)}) == 200
            name = table.state.race.id
            for n in range(8):
                assert say({"note": f"{number} {race} {n}"}) == 200
                ack(["note", name, f"{number} {race} {n}"])
            assert say({"seat": 1, "gear": 1}) == 200
            assert say({"undo": 1}) == 200
            ack(["undo", name, 1])
            if race == 0:
                assert say({"seat": 1, "gear": 1}) == 200  # one that nobody drove has no record
                assert say({"end": True}) == 200
                ack(["record", name])

evening(1)
backup = make_backup(data, kept, "20261126-180000")
with FolderLock(data):
    restore(backup, data, "20261126-190000")
ack(["restored"])
evening(2)
"""
LEAGUE = """
import json, os, sys
from pathlib import Path
from companion.app.league import open_league
from companion.league.acts import parse_act

with open_league(Path(sys.argv[1])) as league:
    for n in range(12):
        act = {"act": "season", "season": f"s{n}", "title": f"Season {n}"}
        league.do(parse_act(act), by="keeper")
        os.write(2, b"ACK " + json.dumps(["season", f"s{n}"]).encode())
"""


def can_trace() -> bool:
    return shutil.which("strace") is not None


needs_strace = pytest.mark.skipif(not can_trace(), reason="strace is not here")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Call]]:
    folder = tmp_path_factory.mktemp("evening") / "data"
    folder.mkdir()
    return folder, record(folder, EVENING)


def holds(home: Path, promised: list[str]) -> list[str]:
    """What was promised and is not there."""
    if not promised:
        return []
    missing = []
    with RunningTable(Config(home, "127.0.0.1", 0), complain=lambda sentence: None) as table:
        journal = table.state._given.journal
        races = [*journal.races(), *journal.races(older=True)]
        lines = {race.id: journal.lines(race.id) for race in races}
        for text in promised:
            match json.loads(text):
                case ["pin", pin]:
                    there = table.access.pin == pin
                case ["note", race, note]:
                    there = any(line.get("note") == note for line in lines.get(race, ()))
                case ["undo", race, count]:
                    there = any(line.get("undo") == count for line in lines.get(race, ()))
                case ["record", race]:
                    there = (home / "records" / f"{race}.jsonl").exists()
                case _:
                    there = True
            missing += [] if there else [text]
    return missing


def holds_league(home: Path, promised: list[str]) -> list[str]:
    """The seasons that were promised and are not there."""
    with open_league(home) as league:
        there = {season.key for season in league.queries.seasons()}
    return [text for text in promised if json.loads(text)[1] not in there]


def crashes(
    folder: Path,
    calls: list[Call],
    tmp_path: Path,
    seeds: range,
    lacks: Callable[[Path, list[str]], list[str]] = holds,
) -> list[object]:
    wrong: list[object] = []
    for seed in seeds:
        home = tmp_path / str(seed)
        home.mkdir()
        promised = crash(calls, folder, home, seed)
        if missing := lacks(home, promised):
            wrong.append((seed, missing))
        shutil.rmtree(home)
    return wrong


def test_a_disk_keeps_what_is_synced_and_may_lose_everything_else(tmp_path: Path) -> None:
    calls = [
        Call("create", "/d/a"),
        Call("write", "/d/a", data=b"one"),
        Call("sync", "/d/a"),
        Call("sync", "/d"),
        Call("write", "/d/a", data=b"two", at=3),
        Call("create", "/d/b"),
        Call("rename", "/d/b", "/d/c"),
    ]
    seen = set()
    for seed in range(400):
        home = tmp_path / str(seed)
        home.mkdir()
        crash(calls, Path("/d"), home, seed)
        seen.add(tuple((path.name, path.read_bytes()) for path in sorted(home.iterdir())))
    assert (("a", b"one"), ("c", b"")) in seen
    assert (("a", b"onetwo"),) in seen
    assert () in seen
    assert not any(name == "a" and content not in (b"", b"one", b"onetwo") for one in seen
                   for name, content in one)  # fmt: skip
    disk = Disk(strict=True)
    for call in calls[:4]:
        disk.carry_out(call)
    (tmp_path / "kept").mkdir()
    disk.lose_power(Random(1), Path("/d"), tmp_path / "kept")
    assert (tmp_path / "kept" / "a").read_bytes() == b"one"


@needs_strace
@pytest.mark.slow
@pytest.mark.faults("the disk: power lost at any moment, what is not synced lost, torn, reordered")
def test_a_handful_of_pulled_plugs_loses_nothing_that_was_promised(
    evening: tuple[Path, list[Call]], tmp_path: Path
) -> None:
    assert crashes(*evening, tmp_path, range(1000, 1012)) == []


@needs_strace
@pytest.mark.long
@pytest.mark.faults("the disk: power lost at any moment, what is not synced lost, torn, reordered")
def test_whatever_power_takes_of_an_evening_nothing_that_was_promised_is_lost(
    evening: tuple[Path, list[Call]], tmp_path: Path
) -> None:
    assert crashes(*evening, tmp_path, range(int(os.environ.get("CRASHES", "150")))) == []


@needs_strace
@pytest.mark.long
@pytest.mark.faults("the disk: power lost at any moment, what is not synced lost, torn, reordered")
def test_whatever_power_takes_of_a_league_no_act_that_was_promised_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    calls = record(folder, LEAGUE)
    assert crashes(folder, calls, tmp_path, range(60), holds_league) == []
