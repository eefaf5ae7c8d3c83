"""`companion track new`: a board asked for section by section, written as a track file.

Asked is what one reads off a board at a glance: counts, stops, the way a corner turns, the
line, the grid, the pit. The arrows of the corners are not: the file is a sketch
(`exact = false`) whose corners are laid out from their counts, and the answers can be
refined in it later (docs/tracks.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar, cast

import click

from companion.cli.tools import PATH, Failure, command
from companion.cli.track.answers import (
    Places,
    Reader,
    counts_of,
    number_in,
    one_of,
    perhaps,
    read_changes,
    read_lanes,
    read_text,
    span_within,
)
from companion.rules.board.check import check_track
from companion.rules.board.plan import (
    BLACK_DIE,
    MOST_SECTIONS,
    MOST_SPACES,
    MOST_STOPS,
    Lead,
    PitPlan,
    Plan,
    SectionPlan,
)
from companion.rules.board.track import Turn
from companion.rules.board.write import write_plan

T = TypeVar("T")
FAULTS_FOUND = 1


@command("new")
@click.argument("path", type=PATH, help="the .toml file to write; it must not be there")
def write_new(path: Path) -> int:
    """Ask for a board, write it, say what is wrong with it."""
    try:
        _refuse(path)
        print("An empty answer takes what stands in [brackets]. Ctrl-C leaves without a file.")
        text = write_plan(ask_plan())
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError) as error:
        raise Failure(f"the board was not finished; {path} is not written") from error
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror or error}") from error
    print(f"{path} is written.")
    faults = check_track(text)
    for line in faults or ("sound",):
        print(f"{path}: {line}")
    print(f"Now see it: companion track draw {path.name} -o {path.stem}.svg")
    return FAULTS_FOUND if faults else 0


def _refuse(path: Path) -> None:
    """Say no before anything is asked.

    Raises:
        OSError: the file is there already, or its name is not a track file's.
    """
    if path.suffix != ".toml":
        raise OSError("a track file ends in .toml")
    if path.exists():
        raise OSError("it is there already")


def ask_plan() -> Plan:
    """A whole board.

    Raises:
        EOFError: the answers end before the board does.
    """
    name = ask("Name of the board", read_text)
    lanes = ask("Lanes, left to right in driving direction", read_lanes, "l m r")
    print("The sections in driving order; the straight with the finish line comes first.")
    sections = _ask_sections(lanes)
    here = Places(lanes, sections)
    finish = ask("Finish line: the first space past it, of each lane", here.finish)
    grid = ask("Grid, pole first, as l16 r16 l13", here.listed)
    return Plan(
        name=name,
        exact=False,
        lanes=lanes,
        sections=sections,
        grid=grid,
        finish=finish,
        pit=_ask_pit(here),
        weather=_ask_weather(),
        noise=(),
        dark=(),
        police=(),
        tunnel=(),
    )


def ask(question: str, read: Reader[T], usual: str | None = None) -> T:
    """Ask until the answer can be read; `usual` is what an empty answer means.

    `read` raises ValueError with a sentence that says what would be accepted.
    """
    shown = question if usual is None else f"{question} [{usual or 'none'}]"
    while True:
        given = input(f"{shown}: ").strip()
        try:
            return read(given or usual or "")
        except ValueError as error:
            print(f"  {error}")


# sections


def _ask_sections(lanes: tuple[str, ...]) -> tuple[SectionPlan, ...]:
    """Straights and corners until the lap is closed."""
    sections = [_ask_straight("S1", lanes)]
    while len(sections) < MOST_SECTIONS:
        corners = sum(section.kind == "corner" for section in sections)
        straights = len(sections) - corners
        words = ("corner", "straight", "end") if corners else ("corner", "straight")
        after = "corner" if sections[-1].kind == "straight" else "straight"
        kind = ask(f"Next: {', '.join(words)}", one_of(words), after)
        if kind == "end":
            break
        if kind == "corner":
            sections.append(_ask_corner(corners + 1, lanes))
        else:
            sections.append(_ask_straight(f"S{straights + 1}", lanes))
    return tuple(sections)


def _ask_straight(label: str, lanes: tuple[str, ...]) -> SectionPlan:
    spaces = ask(f"{label} straight, spaces of {' '.join(lanes)}", counts_of(len(lanes)))
    leads = ("left", "right", "level")
    lead = ask(f"{label} the lane that stands farthest ahead: {', '.join(leads)}", one_of(leads))
    closed = ask(f"{label} lane changes that it lacks, as m22>r23", read_changes, "")
    return SectionPlan("straight", label, None, spaces, lead=cast(Lead, lead), closed=closed)


def _ask_corner(number: int, lanes: tuple[str, ...]) -> SectionPlan:
    label = f"T{number}"
    name = ask(f"{label} corner, its name", read_text, f"Corner {number}")
    stops = ask(f"{label} stops", number_in(1, MOST_STOPS))
    turns = ask(f"{label} turns first to the left or to the right", one_of(("left", "right")))
    spaces = ask(f"{label} spaces of {' '.join(lanes)}", counts_of(len(lanes)))
    span = perhaps(span_within(1, MOST_SPACES))
    ways = ask(f"{label} shortest and longest way as printed, as 3-7", span, "")
    shortest, longest = ways or (None, None)
    return SectionPlan(
        "corner",
        label,
        name,
        spaces,
        stops=stops,
        turns=cast(Turn, turns),
        shortest=shortest,
        longest=longest,
    )


# pit and weather


def _ask_pit(here: Places) -> PitPlan | None:
    spaces = ask("Pit lane, its spaces; 0 for none", number_in(0, MOST_SPACES))
    if not spaces:
        return None
    entry = ask("Spaces that lead into the pit lane, as r1 r2", here.listed)
    out = ask("Spaces that the pit lane leads to, as r19 r20", here.listed)
    first, last = ask("Boxes lie beside the pit spaces, as 4-13", span_within(1, spaces))
    return PitPlan(spaces=spaces, entry=entry, exit=out, boxes=tuple(range(first, last + 1)))


def _ask_weather() -> dict[str, tuple[int, int]] | None:
    """The weather table, of which only the middle range need be asked."""
    span = perhaps(span_within(2, BLACK_DIE - 1))
    middle = ask("Weather table: the variable numbers of the black die, as 8-12", span, "")
    if middle is None:
        return None
    low, high = middle
    return {"rain": (1, low - 1), "variable": middle, "fine": (high + 1, BLACK_DIE)}
