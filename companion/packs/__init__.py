"""The library of rules packs: those that ship, and a host's own in a folder.

A pack is known by the name that stands in it. A file with a fault is left out of what a table may
choose; `companion pack check` says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path

from companion.rules.errors import Malformed
from companion.rules.packs import LARGEST, Pack, read_pack


class PackLibrary:
    """The packs that ship, then those of some folders; the first of a name is the one."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._shipped = resources.files("companion") / "packs"
        self._folders = tuple(folders)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every file that there is, with its text."""
        for item in sorted(self._shipped.iterdir(), key=lambda item: item.name):
            if item.name.endswith(".toml"):
                yield item.name, item.read_text(encoding="utf-8")
        for folder in self._folders:
            for path in sorted(folder.glob("*.toml")):
                yield path.name, read_pack_file(path)

    def packs(self) -> dict[str, tuple[Pack, str]]:
        """The sound ones by their names, each with its text."""
        found: dict[str, tuple[Pack, str]] = {}
        for _, text in self.texts():
            try:
                pack = read_pack(text)
            except Malformed:
                continue
            found.setdefault(pack.name, (pack, text))
        return found


def read_pack_file(path: Path) -> str:
    """The text of a pack; what cannot be read is no pack, and `read_pack` says so of it.

    Of a file that is too large as much is read as tells it.
    """
    try:
        with path.open("rb") as file:
            return file.read(4 * LARGEST).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return "\0"
