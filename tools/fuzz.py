"""Coverage-guided fuzzing of every door that bytes come in by: `make fuzz [SECONDS=60] [SEED=0]`.

Each door has a process of its own (atheris ends it when its time is over), begins with what is kept
in tests/fuzz/DOOR and keeps there what reached new code, as few and as small as that takes. Bytes
that break a door are written beside it as `broken-…`, and the status is 1.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "fuzz"
DOORS = ("record", "board", "wire", "head", "engine")
LONGEST = 4096
MOST_KEPT = 60
"""Files a door: what is kept is read again by the tests at every run."""


def fuzz(door: str, folder: Path, seconds: int, seed: int, broken: Path) -> int:
    """Look for bytes that break a door, beginning with those in the folder.

    Seed 0: other tries each time.
    """
    command = [sys.executable, __file__, "--inside", door, str(folder)]
    limits = [
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        f"-max_len={LONGEST}",
        "-timeout=20",
        "-rss_limit_mb=1024",
    ]
    limits += [f"-artifact_prefix={broken}/broken-", "-verbosity=0", "-print_final_stats=1"]
    return subprocess.run([*command, *limits], check=False).returncode


def inside(door: str, words: list[str]) -> None:
    """Fuzz in this process; it never returns."""
    import atheris

    with atheris.instrument_imports(include=["companion", "companion_web"]):
        from support import fuzzing  # only what is imported in here is watched

    atheris.Setup([sys.argv[0], *words], atheris.instrument_func(fuzzing.DOORS[door]))
    atheris.Fuzz()


def keep(grown: Path, kept: Path) -> None:
    """The smallest of what was found, beside what is kept already."""
    names = {path.name for path in kept.iterdir()}
    fresh = sorted(
        (p for p in grown.iterdir() if p.name not in names), key=lambda p: p.stat().st_size
    )
    for path in fresh[: max(0, MOST_KEPT - len(names))]:
        shutil.copy(path, kept)


def main() -> int:
    """Fuzz every door for so many seconds; 1 if one broke."""
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("doors", nargs="*", help="left out: all")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="0: another each time")
    parser.add_argument("--keep", action="store_true", help="keep what reached new code")
    args = parser.parse_args()
    worst = 0
    for door in args.doors or DOORS:
        kept = CORPUS / door
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as name:
            grown = Path(name) / door
            shutil.copytree(kept, grown)
            worst |= bool(fuzz(door, grown, args.seconds, args.seed, kept))
            if args.keep:
                keep(grown, kept)
    return worst


if __name__ == "__main__":
    sys.exit(main())
