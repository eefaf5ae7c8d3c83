"""Records to build leagues from: short real races, and acts as a keeper would give them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from companion.league.acts import parse_act
from companion.league.exchange.outside import LeagueSeen
from companion.league.federation.stages import Draws, draw_acts, late_acts, qualify_acts
from companion.league.league import League
from companion.league.plain import Draw
from companion.league.view import View
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import make_header, result_of, write_record
from race_companion_ergast import answer
from support.formula import careful

JSON = dict[str, Any]
NAMES = ("Ana", "Bea", "Cai")
NIGHT = "2026-01-01T20:00:00"


BOARD = "manege"
"""The smallest board: it is compiled whenever a record is read."""
LIBRARY = TrackLibrary(())


def race_header(names: Sequence[str], **more: Any) -> JSON:
    seats = [{"seat": n, "name": name} for n, name in enumerate(names, 1)]
    fields = {"laps": 1, "grid": list(range(1, len(names) + 1)), "start": "normal", **more}
    return {"game": "formula-d", "track": BOARD, "seats": seats, **fields}


def raced(
    race: str,
    names: Sequence[str] = NAMES,
    *,
    seed: int = 1,
    started: str = NIGHT,
    **more: Any,
) -> list[JSON]:
    """The record of a race that careful drivers have driven to its end."""
    engine = Engine(LIBRARY)
    header = race_header(names, **more)
    lines = careful.race(engine, header, Random(seed))
    return as_record(race, header, lines, engine, started)


def ended(
    race: str,
    names: Sequence[str] = NAMES,
    *,
    rolls: int = 1,
    out: Sequence[int] = (),
    late: Sequence[JSON] = (),
    started: str = NIGHT,
    **more: Any,
) -> list[JSON]:
    """The record of a race that the referee ends after some answers, which takes no time.

    Running cars are classified as they stand: with no answers in the order of the grid.
    """
    engine = Engine(LIBRARY)
    header = race_header(names, **more)
    reply = engine.handle({"new": header})
    assert reply["ok"], reply
    lines: list[JSON] = []
    for _ in range(rolls):
        ask = reply["asks"][0]
        answer = careful.answer(ask, engine.moment, Random(1))
        lines.append({"seat": ask["seat"], ask["kind"]: answer})
        reply = engine.handle(lines[-1])
        assert reply["ok"], reply
    retired = [{"seat": seat, "retire": True} for seat in out]
    for line in (*({"join": seat} for seat in late), *retired, {"end": True}):
        assert engine.handle(line)["ok"]
        lines.append(line)
    return as_record(race, header, lines, engine, started)


def as_record(
    race: str, header: JSON, lines: Sequence[JSON], engine: Engine, started: str
) -> list[JSON]:
    """A record as the table writes it."""
    text = LIBRARY.text(str(header["track"]))
    first = make_header(header, race=race, name=f"Race {race}", started=started, track_text=text)
    fields = [{"at": float(n), "by": "phone", **line} for n, line in enumerate(lines, 1)]
    state = engine.state()
    assert state is not None
    return [first, *fields, {"result": result_of(state)}]


def amended(lines: Sequence[JSON], *, out: int) -> list[JSON]:
    """The same race after the table has taken its end back, retired a car and ended again."""
    header = {k: v for k, v in lines[0].items() if k not in ("record", "id", "rules_version")}
    for key in ("name", "started", "track_file"):
        header.pop(key)
    engine = Engine(LIBRARY)
    assert engine.handle({"new": header})["ok"]
    more = [{"undo": 1}, {"seat": out, "retire": True}, {"end": True}]
    fields = [{k: v for k, v in line.items() if k not in ("at", "by")} for line in lines[1:-1]]
    for line in (*fields, *more):
        reply = engine.handle(line)
        assert reply["ok"], reply
    state = engine.state()
    assert state is not None
    late = [{"at": 900.0, "by": "referee", **line} for line in more]
    return [*lines[:-1], *late, {"result": result_of(state)}]


def keep(data: Path, *records: Sequence[JSON]) -> None:
    """Write records where the table of a data folder writes them."""
    for lines in records:
        write_record(data / "records" / f"{lines[0]['id']}.jsonl", lines)


def by_hand(race: str, names: Sequence[str], **more: Any) -> JSON:
    """The act of a race that was played without the companion."""
    entries = [{"name": name} for name in names]
    fields = {"race": race, "date": "2026-02-01", "game": "formula-d", "entries": entries}
    return {"act": "race", **fields, **more}


def do(league: League, *acts: JSON, by: str) -> int:
    """Carry out acts as JSON has them; the number of the first."""
    return league.do(*map(parse_act, acts), by=by)


def image(league: League) -> dict[str, Any]:
    """All that a league answers, to compare two of them by."""
    asked = league.queries
    return {"seasons": asked.seasons(), "races": asked.races(), "drivers": asked.drivers()}


def draw(
    league: League, stage: str, tables: int, how: Draw, dice: Random, *, with_grid: bool = False
) -> Draws:
    """Draw the tables of a stage."""
    drawn = draw_acts(league.queries, stage, tables, how, dice, with_grid=with_grid)
    league.do(*drawn.acts, by="t")
    return drawn


def seat_late(league: League, stage: str) -> Draws:
    """Give a table to who comes late."""
    drawn = late_acts(league.queries, stage)
    league.do(*drawn.acts, by="t")
    return drawn


def qualify(league: League, stage: str) -> list[str]:
    """Enter those who go on; their names."""
    going, acts = qualify_acts(league.queries, stage)
    league.do(*acts, by="t")
    return [one.name for one in going]


def ergast(view: View, address: str) -> Any:
    """What is answered at an address below `/ergast/f1/`; None: nothing."""
    return answer(LeagueSeen(view, "ergast"), address)
