"""A folder of data damaged at random in any of its files, started again, judged by what was there.

`Before` knows every line that was in the folder when it was whole, and which of them can still be
read anywhere after the damage. What a start makes of it is held against that: it comes up with a
page, no sound line is lost, what was whole is there, and each sentence that is said is true.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from werkzeug.test import Client

from companion.app.table import BY_COMMAND, Rescue, RunningTable
from companion.cli.race import _configured
from companion.journal.log import format_of, head, parse
from companion.system.config import Config
from companion.table.ports import Caller, StorageError
from support.tables.sitting import race_header

FOLDERS = ("journal", "copy")
TOML = """\
advice = false
[seats]
1 = "phone"
[page]
hosts = ["table.example"]
"""


def furnish(data: Path) -> None:
    """A folder with an open race, two that wait, one that is over, a league, a board, a pack."""
    data.mkdir(parents=True)
    (data / "companion.toml").write_text(TOML)
    for name, text in (("tracks/own.toml", "nonsense = 1\n"), ("packs/own.toml", "name = 'Own'\n")):
        (data / name).parent.mkdir()
        (data / name).write_text(text)
    with RunningTable(Config(data, "127.0.0.1", 0)) as table:
        table.start()
        for number in range(4):
            seats = [{"seat": 1, "name": f"Ana {number}"}, {"seat": 2, "name": "Bob"}]
            header = {**race_header(2), "seats": seats}
            assert table.session.submit(BY_COMMAND, {"new": header}).status == 200
            for note in range(6 + number):
                table.session.submit(BY_COMMAND, {"note": f"race {number} note {note}"})
            if number == 1:
                assert table.session.submit(BY_COMMAND, {"end": True}).status == 200
            table.session.submit(Caller(seat=1), {"seat": 1, "gear": 1})
        client = Client(table.server._door._app)
        assert client.get("/league").status_code == 200


# -- damage ---------------------------------------------------------------------------------------


def _flip(path: Path, dice: Random) -> None:
    content = bytearray(path.read_bytes() or b"\0")
    for _ in range(dice.choice((1, 1, 1, 8))):
        content[dice.randrange(len(content.rstrip(b"\0")) or 1)] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def _write(make: Callable[[bytes, Random], bytes]) -> Callable[[Path, Random], None]:
    return lambda path, dice: void(path.write_bytes(make(path.read_bytes(), dice)))


def void(_: object) -> None:
    """Nothing."""


def _upto(content: bytes, dice: Random) -> bytes:
    return content[: dice.randrange(len(content) or 1)]


def _page(content: bytes, dice: Random, page: bytes) -> bytes:
    at = dice.randrange(len(content) or 1)
    return content[:at] + page + content[at + len(page) :]


def _folder(path: Path, dice: Random) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").write_bytes(b"else")


def _newer(path: Path, dice: Random) -> None:
    """The head of a later format."""
    first, _, rest = path.read_bytes().partition(b"\n")
    if format_of(first) and path.suffix == ".log":
        log = first.split(b" ")[3].decode()
        with patch("companion.journal.log.FORMAT", 9):
            path.write_bytes(head(log) + rest)


DAMAGES: dict[str, Callable[[Path, Random], None]] = {
    "flipped": _flip,
    "cut": _write(_upto),
    "zeros to its end": _write(
        lambda content, dice: content[: dice.randrange(len(content) or 1)].ljust(
            len(content), b"\0"
        )
    ),
    "a page of zeros": _write(lambda content, dice: _page(content, dice, bytes(512))),
    "first page zero": _write(lambda content, dice: bytes(4096) + content[4096:]),
    "a page of noise": _write(lambda content, dice: _page(content, dice, dice.randbytes(512))),
    "all zeros": _write(lambda content, dice: bytes(len(content))),
    "all noise": _write(lambda content, dice: dice.randbytes(len(content))),
    "emptied": _write(lambda content, dice: b""),
    "gone": lambda path, dice: path.unlink(),
    "a folder": _folder,
    "denied": lambda path, dice: path.chmod(0),
    "cannot be read": lambda path, dice: path.chmod(0o201),  # stands for EIO: `reading`
    "newer": _newer,
}
FOLDER_DAMAGES = ("gone", "a file", "denied", "half a restore")


def wreck(data: Path, dice: Random) -> list[tuple[str, str]]:
    """Damage some or all files of a folder; what was done."""
    files = sorted(path for path in data.rglob("*") if path.is_file())
    done = []
    most = dice.choice((1, 2, 3, 6, len(files)))
    likely = [path for path in files if path.suffix == ".log"] * 3 + files
    kinds = dice.sample(sorted(DAMAGES), dice.randint(1, 3))
    some = files if most == len(files) else sorted({dice.choice(likely) for _ in range(most)})
    for path in some:
        for other in _both(path) if dice.random() < 0.5 else [path]:
            kind = dice.choice(kinds)
            # What is from the future is so as a whole; a bit of it would only hide the rest.
            if kind == "newer" and dice.random() < 0.9:
                kind = "flipped"
            with suppress(FileNotFoundError, IsADirectoryError):
                DAMAGES[kind](other, dice)
                done.append((str(other.relative_to(data)), kind))
    if dice.random() < 0.1:
        done.append(_wreck_folder(data, dice))
    return done


def _both(path: Path) -> list[Path]:
    """A file of the journal with its second copy."""
    if path.parent.name not in FOLDERS:
        return [path]
    return [path.parents[1] / folder / path.name for folder in FOLDERS]


def _wreck_folder(data: Path, dice: Random) -> tuple[str, str]:
    folder, kind = data / dice.choice(FOLDERS), dice.choice(FOLDER_DAMAGES)
    if kind == "denied":
        folder.chmod(0)
    elif kind == "half a restore":
        (data / ".restoring-x").mkdir()
        for path in sorted(folder.iterdir())[::2]:
            with suppress(OSError):
                path.rename(data / ".restoring-x" / path.name)
    else:
        shutil.rmtree(folder)
        if kind == "a file":
            folder.write_bytes(b"no folder")
    return folder.name, kind


@contextmanager
def reading() -> Iterator[None]:
    """Read as a program that is not root; what has the mode 0201 fails as a disk does."""
    opened = Path.open

    def fail(path: Path, *more: Any, **options: Any) -> Any:
        with suppress(OSError):
            if path.stat().st_mode & 0o777 == 0o201:
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return opened(path, *more, **options)

    def read(path: Path) -> bytes:
        with fail(path, "rb") as file:
            return bytes(file.read())

    with patch.object(Path, "open", fail), patch.object(Path, "read_bytes", read), _no_power():
        yield


CAPABILITIES = 1 << 1 | 1 << 2 | 1 << 3
"""CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER: root reads what its modes forbid."""
VERSION_3 = 0x20080522


@contextmanager
def _no_power() -> Iterator[None]:
    if os.geteuid():
        yield
        return
    libc, head = ctypes.CDLL(None, use_errno=True), (ctypes.c_uint32 * 2)(VERSION_3, 0)
    before, now = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    libc.capget(head, before)
    now[:] = before[:]
    now[0] &= ~CAPABILITIES
    libc.capset(head, now)
    try:
        yield
    finally:
        libc.capset(head, before)


# -- what was there -------------------------------------------------------------------------------


def lines_of(content: bytes) -> list[bytes]:
    """The sound lines of a file, as they stand there."""
    return [line for raw in content.split(b"\n") if parse(line := raw.lstrip(b"\0"))]


def contents(data: Path) -> Iterator[tuple[Path, bytes]]:
    """All files below a folder, read as root reads them."""
    for path in sorted(data.rglob("*")):
        if path.is_file() and not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(0o600)
            yield path, path.read_bytes()
            path.chmod(mode & 0o7777)


class Before:
    """What a whole folder has: the lines of each log, and its keys."""

    def __init__(self, data: Path) -> None:
        self.logs = {
            path.name: lines_of(content)
            for path, content in contents(data)
            if path.parent.name == "journal"
        }
        self.keys = _text(self.logs["access.log"][-1])
        laid = [line for line in map(_text, self.logs["table.log"]) if "base" in line]
        self.open = laid[-1]["open"]


def _text(raw: bytes) -> Any:
    entry = parse(raw)
    assert entry
    return json.loads(entry.text)


class Start:
    """A start on a damaged folder, and what is wrong with it by what was there before."""

    def __init__(self, data: Path, before: Before) -> None:
        self.data, self.before = data, before
        found = list(contents(data))
        self.sound = {line for _, content in found for line in lines_of(content)}
        self.readable = self._readable()
        self.is_bare = not any(name.suffix == ".log" for name, _ in found)
        self.said: list[str] = []
        self.faults: list[str] = []
        self.shut = ""

    def _readable(self) -> dict[str, set[bytes]]:
        """The lines of each log that a start can find."""
        found: dict[str, set[bytes]] = {}
        with reading():
            for name in self.before.logs:
                for folder in FOLDERS:
                    with suppress(OSError):
                        lines = lines_of((self.data / folder / name).read_bytes())
                        found.setdefault(name, set()).update(lines)
        return found

    def judge(self) -> list[str]:
        """Start, look at all pages, close; what is wrong."""
        with ExitStack() as opened:
            opened.enter_context(reading())
            config, plan = _configured(Config(self.data, "127.0.0.1", 0), None, None)
            try:
                table = RunningTable(config, seats=plan, complain=self.said.append)
            except StorageError as trouble:
                self.shut = str(trouble)
                page = opened.enter_context(Rescue(config, self.shut))
                self._look(Client(page._door._app), 503)
            else:
                opened.enter_context(table)
                table.start()
                self._look(Client(table.server._door._app), 200)
                self._judge_table(table)
        kept = {line for _, content in contents(self.data) for line in lines_of(content)}
        if lost := self.sound - kept:
            self.faults.append(f"sound lines lost: {sorted(lost)[:2]}")
        return self.faults

    def _look(self, client: Client, status: int) -> None:
        for path, wanted in (("/", status), ("/rescue", 200), ("/seat/1", status)):
            reply = client.get(path)
            if reply.status_code != wanted and (path != "/seat/1" or reply.status_code != 404):
                self.faults.append(f"{path} is {reply.status_code}")
            if path == "/" and self.shut and "table cannot be opened" not in reply.text:
                self.faults.append("the page does not say why")
        reply = client.get("/league")
        if reply.status_code == 500 or "Traceback" in reply.text:
            self.faults.append(f"/league is {reply.status_code}: {reply.text[:200]}")

    def _judge_table(self, table: RunningTable) -> None:
        told = [trouble.key for trouble in table.state.lost]
        if self.is_bare:
            return  # a new table, as far as anybody can know
        here = {"pin": table.access.pin, "join": table.access._join}
        same = all(self.before.keys[name] == value for name, value in here.items())
        if same == bool({"keys-lost"} & set(told)) or (not same and "keys-old" in told):
            self.faults.append(f"keys are {'the same' if same else 'new'}: {told}")
        journal = table.state._given.journal
        here_now = {race.id for race in journal.races()}
        for name, truth in self.before.logs.items():
            if name[0].isdigit():
                self._judge_race(name, truth, journal, here_now, told)
        on_table = table.state.race.id if table.state.race else None
        if on_table != self.before.open:
            ways = {"table-lost", "table-gap", "race-shut"}
            whole = _prefix(self.before.logs["table.log"], self.readable.get("table.log", set()))
            # Both files may end at a line before: then nobody can know.
            if not ways & set(told) and whole == len(self.before.logs["table.log"]):
                self.faults.append(f"the race on the table went without a word: {told}")

    def _judge_race(
        self, name: str, truth: list[bytes], journal: Any, here: set[str], told: list[str]
    ) -> None:
        race = name[7:-4]
        readable = self.readable.get(name, set())
        length = _prefix(truth, readable)
        lines = len(journal.lines(race)) if race in here else 0
        # One that is on the table may have gone on by itself; none may be shorter than it could be.
        if lines < length:
            self.faults.append(f"{name} has {lines} lines of {length} that were whole")
        evidence = [n for n, line in enumerate(truth, 1) if line in readable and n > length]
        said = [sentence for sentence in self.said if _of(sentence, truth, race)]
        if evidence and not said:
            self.faults.append(f"{name} lost lines without a word: {told}")
        for sentence in said:
            if "missing after" in sentence and length == len(truth):
                self.faults.append(f"{name} has all: {sentence}")
            if "cannot be read any more" in sentence and length:
                self.faults.append(f"{name} has {length}: {sentence}")
            if "second copy" in sentence and evidence:
                self.faults.append(f"{name} lost lines: {sentence}")


def _of(sentence: str, truth: list[bytes], race: str) -> bool:
    """Whether a sentence is about a race: by its id, or by its name."""
    name = re.escape(_text(truth[0])["name"])
    return race in sentence or re.search(rf"of {name}(?! \()", sentence) is not None


def _prefix(truth: list[bytes], readable: set[bytes]) -> int:
    """How many lines from the first on can be read; a commit is there whole or not at all."""
    length = 0
    while length < len(truth) and truth[length] in readable:
        length += 1
    while length and (entry := parse(truth[length - 1])) and entry.left:
        length -= 1
    return length
