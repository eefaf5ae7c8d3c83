"""Acts carried out on the tables. One function a kind; it raises `BadAct` where what the act
speaks of is not there, and then the caller takes the whole transaction back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from companion.league.errors import BadAct
from companion.league.names import key_of
from companion.league.points import FORMULA_D, format_points
from companion.league.rows import entered
from companion.league.store.models import (
    AmendmentRow,
    DriverRow,
    EntryRow,
    NameRow,
    NoteRow,
    PenaltyRow,
    RaceRow,
    SeasonRow,
    SeasonTeamRow,
    TableRow,
)
from companion.league.store.writing import next_round, put_name, settle

Act = Mapping[str, Any]
"""An act in the form of `acts.parse_act`, with `n`, `at` and `by` of the journal."""


def apply(session: Session, act: Act) -> None:
    """Carry out one act.

    Raises:
        BadAct: it speaks of what is not there.
    """
    APPLIERS[act["act"]](session, act)
    session.flush()


def find_race(session: Session, race: str) -> RaceRow:
    """The race with this id.

    Raises:
        BadAct: there is none.
    """
    row = session.get(RaceRow, race)
    if row is None:
        raise BadAct(f"there is no race {race!r} in the league")
    return row


def find_season(session: Session, key: str) -> SeasonRow:
    """The season with this key.

    Raises:
        BadAct: there is none; those that there are are named.
    """
    row = session.get(SeasonRow, key)
    if row is None:
        known = session.scalars(select(SeasonRow.key).order_by(SeasonRow.number)).all()
        there = f"there are {', '.join(known)}" if known else "there is none yet"
        raise BadAct(f"there is no season {key!r}; {there}")
    return row


def find_name(session: Session, name: str) -> NameRow:
    """The row of a name.

    Raises:
        BadAct: nobody has driven under it, and nobody was called so.
    """
    row = session.get(NameRow, key_of(name))
    if row is None:
        raise BadAct(f"nobody in the league is called {name!r}")
    return row


def _season(session: Session, act: Act) -> None:
    row = session.get(SeasonRow, act["season"])
    if row is None:
        row = SeasonRow(
            key=act["season"],
            number=act["n"],
            title=act.get("title", act["season"]),
            points=format_points(FORMULA_D),
            drops=0,
            is_open=False,
        )
        session.add(row)
    if act.get("open"):
        session.flush()
        session.execute(update(SeasonRow).values(is_open=False))
    for key in ("title", "points", "drops", "team_cars", "planned", "current_round"):
        if key in act:
            setattr(row, key, act[key])
    row.is_open = act.get("open", row.is_open)


def _race(session: Session, act: Act) -> None:
    if session.get(RaceRow, act["race"]) is not None:
        raise BadAct(
            f"there is a race {act['race']!r} already, with the same cars on the same day; "
            "another one needs another name"
        )
    rows = entered(act["entries"], act["game"])
    race = RaceRow(
        id=act["race"],
        name=act.get("name") or act.get("track") or act["date"],
        date=act["date"],
        game=act["game"],
        track=act.get("track"),
        board=act.get("track"),
        laps=act.get("laps"),
        rules=[],
        source="hand",
        factor=1,
        said={"rows": rows, "earlier": [], "notes": []},
        numbers={},
    )
    session.add(race)
    settle(session, race)


def _round(session: Session, act: Act) -> None:
    race = find_race(session, act["race"])
    race.placed = act["n"]
    race.season_key = race.round = None
    race.factor = act.get("factor", 1)
    session.flush()  # else it would count for the round after itself
    if act["season"] is not None:
        season = find_season(session, act["season"])
        race.round = act.get("round") or season.current_round or next_round(session, season.key)
        race.season_key = season.key


def _amend(session: Session, act: Act) -> None:
    race = find_race(session, act["race"])
    session.add(
        AmendmentRow(
            id=act["n"],
            race_id=race.id,
            reason=act["reason"],
            at=act["at"],
            entries=act["entries"],
        )
    )
    settle(session, race)


def _strike(session: Session, act: Act) -> None:
    find_race(session, act["race"]).struck = act["reason"]


def _restore(session: Session, act: Act) -> None:
    race = find_race(session, act["race"])
    if race.struck is None:
        raise BadAct(f"the race {race.id!r} counts; there is nothing to restore")
    race.struck = None


def _penalty(session: Session, act: Act) -> None:
    name = find_name(session, act["driver"])
    if sum(word in act for word in ("points", "places", "disqualified")) > 1:
        raise BadAct("a penalty is points, places or disqualified, one of them or a mere warning")
    if ("race" in act) == ("season" in act):
        raise BadAct("a penalty is given in a race or for a season: exactly one of the two")
    if "race" in act:
        _check_driver(session, find_race(session, act["race"]), name)
    elif "points" not in act:
        raise BadAct("a penalty for a whole season takes points")
    else:
        find_season(session, act["season"])
    session.add(
        PenaltyRow(
            id=act["n"],
            race_id=act.get("race"),
            season_key=act.get("season"),
            name_key=name.key,
            reason=act["reason"],
            points=act.get("points", 0),
            places=act.get("places", 0),
            disqualified=act.get("disqualified", False),
        )
    )


def _check_driver(session: Session, race: RaceRow, name: NameRow) -> None:
    own = select(NameRow.key).where(NameRow.driver_key == name.driver_key)
    was_there = select(EntryRow).where(EntryRow.race_id == race.id, EntryRow.name_key.in_(own))
    if session.scalars(was_there).first() is None:
        raise BadAct(f"{name.spelling} was not in that race")


def _lift(session: Session, act: Act) -> None:
    row = session.get(PenaltyRow, act["penalty"])
    if row is None:
        raise BadAct(f"there is no penalty with number {act['penalty']}")
    row.lifted = act["reason"]


def _note(session: Session, act: Act) -> None:
    race = find_race(session, act["race"])
    session.add(NoteRow(id=act["n"], race_id=race.id, text=act["text"], by=act["by"], at=act["at"]))


def _merge(session: Session, act: Act) -> None:
    into = session.get(NameRow, put_name(session, act["into"]))
    name = session.get(NameRow, put_name(session, act["name"]))
    assert into is not None  # both have just been put
    assert name is not None
    if name.driver_key == into.driver_key:
        raise BadAct(f"{act['name']!r} and {act['into']!r} are one person already")
    session.execute(
        update(NameRow)
        .where(NameRow.driver_key == name.driver_key)
        .values(driver_key=into.driver_key)
    )


def _part(session: Session, act: Act) -> None:
    name = find_name(session, act["name"])
    if name.driver_key == name.key:
        raise BadAct(f"{act['name']!r} is a person of its own already")
    name.driver_key = name.key


def _rename(session: Session, act: Act) -> None:
    driver = session.get(DriverRow, find_name(session, act["driver"]).driver_key)
    assert driver is not None  # every name has its driver
    driver.title = act["name"]


def _team(session: Session, act: Act) -> None:
    season = find_season(session, act["season"])
    key = (season.key, put_name(session, act["driver"]))
    row = session.get(SeasonTeamRow, key)
    if act["team"] is None:
        if row is None:
            raise BadAct(f"{act['driver']!r} has no team of its own in {season.title}")
        session.delete(row)
    elif row is None:
        session.add(SeasonTeamRow(season_key=key[0], name_key=key[1], team=act["team"]))
    else:
        row.team = act["team"]


def _table(session: Session, act: Act) -> None:
    row = session.get(TableRow, act["table"])
    if row is None:
        session.add(TableRow(name=act["table"], key_sha256=act["key_sha256"]))
    else:
        row.key_sha256 = act["key_sha256"]


def _close_table(session: Session, act: Act) -> None:
    row = session.get(TableRow, act["table"])
    if row is None or row.key_sha256 is None:
        raise BadAct(f"there is no table {act['table']!r} with a key")
    row.key_sha256 = None


APPLIERS: Mapping[str, Callable[[Session, Act], None]] = {
    "season": _season,
    "race": _race,
    "round": _round,
    "amend": _amend,
    "strike": _strike,
    "restore": _restore,
    "penalty": _penalty,
    "lift": _lift,
    "note": _note,
    "merge": _merge,
    "part": _part,
    "rename": _rename,
    "team": _team,
    "table": _table,
    "close-table": _close_table,
}
"""Every kind of `acts.SHAPES`."""
