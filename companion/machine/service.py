"""Which folder of races the service uses, as its unit says it."""

from __future__ import annotations

import shlex
from pathlib import Path

UNIT = "companion.service"
PLACES = tuple(f"{top}/systemd/system" for top in ("etc", "run", "usr/lib", "lib"))


def service_data(root: Path = Path("/")) -> Path | None:
    """The `--data` of the installed unit, drop-ins included; None: there is no such unit."""
    found: Path | None = None
    for file in _files(root):
        for line in file.read_text("utf-8", "replace").splitlines():
            if line.startswith("ExecStart="):
                found = _data_of(line.removeprefix("ExecStart=")) or found
    return found


def _files(root: Path) -> list[Path]:
    unit = next((p for place in PLACES if (p := root / place / UNIT).is_file()), None)
    if unit is None:
        return []
    ins = (path for place in reversed(PLACES) for path in (root / place).glob(f"{UNIT}.d/*.conf"))
    return [unit, *sorted(ins)]


def _data_of(command: str) -> Path | None:
    words = shlex.split(command)
    for place, word in enumerate(words):
        if word == "--data" and place + 1 < len(words):
            return Path(words[place + 1])
        if word.startswith("--data="):
            return Path(word.removeprefix("--data="))
    return None
