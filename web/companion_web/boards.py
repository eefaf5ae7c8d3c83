"""What the page needs to know of a board: its drawing, and the names of its spaces in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from companion.rules.errors import Refusal
from companion.rules.track import Track
from companion.views.places import place_name
from companion.views.words import words

LoadTrack = Callable[[str], Track]


def no_tracks(name: str) -> Track:
    """There is no board of any name."""
    raise Refusal("no-track", f"there is no track {name!r}", args={"track": name})


class Boards:
    """Boards by the name that a header has for them. What is drawn once is kept."""

    def __init__(self, load: LoadTrack) -> None:
        self._load = load
        self.drawing = lru_cache(maxsize=4)(self._draw)
        self.places = lru_cache(maxsize=8)(self._name_places)

    def _draw(self, name: str) -> str | None:
        """The circuit as SVG; None where there is no such board."""
        # Imported when first wanted: the first page need not wait for it.
        from companion.drawing.circuit import draw_circuit

        track = self._track(name)
        return None if track is None else draw_circuit(track)

    def _name_places(self, name: str, language: str) -> dict[str, str] | None:
        """Every space's name for people by its id; None where there is no such board."""
        track = self._track(name)
        if track is None:
            return None
        say = words(language)
        return {space: place_name(track, number, say) for number, space in enumerate(track.ids)}

    def _track(self, name: str) -> Track | None:
        try:
            return self._load(name)
        except Refusal:
            return None
