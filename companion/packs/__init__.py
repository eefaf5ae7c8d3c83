"""The library of rules packs: those that ship, and a host's own in a folder.

A pack is known by the name that stands in it. A file with a fault is left out of what a table may
choose; `companion pack check` says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from companion.rules.lines import Illegal, Malformed
from companion.rules.packs import LARGEST, Pack, format_pack, read_pack
from companion.system.host import write_whole


class PackLibrary:
    """The packs that ship, then those of some folders; the first of a name is the one."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._shipped = Path(__file__).parent
        self._folders = tuple(folders)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every file that there is, with its text."""
        for item in sorted(self._shipped.iterdir(), key=lambda item: item.name):
            if item.name.endswith(".toml"):
                yield item.name, item.read_text(encoding="utf-8")
        for path in self._own_files():
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

    def save(self, pack: Pack, *, over: bool) -> Pack:
        """Keep a host's own pack in the first folder; on return it is on disk, as it is returned.

        Names that differ in capitals only are one. Over a pack that there is it goes into the
        file of that one, and keeps what that said of itself.

        Raises:
            Malformed: it is not sound.
            Illegal: a pack that ships has the name; an own one has, and not `over`.
            OSError: it could not be written; all is as it was.
        """
        name = pack.name.casefold()
        # Without a folder it has the packs that ship, and no others.
        if any(one.casefold() == name for one in PackLibrary().packs()):
            raise Illegal(
                "pack-ships",
                f"a pack {pack.name!r} ships with the companion; choose another name",
                args={"name": pack.name},
            )
        path, before = self._file_of(pack.name)
        if not over and path.exists():
            raise Illegal(
                "pack-there",
                f"there is a pack {pack.name!r} already; say so if it is to be replaced",
                args={"name": pack.name},
            )
        if before is not None:
            pack = replace(pack, about=before.about, source=before.source)
        text = format_pack(pack)
        # Read back first: what could not be read again is not written.
        kept = read_pack(text)
        write_whole(path, text.encode())
        return kept

    def _file_of(self, name: str) -> tuple[Path, Pack | None]:
        """The file of the host's own pack of this name, and the pack; else a new file."""
        for path in self._own_files():
            try:
                pack = read_pack(read_pack_file(path))
            except Malformed:
                continue
            if pack.name.casefold() == name.casefold():
                return path, pack
        return self._folders[0] / _file_name(name), None

    def _own_files(self) -> Iterator[Path]:
        for folder in self._folders:
            yield from sorted(folder.glob("*.toml"))


def _file_name(name: str) -> str:
    """The file that a pack of this name gets: letters, digits, hyphens, and of each name its own.

    >>> _file_name("../Our club!")
    'our-club-13ce4a9a.toml'
    """
    plain = re.sub("[^a-z0-9]+", "-", name.casefold()).strip("-")
    return f"{plain or 'pack'}-{sha256(name.casefold().encode()).hexdigest()[:8]}.toml"


def read_pack_file(path: Path) -> str:
    """The text of a pack; what cannot be read is no pack, and `read_pack` says so of it.

    Of a file that is too large only enough is read for `read_pack` to see that it is.
    """
    try:
        with path.open("rb") as file:
            # A character has up to four bytes, so no pack of a size that is allowed is cut.
            return file.read(4 * LARGEST).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        # No TOML may have this character.
        return "\0"
