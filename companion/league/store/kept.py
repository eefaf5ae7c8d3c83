"""What pages read of many races, kept at writing: results, totals, rivals, ratings, boards.

A change touches races (`writing.touch`). What each of them added before is taken off, what it adds
now is put on, so a race that comes in costs the same however many there are. Ratings alone hang on
the order of the races: from the first one touched they are worked out anew, which for a race that
comes in last is itself.

The titles of drivers, kept at writing: those of the seasons that have changed, decided anew.

Cars of all seasons, for programs that ask across them: kept at writing, and read by the page.

Ratings and skills after each race, kept at writing.

They hang on the order of the races: from the first one touched they are worked out anew, which for
a race that comes in last is itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.orm import Session

from companion.league import numbers
from companion.league.acts import Act
from companion.league.errors import ascii_person
from companion.league.exchange import ergast as parts
from companion.league.numbers import Championship, Skill
from companion.league.plain import Race, Season
from companion.league.ports import Picked
from companion.league.results import classify
from companion.league.stages import expected
from companion.league.standings import WON_ALONE, Holder, champions, champions_overall, is_over
from companion.league.store import writing
from companion.league.store.models import (
    Base,
    BoardRow,
    CarRow,
    ChampionshipRow,
    CompetitionRow,
    PlannedRow,
    RaceRow,
    ResultRow,
    RivalRow,
    SeasonRow,
    TotalRow,
)
from companion.league.store.reading import read_races, read_seasons, tell_competition
from companion.league.tally import START, Tally, added, board_of, brought, gains

# -- kept -----------------------------------------------------------------------------------------


AT_ONCE = 200
"""Races in memory at a time."""
Pair = tuple[str, str]
Values = dict[str, Any]


def recount(session: Session) -> None:
    """Count again what the races come to that were touched since."""
    races = {*session.info.get("touched", ()), *session.info.get("moved", ())}
    decide(session, writing.settle_bans(session, races))
    touched = sorted(session.info.pop("touched", ()))
    moved = session.info.pop("moved", set())
    if not touched and not moved:
        return
    session.flush()
    keep(session, sorted({*touched, *moved}))
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
        rate(self._session, self._first, list(self._tallies))
        self._session.expire_all()

    def _write_totals(self) -> None:
        known = totals_of(self._session, list(self._tallies))
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
            for row in rows_in(self._session, RivalRow, RivalRow.other_key, others, own):
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


# -- championships --------------------------------------------------------------------------------


CHANGED = "titles"
"""Where a session keeps the seasons that acts spoke of, and the competitions."""
MOST = 50


def note(session: Session, act: Act) -> None:
    """An act is about to change a season, or a competition."""
    seasons, cups = session.info.setdefault(CHANGED, (set(), set()))
    season, cup = (getattr(act, name, None) for name in ("season", "competition"))
    if isinstance(season, str):
        seasons.add(season)
        row = session.get(SeasonRow, season)
        cups |= {row.competition} if row is not None and row.competition else set()
    if isinstance(cup, str):
        cups.add(cup)


def decide(session: Session, seasons: Collection[str]) -> None:
    """Find out anew who has won these seasons, those that were noted, and their competitions."""
    noted, cups = session.info.pop(CHANGED, (set(), set()))
    keys = {*seasons, *noted}
    if not keys and not cups:
        return
    rows = _rows(session, SeasonRow.key, keys)
    cups = cups | {row.competition for row in rows if row.competition}
    stages = _rows(session, SeasonRow.competition, cups)
    over = _over(session, {row.key: row for row in (*rows, *stages)}.values())
    won = [row for row in rows if row.key in over and row.kind in WON_ALONE]
    _replace(session, keys, False, {row.key: _won(session, row) for row in won})
    of = {cup: [row for row in stages if row.competition == cup] for cup in cups}
    complete = [cup for cup, own in of.items() if own and all(row.key in over for row in own)]
    _replace(session, cups, True, {cup: _won_overall(session, cup, of[cup]) for cup in complete})


def read(session: Session, driver: str) -> tuple[Championship, ...]:
    """The titles of a driver: competitions, then seasons, the newest first."""
    cups = _held(session, driver, CompetitionRow, literal("competition"))
    within = select(SeasonRow.competition, SeasonRow.key)
    inside = within.where(SeasonRow.competition.in_([one.key for one in cups]))
    stages = [(cup, key) for cup, key in session.execute(inside)] if cups else []
    of = {one.key: tuple(key for cup, key in stages if cup == one.key) for one in cups}
    told = [replace(one, seasons=of[one.key]) for one in cups]
    return *told, *_held(session, driver, SeasonRow, SeasonRow.kind)


def _held(session: Session, driver: str, of: Any, kind: Any) -> list[Championship]:
    is_overall = ChampionshipRow.is_overall.is_(of is CompetitionRow)
    query = (
        select(of.key, of.title, kind, ChampionshipRow.team)
        .join(ChampionshipRow, ChampionshipRow.key == of.key)
        .where(ChampionshipRow.driver_key == driver, is_overall)
        .order_by(of.number.desc(), ChampionshipRow.team)
        .limit(MOST)
    )
    return [
        Championship(key=key, title=title, kind=kind, team=team or None, seasons=(key,))
        for key, title, kind, team in session.execute(query)
    ]


def _rows(session: Session, column: Any, keys: Collection[str]) -> Sequence[SeasonRow]:
    query = select(SeasonRow).where(column.in_(keys)).order_by(SeasonRow.step, SeasonRow.number)
    return session.scalars(query).all() if keys else []


def _over(session: Session, rows: Iterable[SeasonRow]) -> set[str]:
    """The keys of those of these seasons of which nothing more is to come."""
    rows = list(rows)
    keys = [row.key for row in rows]
    held = _counted(session, RaceRow.season_key, func.count(RaceRow.round.distinct()), keys,
                    RaceRow.struck.is_(None), RaceRow.provisional.is_(False))  # fmt: skip
    calendar = select(PlannedRow.season_key, PlannedRow.round, PlannedRow.cancelled.is_not(None))
    dated: dict[str, list[tuple[int, bool]]] = {}
    for key, number, is_off in session.execute(calendar.where(PlannedRow.season_key.in_(keys))):
        dated.setdefault(key, []).append((number, is_off))
    return {
        row.key
        for row in rows
        if is_over(
            held.get(row.key, 0),
            expected(row.planned, dated.get(row.key, ())),
            is_open=row.is_open,
            is_closed=row.is_closed,
            is_among_others=row.competition is not None and row.kind in WON_ALONE,
        )
    }


def _counted(
    session: Session, of: Any, number: Any, keys: Collection[str], *where: Any
) -> Mapping[str, int]:
    query = select(of, number).where(of.in_(keys), *where).group_by(of)
    rows: Iterable[tuple[str, int]] = map(tuple, session.execute(query))
    return dict(rows)


def _won(session: Session, row: SeasonRow) -> list[Holder]:
    (season,) = read_seasons(session, [row])
    own = select(RaceRow).where(RaceRow.season_key == row.key)
    return champions(season, read_races(session, own, is_slim=True))


def _won_overall(session: Session, cup: str, rows: Sequence[SeasonRow]) -> list[Holder]:
    row = session.get(CompetitionRow, cup)
    assert row is not None  # its stages have it as a foreign key
    own = select(RaceRow).where(RaceRow.season_key.in_([one.key for one in rows]))
    races = read_races(session, own, is_slim=True)
    return champions_overall(tell_competition(row), read_seasons(session, rows), races)


def _replace(
    session: Session, keys: Collection[str], is_overall: bool, won: Mapping[str, list[Holder]]
) -> None:
    if not keys:
        return
    of = ChampionshipRow.is_overall.is_(is_overall)
    session.execute(delete(ChampionshipRow).where(of, ChampionshipRow.key.in_(keys)))
    new = [
        {"key": key, "is_overall": is_overall, "driver_key": one.driver, "team": one.team or ""}
        for key, holders in won.items()
        for one in holders
    ]
    if new:
        session.execute(insert(ChampionshipRow), new)


# -- cars -----------------------------------------------------------------------------------------


SPRINTS = ("", "beside", "stage")
"""No sprint; one in the round of another race; a race of a stage that is a sprint."""


def keep(session: Session, races: list[str]) -> None:
    """Keep what the cars of these races come to now."""
    races = sorted({*races, *_own_points(session, races)})
    for first in range(0, len(races), AT_ONCE):
        some = races[first : first + AT_ONCE]
        session.execute(delete(CarRow).where(CarRow.race.in_(some)))
        found = read_races(session, select(RaceRow).where(RaceRow.id.in_(some)), is_slim=True)
        keys = {race.season for race in found if race.season}
        rows = session.scalars(select(SeasonRow).where(SeasonRow.key.in_(keys))).all()
        seasons = {season.key: season for season in read_seasons(session, rows)}
        rounds = _rounds(session, keys)
        new = [values for race in found for values in _cars(race, seasons, rounds)]
        if new:
            session.execute(insert(CarRow), new)
        session.expire_all()


def _own_points(session: Session, races: list[str]) -> set[str]:
    """The races with points of their own in the seasons of these: whether they are sprints hangs
    on what else is in their round."""
    found: set[str] = set()
    for first in range(0, len(races), AT_ONCE):
        of = select(RaceRow.season_key).where(RaceRow.id.in_(races[first : first + AT_ONCE]))
        own = RaceRow.season_key.in_(of), RaceRow.scoring.is_not(None)
        found |= set(session.scalars(select(RaceRow.id).where(*own)))
    return found


def _rounds(session: Session, seasons: Collection[str]) -> set[tuple[str, int | None]]:
    """The rounds that have a race with the points of the season."""
    rounds = (
        select(RaceRow.season_key, RaceRow.round)
        .where(RaceRow.season_key.in_(seasons), RaceRow.scoring.is_(None))
        .where(RaceRow.struck.is_(None), RaceRow.provisional.is_(False))
        .distinct()
    )
    return {(season or "", number) for season, number in session.execute(rounds)}


def _cars(
    race: Race, seasons: Mapping[str, Season], rounds: Collection[tuple[str, int | None]]
) -> Iterator[Values]:
    if race.season is None or not race.counts:
        return
    season = seasons[race.season]
    entries = classify(race)
    ranks = parts.ranks_of(entries)
    board = parts.board_of(race)
    is_beside = race.scoring is not None and (race.season, race.round) in rounds
    sprint = "beside" if is_beside else "stage" if season.kind == "sprint" else ""
    for entry in entries:
        team = season.team_of(entry.driver, race.round or 0, entry.team)
        status = parts.status_of(entry)
        yield {
            "race": race.id,
            "seat": entry.seat,
            "at": f"{race.date} {race.id}",
            "season": race.season,
            "driver": entry.driver,
            "driver_id": ascii_person(entry.driver),
            "team": team,
            "team_id": parts.constructor(team)["constructorId"] if team else None,
            "board": board,
            "board_id": parts.circuit(board)["circuitId"],
            "status": status,
            "status_id": parts.status_id(status),
            "place": entry.place,
            "grid": entry.grid or 0,
            "fastest": ranks.get(entry.seat),
            "sprint": sprint,
        }


def read_cars(session: Session, picked: Picked, first: int, most: int) -> list[tuple[str, int]]:
    """Race and seat of the cars that are picked, oldest race first, by place."""
    order = (CarRow.at, CarRow.grid if picked.by_grid else CarRow.place, CarRow.seat)
    query = select(CarRow.race, CarRow.seat).where(*_fits(picked)).order_by(*order)
    return [(race, seat) for race, seat in session.execute(query.offset(first).limit(most))]


def count_cars(session: Session, picked: Picked) -> int:
    """How many cars are picked."""
    return session.scalar(select(func.count()).select_from(CarRow).where(*_fits(picked))) or 0


def read_groups(
    session: Session, picked: Picked, of: str, first: int, most: int
) -> tuple[list[tuple[str, int]], int]:
    """What the cars that are picked have under a name, each once and how often; and how many."""
    column = getattr(CarRow, of)
    own = (CarRow.at, column) if of == "race" else (getattr(CarRow, f"{of}_id", column), column)
    query = select(column, func.count()).where(column.is_not(None), *_fits(picked)).group_by(*own)
    if of == "driver" and picked.hidden:
        query = query.where(column.not_in(picked.hidden))
    counted = query.add_columns(func.count().over()).order_by(*own)
    rows = session.execute(counted.offset(first).limit(most)).all()
    if rows:  # counted along, so that the cars are gone through once
        return [(value, number) for value, number, _ in rows], rows[0][2]
    return [], session.scalar(select(func.count()).select_from(query.subquery())) or 0


def _fits(picked: Picked) -> list[ColumnElement[bool]]:
    found = [getattr(CarRow, name) == value for name, value in picked.values]
    if picked.of == "races":
        found.append(CarRow.sprint != "beside")
    if picked.of == "sprints":
        found.append(CarRow.sprint != "")
    if picked.by_grid:
        found.append(CarRow.grid > 0)
    if picked.unseen:
        found.append(CarRow.season.not_in(picked.unseen))
    if picked.hidden and "driver_id" in dict(picked.values):
        found.append(CarRow.driver.not_in(picked.hidden))
    return found


# -- rated ----------------------------------------------------------------------------------------


class Rated(NamedTuple):
    """What a driver has after a race, and which race that is, as `ResultRow.at`."""

    rating: float = START
    at: str = ""
    skill: Skill | None = None


def rate(session: Session, first: str, drivers: list[str]) -> None:
    """The ratings from this race on, and of those who drove in the races that were touched."""
    rows = session.execute(
        select(ResultRow.at, ResultRow.race_id, ResultRow.driver_key, ResultRow.place)
        .where(ResultRow.at >= first)
        .order_by(ResultRow.at, ResultRow.place)
    ).all()
    races: dict[tuple[str, str], dict[str, int]] = {}
    for at, race, driver, place in rows:
        races.setdefault((at, race), {})[driver] = place
    who = sorted({*drivers, *(row.driver_key for row in rows)})
    now = _before(session, first, who)
    rated: list[Values] = []
    for (at, race), places in races.items():
        if len(places) > 1:
            now.update(_after(at, places, now))
            keys = ({"b_race": race, "b_driver": driver} for driver in places)
            rated += [{**one, **_values(now[one["b_driver"]])} for one in keys]
    _write(session, rated)
    for driver, row in totals_of(session, who).items():
        one = now.get(driver, Rated())
        row.last = one.at
        for name, value in _values(one).items():
            setattr(row, name, value)
        if not row.tally:
            session.delete(row)
    session.flush()


def rows_in(
    session: Session, kind: type[Any], column: Any, keys: list[str], *more: Any
) -> list[Any]:
    """The rows with these keys, some hundreds at a time."""
    rows: list[Any] = []
    for first in range(0, len(keys), AT_ONCE):
        some = column.in_(keys[first : first + AT_ONCE])
        rows += session.scalars(select(kind).where(some, *more)).all()
    return rows


def totals_of(session: Session, drivers: list[str]) -> dict[str, TotalRow]:
    """What these drivers have done, by their keys."""
    rows = rows_in(session, TotalRow, TotalRow.driver_key, drivers)
    return {row.driver_key: row for row in rows}


def _after(at: str, places: dict[str, int], now: dict[str, Rated]) -> dict[str, Rated]:
    before = {driver: now.get(driver, Rated()) for driver in places}
    gained = gains(places, {driver: one.rating for driver, one in before.items()})
    skills: dict[str, Skill] = {}
    if numbers.is_reckoned():
        known = {driver: one.skill for driver, one in before.items() if one.skill is not None}
        skills = numbers.after(places, known)
    return {
        driver: Rated(one.rating + gained[driver], at, skills.get(driver))
        for driver, one in before.items()
    }


def _values(one: Rated) -> Values:
    mu, sigma = one.skill or (None, None)
    return {"rating": one.rating, "mu": mu, "sigma": sigma}


def _write(session: Session, rated: list[Values]) -> None:
    if not rated:
        return
    table = Base.metadata.tables[ResultRow.__tablename__]
    assert isinstance(table, Table)
    one = and_(table.c.race_id == bindparam("b_race"), table.c.driver_key == bindparam("b_driver"))
    session.connection().execute(update(table).where(one), rated)


def _before(session: Session, first: str, drivers: list[str]) -> dict[str, Rated]:
    """What everybody had before a race."""
    found, late = {}, []
    for driver, row in totals_of(session, drivers).items():
        if row.last < first:
            if row.last:
                found[driver] = _rated(row, row.last)
        else:
            late.append(driver)
    for n in range(0, len(late), AT_ONCE):
        last = (
            select(ResultRow.driver_key, func.max(ResultRow.at).label("at"))
            .where(ResultRow.driver_key.in_(late[n : n + AT_ONCE]), ResultRow.at < first)
            .where(ResultRow.rating.is_not(None))
            .group_by(ResultRow.driver_key)
            .subquery()
        )
        same = and_(ResultRow.driver_key == last.c.driver_key, ResultRow.at == last.c.at)
        for result in session.execute(select(ResultRow).join(last, same)).scalars():
            found[result.driver_key] = _rated(result, result.at)
    return found


def _rated(row: TotalRow | ResultRow, at: str) -> Rated:
    known = row.mu is not None and row.sigma is not None
    return Rated(
        START if row.rating is None else row.rating,
        at,
        Skill(row.mu or 0.0, row.sigma or 0.0) if known else None,
    )
