"""The sheet of a board: every part in a row, every pin joined by the name of its net."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boards_parts import POWER, Board, Part
from boards_text import Quoted, Tree, find, pins, same_id, symbol, write

VERSION = 20250114
FLAG = "power:PWR_FLAG"
GRID = 2.54
FOOT, COLUMN = 205.0, 66.04
"""Where a column of parts ends, from the top; how far the next one stands: in millimetres."""
_FONT: Tree = ["effects", ["font", ["size", 1.27, 1.27]]]
_HIDDEN: Tree = [*_FONT, ["hide", "yes"]]


def sheet(board: Board, library: Path) -> str:
    """The text of a .kicad_sch."""
    used = sorted({part.symbol for part in board.parts} | {FLAG})
    known = {name: symbol(library, name) for name in used}
    root = same_id(board.name, "sheet")
    made: Tree = ["kicad_sch", ["version", VERSION], ["generator", Quoted("eeschema")]]
    made += [["generator_version", Quoted("9.0")], root, ["paper", Quoted("A3")], _title(board)]
    made += [["lib_symbols", *known.values()]]
    places = _places(board, known)
    for part in board.parts:
        made += _placed(board, part, known[part.symbol], places[part.ref])
    for number, net in enumerate(_unfed(board, known), 1):
        flag = Part(f"#FLG0{number}", "PWR_FLAG", FLAG, "", (0, 0, 0), {"1": net})
        made += _placed(board, flag, known[FLAG], (30.48 * number, 259.08))
    made += [["sheet_instances", ["path", Quoted("/"), ["page", Quoted("1")]]]]
    return write(made) + "\n"


def _unfed(board: Board, known: dict[str, Tree]) -> list[str]:
    """The nets of power into which no pin gives any, as far as the symbols say: they come from
    outside, by a plug.
    """
    fed = {
        part.nets.get(number)
        for part in board.parts
        for number, pin in pins(known[part.symbol]).items()
        if pin.kind == "power_out"
    }
    return sorted((set(board.nets()) & POWER) - fed)


def _title(board: Board) -> Tree:
    origin = f"made from companion/seats/seat.toml by tools/boards.py: {board.digest()}"
    title = ["title", Quoted(board.title)]
    return ["title_block", title, ["comment", 1, Quoted(origin)]]


def _places(board: Board, known: dict[str, Tree]) -> dict[str, tuple[float, float]]:
    """Where each part stands on the sheet: below the last one, then in the next column."""
    made, x, y = {}, 45.72, 25.4
    for part in board.parts:
        ends = [pin.up for pin in pins(known[part.symbol]).values()] or [0.0]
        above, below = max(ends) + 5.08, 10.16 - min(ends)
        if y + above + below > FOOT:
            x, y = x + COLUMN, 25.4
        made[part.ref] = (x, _snap(y + above))
        y = _snap(y + above + below)
    return made


def _snap(at: float) -> float:
    return round(at / GRID) * GRID


def _placed(board: Board, part: Part, of: Tree, at: tuple[float, float]) -> Iterator[Tree]:
    """A part, and at each of its pins the net's name or the cross of one that is left open."""
    x, y = at
    yes: list[Tree] = [[word, "yes"] for word in ("in_bom", "on_board")]
    made: Tree = ["symbol", ["lib_id", Quoted(part.symbol)], ["at", x, y, 0], ["unit", 1]]
    made += [["exclude_from_sim", "no"], *yes, ["dnp", "no"], same_id(board.name, part.ref)]
    for kept in find(of, "in_bom"):
        made[made.index(["in_bom", "yes"])] = kept
    top = max((pin.up for pin in pins(of).values()), default=0) + 5.08
    # Its names stand right of all names of nets that go up from it.
    beside = x + 3.81 + max((pin.right for pin in pins(of).values() if pin.into == 270), default=0)
    fields = {"Reference": part.ref, "Value": part.value, "Footprint": part.footprint}
    fields |= {p[1]: p[2] for p in find(of, "property") if p[1] in ("Datasheet", "Description")}
    for number, (name, text) in enumerate(fields.items()):
        shown = _FONT if number < 2 and not part.ref.startswith("#") else _HIDDEN
        place: Tree = ["at", beside, y - top + 1.905 * number, 0]
        look = [*shown, ["justify", "left"]]
        made += [["property", Quoted(name), Quoted(text), place, look]]
    path = Quoted(f"/{same_id(board.name, 'sheet')[1]}")
    whole: Tree = ["path", path, ["reference", Quoted(part.ref)], ["unit", 1]]
    yield [*made, ["instances", ["project", Quoted(board.name), whole]]]
    for key, pin in pins(of).items():
        yield _end(board, part, key, (round(x + pin.right, 3), round(y - pin.up, 3)), pin.into)


def _end(board: Board, part: Part, pin: str, at: tuple[float, float], into: int) -> Tree:
    key = same_id(board.name, part.ref, pin)
    if pin not in part.nets:
        return ["no_connect", ["at", *at], key]
    away = (into + 180) % 360
    side = "left" if away in (0, 90) else "right"
    look: Tree = ["effects", ["font", ["size", 1.27, 1.27]], ["justify", side]]
    kind: Tree = ["global_label", Quoted(part.nets[pin]), ["shape", "passive"]]
    return [*kind, ["at", *at, away], look, key]
