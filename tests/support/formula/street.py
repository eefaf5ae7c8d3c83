"""A tiny street with every feature of an urban board, and scenes on it.

Driving order: S1 (line after the 4th spaces, noise behind it), T1 to the right with two
stops, S2 (dark spaces, then the tunnel), S3 behind the tunnel (police station), T2 to the
right with one stop. All straights have the left lane leading: the front of l stands half a
space before that of m, and m half a space before r.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from companion.race.boards import TrackLibrary
from companion.rules.board.build import load_track
from companion.rules.board.track import Track
from support.formula.scenes import Scene

STREET = """\
name = "Street"
lanes = ["l", "m", "r"]
grid = ["l3", "r4", "m3", "l2", "r3", "m2", "l1", "r2", "m1", "r1"]
finish = { l = 5, m = 5, r = 6 }
noise = ["l7", "m7", "r8"]
dark = ["S2.m3", "S2.l4"]
police = ["S3.l4", "S3.m4", "S3.r5"]
tunnel = ["S2.l8>S3.l1", "S2.m8>S3.m1", "S2.r9>S3.r1"]

[weather]
rain = "1-7"
variable = "8-12"
fine = "13-20"

[[section]]
kind = "straight"
spaces = [14, 14, 15]
lead = "left"

[[section]]
kind = "corner"
name = "Docks"
stops = 2
turns = "right"
spaces = [8, 6, 4]

[[section]]
kind = "straight"
spaces = [8, 8, 9]
lead = "left"

[[section]]
kind = "straight"
spaces = [10, 10, 11]
lead = "left"

[[section]]
kind = "corner"
name = "Market"
stops = 1
turns = "right"
spaces = [8, 6, 4]
"""

DRIVERS = (
    "Li-Tsu Sin",
    "Jack Owens",
    "Stanley Washington",
    "Dimitri Tzarof",
    "Julien Marcellin",
    "Jenny Slivers",
    "Montoya Cadena",
    "Derek Manson",
    "Diane Montfort",
    "Temana Matahi",
)
LI_TSU, JACK, STANLEY, DIMITRI, JULIEN, JENNY, MONTOYA, DEREK, DIANE, TEMANA = DRIVERS
"""The order of FD-DRV-1 to FD-DRV-10."""

PLAIN = (DIMITRI, JENNY)
"""Two who change nothing on an ordinary move."""


class Streets:
    """The street by its name, and all boards of the library; each is read once."""

    @staticmethod
    @cache
    def load(name: str) -> Track:
        return load_track(STREET) if name == "street" else TrackLibrary(()).load(name)


STREETS = Streets()


def seats(*drivers: str) -> list[dict[str, Any]]:
    """Seats 1, 2, … with these drivers."""
    return [{"seat": seat, "driver": driver} for seat, driver in enumerate(drivers, 1)]


def header(*drivers: str, rules: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A header of an urban race on the street; `weather` is on where Julien drives."""
    needed = ("weather",) if JULIEN in drivers else ()
    on = sorted({"urban", *rules, *needed})
    data = {"game": "formula-d", "track": "street", "rules": on, "seats": seats(*drivers)}
    return {**data, **more}


def street(cars: Mapping[str, Mapping[str, Any]], *rules: str, laps: int = 2, **more: Any) -> Scene:
    """A scene on the street: cars by their drivers, seats in this order, seat 1 on turn.

    `rules` are on besides `urban`; `track` is another board, `house` has the switches.
    """
    track, house = more.pop("track", "street"), more.pop("house", {})
    data = header(*cars, rules=rules, laps=laps, track=track, house=house)
    placed = dict(enumerate(cars.values(), 1))
    return Scene(placed, header=data, library=STREETS, **more)
