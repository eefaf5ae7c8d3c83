"""Compiles the catalogues: each `companion.po` into the `companion.mo` beside it.

An installation does so (setup.py), `make` before anything is run, and the tests before they begin:
git keeps none. All with Python alone, as `make play` has no library to spare for it; what is read
is what polib writes (tools/catalogues.py), an entry between two empty lines.
"""

from __future__ import annotations

import os
import re
import struct
from ast import literal_eval
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAGIC, HEAD_BYTES = 0x950412DE, 28
FIELD = re.compile(r'^(msgid|msgstr)(?:_plural|\[\d\])? ((?:"[^\n]*"\n?)+)', re.MULTILINE)


def read_catalogue(po: str) -> dict[str, str]:
    """The translations of a catalogue by their messages; plural forms have a NUL between them."""
    found = {}
    for entry in po.split("\n\n"):
        parts: dict[str, list[str]] = {"msgid": [], "msgstr": []}
        for name, quoted in FIELD.findall(entry):
            parts[name].append("".join(map(literal_eval, quoted.splitlines())))
        if parts["msgid"] and all(parts["msgstr"]):
            found["\0".join(parts["msgid"])] = "\0".join(parts["msgstr"])
    return found


def compiled(catalogue: dict[str, str]) -> bytes:
    """A catalogue in the form that `gettext` reads."""
    rows = sorted((text.encode(), said.encode()) for text, said in catalogue.items())
    texts = bytearray()
    places: list[int] = []
    begins = HEAD_BYTES + 16 * len(rows)
    for text in (*(row[0] for row in rows), *(row[1] for row in rows)):
        places += (len(text), begins + len(texts))
        texts += text + b"\0"
    head = (MAGIC, 0, len(rows), HEAD_BYTES, HEAD_BYTES + 8 * len(rows), 0, begins)
    return struct.pack(f"<{len(head) + len(places)}I", *head, *places) + texts


def compile_stale(root: Path = ROOT) -> None:
    """Compile what is older than its source, or not there."""
    for source in (root / "companion" / "locale").glob("*/LC_MESSAGES/*.po"):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime <= source.stat().st_mtime:
            # Tests begin in several processes: none may read half of it.
            fresh = target.with_suffix(f".{os.getpid()}")
            fresh.write_bytes(compiled(read_catalogue(source.read_text("utf-8"))))
            fresh.replace(target)


if __name__ == "__main__":
    compile_stale()
