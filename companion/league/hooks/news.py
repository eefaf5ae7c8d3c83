"""What has happened in a club since somebody was last told; pure.

Nothing is queued. What there is now comes to facts, each with a mark; what was told last is the
marks of then. What differs is news. So a receiver that was away for an hour hears of every race,
but of the standings and of a table's turn only as they are by then. A race that was over before
anybody listened is none, whatever brings it to light: the one before it is gone, say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.frozen import dataclass
from companion.league.classified import classify
from companion.league.plain import Line, Race, Season
from companion.league.ports import LiveTable
from companion.league.standings import rounds_of, standings

Data = dict[str, object]
MOST_LINES = 20
"""Of standings."""
TABLE = "table:"
"""What the name of a table's fact begins with."""
RACING = "race"
"""The phase of a table whose race is on."""
KINDS = (
    "race.started",
    "race.turn",
    "race.finished",
    "race.confirmed",
    "race.amended",
    "race.struck",
    "standings.changed",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """How something stands. `about` is its name, `mark` differs whenever there is something to
    tell, `data` is what is told. `at` is where a race stands among all."""

    about: str
    mark: str
    data: Data
    at: str = ""

    @property
    def is_live(self) -> bool:
        """Whether it is over in a moment: how a table stands."""
        return self.about.startswith(TABLE)


@dataclass(frozen=True, slots=True)
class News:
    """A fact that is not as it was told. `kind` is one of `KINDS`; None: nothing worth telling."""

    fact: Fact
    kind: str | None


def news(told: Mapping[str, str], facts: Iterable[Fact], since: str) -> Iterator[News]:
    """What differs from what was told.

    Args:
        since: `Fact.at` of the last race of which nobody is to be told that it is over.
    """
    for fact in facts:
        before = told.get(fact.about)
        is_old = before is None and bool(fact.at) and fact.at <= since
        if before != fact.mark:
            kind = _KIND_OF[fact.about.partition(":")[0]](before, fact.mark)
            yield News(fact, None if is_old else kind)


def place_of(race: Race) -> str:
    """Where a race stands among all: the latest one last."""
    return f"{race.date} {race.id}"


def about(race: Race) -> str:
    """What the fact of a race is called."""
    return f"race:{race.id}"


def of_race(race: Race) -> Fact:
    """How a race stands."""
    status = "struck" if race.struck is not None else "waits" if race.provisional else "counts"
    result: list[Data] = [
        {
            "place": entry.place,
            "driver": entry.driver,
            "name": entry.name,
            "status": entry.status,
            "team": entry.team,
        }
        for entry in classify(race)
    ]
    data: Data = {
        "race": race.id,
        "name": race.name,
        "game": race.game,
        "board": race.board,
        "date": race.date,
        "season": race.season,
        "round": race.round,
        "confirmed": status == "counts",
        "result": result,
    }
    return Fact(about(race), f"{status} {_digest(result)}", data, place_of(race))


def of_season(season: Season, races: Iterable[Race], names: Mapping[str, str]) -> Fact:
    """How the standings of a season are."""
    every = list(races)
    lines: list[Data] = [
        {"place": one.place, "driver": one.key, "name": one.name, "points": one.points}
        for one in standings(season, every, names)
    ]
    held = max((race.round or 0 for race in rounds_of(season, every)), default=0)
    data = {"season": season.key, "title": season.title, "round": held}
    return Fact(f"season:{season.key}", _digest(lines), {**data, "lines": lines[:MOST_LINES]})


def of_table(table: LiveTable) -> Fact:
    """How a table stands; what is odd in its report is left out."""
    state = _object(table.state.get("state"))
    phase, turn = state.get("phase"), state.get("turn")
    data: Data = {"table": table.table, "board": table.state.get("title")}
    if phase == RACING and isinstance(turn, int):
        car = _object(_object(state.get("cars")).get(f"{turn}"))
        own = {name: car.get(name) for name in ("name", "lap")}
        data |= {"seat": turn, **own, "laps": state.get("laps")}
    return Fact(f"{TABLE}{table.table}", f"{phase} {turn}", data)


def _of_race(before: str | None, mark: str) -> str | None:
    status = mark.split()[0]
    if before is None:
        return None if status == "struck" else "race.finished"
    if before.split()[0] == status:
        return "race.amended"
    return {"struck": "race.struck", "counts": "race.confirmed"}.get(status, "race.amended")


def _of_season(before: str | None, mark: str) -> str | None:
    return "standings.changed"


def _of_table(before: str | None, mark: str) -> str | None:
    if before is None or mark.partition(" ")[0] != RACING:
        return None
    return "race.turn" if before.partition(" ")[0] == RACING else "race.started"


_KIND_OF = {"race": _of_race, "season": _of_season, "table": _of_table}


def _object(value: object) -> Line:
    return value if isinstance(value, dict) else {}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
