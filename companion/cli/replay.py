"""`companion replay`: the state after a race record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from companion.cli.tools import AS_JSON, PATH, Failure, answer, command, read
from companion.dice import audit as check_dice
from companion.record import RecordError, parse_record, replay


@command("replay", AS_JSON)
@click.argument("file", type=PATH, help="a record, DIR/records/ID.jsonl")
@click.option("--audit", is_flag=True, help="check the dice that the companion threw")
def show_end(file: Path, audit: bool, as_json: bool) -> None:
    """Play a record again by today's rules, on the board that it carries.

    Where a line no longer holds, the line and its rule are named and the result stays.
    """
    content = read(file)
    try:
        lines = parse_record(content)
        engine = replay(lines)
        thrown = check_dice(lines) if audit else None
    except RecordError as error:
        raise Failure(f"{file}: {error}{_kept(error.result)}") from error
    state = engine.state()
    answer(as_json, state, *(() if as_json else _lines(lines[0], state, engine.visible)))
    if thrown is not None and not as_json:
        print(f"{thrown} throws of the companion are what its seed gives")


def _lines(header: Any, state: Any, visible: object) -> Iterator[str]:
    """A state as a person reads it: where the race is, and every seat, the best place first."""
    from companion.views.games import views_of_game

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
