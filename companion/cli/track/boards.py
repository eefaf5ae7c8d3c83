"""`companion track list|show|check|draw`: the boards there are, and what is wrong with a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from companion.boards import TrackLibrary, read_track_file
from companion.cli.tools import AS_JSON, PATH, Failure, answer, command, write
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.show import track_as_json
from companion.rules.board.track import Track
from companion.rules.errors import Malformed

FAULTS_FOUND = 1
NAME = click.argument("name", help="a board, or a .toml in the working folder")


@command("list", AS_JSON)
def list_boards(as_json: bool) -> None:
    """List every name that is accepted, and what is behind it; a faulty file says why."""
    library = TrackLibrary()
    files = [name for name in library.names() if name.endswith(".toml")]
    shipped = sorted({*library.names(), *library.cards()} - {*files})
    entries = {name: _entry(library, name) for name in (*shipped, *files)}
    lines = (f"{name:<20} {line}" for name, (_, line) in entries.items())
    answer(as_json, [entry for entry, _ in entries.values()], *lines)


def _entry(library: TrackLibrary, name: str) -> tuple[dict[str, object], str]:
    """What is behind a name, in JSON and in a line."""
    try:
        track = library.load(name)
    except Malformed as error:
        return {"name": name, "fault": error.message}, error.message
    spaces, corners = len(track.track_spaces()), len(track.corners)
    entry: dict[str, object] = {"card": True} if track.is_blank else {}
    entry |= {"name": name, "title": track.name, "exact": track.exact}
    entry |= {"spaces": spaces, "corners": corners}
    known = "a card" if track.is_blank else f"{spaces} spaces"
    bends = f"{corners} corners" if corners else "weather only"
    return entry, f"{track.name}, {known}, {bends}"


@command("show", AS_JSON)
@NAME
def show(name: str, as_json: bool) -> None:
    """Show one board: corners, grid, pit, weather."""
    track = TrackLibrary().load(name)
    if as_json:
        answer(True, track_as_json(track))
    else:
        answer(False, None, *(_card_lines(track) if track.is_blank else _board_lines(track)))


def _board_lines(track: Track) -> Iterator[str]:
    certainty = "as printed" if track.exact else "not yet exact"
    spaces = len(track.track_spaces())
    yield f"{track.name}: {spaces} spaces, {len(track.lanes)} lanes, {certainty}"
    yield ""
    for section in track.sections:
        counts = "/".join(map(str, section.spaces))
        yield f"{section.title:<24} {counts:>10}  {_corner(track, section.corner)}".rstrip()
    yield ""
    yield f"grid: {_names(track, track.grid)}"
    if track.pit:
        exits = _names(track, track.exits)
        yield f"pit: {len(track.pit)} spaces, {len(track.boxes)} boxes, exit to {exits}"
    yield from _weather_lines(track)
    for name, spaces_of in (("noise", track.noise), ("dark", track.dark), ("police", track.police)):
        if spaces_of:
            yield f"{name}: {_names(track, sorted(spaces_of))}"
    if track.tunnel:
        ways = (f"{track.ids[sign]}>{track.ids[end]}" for sign, end in track.tunnel)
        yield f"tunnel: {' '.join(ways)}"


def _card_lines(track: Track) -> Iterator[str]:
    length = f", length {track.length}" if track.length else ""
    yield f"{track.name}: a card{length}; races on it are boardless"
    yield ""
    for corner in track.corners:
        yield f"{corner.label:<4} {_stops(corner.stops):<7}  {corner.shortest}–{corner.longest}"
    yield from _weather_lines(track)


def _weather_lines(track: Track) -> Iterator[str]:
    table = [f"{kind} {low}–{high}" for kind, (low, high) in (track.weather or {}).items()]
    if table:
        yield "weather: " + ", ".join(table)


def _names(track: Track, spaces: Iterable[int]) -> str:
    return " ".join(track.ids[space] for space in spaces)


def _stops(stops: int) -> str:
    return "1 stop" if stops == 1 else f"{stops} stops"


def _corner(track: Track, at: int) -> str:
    """Stops, direction and ways of a corner; empty for a straight (-1)."""
    if at < 0:
        return ""
    corner = track.corners[at]
    shortest, longest = computed_ways(track, at)
    return f"{corner.turns:<5}  {_stops(corner.stops):<7}  {shortest}–{longest}"


@command("draw")
@NAME
@click.option("-o", "--output", type=PATH, help="write to this file instead of the screen")
def draw(name: str, output: Path | None) -> None:
    """Draw a board, as SVG."""
    from companion.drawing.circuit import draw_circuit

    track = TrackLibrary().load(name)
    if track.is_blank:
        raise Failure(f"{name} is a card: no board to draw is known")
    write(output, (draw_circuit(track) + "\n").encode())


@command("check", AS_JSON)
@click.argument("files", nargs=-1, required=True, help="a .toml file, or a board's name")
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Name every fault of every file. The status is 1 with faults."""
    library = TrackLibrary()
    found = {name: check_track(_text(library, name)) for name in files}
    entries = [
        {"file": name, "faults": [{"where": f.where, "what": f.what} for f in faults]}
        for name, faults in found.items()
    ]
    lines = [f"{name}: {line}" for name, faults in found.items() for line in faults or ("sound",)]
    answer(as_json, entries, *lines)
    return FAULTS_FOUND if any(found.values()) else 0


def _text(library: TrackLibrary, name: str) -> str:
    """A file wherever the caller has it, or a board that ships."""
    path = Path(name)
    return read_track_file(path) if path.suffix == ".toml" else library.text(name)
