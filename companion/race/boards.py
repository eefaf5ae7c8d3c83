"""The libraries of boards and of rules packs: which names a race may ask for, and their files.

A track is the plain name of a board that ships with the program, or a `.toml` file in one
of the library's folders (the working folder, and one that the host keeps). Nothing else is
opened, whatever a header asks for. A pack is known by the name that stands in it; a file with a
fault is left out of what a table may choose, and `companion pack check` says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from logging import getLogger
from pathlib import Path
from typing import Protocol, TypeGuard

from companion.rules.board.build import load_track
from companion.rules.board.track import Track
from companion.rules.lines import Illegal, Malformed
from companion.rules.packs import LARGEST, Pack, format_pack, read_pack
from companion.system.host import write_whole
from companion.system.plugins import Plugin, PluginError, plugins

# -- boards ----------------------------------------------------------------------------------------


LARGEST_FILE = 256 * 1024
"""Bytes; the largest board known takes 8 KiB."""
_TITLE = re.compile(r"""^name\s*=\s*(["'])(?P<title>[^"'\\\n]{1,60})\1\s*(?:#.*)?$""", re.MULTILINE)
# Neither form has a separator or begins with a dot: no name leads out of its folder.
_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_FILE = re.compile(r"[\w][\w .+-]{0,120}\.toml", re.ASCII)


class TrackLibrary:
    """The boards that ship, and the track files in some folders, the first folder first."""

    def __init__(self, folders: Iterable[Path] = (Path(),)) -> None:
        self._shipped = Path(__file__).parents[1] / "tracks"
        self._cards = self._shipped / "cards"
        self._folders = tuple(folders)
        self._of_plugins: tuple[Path, ...] | None = None

    def names(self) -> list[str]:
        """The names that `load` accepts: the shipped boards, then the files found."""
        shipped = {item.name for item in self._shipped.iterdir() if item.name.endswith(".toml")}
        found = {
            path.name
            for folder in self._in_order()
            if folder.is_dir()
            for path in folder.glob("*.toml")
            if _FILE.fullmatch(path.name) and path.is_file()
        }
        found.discard("pyproject.toml")  # the one such file that is never a track
        return sorted(name.removesuffix(".toml") for name in shipped) + sorted(found)

    def _in_order(self) -> Iterator[Path]:
        """The folders; those of plugins last, and asked for once, when it is their turn."""
        yield from self._folders
        yield from self._folders_of_plugins()

    def _folders_of_plugins(self) -> tuple[Path, ...]:
        if self._of_plugins is None:
            self._of_plugins = tuple(folders_of_plugins())
        return self._of_plugins

    def cards(self) -> list[str]:
        """The names of the shipped cards, which `load` accepts too: boards without a space."""
        return sorted(item.name.removesuffix(".toml") for item in self._cards.iterdir())

    def text(self, name: object) -> str:
        """The text of a track file or card.

        Raises:
            Malformed: there is no such track, or its file cannot be read.
        """
        if isinstance(name, str) and _PLAIN.fullmatch(name):
            for shipped in (self._shipped / f"{name}.toml", self._cards / f"{name}.toml"):
                if shipped.is_file():
                    return shipped.read_text(encoding="utf-8")
        elif isinstance(name, str) and _FILE.fullmatch(name):
            for folder in self._in_order():
                if (folder / name).is_file():
                    return read_track_file(folder / name)
        known = f"{', '.join(self.names())}, and {len(self.cards())} cards"
        raise Malformed(
            "no-such-track",
            f"there is no track {name!r:.80}; accepted are {known}",
            args={"track": f"{name!s:.80}"},
        )

    def title(self, name: str) -> str:
        """What people call the board of this name: "San Marino" for `san-marino`.

        Only looked for in the file, which is not read as a track: a list of all boards must
        not wait for eighteen of them. The name itself where there is none.
        """
        try:
            found = _TITLE.search(self.text(name))
        except Malformed:
            found = None
        return found["title"] if found else name

    def is_shipped(self, name: str) -> bool:
        """Whether this is the plain name of a board that ships with the program."""
        return bool(_PLAIN.fullmatch(name)) and (self._shipped / f"{name}.toml").is_file()

    def save(self, name: str, text: str) -> str:
        """Keep a track file in the last folder, the host's own; returns its name there.

        A board that ships is never written over: the file of `monaco` is `monaco.toml`, which
        is another board. Where an earlier folder would hide the file, it gets a number.

        Raises:
            Malformed: the name is not that of a board, or the system refuses.
        """
        file = name if name.endswith(".toml") else f"{name}.toml"
        if not (_FILE.fullmatch(file) and self._folders):
            raise Malformed(
                "no-such-track", f"{name!r:.80} is no name for a track", args={"track": name[:80]}
            )
        stem, number = file.removesuffix(".toml"), 1
        while any((folder / file).is_file() for folder in self._folders[:-1]):
            number += 1
            file = f"{stem}-{number}.toml"
        _write_track_file(self._folders[-1] / file, text)
        return file

    def load(self, name: object) -> Track:
        """The board of this name.

        Raises:
            Malformed: there is no such track, or it is faulty.
        """
        return load_track(self.text(name))


# -- boards and readers of plugins ----------------------------------------------------------------


class Reader(Protocol):
    """What a plugin of the group `tracks` gives that reads other programs' boards."""

    suffix: str
    """Of the files that it reads, with the dot: `.dat`."""

    def read(self, content: bytes, name: str) -> ReadBoard:
        """The board of a file, called `name`.

        Raises:
            ValueError: the file is no board; the message says why, in one clause.
        """


class ReadBoard(Protocol):
    """A board as a reader has read it."""

    text: str
    """The track file (docs/tracks.md)."""
    doubts: Sequence[tuple[str, str]]
    """What somebody who has the board should look at: where, and what is in doubt."""


_log = getLogger(__name__)


def given_by_plugins(*, with_ours: bool = True) -> Iterator[tuple[Plugin, object]]:
    """What each plugin of the group `tracks` gives; one that is broken is told on the log."""
    for plugin in plugins("tracks", with_ours=with_ours).values():
        try:
            yield plugin, plugin.call()
        except PluginError as trouble:
            _log.warning("%s", trouble)


def folders_of_plugins() -> Iterator[Path]:
    """The folders of boards that plugins bring; those that ship bring none."""
    for _, given in given_by_plugins(with_ours=False):
        if isinstance(given, str | Path):
            yield Path(given)


def is_reader(given: object) -> TypeGuard[Reader]:
    """Whether a plugin has given a reader."""
    has_suffix = isinstance(getattr(given, "suffix", None), str)
    return has_suffix and callable(getattr(given, "read", None))


def readers() -> dict[str, tuple[Plugin, Reader]]:
    """Who reads boards of other programs, by the suffix of their files."""
    found: dict[str, tuple[Plugin, Reader]] = {}
    for plugin, given in given_by_plugins():
        if is_reader(given):
            found.setdefault(given.suffix.lower(), (plugin, given))
    return found


def read_track_file(path: Path) -> str:
    """The text of a track file.

    Raises:
        Malformed: it is too large, no UTF-8, or the system refuses.
    """
    try:
        with path.open("rb") as file:
            # One byte more, to tell a file that is too large from one that just fits.
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise Malformed(
                "track-too-large",
                f"{path.name} is above {LARGEST_FILE} bytes, too large for a track",
                args={"track": path.name, "bytes": LARGEST_FILE},
            )
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(
            "track-unreadable",
            f"{path.name} cannot be read as a track: {error}",
            args={"track": path.name},
        ) from error


def _write_track_file(path: Path, text: str) -> None:
    """Write a track file whole or not at all; on return it is on disk.

    Raises:
        Malformed: the system refuses.
    """
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise Malformed(
            "track-unwritable",
            f"{path.name} cannot be written: {error.strerror or error}",
            args={"track": path.name},
        ) from error


# -- rules packs -----------------------------------------------------------------------------------


class PackLibrary:
    """The packs that ship, then those of some folders; the first of a name is the one."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._shipped = Path(__file__).parents[1] / "packs"
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
