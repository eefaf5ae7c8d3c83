"""The boards of hardware/boards, examined and made ready: `python tools/boards.py [--pictures]`.

KiCad's files are the sources: draw there, and let tests/hardware/test_boards.py hold what was drawn
against the pin map. KiCad's own rules have to be clean, of the sheet, of the copper, and between
the two, before what a maker of boards wants goes to build/boards: gerbers and drill, the list of
parts, and their positions in the columns that assembly houses read. KiCad 9 is taken from this
machine or from a root of Debian 13 under build; where neither can be had, the status is 77.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "hardware" / "boards"
MADE = ROOT / "build" / "boards"
PARTS = ROOT / "hardware" / "parts.csv"
PICTURES = ROOT / "docs" / "pictures"
CANNOT = 77
LIBRARY = Path("usr/share/kicad")
COPPER = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"
BILL = ("Comment", "Designator", "Footprint", "Manufacturer Part Number", "Quantity")
POSITIONS = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
"""The columns that assembly houses read."""

# -- KiCad's files --------------------------------------------------------------------------------

Tree = list[Any]
_TOKEN = re.compile(r'\(|\)|"((?:[^"\\]|\\.)*)"|[^\s()"]+')


def parse(text: str) -> Tree:
    """The list in brackets that a text is.

    >>> parse('(a "b c" (d 1.5))')
    ['a', 'b c', ['d', '1.5']]
    """
    stack: list[Tree] = [[]]
    for token in _TOKEN.finditer(text):
        if token[0] == "(":
            stack.append([])
        elif token[0] == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token[0] if token[1] is None else token[1])
    (made,) = stack[0]
    return list(made)


def find(tree: Tree, name: str) -> Iterator[Tree]:
    """The lists in a list that begin with a word."""
    return (part for part in tree if isinstance(part, list) and part[0] == name)


def one(tree: Tree, name: str) -> Tree:
    """The first of them."""
    return next(find(tree, name))


@dataclass(frozen=True, slots=True)
class Part:
    """A part on the copper: where it stands and where its pads are, millimetres from the board's
    upper left corner, and the net of each pad that is on one with a name.
    """

    ref: str
    value: str
    footprint: str
    at: tuple[float, float]
    pads: Mapping[str, tuple[float, float]]
    nets: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Board:
    """A board as it is drawn, in millimetres; `printed` is what stands on it in words."""

    name: str
    revision: str
    size: tuple[float, float]
    parts: Sequence[Part]
    printed: Sequence[str]

    def part(self, ref: str) -> Part:
        """A part by its name."""
        return next(part for part in self.parts if part.ref == ref)

    def nets(self) -> dict[str, list[tuple[str, str]]]:
        """The pins of every net, as (part, pin)."""
        made: dict[str, list[tuple[str, str]]] = {}
        for part in self.parts:
            for pin, net in part.nets.items():
                made.setdefault(net, []).append((part.ref, pin))
        return made


def board_of(name: str, text: str) -> Board:
    """A board out of the text of its .kicad_pcb."""
    tree = parse(text)
    (edge,) = find(tree, "gr_rect")
    (left, top), (right, bottom) = (map(float, one(edge, end)[1:]) for end in ("start", "end"))
    parts = [_part(drawn, (left, top)) for drawn in find(tree, "footprint")]
    printed = [words[1] for words in find(tree, "gr_text")]
    revision = one(one(tree, "title_block"), "rev")[1]
    return Board(name, revision, (right - left, bottom - top), parts, printed)


def _part(drawn: Tree, corner: tuple[float, float]) -> Part:
    fields = {field[1]: field[2] for field in find(drawn, "property")}
    x, y, turned = (*map(float, one(drawn, "at")[1:]), 0.0)[:3]
    cos, sin = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    x, y = x - corner[0], y - corner[1]
    pads, nets = {}, {}
    for pad in find(drawn, "pad"):
        across, down = map(float, one(pad, "at")[1:3])
        pads[pad[1]] = (x + across * cos + down * sin, y - across * sin + down * cos)
        for net in find(pad, "net"):
            if not net[2].startswith("unconnected-"):
                nets[pad[1]] = net[2]
    return Part(fields["Reference"], fields["Value"], drawn[1], (x, y), pads, nets)


def kept() -> list[Board]:
    """All boards of hardware/boards."""
    return [board_of(path.stem, path.read_text("utf-8")) for path in sorted(KEPT.glob("*_pcb"))]


# -- the parts to buy -----------------------------------------------------------------------------


def lines() -> list[dict[str, str]]:
    """The lines of the parts list."""
    with PARTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def to_buy(board: Board) -> Iterator[tuple[dict[str, str], list[str]]]:
    """The parts of a board by kind: the line of the parts list, and what they are called.

    Raises:
        KeyError: parts.csv has no line for one.
    """
    known = {(row["for"], row["stands_for"]): row for row in lines()}
    kinds: dict[str, list[str]] = {}
    for part in board.parts:
        if part.nets:
            kinds.setdefault(part.value, []).append(part.ref)
    for value, refs in kinds.items():
        yield known[f"{board.name} board", value], refs


def _table(name: str, head: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
    with (MADE / name).open("w", encoding="utf-8", newline="") as to:
        csv.writer(to).writerows([head, *rows])


def bill(board: Board) -> Iterator[Sequence[object]]:
    """The rows of the bill of materials. A Nano is two sockets to buy: the count is the list's."""
    for row, refs in to_buy(board):
        where = row["footprint"].partition(":")[2]
        yield row["part"], ",".join(refs), where, row["maker_number"], row["count"]


def places(board: Board, told: Path) -> Iterator[Sequence[object]]:
    """The rows of the positions, out of KiCad's; of what an assembly house can place as it is."""
    placed = {ref for row, refs in to_buy(board) if int(row["count"]) == len(refs) for ref in refs}
    with told.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["Ref"] in placed:
                at = (f"{float(row[axis]):.3f}mm" for axis in ("PosX", "PosY"))
                yield row["Ref"], *at, row["Side"].capitalize(), f"{float(row['Rot']):g}"


# -- KiCad ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kicad:
    """KiCad on this machine (`root` is /) or in a root of its own, working in a folder there."""

    root: Path

    @property
    def folder(self) -> Path:
        """Where it works."""
        return MADE / "work" if self.root == Path("/") else self.root / "boards"

    def run(self, *command: str) -> None:
        """Run a command in the folder.

        Raises:
            subprocess.CalledProcessError: it failed; what it said has been printed.
        """
        inside = ["chroot", str(self.root), "env", "-C", "/boards", "HOME=/boards"]
        words = [*(inside if self.root != Path("/") else []), *command]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout + done.stderr, file=sys.stderr)
        done.check_returncode()


def kicad() -> Kicad | None:
    """This machine's KiCad, or one made for it; None, and it has been said, where none can be."""
    if shutil.which("kicad-cli") and (Path("/") / LIBRARY).exists():
        done = subprocess.run(["kicad-cli", "version"], capture_output=True, text=True, check=True)
        if int(done.stdout.split(".")[0]) >= 9:
            return Kicad(Path("/"))
    root = ROOT / "build" / "kicad"
    command = ["sh", str(Path(__file__).with_name("boards-root.sh")), str(root)]
    return Kicad(root) if subprocess.run(command, check=False).returncode == 0 else None


def lay_out(tool: Kicad) -> None:
    """A fresh folder for KiCad, with what is kept of the boards."""
    shutil.rmtree(tool.folder, ignore_errors=True)
    shutil.copytree(KEPT, tool.folder)
    MADE.mkdir(parents=True, exist_ok=True)


def examine(name: str, tool: Kicad) -> None:
    """Have KiCad look for faults in a board; warnings are faults too.

    Raises:
        subprocess.CalledProcessError: there are some; KiCad's report has been printed.
    """
    strict = ("--severity-all", "--exit-code-violations", "-o")
    for of, rules in (("sch", ("erc",)), ("pcb", ("drc", "--schematic-parity"))):
        report = f"{name}-{rules[0]}.txt"
        try:
            tool.run("kicad-cli", of, *rules, *strict, report, f"{name}.kicad_{of}")
        except subprocess.CalledProcessError:
            print((tool.folder / report).read_text("utf-8"), file=sys.stderr)
            raise
        shutil.copy(tool.folder / report, MADE)


def plot(board: Board, tool: Kicad) -> None:
    """What the maker of boards wants, into build/boards."""
    name = board.name
    file, out, told = f"{name}.kicad_pcb", f"{name}-gerbers", f"{name}-pos.csv"
    export = ("kicad-cli", "pcb", "export")
    tool.run(*export, "gerbers", "-l", COPPER, "-o", f"{out}/", file)
    tool.run(*export, "drill", "-o", f"{out}/", file)
    tool.run(*export, "pos", "--format", "csv", "--units", "mm", "-o", told, file)
    shutil.make_archive(str(MADE / out), "zip", tool.folder / out)
    _table(f"{name}-positions.csv", POSITIONS, places(board, tool.folder / told))
    _table(f"{name}-bill.csv", BILL, bill(board))


def picture(name: str, tool: Kicad) -> None:
    """The board as it looks before anything is on it, into docs/pictures."""
    file = f"board-{name}.png"
    size = ("--width", "1500", "--height", "1200")
    tool.run("kicad-cli", "pcb", "render", *size, "-o", file, f"{name}.kicad_pcb")
    with Image.open(tool.folder / file) as whole:
        seen = whole.convert("RGBA")
    paper = Image.new("RGBA", seen.size, "white")
    paper.alpha_composite(seen)
    cut = paper.convert("RGB").crop(seen.getchannel("A").getbbox())
    cut.thumbnail((800, 800))
    cut.quantize(48).save(PICTURES / file, optimize=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Examine the boards, and make them ready.")
    parser.add_argument("--pictures", action="store_true", help="those of docs/pictures too")
    args = parser.parse_args()
    tool = kicad()
    if tool is None:
        return CANNOT
    lay_out(tool)
    try:
        for board in kept():
            examine(board.name, tool)
            plot(board, tool)
            if args.pictures:
                picture(board.name, tool)
            print(f"boards: {board.name} is clean, see build/boards")
    except subprocess.CalledProcessError as error:
        print(f"boards: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
