"""What is fuzzed: each door that bytes come in by, as a function that must raise nothing.

`make fuzz` looks for bytes that reach new code (atheris), and keeps them in tests/fuzz/DOOR; the
tests read every kept file again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import RecordError, parse_record, replay
from companion.rules.board.check import check_track
from companion.table.ports import Caller
from companion_web.app import parse_topics
from companion_web.guard import Guard, Problem
from race_companion_pods.wire import Damaged, Decoder, Message, Stranger, decode, encode

CORPUS = Path(__file__).parents[1] / "fuzz"
BOARDS = TrackLibrary(())
HEADS = ("HTTP_HOST", "HTTP_ORIGIN", "HTTP_AUTHORIZATION", "HTTP_COOKIE", "REMOTE_ADDR")


def record(data: bytes) -> None:
    """A record that somebody sends: replayed, or refused with its line."""
    with suppress(RecordError):
        replay(parse_record(data))


def board(data: bytes) -> None:
    """A track file that somebody has written: every fault is a sentence."""
    for fault in check_track(data.decode("utf-8", "replace")):
        assert str(fault)


def wire(data: bytes) -> None:
    """Bytes from a pod, whole and in two pieces: what is understood is said the same way again."""
    found = Decoder().feed(data)
    halves = Decoder()
    middle = len(data) // 2
    assert halves.feed(data[:middle]) + halves.feed(data[middle:]) == found
    for message in found:
        if not isinstance(message, Stranger):
            assert _told_again(message) == message


def _told_again(message: Message) -> Message | Stranger | None:
    try:
        return decode(encode(message).rstrip(b"\0"))
    except Damaged:
        return None


class NoKeys:
    """An `AccessPort` on which nobody has a key."""

    def who(self, bearer: str) -> Caller | None:
        return None

    def holder(self, token: str) -> Caller | None:
        return None


def head(data: bytes) -> None:
    """The head of a request, as the guard at the door reads it before anything else."""
    lines = data.decode("latin-1").split("\n")
    environ: dict[str, Any] = {"REQUEST_METHOD": "POST", "wsgi.url_scheme": "http"}
    environ |= dict(zip(HEADS, lines, strict=False))
    guard = Guard(NoKeys())  # type: ignore[arg-type]  # it gives no links here
    for judge in (guard.admit, guard.judge):
        with suppress(Problem):
            judge(environ)
    parse_topics(lines[0], lines[-1])


def engine(data: bytes) -> None:
    """Lines of the engine protocol: each is answered, a refusal in a sentence."""
    playing = Engine(BOARDS)
    for text in data.splitlines()[:20]:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(line, dict):
            reply = playing.handle(line)
            assert reply["ok"] or reply["error"]["message"]


DOORS: Mapping[str, Callable[[bytes], None]] = {
    one.__name__: one for one in (record, board, wire, head, engine)
}
