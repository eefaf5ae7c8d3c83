"""What the page needs to know of a board: its drawing, and the names of its spaces in words."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from companion.rules.board.file import load_track
from companion.rules.board.track import Track
from companion.rules.errors import Refusal
from companion.views.words import words
from companion.views.words.places import place_name


class Library(Protocol):
    """Boards by the names that a header has for them."""

    def is_shipped(self, name: str) -> bool:
        """Whether this board came with the program and is never written over."""

    def title(self, name: str) -> str:
        """What people call it."""

    def text(self, name: str) -> str:
        """The track file. Raises `Refusal` where there is no such board."""

    def save(self, name: str, text: str) -> str:
        """Keep a track file; returns the name that it has now. Raises `Refusal`."""


class NoTracks:
    """A library without a board."""

    def is_shipped(self, name: str) -> bool:
        """None is."""
        return False

    def title(self, name: str) -> str:
        """The name itself."""
        return name

    def text(self, name: str) -> str:
        """There is no board of any name."""
        raise Refusal("no-track", f"there is no track {name!r}", args={"track": name})

    def save(self, name: str, text: str) -> str:
        """There is no place for one either."""
        return self.text(name)


class Boards:
    """Boards by the name that a header has for them. What is drawn once is kept.

    A board may be drawn anew while the table is open, so what is kept belongs to the board
    itself and not to its name.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._drawn = lru_cache(maxsize=4)(_draw)
        self._named = lru_cache(maxsize=8)(_name_places)

    def drawing(self, name: str) -> str | None:
        """The circuit as SVG; None where there is no such board."""
        track = self._track(name)
        return None if track is None else self._drawn(track)

    def drawing_of(self, track: Track) -> str:
        """The circuit of a board that no library has."""
        return self._drawn(track)

    def places(self, name: str, language: str) -> dict[str, str] | None:
        """Every space's name for people by its id; None where there is no such board."""
        track = self._track(name)
        return None if track is None else self._named(track, language)

    def _track(self, name: str) -> Track | None:
        """The board; None where there is none, or only the card of one."""
        try:
            track = load_track(self._library.text(name))
        except Refusal:
            return None
        return None if track.is_blank else track


def _draw(track: Track) -> str:
    # Imported when first wanted: the first page need not wait for it.
    from companion.drawing.circuit import draw_circuit

    return draw_circuit(track)


def _name_places(track: Track, language: str) -> dict[str, str]:
    say = words(language)
    return {space: place_name(track, number, say) for number, space in enumerate(track.ids)}
