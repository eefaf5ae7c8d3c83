"""`companion engine`: the engine protocol on standard input and output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from companion.engine import Engine, Tracks
from companion.rules.commands import parse_line
from companion.rules.errors import Malformed, Refusal

LONGEST_LINE = 4 * 1024 * 1024
_CHUNK = 64 * 1024


def register(subparsers: Any) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "engine",
        help="the rules as a program: one JSON object a line in, one a line out",
        description="Reads one JSON object a line, writes exactly one a line. "
        'Start with {"new": HEADER}; {"quit": true} or end of input ends it.',
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve standard input until it ends or says quit."""
    from companion.bootstrap import track_library

    try:
        serve(track_library(), sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        sys.stderr.close()  # nobody listens any more; a traceback would not be read either
    return 0


def serve(tracks: Tracks, lines: BinaryIO, replies: BinaryIO) -> None:
    """One reply a line, in order, until the input ends or says quit."""
    engine = Engine(tracks)
    for raw in bounded_lines(lines):
        reply, line = _reply(engine, raw)
        replies.write(json.dumps(reply, separators=(",", ":")).encode("ascii") + b"\n")
        replies.flush()
        if isinstance(line, dict) and "quit" in line and reply["ok"]:
            return


def _reply(engine: Engine, raw: bytes | None) -> tuple[dict[str, Any], Any]:
    line = None
    try:
        if raw is None:
            raise Malformed("too-long", f"a line has at most {LONGEST_LINE} bytes")
        line = parse_line(raw)
        return engine.handle(line), line
    except Refusal as refusal:
        return {"ok": False, "error": refusal.as_json(), "asks": engine.asks()}, None


def bounded_lines(lines: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream, None for one that is too long to be kept."""
    while raw := lines.readline(LONGEST_LINE + 1):
        if len(raw) <= LONGEST_LINE or raw.endswith(b"\n"):
            yield raw
            continue
        while (rest := lines.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass
        yield None
