"""What a car in an urban race remembers, in STATE and read back from it.

Keys are left out where nothing is used up or noted: `nitro`, `trail` and `radio` are true once
used, `drift` has the lap of the latest drift by corner, `police` the notes of open contests by
lap, each with its speed and as which car it passed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.formula.state import Car, Setup
from companion.rules.formula.urban.drivers import URBAN, driver_of
from companion.rules.reading import bad, only_keys, whole
from companion.rules.track import Track

KEYS = frozenset({"nitro", "trail", "radio", "drift", "police"})
MANY = 10_000
FASTEST = 300


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
        "police": _read_police(setup.track, told.get("police", {})),
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


def _read_police(track: Track, told: Any) -> tuple[tuple[int, int, int], ...]:
    if not isinstance(told, dict):
        bad("police-form", f"police is notes by lap, not {told!r:.60}")
    if told and not track.police:
        bad("police-form", f"{track.name} has no police station", rule="FD-URBAN-5")
    notes = []
    for lap, note in told.items():
        if not (lap.isascii() and lap.isdigit() and len(lap) < 5 and isinstance(note, dict)):
            bad("police-form", f"police has no note {lap!r:.20}: {note!r:.40}")
        only_keys(note, frozenset({"speed", "passed"}), "a note of the police")
        speed = whole(note.get("speed"), "speed", 0, FASTEST)
        notes.append((int(lap), speed, whole(note.get("passed"), "passed", 1, MANY)))
    return tuple(notes)
