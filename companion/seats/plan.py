"""Which driver each seat has: read from a sentence or from the configuration file.

A driver goes by its name, `wired`, `pod`, `keys`, `phone`; with `simulated` behind it, its twin
that needs no hardware. A phone needs no driver of ours: it comes through the page. What drivers say
of their seats is here too: what fails, and what an examination finds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from companion.system.config import ConfigError, read_config
from companion.system.frozen import dataclass
from companion.system.plugins import GROUPS, SHIPPED, SIMULATED, missing, plugin_names, plugins
from companion.table.ports import Trouble

SEATS = range(1, 11)
BUTTONS = range(1, 7)
PHONE = "phone"
"""What needs no driver; those of all others are plugins'."""
MAP = Path(__file__).with_name("seat.toml")
"""The file of the pin map: what is wired to what, on a pod and on the Pi."""
Options = Mapping[str, object]
"""What the configuration file says of one kind of driver, not yet checked."""
_NOTHING: Options = MappingProxyType({})


class PlanError(Exception):
    """The seats are not described in a way that can be followed; the message says how."""


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The driver of each seat, and what the configuration file says of each kind of driver.

    `drivers` leaves out the seats that the file does not name: they are phones.
    """

    drivers: Mapping[int, str] = field(default_factory=dict)
    options: Mapping[str, Options] = field(default_factory=dict)

    def groups(self) -> dict[str, tuple[int, ...]]:
        """The seats of each driver, those of phones left out."""
        names = dict.fromkeys(name for name in self.drivers.values() if name != PHONE)
        return {
            name: tuple(seat for seat, one in sorted(self.drivers.items()) if one == name)
            for name in names
        }

    def options_of(self, name: str) -> Options:
        """The options of a driver; a simulated one has those of the real one."""
        kind = "pod" if name == f"pico {SIMULATED}" else name.removesuffix(f" {SIMULATED}")
        return self.options.get(kind, _NOTHING)


_GROUP = re.compile(r"(\d+) +([a-z][a-z0-9-]*)(?: +(simulated))?")


def parse_seats(text: str) -> dict[int, str]:
    """The drivers of a sentence, seats counted from 1.

    >>> parse_seats("2 wired simulated, 1 phone")
    {1: 'wired simulated', 2: 'wired simulated', 3: 'phone'}

    Raises:
        PlanError: it is no such sentence.
    """
    names: list[str] = []
    for group in text.split(","):
        found = _GROUP.fullmatch(group.strip())
        if found is None:
            raise PlanError(f"{group.strip()!r} is not like '2 wired simulated' or '1 phone'")
        count, kind, simulated = found.groups()
        name = _checked(" ".join(filter(None, (_one(kind), simulated))))
        # A typed count of millions must not make a list as long.
        names += [name] * min(int(count), len(SEATS) + 1)
    if len(names) > len(SEATS):
        raise PlanError(f"{text!r} has more than {len(SEATS)} seats")
    return dict(enumerate(names, 1))


def _one(kind: str) -> str:
    """The name of a driver of which there are one or several."""
    forms = kind, kind.removesuffix("s"), f"{kind}s"
    if PHONE in forms:
        return PHONE
    known = {*SHIPPED, *(one.word for one in plugins("seats").values())}
    return next((one for one in forms if one in known), kind)


def read_plan(path: Path) -> SeatPlan:
    """The plan of a configuration file; a file that is not there says nothing.

    `[seats]` names a driver a seat (`1 = "wired"`); a table by the name of a kind has that
    driver's options (`[wired]`, `[pod]`).

    Raises:
        PlanError: it cannot be read, is not TOML, or names what there is not.
    """
    try:
        return _plan(read_config(path))
    except ConfigError as error:
        raise PlanError(f"{error}") from error
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from error


OTHERS = ("league", "page", "backup", "announcer", "wifi", "update")
"""What other rooms read out of the same file."""
WORDS = ("advice",)
"""What they read there that stands above all tables."""


def _plan(data: Mapping[str, object]) -> SeatPlan:
    data = {name: said for name, said in data.items() if name not in WORDS}
    known = ["seats", PHONE, *OTHERS]
    if data.keys() - {*known}:
        known += sorted({*plugin_names()} - {*known})
    unknown = sorted(data.keys() - {*known})
    if unknown:
        if lacking := next(filter(None, (missing(one, unknown[0]) for one in GROUPS)), ""):
            raise PlanError(f"[{unknown[0]}]: {lacking}")
        headings = ", ".join(f"[{one}]" for one in known)
        raise PlanError(f"[{unknown[0]}] is none of {headings}")
    tables: dict[str, Options] = {}
    for name, table in data.items():
        if not isinstance(table, dict):
            raise PlanError(f"{name} = {table!r} should be the heading of a table: [{name}]")
        tables[name] = table
    drivers = {_seat(key): _checked(name) for key, name in tables.get("seats", {}).items()}
    others = {"seats", *OTHERS}
    return SeatPlan(drivers, {kind: tables[kind] for kind in tables if kind not in others})


def _seat(key: str) -> int:
    if not key.isdecimal() or int(key) not in SEATS:
        raise PlanError(f"[seats] has {key!r}, which is no seat from 1 to {len(SEATS)}")
    return int(key)


def _checked(name: object) -> str:
    """The name of a driver that there is.

    Raises:
        PlanError: there is none of this name.
    """
    if name == PHONE:
        return PHONE
    of_others = plugins("seats")
    if not isinstance(name, str) or name not in of_others:
        if lacking := missing("seats", f"{name}".partition(" ")[0]):
            raise PlanError(lacking)
        known = ", ".join([PHONE, *sorted(one for one in of_others if " " not in one)])
        raise PlanError(f"there is no driver {name!r}: it is one of {known}, wired simulated, ...")
    return name


# -- what fails, and what an examination finds ----------------------------------------------------


class Troubled(Exception):
    """Something of a seat fails.

    Args:
        message: names ports, files and commands, for who mends it; it goes to the log.
        key: of the words that the page and the neighbours' screens have for it, in every
            language; left out, the class's own.
        args: what stands in those words.
    """

    key: ClassVar[str] = "failed"

    def __init__(self, message: str, key: str | None = None, **args: object) -> None:
        super().__init__(message)
        self.trouble = Trouble(key or self.key, message, args)


class SeatTrouble(Troubled):
    """A driver cannot serve its seats."""

    key = "driver-failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `ok` is None for one that could not be.

    `seat` is None for what concerns the machine; `mend` is a command, or what a hand must do,
    empty where all is well.
    """

    what: str
    says: str
    ok: bool | None = True
    mend: str = ""
    seat: int | None = None

    def as_json(self) -> dict[str, object]:
        """The finding as `companion doctor --json` prints it."""
        return {key: getattr(self, key) for key in ("seat", "what", "ok", "says", "mend")}
