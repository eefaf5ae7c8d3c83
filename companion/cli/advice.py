"""What the commands that give advice share: the race that is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import click

from companion.advice.by_sky import moves_as_solved
from companion.advice.solve.model import Sky
from companion.boards import TrackLibrary
from companion.cli.tools import PATH, Failure, parse_json, read
from companion.rules.beside import Beside, part
from companion.rules.errors import Malformed
from companion.rules.formula.edition import Edition
from companion.rules.formula.game import Formula
from companion.rules.formula.header import Header, read_header
from companion.rules.formula.tables import CHANGEABLE
from companion.rules.games import fetch, name_in
from companion.solved import check_solvable

HEADER = click.Option(
    ["--header"], type=PATH, help="a file with the header of the race, as the engine takes it"
)


class Asked(NamedTuple):
    """The race that a command is asked about."""

    game: Formula
    data: dict[str, Any]
    header: Header
    beside: Beside


def read_race(track: str, path: Path | None, *, laps: int | None = None) -> Header:
    """The race on a board, for a standard car where no header says else; see `asked`."""
    return asked(track, path, laps=laps).header


def asked(track: str, path: Path | None, *, laps: int | None = None) -> Asked:
    """The race on a board that a header file describes; `laps` wins over it.

    Raises:
        Failure: the file cannot be read, or is for another board or game.
        Malformed: the header contradicts itself, or the board is not known space by space.
    """
    data: Any = {"game": "formula-d", "seats": [{"seat": 1}]}
    if path is not None:
        data = parse_json(read(path), f"{path} is no JSON")
    if not isinstance(data, dict):
        raise Failure(f"{path} is no header: a JSON object is wanted")
    if data.get("track", track) != track:
        raise Failure(f"the header is for the board {data['track']!r:.40}, not {track!r:.40}")
    game = fetch(name_in(data))
    if not isinstance(game, Formula):
        raise Failure(f"advice is given for formula-d and formule-de, not {game.name}")
    rest, beside = part(data)
    data = {**rest, "track": track} | ({} if laps is None else {"laps": laps})
    edition: Edition = game.edition
    header = read_header(data, TrackLibrary().load(track), edition)
    check_solvable(header.setup)
    return Asked(game, data, header, beside)


def sky_of(header: Header) -> Sky:
    """The tires of the first car and the weather of a race.

    Raises:
        Malformed: the weather changes by a house switch, which nothing here can solve.
    """
    position = header.position or {}
    weather = str(position.get("weather", header.weather or "fine"))
    if weather in CHANGEABLE and not moves_as_solved(header.setup):
        message = "the weather of the header changes by a house switch that nothing here can solve"
        raise Malformed("weather-changes", message)
    return Sky(next(iter(header.cars.values())).tires, weather)
