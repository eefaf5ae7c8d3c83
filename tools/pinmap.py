"""Writes all that is made from companion/seats/seat.toml: `python tools/pinmap.py [--check]`.

`--check` writes nothing and names what is not up to date. Diagrams are drawn by WireViz, which
needs Graphviz; without them the diagrams' YAML is written and the drawings are left alone. A
drawing carries the digest of the YAML that it was drawn from, so an old one is seen.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from pinmap_map import read_map
from pinmap_pods import diagrams
from pinmap_texts import texts, wiring_pages

from companion.seats.plan import MAP
from race_companion_wired.pinmap import PinMapError

ROOT = Path(__file__).parent.parent
SOURCE = MAP.relative_to(MAP.parents[2]).as_posix()


def stale(root: Path = ROOT) -> list[str]:
    """Files that are not what the map makes of them.

    Raises:
        PinMapError: the map has faults.
    """
    made, drawn = _made(root)
    old = [path for path, text in made.items() if _text(root / path) != text]
    return old + _undrawn(root, drawn)


def made_paths() -> list[str]:
    """Every file that is made from the map."""
    made, drawn = _made(ROOT)
    return [*made, *(f"{stem}.svg" for stem in drawn)]


def write(root: Path = ROOT) -> list[str]:
    """Write all that is not up to date; what could not be drawn is returned.

    Raises:
        PinMapError: the map has faults; nothing was written.
    """
    made, drawn = _made(root)
    for path, text in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    if not can_draw():
        return _undrawn(root, drawn)
    for path in _undrawn(root, drawn):
        (root / path).write_text(draw(drawn[path.removesuffix(".svg")]), "utf-8")
    return []


def can_draw() -> bool:
    """Whether WireViz and Graphviz are there."""
    return find_spec("wireviz") is not None and shutil.which("dot") is not None


def draw(diagram: str) -> str:
    """The SVG of a diagram, signed with what it was drawn from."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "diagram.yml").write_text(diagram, "utf-8")
        command = [sys.executable, "-m", "wireviz.wv_cli", "-f", "s", "diagram.yml"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        drawing = (Path(folder) / "diagram.svg").read_text("utf-8")
    return f"{drawing.rstrip()}\n{mark(diagram)}\n"


def mark(diagram: str) -> str:
    """The line that says which YAML a drawing shows."""
    return f"<!-- drawn from {hashlib.sha256(diagram.encode()).hexdigest()[:16]} -->"


def _made(root: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The texts by their path, the diagrams among them; and these by theirs without a suffix."""
    pins = read_map((root / SOURCE).read_text("utf-8"))
    drawn = diagrams(pins)
    made = texts(pins) | wiring_pages(pins)
    return made | {f"{stem}.yml": diagram for stem, diagram in drawn.items()}, drawn


def _undrawn(root: Path, drawn: dict[str, str]) -> list[str]:
    """The drawings that show another YAML, or are not there."""
    paths = {f"{stem}.svg": diagram for stem, diagram in drawn.items()}
    return [path for path, diagram in paths.items() if mark(diagram) not in _text(root / path)]


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Write all that is made from the pin map.")
    parser.add_argument("--check", action="store_true", help="only name what is out of date")
    args = parser.parse_args()
    try:
        left = stale() if args.check else write()
    except PinMapError as error:
        print(f"pinmap: {SOURCE} has faults:\n{error}", file=sys.stderr)
        return 2
    for path in left:
        why = "not up to date" if args.check else "not drawn: WireViz or Graphviz is missing"
        print(f"pinmap: {path} is {why}", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
