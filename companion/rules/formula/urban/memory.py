"""What a car in an urban race remembers, as STATE has it.

What it has used up has a name, which its chapter gives it (`uses`).
`drift` has the lap of the latest drift by corner, `police` the notes of open contests by lap,
each with its speed and as which car it passed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NamedTuple

from companion.frozen import dataclass
from companion.rules.codec import Context, Form, Marks, Word
from companion.rules.formula.tables import LAPS, MANY
from companion.rules.formula.urban.tables import SPEED_OF_A_FACE, TOP_FACE, Driver
from companion.rules.reading import bad, only_keys, whole


class Use(NamedTuple):
    """What a car may use up: who can, and whether the next lap brings it back."""

    able: Callable[[Driver], bool]
    each_lap: bool


USES: dict[str, Use] = {}
"""By name; `decide` has seen to it that they are all there."""


def uses(name: str, able: Callable[[Driver], bool], *, each_lap: bool) -> str:
    """Put in what a car may use up; gives its name."""
    USES[name] = Use(able, each_lap)
    return name


def used_over_line(used: frozenset[str]) -> frozenset[str]:
    """What stays used up in the next lap."""
    return frozenset(name for name in used if not USES[name].each_lap)


Drifts = tuple[tuple[int, int], ...]
Notes = tuple[tuple[int, int, int], ...]


class DriftForm(Form[Drifts]):
    """Pairs of a corner and a lap, as laps by the labels of corners."""

    def tell(self, value: Drifts, context: Context) -> dict[str, int]:
        return {context.board.corners[corner].label: lap for corner, lap in value}

    def read(self, data: object, what: str, context: Context) -> Drifts:
        if not isinstance(data, dict):
            bad("drift-form", f'drift is laps by corner ({{"T3": 1}}), not {data!r:.60}')
        labels = [corner.label for corner in context.board.corners]
        for label in data:
            if label not in labels:
                name = context.board.name
                bad("no-such-corner", f"{name} has no corner {label!r:.20}", rule="FD-DRV-2")
        laps = {labels.index(label): whole(lap, "lap", 1, MANY) for label, lap in data.items()}
        return tuple(sorted(laps.items()))


class NotesForm(Form[Notes]):
    """Notes of lap, speed and as which car it passed, as objects by laps (FD-URBAN-5)."""

    def tell(self, value: Notes, context: Context) -> dict[str, object]:
        return {str(lap): {"speed": speed, "passed": passed} for lap, speed, passed in value}

    def read(self, data: object, what: str, context: Context) -> Notes:
        if not isinstance(data, dict):
            bad("police-form", f"police is notes by lap, not {data!r:.60}")
        if data and not context.board.police:
            message = f"{context.board.name} has no police station"
            bad("police-form", message, rule="FD-URBAN-5")
        return tuple(_read_note(lap, note) for lap, note in data.items())


@dataclass(frozen=True)
class Street:
    """What a car of an urban race has beside all others; `driver` is a name of `tables.DRIVERS`.

    `used` names what is used up in this lap or race.
    """

    used: Annotated[frozenset[str], Marks(USES)] = frozenset()
    drift: Annotated[Drifts, DriftForm(), Word(sparse=True)] = ()
    police: Annotated[Notes, NotesForm(), Word(sparse=True)] = ()
    driver: Annotated[str | None, Word(hidden=True)] = None


def _read_note(lap: object, note: object) -> tuple[int, int, int]:
    laps = {str(lap): lap for lap in range(1, LAPS[1] + 1)}
    if lap not in laps or not isinstance(note, dict):
        bad("police-form", f"police has no note {lap!r:.20}: {note!r:.40}")
    only_keys(note, ("speed", "passed"), "a note of the police")
    passed = whole(note.get("passed"), "passed", 1, MANY)
    speed = whole(note.get("speed"), "speed", SPEED_OF_A_FACE, SPEED_OF_A_FACE * TOP_FACE)
    if speed % SPEED_OF_A_FACE:
        message = f"a speed is {SPEED_OF_A_FACE} times a face, not {speed}"
        bad("police-form", message, rule="FD-URBAN-5")
    return laps[lap], speed, passed
