"""What an address of Ergast picks out: `drivers/ana/results`, `grid/1/drivers`, `results/1`; pure.

Behind season and round stand names, each with a value or without; the last name is what is asked
for. Values pick cars of a race: a row of its results has to fit them all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from companion.frozen import dataclass
from companion.league.exchange import ergast_parts as parts
from companion.league.exchange.ergast_parts import Doc
from companion.league.exchange.sheet import Sheet
from companion.league.names import ascii_of, ascii_person
from companion.league.plain import Race


def _inside(row: Doc, name: str, key: str) -> str:
    inner = row.get(name)
    return str(inner.get(key, "")).lower() if isinstance(inner, dict) else ""


OF_CARS: Mapping[str, Callable[[Doc], str]] = {
    "drivers": lambda row: _inside(row, "Driver", "driverId"),
    "constructors": lambda row: _inside(row, "Constructor", "constructorId"),
    "grid": lambda row: str(row["grid"]),
    "results": lambda row: str(row["position"]),
    "fastest": lambda row: _inside(row, "FastestLap", "rank"),
    "status": lambda row: parts.status_id(str(row["status"])),
}
"""By the name of a filter, what of a row of `Results` it is compared with."""
OF_ROWS: Mapping[str, str] = {
    "laps": "number",
    "pitstops": "stop",
    "qualifying": "position",
    "driverstandings": "position",
    "constructorstandings": "position",
}
"""Of what is asked for, the key of its rows that a value behind it picks."""
AS_IDS: Mapping[str, Callable[[str], str]] = {
    "drivers": ascii_person,
    "constructors": ascii_of,
    "circuits": ascii_of,
    "status": lambda value: value if value.isdecimal() else parts.status_id(value),
}
"""By the name of a filter, the id that a value means: ids are ASCII, keys and words are not."""
NAMES = {*OF_CARS, *OF_ROWS, "circuits", "races", "seasons", "sprint"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for, and by which values it is picked, by the names of the filters."""

    what: str = "races"
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def own(self) -> str | None:
        """The value that picks rows of what is asked for."""
        return self.values.get(self.what) if self.what in OF_ROWS else None

    @property
    def picks_cars(self) -> bool:
        """Whether some cars are asked for, not all."""
        return any(name in self.values for name in OF_CARS)

    def takes(self, race: Race) -> bool:
        """Whether a race is on the board that is asked for."""
        board = parts.circuit(parts.board_of(race))["circuitId"]
        return self.values.get("circuits", board) == board

    def cars(self, sheet: Sheet, race: Race) -> list[Doc]:
        """The rows of a race's results that fit."""
        own = {name: self.values[name] for name in OF_CARS if name in self.values}
        rows = parts.results(sheet, race)
        return [row for row in rows if all(OF_CARS[n](row) == value for n, value in own.items())]


STANDINGS = {name.lower(): name for name in parts.STANDINGS}


def pick_standings(sheet: Sheet, asked: Asked) -> list[Doc]:
    """The lines of a season's standings that are asked for."""
    rows = parts.STANDINGS[STANDINGS[asked.what]](sheet) if sheet.races else []
    if "drivers" in asked.values:
        rows = [row for row in rows if OF_CARS["drivers"](row) == asked.values["drivers"]]
    if "constructors" in asked.values:
        rows = [row for row in rows if asked.values["constructors"] in _teams_of(row)]
    if asked.own is not None:
        rows = [row for row in rows if row["position"] == asked.own]
    return rows


def _teams_of(row: Doc) -> set[str]:
    """The ids of the teams in a line of the standings, of a team or of a driver."""
    held = row.get("Constructors")
    teams = held if isinstance(held, list) else [row.get("Constructor")]
    return {str(team["constructorId"]) for team in teams if isinstance(team, dict)}


def read(words: Sequence[str]) -> Asked | None:
    """What the words of an address ask for; None where one of them is nothing."""
    if not words:
        return Asked()
    values: dict[str, str] = {}
    names: list[str] = []
    rest = list(words)
    while rest:
        name = rest.pop(0)
        if name not in NAMES:
            return None
        names.append(name)
        if rest and rest[0] not in NAMES:
            values[name] = AS_IDS.get(name, str)(rest.pop(0))
    is_ended = all(name in values for name in names[:-1]) and names[-1] not in ("grid", "fastest")
    return Asked(names[-1], values) if is_ended else None
