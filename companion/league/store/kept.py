"""What pages read of many races, kept at writing: results, totals, rivals, ratings, boards.

A change touches races (`writing.touch`). What each of them added before is taken off, what it adds
now is put on, so a race that comes in costs the same however many there are. Ratings alone hang on
the order of the races: from the first one touched they are worked out anew, which for a race that
comes in last is itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from companion.league.numbers.rating import START
from companion.league.numbers.tally import Tally, added, board_of, brought
from companion.league.plain import Race
from companion.league.store import bans, cars, championships, rated
from companion.league.store.models import (
    BoardRow,
    RaceRow,
    ResultRow,
    RivalRow,
    TotalRow,
)
from companion.league.store.reading import read_races

AT_ONCE = 200
"""Races in memory at a time."""
Pair = tuple[str, str]
Values = dict[str, Any]


def recount(session: Session) -> None:
    """Count again what the races come to that were touched since."""
    races = {*session.info.get("touched", ()), *session.info.get("moved", ())}
    championships.decide(session, bans.settle(session, races))
    touched = sorted(session.info.pop("touched", ()))
    moved = session.info.pop("moved", set())
    if not touched and not moved:
        return
    session.flush()
    cars.keep(session, sorted({*touched, *moved}))
    work = _Recount(session)
    for first in range(0, len(touched), AT_ONCE):
        work.add(touched[first : first + AT_ONCE])
    work.write()


def board_key(race: Race) -> str | None:
    """By which a board is known, in its game."""
    title = board_of(race)
    return None if title is None else f"{race.game} {title.casefold()}"


class _Recount:
    """The changes of some races, added up and written together."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tallies: dict[str, Tally] = {}
        self._duels: dict[Pair, list[int]] = {}
        self._boards: dict[str, Race | None] = {}
        self._driven: Counter[str] = Counter()
        self._laps: set[tuple[str, int]] = set()
        self._first = ""

    def add(self, races: Sequence[str]) -> None:
        """Take off what these races added before, put on what they add now."""
        session = self._session
        old = session.scalars(select(ResultRow).where(ResultRow.race_id.in_(races))).all()
        before: dict[str, list[ResultRow]] = {}
        for row in old:
            before.setdefault(row.race_id, []).append(row)
        for rows in before.values():
            self._take_off(rows)
            self._driven[rows[0].board or ""] -= 1
        if before:
            session.execute(delete(ResultRow).where(ResultRow.race_id.in_(list(before))))
        found = read_races(session, select(RaceRow).where(RaceRow.id.in_(races)))
        new = [values for race in found for values in self._put_on(race)]
        if new:
            session.execute(insert(ResultRow), new)
        session.expire_all()

    def _take_off(self, rows: Sequence[ResultRow]) -> None:
        for row in rows:
            self._tally(row.driver_key, row.tally, -1)
            self._note(row.at, row.board, row.laps, None)
            for other in rows:
                if other is not row:
                    self._duel(row.driver_key, other.driver_key, row.place, other.place, -1)

    def _put_on(self, race: Race) -> list[Values]:
        at, board = f"{race.date} {race.id}", board_key(race)
        rows: list[Values] = []
        for one in brought(race):
            self._tally(one.driver, one.tally, 1)
            self._note(at, board, race.laps, race)
            rows.append(
                {
                    "race_id": race.id,
                    "driver_key": one.driver,
                    "at": at,
                    "board": board,
                    "place": one.place,
                    "status": one.status,
                    "won": one.won,
                    "laps": race.laps,
                    "best_lap": one.best_lap,
                    "rolls": one.rolls,
                    "rating": None,
                    "tally": one.tally,
                }
            )
        if rows:
            self._driven[board or ""] += 1
        places = {row["driver_key"]: row["place"] for row in rows}
        for driver, other in permutations(places, 2):
            self._duel(driver, other, places[driver], places[other], 1)
        return rows

    def _tally(self, driver: str, tally: Tally, sign: int) -> None:
        self._tallies[driver] = added(self._tallies.get(driver, {}), tally, sign)

    def _duel(self, one: str, other: str, place: int, others: int, sign: int) -> None:
        duel = self._duels.setdefault((one, other), [0, 0, 0])
        duel[0] += sign
        duel[1] += sign * (place < others)
        duel[2] += sign * (place > others)

    def _note(self, at: str, board: str | None, laps: int | None, race: Race | None) -> None:
        self._first = min(self._first or at, at)
        if board is not None:
            self._boards[board] = race or self._boards.get(board)
            if laps is not None:
                self._laps.add((board, laps))

    def write(self) -> None:
        """Keep what has come of it."""
        if not self._first:
            return
        self._write_totals()
        self._write_duels()
        for board, race in self._boards.items():
            laps = {laps for other, laps in self._laps if other == board}
            _write_board(self._session, board, race, laps, self._driven[board])
        rated.rate(self._session, self._first, list(self._tallies))
        self._session.expire_all()

    def _write_totals(self) -> None:
        known = rated.totals_of(self._session, list(self._tallies))
        new = []
        for driver, tally in self._tallies.items():
            row = known.get(driver)
            if row is None:
                new.append({"driver_key": driver, "rating": START, "last": "", "tally": tally})
            else:
                row.tally = added(row.tally, tally)
        if new:
            self._session.execute(insert(TotalRow), new)
        self._session.flush()

    def _write_duels(self) -> None:
        changed = {pair: duel for pair, duel in self._duels.items() if any(duel)}
        known: dict[Pair, RivalRow] = {}
        for driver in {one for one, _ in changed}:
            others = [other for one, other in changed if one == driver]
            own = RivalRow.driver_key == driver
            for row in rated.rows_in(self._session, RivalRow, RivalRow.other_key, others, own):
                known[driver, row.other_key] = row
        new = []
        for pair, (races, ahead, behind) in changed.items():
            row = known.get(pair)
            if row is None:
                of = {"driver_key": pair[0], "other_key": pair[1]}
                new.append({**of, "races": races, "ahead": ahead, "behind": behind})
            else:
                row.races, row.ahead = row.races + races, row.ahead + ahead
                row.behind += behind
        if new:
            self._session.execute(insert(RivalRow), new)
        self._session.flush()
        self._session.execute(delete(RivalRow).where(RivalRow.races == 0))


# -- boards ---------------------------------------------------------------------------------


def _write_board(
    session: Session, key: str, race: Race | None, laps: Iterable[int], more: int
) -> None:
    """The records of a board, on which so many `more` races were driven; of two who did the same,
    the first one holds it."""
    row = session.get(BoardRow, key)
    races = more + (0 if row is None else row.races)
    if not races:
        if row is not None:
            session.delete(row)
        return
    if row is None:
        assert race is not None  # what takes off only has been put on before
        row = BoardRow(key=key, game=race.game, title=board_of(race), races=0, records={})
        session.add(row)
    best = dict(row.records.get("race", {}))  # type: ignore[call-overload]  # JSON of our own
    for number in laps:
        held = _holder(session, key, ResultRow.rolls, ResultRow.laps == number)
        best[f"{number}"] = held
    row.races = races
    row.records = {
        "lap": _holder(session, key, ResultRow.best_lap),
        "race": {number: held for number, held in sorted(best.items()) if held is not None},
        "wins": _most_wins(session, key),
    }
    session.flush()


def _holder(session: Session, board: str, column: Any, *more: Any) -> list[object] | None:
    found = session.execute(
        select(column, ResultRow.race_id, ResultRow.driver_key)
        .where(ResultRow.board == board, column.is_not(None), *more)
        .order_by(column, ResultRow.at)
        .limit(1)
    ).first()
    return None if found is None else list(found)


def _most_wins(session: Session, board: str) -> list[object] | None:
    wins = func.count()
    found = session.execute(
        select(ResultRow.driver_key, wins)
        .where(ResultRow.board == board, ResultRow.won)
        .group_by(ResultRow.driver_key)
        .order_by(wins.desc(), ResultRow.driver_key)
        .limit(1)
    ).first()
    return None if found is None else list(found)
