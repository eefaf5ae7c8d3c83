"""What a car in an urban race remembers, in STATE and read back from it.

Keys are left out where nothing is used up or noted: `nitro`, `trail` and `radio` are true once
used, `drift` has the lap of the latest drift by corner, `police` the notes of open contests by
lap, each with its speed and as which car it passed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.board.track import Track
from companion.rules.formula.state import Car, Setup
from companion.rules.formula.urban.drivers import URBAN, driver_of
from companion.rules.formula.urban.tables import SPEED_OF_A_FACE, TOP_FACE
from companion.rules.reading import bad, only_keys, whole

KEYS = frozenset({"nitro", "trail", "radio", "drift", "police"})
MANY = 10_000


def tell_memory(track: Track, car: Car) -> dict[str, Any]:
    """The keys of a car that are in use."""
    told: dict[str, Any] = {key: True for key in ("nitro", "trail", "radio") if getattr(car, key)}
    if car.drift:
        told["drift"] = {track.corners[corner].label: lap for corner, lap in car.drift}
    if car.police:
        notes = {str(lap): (speed, passed) for lap, speed, passed in car.police}
        told["police"] = {lap: {"speed": s, "passed": p} for lap, (s, p) in notes.items()}
    return told


def read_memory(setup: Setup, car: Car, told: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a car that a position sets.

    Raises:
        Malformed: a key of an urban race in another one, of another driver, or without sense.
    """
    if URBAN not in setup.rules:
        for key in sorted(KEYS.intersection(told)):
            bad("rule-not-on", f"{key} is of urban races, and urban is not on", name=URBAN)
        return {}
    driver = driver_of(car)
    can = {"nitro": True, "trail": driver.litters, "radio": driver.throws, "drift": driver.drifts}
    for key, may in can.items():
        if told.get(key) and not may:
            bad("not-of-this-driver", f"{driver.name} has no {key}", rule="FD-URBAN-1", name=key)
    return {
        "nitro": _flag(told, "nitro"),
        "trail": _flag(told, "trail"),
        "radio": _flag(told, "radio"),
        "drift": _read_drift(setup.track, told.get("drift", {})),
        "police": _read_police(setup, told.get("police", {})),
    }


def _flag(told: Mapping[str, Any], key: str) -> bool:
    value = told.get(key, False)
    if not isinstance(value, bool):
        bad("yes-or-no", f"{key} is true or false, not {value!r:.60}", kind=key)
    return value


def _read_drift(track: Track, told: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(told, dict):
        bad("drift-form", f'drift is laps by corner ({{"T3": 1}}), not {told!r:.60}')
    labels = [corner.label for corner in track.corners]
    for label in told:
        if label not in labels:
            bad("no-such-corner", f"{track.name} has no corner {label!r:.20}", rule="FD-DRV-2")
    laps = {labels.index(label): whole(lap, "lap", 1, MANY) for label, lap in told.items()}
    return tuple(sorted(laps.items()))


def _read_police(setup: Setup, told: Any) -> tuple[tuple[int, int, int], ...]:
    if not isinstance(told, dict):
        bad("police-form", f"police is notes by lap, not {told!r:.60}")
    if told and not setup.track.police:
        bad("police-form", f"{setup.track.name} has no police station", rule="FD-URBAN-5")
    laps, notes = {str(lap): lap for lap in range(1, setup.laps + 1)}, []
    for lap, note in told.items():
        if lap not in laps or not isinstance(note, dict):
            bad("police-form", f"police has no note {lap!r:.20}: {note!r:.40}")
        only_keys(note, frozenset({"speed", "passed"}), "a note of the police")
        passed = whole(note.get("passed"), "passed", 1, MANY)
        notes.append((laps[lap], _speed(note.get("speed")), passed))
    return tuple(notes)


def _speed(told: Any) -> int:
    """FD-URBAN-5: ten times a face."""
    speed = whole(told, "speed", SPEED_OF_A_FACE, SPEED_OF_A_FACE * TOP_FACE)
    if speed % SPEED_OF_A_FACE:
        bad("police-form", f"a speed is {SPEED_OF_A_FACE} times a face, not {speed}",
            rule="FD-URBAN-5")  # fmt: skip
    return speed
