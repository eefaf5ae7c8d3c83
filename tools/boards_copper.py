"""The copper of a board: footprints where the parts stand, tracks, ground on both sides."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from boards_parts import GND, POWER, STEP, Board, Part
from boards_router import VIA, Pad, Router, Spot, straight
from boards_text import Quoted, Tree, drop, find, footprint, one, pins, same_id, symbol, write

VERSION = 20241229
CORNER = 50.8
"""Where the board's upper left corner lies on the paper, in millimetres."""
TRACK, POWER_TRACK, DRILL = 0.3, 0.5, 0.3
SCREW_HEAD = 7.0
LAYERS = ("F.Cu", "B.Cu")
HEADS = ("version", "generator", "generator_version", "layer")
NOTES = ("Datasheet", "Description")
_SIDES = [(0, "F.Cu"), (2, "B.Cu")]
_OTHERS = [
    (9, "F.Adhes", "F.Adhesive"),
    (11, "B.Adhes", "B.Adhesive"),
    (13, "F.Paste", None),
    (15, "B.Paste", None),
    (5, "F.SilkS", "F.Silkscreen"),
    (7, "B.SilkS", "B.Silkscreen"),
    (1, "F.Mask", None),
    (3, "B.Mask", None),
    (17, "Dwgs.User", "User.Drawings"),
    (19, "Cmts.User", "User.Comments"),
    (25, "Edge.Cuts", None),
    (27, "Margin", None),
    (31, "F.CrtYd", "F.Courtyard"),
    (29, "B.CrtYd", "B.Courtyard"),
    (35, "F.Fab", None),
    (33, "B.Fab", None),
]


def copper(board: Board, library: Path) -> str:
    """The text of a .kicad_pcb; the ground on its sides is not yet poured.

    Raises:
        RuntimeError: no tracks were found.
    """
    nets = _nets(board, library)
    codes = {net: code for code, net in enumerate(["", *sorted(set(nets.values()))])}
    wired: dict[tuple[str, str], Tree] = {
        pin: ["net", codes[net], Quoted(net)] for pin, net in nets.items()
    }
    made: Tree = ["kicad_pcb", ["version", VERSION], ["generator", Quoted("pcbnew")]]
    made += [["generator_version", Quoted("9.0")], ["general", ["thickness", 1.6]]]
    origin = f"made from companion/seats/seat.toml by tools/boards.py: {board.digest()}"
    title: Tree = ["title_block", ["title", Quoted(board.title)], ["comment", 1, Quoted(origin)]]
    made += [["paper", Quoted("A4")], title, _layers(), ["setup", ["pad_to_mask_clearance", 0]]]
    made += [["net", code, Quoted(net)] for net, code in codes.items()]
    for part in board.parts:
        made.append(_placed(board, part, footprint(library, part.footprint), wired))
    made += _words(board)
    made += [_edge(board), *_tracks(board, library, codes), *_ground(board, codes)]
    return write(made) + "\n"


def project(board: Board) -> str:
    """The text of a .kicad_pro: the rules of a cheap maker of boards, and a little more room.

    One spoke to the poured ground is enough, since every pin of ground has its track as well.
    """
    rules = {"min_clearance": 0.2, "min_track_width": 0.25, "min_via_diameter": 0.6,
             "min_through_hole_diameter": 0.3, "min_copper_edge_clearance": 0.5,
             "min_hole_clearance": 0.25, "min_hole_to_hole": 0.25,
             "min_resolved_spokes": 1}  # fmt: skip
    usual = {"name": "Default", "clearance": 0.2, "track_width": TRACK, "via_diameter": VIA,
             "via_drill": DRILL, "priority": 2147483647, "pcb_color": "rgba(0, 0, 0, 0.000)",
             "schematic_color": "rgba(0, 0, 0, 0.000)", "wire_width": 6, "bus_width": 12,
             "line_style": 0, "microvia_diameter": 0.3, "microvia_drill": 0.1,
             "diff_pair_gap": 0.25, "diff_pair_via_gap": 0.25, "diff_pair_width": 0.2}  # fmt: skip
    made = {
        "board": {"design_settings": {"defaults": {}, "rules": rules}},
        "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [usual], "meta": {"version": 4}},
        "sheets": [],
    }
    return json.dumps(made, indent=2) + "\n"


def _nets(board: Board, library: Path) -> dict[tuple[str, str], str]:
    """The net of every pin; one that is left open has a net of its own, named as KiCad does."""
    made = {}
    for part in board.parts:
        for number, pin in pins(symbol(library, part.symbol)).items():
            shown = "" if pin.name in ("", "~") else f"{pin.name.replace('/', '{slash}')}-"
            alone = f"unconnected-({part.ref}-{shown}Pad{number})"
            made[part.ref, number] = part.nets.get(number, alone)
    return made


def _layers() -> Tree:
    made: Tree = ["layers"]
    made += [[number, Quoted(name), "signal"] for number, name in _SIDES]
    for number, name, shown in _OTHERS:
        made.append([number, Quoted(name), "user", *([Quoted(shown)] if shown else [])])
    return made


def _mm(steps: float) -> float:
    return round(CORNER + steps * STEP, 4)


def _placed(board: Board, part: Part, of: Tree, wired: Mapping[tuple[str, str], Tree]) -> Tree:
    x, y, turned = part.place
    path = Quoted(f"/{same_id(board.name, part.ref)[1]}")
    made: Tree = [*of[:2], one(of, "layer"), same_id(board.name, part.ref, "copper")]
    made += [["at", _mm(x), _mm(y), turned], ["path", path], ["sheetname", Quoted("/")]]
    made += [["sheetfile", Quoted(f"{board.name}.kicad_sch")]]
    # KiCad adds these two where they are missing, with other ids each time.
    blank: Tree = [["at", 0, 0, 0], ["layer", Quoted("F.Fab")], ["hide", "yes"]]
    font: Tree = ["effects", ["font", ["size", 1.27, 1.27]]]
    notes = [["property", Quoted(name), Quoted(""), *blank, font] for name in NOTES]
    pieces = [piece for piece in of[2:] if isinstance(piece, list)]
    for number, piece in enumerate([*drop(pieces, *HEADS), *notes]):
        made.append(_piece(board, part, number, piece, wired))
    return made


def _piece(
    board: Board, part: Part, number: int, piece: Tree, wired: Mapping[tuple[str, str], Tree]
) -> Tree:
    """A part of a footprint, with its id, turned as a whole, pads with their nets."""
    fields = {"Reference": part.ref, "Value": part.value}
    if piece[0] not in ("property", "pad") and not piece[0].startswith("fp_"):
        return piece
    made = [*drop(piece, "uuid"), same_id(board.name, part.ref, number)]
    if piece[0] in ("property", "fp_text", "pad"):
        at = one(made, "at")
        angle = (float(at[3]) if len(at) > 3 else 0.0) + part.place[2]
        made[made.index(at)] = ["at", at[1], at[2], angle]
    if piece[0] == "property" and piece[1] in fields:
        made[2] = Quoted(fields[piece[1]])
        if part.ref.startswith("H"):  # a hole needs no name, and its own would leave the board
            made = [*drop(made, "hide"), ["hide", "yes"]]
    if piece[0] == "pad" and (part.ref, piece[1]) in wired:
        made.append(wired[part.ref, piece[1]])
    return made


def _words(board: Board) -> Iterator[Tree]:
    for number, word in enumerate(board.words):
        size: Tree = ["size", word.height, word.height]
        font: Tree = ["effects", ["font", size, ["thickness", round(word.height * 0.15, 3)]]]
        place: Tree = ["at", *map(_mm, word.at), 0]
        layer: Tree = ["layer", Quoted("F.SilkS")]
        yield [
            "gr_text",
            Quoted(word.text),
            place,
            layer,
            same_id(board.name, "word", number),
            font,
        ]


def _edge(board: Board) -> Tree:
    start: Tree = ["start", _mm(0), _mm(0)]
    end: Tree = ["end", *map(_mm, board.size)]
    line: Tree = ["stroke", ["width", 0.1], ["type", "default"]]
    key = same_id(board.name, "edge")
    return ["gr_rect", start, end, line, ["fill", "no"], ["layer", Quoted("Edge.Cuts")], key]


def _pads(part: Part, of: Tree) -> Iterator[Pad]:
    """The pads of a part where they are on the board, in millimetres from its corner."""
    x, y, turned = part.place
    cos, sin = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    for pad in find(of, "pad"):
        right, down = map(float, one(pad, "at")[1:3])
        at = (x * STEP + right * cos + down * sin, y * STEP - right * sin + down * cos)
        width, height = (float(side) / 2 for side in one(pad, "size")[1:3])
        half = (width, height) if turned % 180 == 0 else (height, width)
        if pad[2] == "np_thru_hole":
            half = (SCREW_HEAD / 2, SCREW_HEAD / 2)
        radius = min(half) if pad[3] in ("circle", "oval") else 0.0
        layers = (0,) if pad[2] == "smd" else (0, 1)
        yield Pad(part.nets.get(pad[1]), at, half, radius, layers)


def _tracks(board: Board, library: Path, codes: Mapping[str, int]) -> Iterator[Tree]:
    pads = [pad for part in board.parts for pad in _pads(part, footprint(library, part.footprint))]
    widths = {net: POWER_TRACK if net in POWER else TRACK for net in board.nets()}
    for net, ways in sorted(Router(board.size, STEP, pads, widths).route().items()):
        for number, way in enumerate(ways):
            for begin, end in straight(way):
                key = same_id(board.name, net, number, begin, end)
                yield _track(begin, end, widths[net], codes[net], key)


def _track(begin: Spot, end: Spot, width: float, code: int, key: Tree) -> Tree:
    at: list[list[float]] = [[_mm(spot[2]), _mm(spot[1])] for spot in (begin, end)]
    if begin[0] != end[0]:
        layers = ["layers", *map(Quoted, LAYERS)]
        return ["via", ["at", *at[0]], ["size", VIA], ["drill", DRILL], layers, ["net", code], key]
    ends: Tree = [["start", *at[0]], ["end", *at[1]], ["width", width]]
    return ["segment", *ends, ["layer", Quoted(LAYERS[begin[0]])], ["net", code], key]


def _ground(board: Board, codes: Mapping[str, int]) -> Iterator[Tree]:
    """Ground over both sides."""
    width, height = (side * STEP for side in board.size)
    corners = [(0.6, 0.6), (width - 0.6, 0.6), (width - 0.6, height - 0.6), (0.6, height - 0.6)]
    points = [["xy", round(CORNER + x, 4), round(CORNER + y, 4)] for x, y in corners]
    fill: Tree = ["fill", "yes", ["thermal_gap", 0.3], ["thermal_bridge_width", 0.4]]
    fill += [["island_removal_mode", 0]]
    for layer in LAYERS:
        made: Tree = ["zone", ["net", codes[GND]], ["net_name", Quoted(GND)]]
        made += [["layer", Quoted(layer)], same_id(board.name, "ground", layer)]
        made += [["hatch", "edge", 0.5], ["connect_pads", ["clearance", 0.25]]]
        made += [["min_thickness", 0.25], fill, ["polygon", ["pts", *points]]]
        yield made
