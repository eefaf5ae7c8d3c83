"""Bans as the tables have them: who was not to drive, in the races that there are and in rounds to
come; `conduct` decides, this asks it where anything stands against anybody at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from companion.league.conduct import Banned, Conduct
from companion.league.errors import BadAct
from companion.league.plain import Entry, Penalty, Race, Season
from companion.league.store.models import EntryRow, NameRow, PenaltyRow, RaceRow, SeasonRow
from companion.league.store.reading import read_races
from companion.league.store.stages import read_seasons
from companion.league.store.writing import touch

SEASONS = "judged"
"""Where a session keeps the seasons in which something was given, lifted or moved."""


def judge(session: Session, season: str | None) -> None:
    """Who is banned in a season is to be found out again when all has been carried out."""
    if season is not None:
        session.info.setdefault(SEASONS, set()).add(season)


def settle(session: Session, races: Collection[str]) -> set[str]:
    """Find out who was not to drive the races of the seasons that these are of; all the seasons in
    which something was given, lifted or moved."""
    session.flush()
    seasons: set[str] = session.info.pop(SEASONS, set())
    of_races = select(RaceRow.season_key).where(RaceRow.id.in_(list(races)))
    seasons |= {key for key in session.scalars(of_races.distinct()) if key is not None}
    for key in sorted(_reached(session, seasons)):
        _settle(session, key)
    return seasons


def refuse_banned(session: Session, season: SeasonRow, name: NameRow, number: int) -> None:
    """See that a driver may drive a round.

    Raises:
        BadAct: he is banned from it; the penalty is named.
    """
    if not _is_anybody_judged(session, _stages(session, season)):
        return
    conduct, _, _ = _conduct(session, season)
    ban = conduct.ban(name.driver_key, number)
    if ban is not None:
        raise BadAct(str(Banned(name.spelling, number, ban.reason)))


def _reached(session: Session, seasons: Iterable[str]) -> set[str]:
    """These seasons, and the later stages of their competitions; those where somebody is judged."""
    found: set[str] = set()
    for key in seasons:
        season = session.get(SeasonRow, key)
        if season is None or not _may_change(session, season):
            continue
        found.add(key)
        if season.competition is not None:
            later = select(SeasonRow.key).where(
                SeasonRow.competition == season.competition, SeasonRow.step > season.step
            )
            found |= {*session.scalars(later)}
    return found


def _may_change(session: Session, season: SeasonRow) -> bool:
    """Whether anybody is banned, or was when this was found out last."""
    stages = _stages(session, season)
    if _is_anybody_judged(session, stages):
        return True
    of_stage = select(RaceRow.id).where(RaceRow.season_key.in_(stages))
    banned = select(EntryRow.race_id).where(
        EntryRow.banned_by.is_not(None), EntryRow.race_id.in_(of_stage)
    )
    return session.scalar(banned.limit(1)) is not None


def _stages(session: Session, season: SeasonRow) -> list[str]:
    if season.competition is None:
        return [season.key]
    same = select(SeasonRow.key).where(SeasonRow.competition == season.competition)
    return list(session.scalars(same))


def _is_anybody_judged(session: Session, stages: Collection[str]) -> bool:
    of_stage = select(RaceRow.id).where(RaceRow.season_key.in_(stages))
    found = select(PenaltyRow.id).where(
        or_(PenaltyRow.ban > 0, PenaltyRow.licence > 0),
        or_(PenaltyRow.season_key.in_(stages), PenaltyRow.race_id.in_(of_stage)),
    )
    return session.scalar(found.limit(1)) is not None


def _conduct(session: Session, season: SeasonRow) -> tuple[Conduct, Season, list[Race]]:
    session.flush()
    query = select(SeasonRow).where(SeasonRow.key.in_(_stages(session, season)))
    rows = session.scalars(query.order_by(SeasonRow.step, SeasonRow.number)).all()
    seasons = read_seasons(session, rows)
    own = select(RaceRow).where(RaceRow.season_key.in_([one.key for one in seasons]))
    races = read_races(session, own, is_slim=True)
    of = {one.key: [race for race in races if race.season == one.key] for one in seasons}
    mine = next(one for one in seasons if one.key == season.key)
    before = [(one, of[one.key]) for one in seasons if one.step < mine.step]
    return Conduct(mine, of[mine.key], before), mine, of[mine.key]


def _settle(session: Session, key: str) -> None:
    season = session.get(SeasonRow, key)
    assert season is not None  # just asked for
    conduct, _, races = _conduct(session, season)
    for race in races:
        known = {one.driver: one.id for one in race.penalties if one.banned}
        for entry in race.entries:
            ban = _ban_of(conduct, race, entry)
            number = None if ban is None else ban.id
            if known.get(entry.driver) != number:
                row = session.get(EntryRow, (race.id, entry.seat))
                assert row is not None  # it has just been read
                row.banned_by = number
                touch(session, race.id)


def _ban_of(conduct: Conduct, race: Race, entry: Entry) -> Penalty | None:
    """Of a crew, whoever of it is banned bans the car."""
    people = sorted({entry.driver, *entry.people})
    bans = (conduct.ban(driver, race.round or 0) for driver in people)
    return next((ban for ban in bans if ban is not None), None)
