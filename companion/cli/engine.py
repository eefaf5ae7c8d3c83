"""`companion engine`: the engine protocol on standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO

from companion.cli.tools import command
from companion.engine import Engine, Tracks
from companion.rules.errors import Malformed, Refusal
from companion.rules.lines import parse_line

LONGEST_LINE = 4 * 1024 * 1024
_CHUNK = 64 * 1024


@command("engine")
def serve_stdin() -> None:
    """Read one JSON object a line, write exactly one a line.

    Start with {"new": HEADER}; {"quit": true} or end of input ends it.
    """
    from companion.boards import TrackLibrary

    serve(TrackLibrary(), sys.stdin.buffer, sys.stdout.buffer)


def serve(tracks: Tracks, lines: BinaryIO, replies: BinaryIO) -> None:
    """One reply a line, in order, until the input ends or says quit."""
    engine = Engine(tracks)
    for raw in bounded_lines(lines):
        reply, is_last = _reply(engine, raw)
        replies.write(json.dumps(reply, separators=(",", ":")).encode("ascii") + b"\n")
        replies.flush()
        if is_last:
            return


def _reply(engine: Engine, raw: bytes | None) -> tuple[dict[str, object], bool]:
    try:
        if raw is None:
            raise Malformed("too-long", f"a line has at most {LONGEST_LINE} bytes")
        line = parse_line(raw)
    except Refusal as refusal:
        return {"ok": False, "error": refusal.as_json(), "asks": engine.asks()}, False
    reply = engine.handle(line)
    return reply, bool(reply["ok"]) and isinstance(line, dict) and "quit" in line


def bounded_lines(lines: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream, None for one that is too long to be kept."""
    while raw := lines.readline(LONGEST_LINE + 1):
        if len(raw) <= LONGEST_LINE or raw.endswith(b"\n"):
            yield raw
            continue
        while (rest := lines.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass
        yield None
