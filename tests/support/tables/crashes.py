"""A disk that loses power: what a program did to a folder, recorded by strace, and played again.

`record` runs a program and keeps every call that changes files below a folder, with what the
program says on the way (`ACK …` on stderr: this is promised now). `Disk` carries a part of these
calls out and then loses what nobody has synced, at random: a write not at all, up to a sector, or
out of order; a new name, a rename, a removal likewise. `strict` is what POSIX promises: a name is
kept when its own folder is synced. Else it is as on ext4: names are kept in their order, and every
sync keeps all names before it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from support import environment

SECTOR = 512
CALLS = (
    "openat,close,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,"
    "sync,syncfs,ftruncate,mkdir,mkdirat,link,linkat,rmdir,dup,dup2,dup3,lseek,fcntl"
)
_LINE = re.compile(r"(\d+)\s+(.*)")
_CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+)(?:<(.*)>)?.*", re.DOTALL)
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_HANDLE = re.compile(r"(\d+)(?:<([^>]*)>)?")


@dataclass(frozen=True)
class Call:
    """A call that was carried out; `path` and `to` as it names them, `data` what it writes."""

    name: str
    path: str = ""
    to: str = ""
    data: bytes = b""
    at: int = 0


def record(folder: Path, script: str, *words: str) -> list[Call]:
    """What a program in Python does below a folder, and what it says with `ACK`.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    trace = folder.with_name(folder.name + ".trace")
    strace = ["strace", "-f", "-y", "-xx", "-s", "99999999", "-o", str(trace), "-e", CALLS]
    program = [sys.executable, "-c", script, str(folder), *words]
    subprocess.run([*strace, *program], check=True, capture_output=True, env=environment())
    return list(_below(folder, _calls(trace.read_text())))


def _calls(trace: str) -> Iterator[tuple[str, str, int, str]]:
    """Each call by its name, with its arguments and what it gave, in the order of their ends."""
    begun: dict[str, str] = {}
    for line in trace.splitlines():
        parts = _LINE.fullmatch(line)
        pid, text = (parts[1], parts[2]) if parts else ("", line)
        if text.endswith("<unfinished ...>"):
            begun[pid] = text.removesuffix("<unfinished ...>")
            continue
        if text.startswith("<... "):
            text = begun.pop(pid, "") + text.partition("resumed>")[2]
        if call := _CALL.fullmatch(text):
            yield call[1], call[2], int(call[3]), _plain(call[4] or "")


def _below(  # noqa: C901  # a line a kind of call
    folder: Path, calls: Iterator[tuple[str, str, int, str]]
) -> Iterator[Call]:
    """The calls that change what lies below a folder; the places of plain writes are counted."""
    home = str(folder)
    places: dict[int, int] = {}
    adds: set[int] = set()
    for name, words, gave, opened in calls:
        texts = [bytes.fromhex(text.replace("\\x", "")) for text in _TEXT.findall(words)]
        handle = _HANDLE.match(words)
        number, path = (int(handle[1]), _plain(handle[2] or "")) if handle else (-1, "")
        if gave < 0:
            continue
        if name == "write" and texts and texts[0].startswith(b"ACK "):
            yield Call("ack", data=texts[0][4:])
        elif name in ("sync", "syncfs"):
            yield Call("sync")
        elif name == "openat":
            places[gave] = 0
            (adds.add if "O_APPEND" in words else adds.discard)(gave)
            if opened.startswith(home) and "O_CREAT" in words:
                yield Call("create", opened)
                yield from [Call("cut", opened)] if "O_TRUNC" in words else []
        elif name == "lseek":
            places[number] = gave
        elif name in ("rename", "renameat", "renameat2", "link", "linkat"):
            if texts[0].decode().startswith(home):
                kind = "link" if "link" in name else "rename"
                yield Call(kind, texts[0].decode(), texts[1].decode())
        elif name in ("unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"):
            # What is removed by its place in an open folder has that before it.
            where = texts[0].decode()
            whole = where if where.startswith("/") else f"{path}/{where}"
            if whole.startswith(home):
                yield Call("mkdir" if "mkdir" in name else "unlink", whole)
        elif path.startswith(home) and "(deleted)" not in path:
            yield from _of_file(name, words, texts, path, number, places, adds)


def _of_file(
    name: str,
    words: str,
    texts: list[bytes],
    path: str,
    number: int,
    places: dict[int, int],
    adds: set[int],
) -> Iterator[Call]:
    if name == "write":
        at = -1 if number in adds else places.get(number, 0)
        places[number] = places.get(number, 0) + len(texts[0])
        yield Call("write", path, data=texts[0], at=at)
    elif name == "pwrite64":
        yield Call("write", path, data=texts[0], at=int(words.rpartition(",")[2]))
    elif name == "ftruncate":
        yield Call("cut", path, at=int(words.rpartition(",")[2]))
    elif name in ("fsync", "fdatasync"):
        yield Call("sync", path)


def _plain(name: str) -> str:
    return bytes.fromhex(name.replace("\\x", "")).decode() if "\\x" in name else name


@dataclass
class Content:
    """A file: what of it is kept, and what was done to it since."""

    kept: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)

    def whole(self) -> bytes:
        """As the program sees it."""
        return _done(self.kept, self.since)


def _done(content: bytes, changes: Sequence[tuple[int, bytes | None]]) -> bytes:
    made = bytearray(content)
    for at, data in changes:
        if data is None:
            del made[at:]
            made.extend(bytes(at - len(made)))
            continue
        place = len(made) if at < 0 else at
        made.extend(bytes(max(0, place - len(made))))
        made[place : place + len(data)] = data
    return bytes(made)


Step = tuple[str, list[tuple[str, Content | None]]]
"""Names that change at once: the folder that they change in, and what each is now the name of."""


class Disk:
    """Files by their names, as the program sees them and as they are kept."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self._now: dict[str, Content] = {}
        self._kept: dict[str, Content] = {}
        self._since: list[Step] = []

    def carry_out(self, call: Call) -> None:
        """Do what a call does."""
        one = self._now.get(call.path)
        match call.name:
            case "create" if one is None:
                self._name([(call.path, Content())])
            case "write" if one:
                at = call.at if call.at >= 0 else len(one.whole())
                one.since.append((at, call.data))
            case "cut" if one:
                one.since.append((call.at, None))
            case "link" if one:
                self._name([(call.to, one)])
            case "rename":
                self._rename(call.path, call.to)
            case "unlink" if one:
                self._name([(call.path, None)])
            case "sync":
                self._sync(call.path, one)

    def _rename(self, path: str, to: str) -> None:
        """A file, or a folder with all that is in it."""
        moved = [name for name in self._now if name == path or name.startswith(f"{path}/")]
        names: list[tuple[str, Content | None]] = []
        for name in moved:
            names += [(to + name[len(path) :], self._now[name]), (name, None)]
        self._name(names, to)

    def _name(self, names: list[tuple[str, Content | None]], to: str = "") -> None:
        """Changes of names that happen at once, or not at all; `to` is what a folder is called."""
        for name, content in names:
            if content is None:
                self._now.pop(name, None)
            else:
                self._now[name] = content
        if names:
            self._since.append(((to or names[0][0]).rpartition("/")[0], names))

    def _sync(self, path: str, one: Content | None) -> None:
        """Of a file, of the names in a folder, or (no path) of all that there is."""
        if not path:
            for content in self._now.values():
                content.kept, content.since = content.whole(), []
        if one is not None:
            one.kept, one.since = one.whole(), []
        if one is None or not self._strict:
            all_of_it = not (self._strict and path)
            of_it = [step for step in self._since if all_of_it or step[0] == path]
            for step in of_it:
                self._keep(step)
            self._since = [step for step in self._since if step not in of_it]

    def _keep(self, step: Step) -> None:
        for name, content in step[1]:
            if content is None:
                self._kept.pop(name, None)
            else:
                self._kept[name] = content

    def lose_power(self, dice: Random, folder: Path, home: Path) -> None:
        """Lay what is left of the files below `folder` into another one."""
        if self._strict:
            steps = [step for step in self._since if dice.random() < 0.5]
        else:
            steps = self._since[: dice.randint(0, len(self._since))]
        for step in steps:
            self._keep(step)
        for name, content in self._kept.items():
            path = home / Path(name).relative_to(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_done(content.kept, list(_left(content.since, dice))))


def _left(
    changes: Sequence[tuple[int, bytes | None]], dice: Random
) -> Iterator[tuple[int, bytes | None]]:
    """What of unsynced changes got through: each whole, torn at a sector, or not."""
    for at, data in changes:
        luck = dice.random()
        if luck < 0.4:
            yield at, data
        elif luck < 0.7 and data is not None:
            # The disk writes whole sectors, counted from the beginning of the file.
            ends = range(SECTOR - at % SECTOR, len(data), SECTOR)
            yield at, data[: dice.choice(ends) if ends else 0]


def crash(calls: Sequence[Call], folder: Path, home: Path, seed: int) -> list[Any]:
    """What was promised before a random moment; what is left of the folder then lies in `home`."""
    dice = Random(seed)
    disk, moment = Disk(strict=bool(seed % 2)), dice.randint(1, len(calls))
    for call in calls[:moment]:
        disk.carry_out(call)
    disk.lose_power(dice, folder, home)
    return [call.data.decode() for call in calls[:moment] if call.name == "ack"]
