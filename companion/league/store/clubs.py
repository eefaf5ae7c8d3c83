"""The acts of a club carried out: who sent what, what waits, protests, people with keys."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.league import acts
from companion.league.errors import BadAct
from companion.league.names import key_of
from companion.league.ports import Member
from companion.league.said import UNSAID
from companion.league.store.applying import carry_out, find_name, find_race
from companion.league.store.models import (
    DriverRow,
    KnownRow,
    NameRow,
    PersonRow,
    ProtestRow,
    RaceRow,
    TableRow,
)
from companion.league.store.penalties import check_driver
from companion.league.store.writing import put_name, touch

CONFIRM = "club-confirm"
"""What the store remembers of `acts.RunClub`."""


def waits_for_confirmation(session: Session) -> bool:
    """Whether what a table sends now is provisional."""
    row = session.get(KnownRow, CONFIRM)
    return row is not None and row.value == "by-hand"


def member(session: Session, key_sha256: str) -> Member | None:
    """The person with the key of this digest; None: nobody."""
    query = (
        select(NameRow.spelling, PersonRow.role, PersonRow.table)
        .join(NameRow, NameRow.key == PersonRow.name_key)
        .where(PersonRow.key_sha256 == key_sha256)
    )
    row = session.execute(query).first()
    return None if row is None else Member(row.spelling, row.role, row.table)


def table_of_race(session: Session, race: str) -> str | None:
    """The table that a race was sent from or entered for; None: none, or no such race."""
    row = session.get(RaceRow, race)
    return None if row is None else row.sender


def table_of(session: Session, key_sha256: str) -> str | None:
    """The table with the key of this digest; None: nobody's."""
    return session.scalar(select(TableRow.name).where(TableRow.key_sha256 == key_sha256))


@carry_out.register
def _receive(act: acts.Receive, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    race.sender, race.provisional = act.table, act.provisional
    touch(session, race.id)


@carry_out.register
def _confirm(act: acts.Confirm, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    if not race.provisional:
        raise BadAct(f"the race {race.id!r} is confirmed already")
    race.provisional = False
    touch(session, race.id)


@carry_out.register
def _run_club(act: acts.RunClub, session: Session, done: acts.Done) -> None:
    session.merge(KnownRow(key=CONFIRM, value=act.confirm))


@carry_out.register
def _protest(act: acts.Protest, session: Session, done: acts.Done) -> None:
    race, name = find_race(session, act.race), find_name(session, act.driver)
    check_driver(session, race, name)
    row = ProtestRow(id=done.n, race_id=race.id, name_key=name.key, reason=act.reason, at=done.at)
    session.add(row)


@carry_out.register
def _decide(act: acts.Decide, session: Session, done: acts.Done) -> None:
    row = session.get(ProtestRow, act.protest)
    if row is None:
        raise BadAct(f"there is no protest with number {act.protest}")
    row.upheld, row.decision, row.decided_by = act.upheld, act.reason, done.by


@carry_out.register
def _appoint(act: acts.Appoint, session: Session, done: acts.Done) -> None:
    key = put_name(session, act.person)
    table = None if act.table is UNSAID else act.table
    if (act.role == "marshal") != (table is not None):
        raise BadAct("a marshal has a table, and nobody else")
    row = PersonRow(name_key=key, role=act.role, key_sha256=act.key_sha256, table=table)
    session.merge(row)


@carry_out.register
def _dismiss(act: acts.Dismiss, session: Session, done: acts.Done) -> None:
    row = session.get(PersonRow, key_of(act.person))
    if row is None:
        raise BadAct(f"{act.person!r} has no key here")
    session.delete(row)


@carry_out.register
def _hide(act: acts.Hide, session: Session, done: acts.Done) -> None:
    _driver(session, act.driver).is_hidden = True


@carry_out.register
def _reveal(act: acts.Reveal, session: Session, done: acts.Done) -> None:
    driver = _driver(session, act.driver)
    if not driver.is_hidden:
        raise BadAct(f"{act.driver!r} is not hidden")
    driver.is_hidden = False


@carry_out.register
def _forget(act: acts.Forget, session: Session, done: acts.Done) -> None:
    """The files are without the name already (`forgetting.py`): this tells who saw to it."""


def _driver(session: Session, name: str) -> DriverRow:
    driver = session.get(DriverRow, find_name(session, name).driver_key)
    assert driver is not None  # every name has its driver
    return driver
