"""What there is to choose before a race: the kinds of choices. Each game has its own (`options`).

Everything a person may ever set is there, whether or not this version plays it; `options.offer`
takes the part that the game knows, so that a rule appears by itself on the day on which its game
plays it. A sentence is at most three lines of a seat's screen, in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from companion.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An optional rule, as a header names it.

    `wants` is what every seat must say where it is on, `opens` what a seat may say; it is not
    played together with those it `excludes`, and only by so many `players` (None: by any
    number).
    """

    name: str
    title: str
    says: str
    wants: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    players: int | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """One choice of a switch."""

    name: str
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting with a few values, of which the first is the default.

    `house` tells a house switch of the rules from what else a header settles; it is there
    only with the optional rule `needs`, and not together with the rule `unless`. `free` is what
    any other name means, as its value: "" where only these values are taken. `with_bots` is the
    value that it has while a bot plays, "": the one that is set.
    """

    name: str
    title: str
    values: tuple[Value, ...]
    house: bool = True
    needs: str = ""
    unless: str = ""
    free: str = ""
    with_bots: str = ""


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver of urban races; `needs` is an optional rule without which nobody takes him."""

    name: str
    says: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All that one game lets a table choose; `short` is its name on a key.

    `laps` are the fewest, the most, and the usual, `short_laps` the usual where one of those
    rules is on; `players` the fewest and the most. `house` gives house switches that come after
    `switches`. What a seat may say of its car: `drivers`, `teams` of `team_size` cars and `tires`
    by their names, `boxes` by their numbers. A table has powers of its own where `own_powers`, and
    a car may have a crew where `has_crews`.
    """

    name: str
    title: str
    short: str
    options: tuple[Option, ...] = ()
    switches: tuple[Switch, ...] = ()
    house: Callable[[], tuple[Switch, ...]] = tuple
    laps: tuple[int, int, int] = (1, 1, 1)
    players: tuple[int, int] = (1, 10)
    has_track: bool = True
    short_laps: Mapping[str, int] = field(default_factory=dict)
    drivers: tuple[Driver, ...] = ()
    teams: Mapping[str, str] = field(default_factory=dict)
    team_size: int = 1
    tires: Mapping[str, str] = field(default_factory=dict)
    boxes: range = range(0)
    own_powers: bool = False
    has_crews: bool = True
