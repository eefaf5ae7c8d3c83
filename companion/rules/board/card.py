"""A board without spaces: one that nobody has put in, and the card of one that is half known.

A race on such a board is boardless: positions are the table's, and seats report what the
rules need of their moves. A card is a `.toml` with the few figures that are known of a board
(`kind = "card"`, docs/tracks.md): stops, shortest and longest way of its corners in driving
order from the line, and its weather table. It is given as a `Track` that has no space, so that
a header names it like any board and a record carries it along.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping

from companion.rules.board.faults import Fault, Faults
from companion.rules.board.plan import MOST_SECTIONS, MOST_SPACES, MOST_STOPS, read_weather
from companion.rules.board.table import Table
from companion.rules.board.track import Corner, Section, Track

_KIND = re.compile(r"""^kind\s*=\s*(["'])card\1""", re.MULTILINE)
_CORNER = re.compile(r"([1-9]):([0-9]{1,3})-([0-9]{1,3})")
LONGEST_LAP = 10_000


def is_card(text: str) -> bool:
    """Whether a track file says of itself that it is a card."""
    return _KIND.search(text) is not None


def compile_card(text: str) -> tuple[Track | None, list[Fault]]:
    """The board without spaces that a card tells of, or None and all that is wrong with it."""
    faults = Faults()
    try:
        top = Table(tomllib.loads(text), "card", faults)
    except (ValueError, RecursionError) as error:
        faults.add("card", f"is not TOML: {error}")
        return None, faults.found
    top.choice("kind", ("card",))
    name = top.text("name")
    length = top.whole("length", 1, LONGEST_LAP) if top.has("length") else None
    corners = _read_corners(top, faults)
    weather = read_weather(top, faults)
    top.no_other_keys()
    if not corners and weather is None:
        faults.add("card", "says nothing: it has corners, or a weather table, or both")
    track = blank(name, corners, weather, length, text)
    return (None if faults else track), faults.found


def _read_corners(top: Table, faults: Faults) -> tuple[Corner, ...]:
    """The corners in driving order from the line: "stops:shortest-longest"."""
    corners = top.words("corners", default=())
    if len(corners) > MOST_SECTIONS:
        faults.add("corners", f"has {len(corners)} corners; {MOST_SECTIONS} are possible")
        return ()
    return tuple(_read_corner(f"T{place}", one, faults) for place, one in enumerate(corners, 1))


def _read_corner(label: str, text: str, faults: Faults) -> Corner:
    match = _CORNER.fullmatch(text)
    stops, shortest, longest = map(int, match.groups()) if match else (0, 0, 0)
    if not (1 <= stops <= MOST_STOPS and 1 <= shortest <= longest <= MOST_SPACES):
        faults.add(
            label,
            f'{text[:40]!r} is no corner; one is written "stops:shortest-longest", as "2:6-12", '
            f"with 1 to {MOST_STOPS} stops",
        )
    return Corner(label, label, stops, "left", shortest, longest, int(label[1:]) - 1)


def blank(
    name: str,
    corners: tuple[Corner, ...] = (),
    weather: Mapping[str, tuple[int, int]] | None = None,
    length: int | None = None,
    source: str = "",
) -> Track:
    """A board without a space; which way its corners turn is not known."""
    sections = tuple(
        Section("corner", corner.label, None, (), at) for at, corner in enumerate(corners)
    )
    return Track(
        name=name, exact=False, lanes=(), ids=(), index={}, lane=(), section=(), corner=(),
        straight=(), number=(), level=(), far_level=(), lap_levels=1, ahead=(), behind=(),
        nexts=(), entries=(), beside=(), past_line=(), next_corner=(), sections=sections,
        corners=corners, grid=(), finish=(), pit=(), exits=(), boxes=(), box_lane=(),
        weather=weather, noise=frozenset(), dark=frozenset(), police=frozenset(), tunnel=(),
        source=source, sha256=hashlib.sha256(source.encode("utf-8")).hexdigest(),
        length=length,
    )  # fmt: skip


NO_BOARD = blank("")
"""The board of a race whose header names none (`"track": null`)."""
