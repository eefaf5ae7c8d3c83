"""The boards, made from the pin map: `python tools/boards.py [--check | --anew] [--pictures]`.

hardware/boards has KiCad's files; those that do not fit the pin map are made anew (`--anew`: all).
Then KiCad's own rules have to be clean, of the sheet, of the copper, and between the two, before
what a maker of boards wants goes to build/boards: gerbers and drill, positions, the list of parts.
`--check` only names what is not up to date, and needs no KiCad. Else KiCad 9 is taken from this
machine or from a root of Debian 13 under build; where neither can be had, the status is 77.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from boards_copper import copper, project
from boards_parts import Board, boards
from boards_sheet import FLAG, sheet
from boards_text import find, one, parse
from PIL import Image
from pinmap_map import read_map

from companion.seats.pinmap import MAP

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "hardware" / "boards"
MADE = ROOT / "build" / "boards"
PARTS = ROOT / "hardware" / "parts.csv"
PICTURES = ROOT / "docs" / "pictures"
CANNOT = 77
LIBRARY = Path("usr/share/kicad")
KINDS = (".kicad_sch", ".kicad_pcb", ".kicad_pro")
TABLES = (("sym", "KICAD9_SYMBOL_DIR", ".kicad_sym"), ("fp", "KICAD9_FOOTPRINT_DIR", ".pretty"))
POUR = (
    "import pcbnew, sys; board = pcbnew.LoadBoard(sys.argv[1]); "
    "pcbnew.ZONE_FILLER(board).Fill(board.Zones()); pcbnew.SaveBoard(sys.argv[1], board)"
)
COPPER = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"


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


def mapped() -> list[Board]:
    """The boards that the shipped map of pins asks for."""
    return boards(read_map(MAP.read_text("utf-8")))


def stale(folder: Path = KEPT, asked: Sequence[Board] | None = None) -> list[str]:
    """The files that were not made from this map, or were changed by hand where nets show it."""
    asked = mapped() if asked is None else asked
    old = [name for name, text in tables(asked).items() if _text(folder / name) != text]
    for board in asked:
        if _text(folder / f"{board.name}.kicad_pro") != project(board):
            old.append(f"{board.name}.kicad_pro")
        for name, nets in ((".kicad_sch", _labels), (".kicad_pcb", _pads)):
            text = _text(folder / f"{board.name}{name}")
            if f"tools/boards.py: {board.digest()}" not in text or nets(text) != _pairs(
                board, name
            ):
                old.append(f"{board.name}{name}")
    return old


def _pairs(board: Board, kind: str) -> list[tuple[str, ...]]:
    """What the netlist says, as the file can show it: pads by part, or the labels of pins."""
    pads = [(ref, pin, net) for net, all_of in board.nets().items() for ref, pin in all_of]
    return sorted(pads) if kind == ".kicad_pcb" else sorted((net,) for _, _, net in pads)


def _pads(text: str) -> list[tuple[str, ...]]:
    """Part, pin and net of every pad that is on a net with a name."""
    made = set()
    for part in find(parse(text), "footprint"):
        (ref,) = (field[2] for field in find(part, "property") if field[1] == "Reference")
        for pad in find(part, "pad"):
            nets = [net[2] for net in find(pad, "net")]
            made |= {(ref, pad[1], net) for net in nets if not net.startswith("unconnected-")}
    return sorted(made)


def _labels(text: str) -> list[tuple[str, ...]]:
    """The net of every label but those of the flags, which are no pins of the board."""
    tree = parse(text)
    flags = {
        tuple(one(of, "at")[1:3]) for of in find(tree, "symbol") if one(of, "lib_id")[1] == FLAG
    }
    labels = [(label[1], tuple(one(label, "at")[1:3])) for label in find(tree, "global_label")]
    return sorted((net,) for net, at in labels if at not in flags)


def tables(asked: Sequence[Board]) -> dict[str, str]:
    """Which libraries the project takes, so that KiCad finds them wherever it runs."""
    made = {}
    parts = [part for board in asked for part in board.parts]
    used = {"sym": [FLAG, *(p.symbol for p in parts)], "fp": [p.footprint for p in parts]}
    for kind, variable, end in TABLES:
        rooms = sorted({name.split(":")[0] for name in used[kind]})
        lines = [
            f'  (lib (name "{room}")(type "KiCad")(uri "${{{variable}}}/{room}{end}")'
            '(options "")(descr ""))'
            for room in rooms
        ]
        made[f"{kind}-lib-table"] = "\n".join([f"({kind}_lib_table", *lines, ")"]) + "\n"
    return made


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def draw(board: Board, tool: Kicad) -> None:
    """Make the files of a board anew, ground poured, into hardware/boards.

    Raises:
        RuntimeError: no tracks were found.
    """
    library, stem = tool.root / LIBRARY, tool.folder / board.name
    texts = (sheet(board, library), copper(board, library), project(board))
    for kind, text in zip(KINDS, texts, strict=True):
        stem.with_suffix(kind).write_text(text, "utf-8")
    tool.run("/usr/bin/python3", "-c", POUR, f"{board.name}.kicad_pcb")
    for kind in KINDS:
        shutil.copy(stem.with_suffix(kind), KEPT)
    (KEPT / f"{board.name}.kicad_pro").write_text(project(board), "utf-8")


def examine(board: Board, tool: Kicad) -> None:
    """Have KiCad look for faults; warnings are faults too.

    Raises:
        subprocess.CalledProcessError: there are some; KiCad's report has been printed.
    """
    strict = ("--severity-all", "--exit-code-violations", "-o")
    for of, rules in (("sch", ("erc",)), ("pcb", ("drc", "--schematic-parity"))):
        report = f"{board.name}-{rules[0]}.txt"
        try:
            tool.run("kicad-cli", of, *rules, *strict, report, f"{board.name}.kicad_{of}")
        except subprocess.CalledProcessError:
            print(_text(tool.folder / report), file=sys.stderr)
            raise
        shutil.copy(tool.folder / report, MADE)


def plot(board: Board, tool: Kicad) -> None:
    """What the maker of boards wants, into build/boards."""
    file, out = f"{board.name}.kicad_pcb", f"{board.name}-gerbers"
    export = ("kicad-cli", "pcb", "export")
    shutil.rmtree(tool.folder / out, ignore_errors=True)
    tool.run(*export, "gerbers", "-l", COPPER, "-o", f"{out}/", file)
    tool.run(*export, "drill", "-o", f"{out}/", file)
    positions = f"{board.name}-positions.csv"
    tool.run(*export, "pos", "--format", "csv", "--units", "mm", "-o", positions, file)
    shutil.make_archive(str(MADE / out), "zip", tool.folder / out)
    shutil.copy(tool.folder / positions, MADE)
    with (MADE / f"{board.name}-parts.csv").open("w", encoding="utf-8", newline="") as to:
        csv.writer(to).writerows([("count", "parts", "value", "footprint", "what"), *to_buy(board)])


def to_buy(board: Board) -> Iterator[tuple[int, str, str, str, str]]:
    """The parts of a board by kind: how many to buy, what for, value, footprint, and what they are.

    A Nano is two sockets to buy, so the count is that of parts.csv.

    Raises:
        KeyError: parts.csv has no line for one.
    """
    with PARTS.open(encoding="utf-8", newline="") as file:
        known = {(row["for"], row["stands_for"]): row for row in csv.DictReader(file)}
    kinds: dict[tuple[str, str], list[str]] = {}
    for part in board.parts:
        if part.nets:
            kinds.setdefault((part.value, part.footprint), []).append(part.ref)
    for (value, footprint), refs in kinds.items():
        row = known[f"{board.name} board", value]
        what = ", ".join(filter(None, (row["part"], row["maker_number"])))
        yield int(row["count"]), " ".join(refs), value, footprint, what


def picture(board: Board, tool: Kicad) -> None:
    """The board as it looks before anything is on it, into docs/pictures."""
    name = f"board-{board.name}.png"
    size = ("--width", "1500", "--height", "1200")
    tool.run("kicad-cli", "pcb", "render", *size, "-o", name, f"{board.name}.kicad_pcb")
    with Image.open(tool.folder / name) as whole:
        seen = whole.convert("RGBA")
    paper = Image.new("RGBA", seen.size, "white")
    paper.alpha_composite(seen)
    cut = paper.convert("RGB").crop(seen.getchannel("A").getbbox())
    cut.thumbnail((800, 800))
    cut.quantize(48).save(PICTURES / name, optimize=True)


def lay_out(tool: Kicad, asked: Sequence[Board]) -> None:
    """A fresh folder for KiCad, with what is kept of the boards."""
    shutil.rmtree(tool.folder, ignore_errors=True)
    for folder in (tool.folder, MADE, KEPT):
        folder.mkdir(parents=True, exist_ok=True)
    names = [*tables(asked), *(f"{board.name}{kind}" for board in asked for kind in KINDS)]
    for name in names:
        if (KEPT / name).exists():
            shutil.copy(KEPT / name, tool.folder)


def make(tool: Kicad, *, anew: bool, pictures: bool) -> None:
    """Make anew what is to be, have all examined, plot it.

    Raises:
        subprocess.CalledProcessError: KiCad found faults.
        RuntimeError: no tracks were found.
    """
    asked = mapped()
    old = stale(asked=asked)
    KEPT.mkdir(parents=True, exist_ok=True)
    for name, text in tables(asked).items():
        (KEPT / name).write_text(text, "utf-8")
    lay_out(tool, asked)
    for board in asked:
        if anew or any(name.startswith(f"{board.name}.") for name in old):
            draw(board, tool)
        examine(board, tool)
        plot(board, tool)
        if pictures:
            picture(board, tool)
        print(f"boards: {board.name} is clean, see build/boards")


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the boards from the pin map.")
    parser.add_argument("--check", action="store_true", help="only name what is out of date")
    parser.add_argument("--anew", action="store_true", help="place and route again")
    parser.add_argument("--pictures", action="store_true", help="those of docs/pictures too")
    args = parser.parse_args()
    if args.check:
        for name in (old := stale()):
            print(f"boards: hardware/boards/{name} is not up to date", file=sys.stderr)
        return 1 if old else 0
    tool = kicad()
    if tool is None:
        return CANNOT
    try:
        make(tool, anew=args.anew, pictures=args.pictures)
    except subprocess.CalledProcessError as error:
        print(f"boards: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
