"""The case for a printer, and its pictures: `python tools/case.py [--pictures]`.

OpenSCAD writes the STL files of both kinds of seat into build/case. Its own pictures need a
display, so docs/pictures are painted here.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

ROOT = Path(__file__).parent.parent
SCAD = ROOT / "hardware" / "case" / "seat.scad"
PRINTED = ROOT / "build" / "case"
PICTURES = ROOT / "docs" / "pictures"
KINDS = {
    "pod": {"pod": "true"},
    "pod-board": {"pod": "true", "carrier": '"board"'},
    "pico": {"pod": "true", "carrier": '"pico"'},
    "pico-board": {"pod": "true", "carrier": '"pico-board"'},
    "wired": {"pod": "false"},
}
"""What is set in seat.scad for each kind of case."""
LIGHT = np.array([-0.35, 0.5, 0.79])
VIEWS = {"shell": (58, -60), "bottom": (45, 115), "assembly": (-118, 108)}
"""From where each part is looked at: degrees up, and around. The front of all lies below."""
NEW = {("pod", part) for part in VIEWS} | {("pod-board", "bottom"), ("pico", "bottom"),
       ("wired", "assembly")}  # fmt: skip
"""What a picture shows something new of."""
SCALE, MARGIN = 10, 16
Floats = NDArray[np.float64]


def make(kind: str, part: str, folder: Path = PRINTED) -> Path:
    """The STL of a part.

    Raises:
        subprocess.CalledProcessError: OpenSCAD refuses it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{kind}-{part}.stl"
    given = {"part": f'"{part}"'} | KINDS[kind]
    settings = [word for name, value in given.items() for word in ("-D", f"{name}={value}")]
    subprocess.run(["openscad", "-q", "-o", target, *settings, SCAD], check=True)
    return target


def draw(stl: Path, view: tuple[float, float], picture: Path) -> None:
    """A picture of a part: every dot shows the surface that is nearest, lit from above."""
    corners = np.array(re.findall(r"vertex (\S+) (\S+) (\S+)", stl.read_text()), float)
    seen = corners @ _turn(*view).T
    seen = (seen - (seen.min(0) + seen.max(0)) / 2).reshape(-1, 3, 3) * SCALE
    width, height = (int(2 * abs(seen[..., axis]).max()) + 2 * MARGIN for axis in (0, 1))
    seen += [width / 2, height / 2, 0]
    nearest = np.full((height, width), -np.inf)
    dots = np.full((height, width), 255, np.uint8)
    for triangle in seen:
        _paint(triangle, nearest, dots)
    is_part = np.isfinite(nearest)
    deep = seen[..., 2].max() - nearest[is_part]
    dots[is_part] = dots[is_part] * (1 - 0.45 * deep / deep.max())  # far away is darker
    image = Image.fromarray(dots[::-1]).resize((width // 2, height // 2), Image.Resampling.LANCZOS)
    image.quantize(64).save(picture, optimize=True)


def _turn(up: float, around: float) -> Floats:
    """Rows: right, up and toward the eye, for an eye so many degrees up and around."""
    u, a = np.radians(up), np.radians(around)
    toward = np.array([np.cos(u) * np.cos(a), np.cos(u) * np.sin(a), np.sin(u)])
    right = np.array([-np.sin(a), np.cos(a), 0])
    return np.array([right, np.cross(toward, right), toward])


def _paint(triangle: Floats, nearest: Floats, dots: NDArray[np.uint8]) -> None:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    across = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
    if across[2] <= 1e-9:  # it looks away, or stands on edge
        return
    shade = 70 + 165 * max(0.0, float(across @ LIGHT / np.linalg.norm(across)))
    x = np.arange(int(min(ax, bx, cx)), int(max(ax, bx, cx)) + 2)[None, :]
    y = np.arange(int(min(ay, by, cy)), int(max(ay, by, cy)) + 2)[:, None]
    u = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / across[2]
    v = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / across[2]
    depth = az + u * (bz - az) + v * (cz - az)
    part = np.s_[y[0, 0] : y[-1, 0] + 1, x[0, 0] : x[0, -1] + 1]
    near = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6) & (depth > nearest[part])
    nearest[part][near] = depth[near]
    dots[part][near] = int(shade)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the STL files of the case.")
    parser.add_argument("--pictures", action="store_true", help="draw docs/pictures anew, too")
    args = parser.parse_args()
    if not shutil.which("openscad"):
        print("case: OpenSCAD is missing: apt install openscad", file=sys.stderr)
        return 2
    for kind in KINDS:
        for part, view in VIEWS.items():
            stl = make(kind, part)
            print(stl.relative_to(ROOT))
            if args.pictures and (kind, part) in NEW:
                draw(stl, view, PICTURES / f"case-{kind}-{part}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
