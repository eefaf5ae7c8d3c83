"""`companion track …`: the boards, one board told or drawn, a file checked, a new one asked for."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.boards import TrackLibrary, read_track_file
from companion.cli.tracknew import run_new
from companion.drawing.circuit import draw_circuit
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.show import track_as_json
from companion.rules.board.track import Track
from companion.rules.errors import Malformed

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

FAULTS_FOUND = 1
NOT_WRITTEN = 2


def register(subparsers: Subparsers) -> None:
    """Add `track` and what belongs to it."""
    parser = subparsers.add_parser("track", help="list, show, draw, check and write boards")
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="the boards that a race may ask for")
    _finish(listing, run_list)

    show = actions.add_parser("show", help="one board: corners, grid, pit, weather")
    show.add_argument("name", metavar="NAME", help="a board, or a .toml in the working folder")
    _finish(show, run_show)

    check = actions.add_parser(
        "check", help="what is wrong with a track file", epilog="The status is 1 with faults."
    )
    check.add_argument("files", metavar="FILE", nargs="+", help="a .toml file, or a board's name")
    _finish(check, run_check)

    draw = actions.add_parser("draw", help="a picture of a board, as SVG")
    draw.add_argument("name", metavar="NAME", help="a board, or a .toml in the working folder")
    draw.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of the screen")
    draw.set_defaults(run=run_draw)

    new = actions.add_parser("new", help="ask for a board section by section and write its file")
    new.add_argument("file", metavar="FILE.toml", help="the file to write; it must not be there")
    new.set_defaults(run=run_new)


def _finish(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    parser.add_argument("--json", action="store_true", help="write JSON, for programs")
    parser.set_defaults(run=run)


def run_list(args: argparse.Namespace) -> int:
    """Every name that is accepted, and what is behind it; a faulty file says why."""
    library = TrackLibrary()
    files = [name for name in library.names() if name.endswith(".toml")]
    shipped = sorted({*library.names(), *library.cards()} - {*files})
    entries = [_entry(library, name) for name in (*shipped, *files)]
    if args.json:
        print(json.dumps(entries, ensure_ascii=False))
        return 0
    for entry in entries:
        print(f"{entry['name']:<20} {entry.get('fault') or _in_short(entry)}")
    return 0


def _in_short(entry: dict[str, Any]) -> str:
    corners = f"{entry['corners']} corners" if entry["corners"] else "weather only"
    known = "a card" if "card" in entry else f"{entry['spaces']} spaces"
    return f"{entry['title']}, {known}, {corners}"


def _entry(library: TrackLibrary, name: str) -> dict[str, Any]:
    try:
        track = library.load(name)
    except Malformed as error:
        return {"name": name, "fault": error.message}
    card = {"card": True} if track.is_blank else {}
    return card | {
        "name": name,
        "title": track.name,
        "exact": track.exact,
        "spaces": len(track.track_spaces()),
        "corners": len(track.corners),
    }


def run_show(args: argparse.Namespace) -> int:
    """One board, in lines or as JSON."""
    track = TrackLibrary().load(args.name)
    if args.json:
        print(json.dumps(track_as_json(track), ensure_ascii=False))
    else:
        print("\n".join(_lines(track)))
    return 0


def _lines(track: Track) -> list[str]:
    """A board as a person reads it."""
    if track.is_blank:
        return _card_lines(track)
    spaces = len(track.track_spaces())
    certainty = "as printed" if track.exact else "not yet exact"
    lines = [f"{track.name}: {spaces} spaces, {len(track.lanes)} lanes, {certainty}", ""]
    for section in track.sections:
        counts = "/".join(map(str, section.spaces))
        lines.append(f"{section.title:<24} {counts:>10}  {_corner(track, section.corner)}".rstrip())
    lines += ["", "grid: " + " ".join(track.ids[space] for space in track.grid)]
    if track.pit:
        exits = " ".join(track.ids[space] for space in track.exits)
        lines.append(f"pit: {len(track.pit)} spaces, {len(track.boxes)} boxes, exit to {exits}")
    return lines + _weather_lines(track) + _street_lines(track)


def _card_lines(track: Track) -> list[str]:
    """The few figures of a card."""
    length = f", length {track.length}" if track.length else ""
    lines = [f"{track.name}: a card{length}; races on it are boardless", ""]
    lines += [f"{corner.label:<4} {_stops(corner.stops):<7}  {corner.shortest}–{corner.longest}"
              for corner in track.corners]  # fmt: skip
    return lines + _weather_lines(track)


def _weather_lines(track: Track) -> list[str]:
    table = [f"{kind} {low}–{high}" for kind, (low, high) in (track.weather or {}).items()]
    return ["weather: " + ", ".join(table)] if table else []


def _stops(stops: int) -> str:
    return "1 stop" if stops == 1 else f"{stops} stops"


def _street_lines(track: Track) -> list[str]:
    """What an urban board has beyond others."""
    told = {
        "noise": [track.ids[space] for space in sorted(track.noise)],
        "dark": [track.ids[space] for space in sorted(track.dark)],
        "police": [track.ids[space] for space in sorted(track.police)],
        "tunnel": [f"{track.ids[sign]}>{track.ids[end]}" for sign, end in track.tunnel],
    }
    return [f"{name}: {' '.join(names)}" for name, names in told.items() if names]


def _corner(track: Track, at: int) -> str:
    """Stops, direction and ways of a corner; empty for a straight (-1)."""
    if at < 0:
        return ""
    corner = track.corners[at]
    shortest, longest = computed_ways(track, at)
    return f"{corner.turns:<5}  {_stops(corner.stops):<7}  {shortest}–{longest}"


def run_draw(args: argparse.Namespace) -> int:
    """One board as SVG."""
    track = TrackLibrary().load(args.name)
    if track.is_blank:
        print(f"companion: {args.name} is a card: no board to draw is known", file=sys.stderr)
        return NOT_WRITTEN
    picture = draw_circuit(track)
    if args.output is None:
        print(picture)
        return 0
    try:
        Path(args.output).write_text(picture + "\n", encoding="utf-8")
    except OSError as error:
        print(f"companion: {args.output} cannot be written: {error.strerror}", file=sys.stderr)
        return NOT_WRITTEN
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Every fault of every file."""
    library = TrackLibrary()
    found = {name: check_track(_text(library, name)) for name in args.files}
    if args.json:
        told = [
            {"file": name, "faults": [{"where": f.where, "what": f.what} for f in faults]}
            for name, faults in found.items()
        ]
        print(json.dumps(told, ensure_ascii=False))
    else:
        for name, faults in found.items():
            told_lines = [str(fault) for fault in faults] or ["sound"]
            print(*(f"{name}: {line}" for line in told_lines), sep="\n")
    return FAULTS_FOUND if any(found.values()) else 0


def _text(library: TrackLibrary, name: str) -> str:
    """A file wherever the caller has it, or a board of the shelf."""
    path = Path(name)
    return read_track_file(path) if path.suffix == ".toml" else library.text(name)
