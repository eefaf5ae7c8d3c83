"""`companion engine|replay`: the engine protocol on standard input and output; the state after a
race record.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import click

from companion.cli.tools import AS_JSON, PATH, Failure, answer, command, read
from companion.race import record
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine, Tracks
from companion.rules.lines import Malformed, Refusal, parse_line


@command("engine")
def serve_stdin() -> None:
    """Read one JSON object a line, write exactly one a line.

    Start with {"new": HEADER}; {"quit": true} or end of input ends it.
    """
    serve(TrackLibrary(), sys.stdin.buffer, sys.stdout.buffer)


def serve(tracks: Tracks, lines: BinaryIO, replies: BinaryIO) -> None:
    """One reply a line, in order, until the input ends or says quit."""
    engine = Engine(tracks)
    for raw in _bounded_lines(lines):
        reply, is_last = _reply(engine, raw)
        replies.write(json.dumps(reply, separators=(",", ":")).encode("ascii") + b"\n")
        # Whoever asks waits for each reply before the next line.
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


LONGEST_LINE = 4 * 1024 * 1024
_CHUNK = 64 * 1024


def _bounded_lines(lines: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream, None for one that is too long to be kept."""
    while raw := lines.readline(LONGEST_LINE + 1):
        # One byte more is read for the end of the line, which does not count.
        if len(raw) <= LONGEST_LINE or raw.endswith(b"\n"):
            yield raw
            continue
        while (rest := lines.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass
        yield None


@command("replay", AS_JSON)
@click.argument("file", type=PATH, help="a record, DIR/records/ID.jsonl")
@click.option("--audit", is_flag=True, help="check the dice that the companion threw")
def show_end(file: Path, audit: bool, as_json: bool) -> None:
    """Play a record again by today's rules, on the board that it carries.

    Where a line no longer holds, the line and its rule are named and the result stays.
    """
    content = read(file)
    try:
        lines = record.parse_record(content)
        engine = record.replay(lines)
        thrown = record.audit(lines) if audit else None
    except record.RecordError as error:
        raise Failure(f"{file}: {error}{_kept(error.result)}") from error
    state = engine.state()
    answer(as_json, state, *(() if as_json else _lines(lines[0], state, engine.visible)))
    if thrown is not None and not as_json:
        print(f"{thrown} throws of the companion are what its seed gives")


def _lines(header: Any, state: Any, visible: object) -> Iterator[str]:
    """A state as a person reads it: where the race is, and every seat, the best place first."""
    from companion.views.screen import views_of_game  # the engine needs no word of the pages

    summary, by_seat = views_of_game(header["game"]).summary(visible)
    yield f"{header.get('name') or header['id']}: {summary}"
    places = {row["seat"]: row["place"] for row in state["classification"]}
    for seat in sorted(by_seat, key=lambda seat: places.get(seat, len(by_seat) + 1)):
        place = f"{places[seat]}." if seat in places else "–"
        yield f"{place:>3} {by_seat[seat]}"


def _kept(result: Any) -> str:
    if not result:
        return ""
    order = ", ".join(f"{row['place']}. seat {row['seat']}" for row in result)
    return f"; the recorded result stays: {order}"
