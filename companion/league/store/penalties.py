"""Penalties and bonuses carried out, and lifted."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.league import acts
from companion.league.errors import BadAct
from companion.league.said import UNSAID
from companion.league.store.applying import carry_out, find_name, find_race, find_season
from companion.league.store.bans import judge
from companion.league.store.models import CrewRow, EntryRow, NameRow, PenaltyRow, RaceRow
from companion.league.store.writing import touch


@carry_out.register
def _penalty(act: acts.Penalize, session: Session, done: acts.Done) -> None:
    own = acts.given(act)
    _check_penalty(own)
    name = None if act.driver is UNSAID else find_name(session, act.driver)
    if act.race is not UNSAID:
        race = find_race(session, act.race)
        if name is not None:
            check_driver(session, race, name)
        touch(session, act.race)
    elif act.season is not UNSAID:
        judge(session, find_season(session, act.season).key)
    session.add(
        PenaltyRow(
            id=done.n,
            race_id=own.get("race"),
            season_key=own.get("season"),
            round=own.get("round"),
            name_key=None if name is None else name.key,
            team=own.get("team"),
            reason=act.reason,
            disqualified=own.get("disqualified", False),
            **{word: own.get(word, 0) for word in ("points", "bonus", "places", *NOTED)},
        )
    )


NOTED = ("grid", "ban", "licence", "seconds")
"""What a penalty may say beside what it does to the result."""


def _check_penalty(own: Mapping[str, object]) -> None:
    """See that a penalty does not contradict itself.

    Raises:
        BadAct: it does.
    """
    if sum(word in own for word in ("points", "bonus", "places", "disqualified")) > 1:
        raise BadAct("a penalty is points, places or disqualified, one of them or a mere warning")
    if ("race" in own) == ("season" in own):
        raise BadAct("a penalty is given in a race or for a season: exactly one of the two")
    if ("driver" in own) == ("team" in own):
        raise BadAct("a penalty is a driver's or a team's: exactly one of the two")
    is_points = "points" in own or "bonus" in own
    if "season" in own and "seconds" in own:
        raise BadAct("seconds are added to the time of a race: give them in the race")
    if "round" in own and "season" not in own:
        raise BadAct("a penalty of a race has the race's round: round is said of a season's")
    if "team" in own and (not is_points or own.keys() & {*NOTED}):
        raise BadAct("a penalty of a team takes points, or bonus gives them")
    if "season" in own and not is_points and not own.keys() & {*NOTED}:
        raise BadAct("a penalty for a whole season takes points")


def check_driver(session: Session, race: RaceRow, name: NameRow) -> None:
    """See that somebody was in a race.

    Raises:
        BadAct: not so.
    """
    own = select(NameRow.key).where(NameRow.driver_key == name.driver_key)
    was_there = [
        select(row.seat).where(row.race_id == race.id, row.name_key.in_(own))
        for row in (EntryRow, CrewRow)
    ]
    if all(session.scalars(one).first() is None for one in was_there):
        raise BadAct(f"{name.spelling} was not in that race")


@carry_out.register
def _lift(act: acts.Lift, session: Session, done: acts.Done) -> None:
    row = session.get(PenaltyRow, act.penalty)
    if row is None:
        raise BadAct(f"there is no penalty with number {act.penalty}")
    row.lifted = act.reason
    judge(session, row.season_key)
    if row.race_id is not None:
        touch(session, row.race_id)
