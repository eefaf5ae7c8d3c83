"""The commands of `companion track`: the boards there are, and new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from companion.cli import tools
from companion.cli.tools import read
from companion.drawing.circuit import draw_circuit
from companion.race.boards import ReadBoard, TrackLibrary, read_track_file, readers
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.edit import write_plan
from companion.rules.board.track import Track
from companion.rules.lines import Malformed
from companion.system.plugins import PluginError
from race_companion_boards.asking import Asking

FAULTS_FOUND = 1
NAME = click.argument("name", help="a board, or a .toml in the working folder")


@tools.command("list", tools.AS_JSON)
def list_boards(as_json: bool) -> None:
    """List every name that is accepted, and what is behind it; a faulty file says why."""
    library = TrackLibrary()
    files = [name for name in library.names() if name.endswith(".toml")]
    shipped = sorted({*library.names(), *library.cards()} - {*files})
    entries = {name: _entry(library, name) for name in (*shipped, *files)}
    lines = (f"{name:<20} {line}" for name, (_, line) in entries.items())
    tools.answer(as_json, [entry for entry, _ in entries.values()], *lines)


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


@tools.command("show", tools.AS_JSON)
@NAME
def show(name: str, as_json: bool) -> None:
    """Show one board: corners, grid, pit, weather."""
    track = TrackLibrary().load(name)
    if as_json:
        tools.answer(True, track_as_json(track))
    else:
        tools.answer(False, None, *(_card_lines(track) if track.is_blank else _board_lines(track)))


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


@tools.command("draw")
@NAME
@click.option("-o", "--output", type=tools.PATH, help="write to this file instead of the screen")
def draw(name: str, output: Path | None) -> None:
    """Draw a board, as SVG."""
    track = TrackLibrary().load(name)
    if track.is_blank:
        raise tools.Failure(f"{name} is a card: no board to draw is known")
    tools.write(output, (draw_circuit(track) + "\n").encode())


@tools.command("check", tools.AS_JSON)
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
    tools.answer(as_json, entries, *lines)
    return FAULTS_FOUND if any(found.values()) else 0


def _text(library: TrackLibrary, name: str) -> str:
    """A file wherever the caller has it, or a board that ships."""
    path = Path(name)
    return read_track_file(path) if path.suffix == ".toml" else library.text(name)


# -- a board of the public editor's format --------------------------------------------------------


LONGEST_READ_S = 60.0


@tools.command("import", tools.AS_JSON)
@click.argument("file", type=tools.PATH, help="such as a .dat file of the public editor")
@click.option(
    "-o", "--output", type=tools.PATH, help="the .toml file to write; usual is FILE's name here"
)
@click.option("--name", help="what the board is called; usual is FILE's name")
@tools.sentences(PluginError)
def import_board(file: Path, output: Path | None, name: str | None, as_json: bool) -> int:
    """Read a board of another program and write its track file.

    What the file does not say, or says in two ways, is named with section and lane: look
    at the board there. Status 1: the board is written and has faults to mend.
    """
    board = _read_board(file, name or file.stem.replace("_", " ").title())
    path = output or Path(f"{file.stem.lower()}.toml")
    _write(path, board.text)
    faults = check_track(board.text)
    entry = {
        "file": str(path),
        "doubts": [{"where": where, "what": what} for where, what in board.doubts],
        "faults": [{"where": fault.where, "what": fault.what} for fault in faults],
    }
    looks = (f"look at the board: {where}: {what}" for where, what in board.doubts)
    mends = (f"to be mended: {fault}" for fault in faults)
    see = f"Now see it: companion track draw {path.name} -o {path.stem}.svg"
    tools.answer(as_json, entry, f"{path} is written.", *looks, *mends, see)
    return FAULTS_FOUND if faults else 0


def _read_board(file: Path, name: str) -> ReadBoard:
    """The board of a file, by who reads its kind; by any reader where nobody names its suffix."""
    content, known = read(file), readers()
    reader = known.get(file.suffix.lower()) or next(iter(known.values()), None)
    if reader is None:
        raise tools.Failure(f"nothing that is installed reads {file} (companion plugin list)")
    plugin, reads = reader

    def read_in() -> ReadBoard | ValueError:
        try:
            return reads.read(content, name)
        except ValueError as error:  # about the file, not about the plugin
            return error

    board = plugin.in_time(read_in, LONGEST_READ_S)
    if isinstance(board, ValueError):
        raise tools.Failure(f"{file} is no board: {board}")
    return board


def _write(path: Path, text: str) -> None:
    """Write a file that was not there."""
    _refuse_to_write(path)
    try:
        # Not "w": the questions of `new` take minutes, and the file may be there by now.
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise tools.Failure(f"{path} cannot be written: {error.strerror}") from error


def _refuse_to_write(path: Path) -> None:
    """Say what no track file can be written to, before anybody has answered a question."""
    if path.suffix != ".toml":
        raise tools.Failure(f"{path} cannot be written: a track file ends in .toml")
    if path.exists():
        raise tools.Failure(f"{path} cannot be written: it is there already")


# -- a board asked for ----------------------------------------------------------------------------


@tools.command("new")
@click.argument("path", type=tools.PATH, help="the .toml file to write; it must not be there")
def write_new(path: Path) -> int:
    """Ask for a board, write it, say what is wrong with it."""
    _refuse_to_write(path)
    print("An empty answer takes what stands in [brackets]; < asks the question before again.")
    print("Ctrl-C leaves without a file.")
    try:
        text = write_plan(Asking().plan())
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError) as error:
        raise tools.Failure(f"the board was not finished; {path} is not written") from error
    _write(path, text)
    print(f"{path} is written.")
    faults = check_track(text)
    for line in faults or ("sound",):
        print(f"{path}: {line}")
    print(f"Now see it: companion track draw {path.name} -o {path.stem}.svg")
    return FAULTS_FOUND if faults else 0


# -- a board as other programs read it ------------------------------------------------------------


def track_as_json(track: Track) -> dict[str, object]:
    """The board in plain JSON: spaces of the track, corners, grid, line, pit, weather.

    Shortest and longest ways are computed from the graph. A space of the track has in
    `section` the label of its section and in `corner` the corner's name or null; the step
    into the pit stands in `pit.entry` and not in `next`.
    """
    return {
        "name": track.name,
        "exact": track.exact,
        "sha256": track.sha256,
        "card": track.is_blank,
        "length": track.length,
        "lanes": list(track.lanes),
        "lap_levels": track.lap_levels,
        "sections": [
            {
                "label": section.label,
                "kind": section.kind,
                "name": section.name,
                "spaces": list(section.spaces),
            }
            for section in track.sections
        ],
        "corners": [_show_corner(track, at) for at in range(len(track.corners))],
        "spaces": [_space(track, space) for space in track.track_spaces()],
        "grid": _ids(track, track.grid),
        "finish": _ids(track, track.finish),
        "pit": _show_pit(track) if track.pit else None,
        "weather": {kind: list(span) for kind, span in (track.weather or {}).items()} or None,
        "urban": {
            "noise": _ids(track, sorted(track.noise)),
            "dark": _ids(track, sorted(track.dark)),
            "police": _ids(track, sorted(track.police)),
            "tunnel": [_ids(track, pair) for pair in track.tunnel],
        },
    }


def _ids(track: Track, spaces: Iterable[int]) -> list[str]:
    return [track.ids[space] for space in spaces]


def _space(track: Track, space: int) -> dict[str, object]:
    corner = track.corner[space]
    return {
        "id": track.ids[space],
        "lane": track.lanes[track.lane[space]],
        "section": track.sections[track.section[space]].label,
        "corner": None if corner < 0 else track.corners[corner].name,
        "level": track.level[space],
        "next": _ids(track, track.nexts[space]),
        "beside": _ids(track, track.beside[space]),
    }


def _show_corner(track: Track, at: int) -> dict[str, object]:
    corner = track.corners[at]
    ways = (corner.shortest, corner.longest) if track.is_blank else computed_ways(track, at)
    shortest, longest = ways
    return {
        "name": corner.name,
        "section": corner.label,
        "stops": corner.stops,
        "turns": None if track.is_blank else corner.turns,
        "shortest": shortest,
        "longest": longest,
    }


def _show_pit(track: Track) -> dict[str, object]:
    """The pit lane and the boxes; levels are those of `far_level`, without a jump."""
    entry = [space for space in track.track_spaces() if track.entries[space]]
    lane = [
        {
            "id": track.ids[space],
            "level": track.far_level[space],
            "next": _ids(track, track.nexts[space]),
        }
        for space in track.pit
    ]
    boxes = [
        {"id": track.ids[box], "level": track.far_level[box], "beside": track.ids[space]}
        for box, space in zip(track.boxes, track.box_lane, strict=True)
    ]
    return {
        "entry": _ids(track, entry),
        "exit": _ids(track, track.exits),
        "spaces": lane,
        "boxes": boxes,
    }
