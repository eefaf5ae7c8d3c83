"""Who speaks to the league, and what they may do: the keeper by the PIN, people by a link of their
own. Guesses at the PIN are braked as at the table's door; a link has 192 bits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from flask import Request

from companion.frozen import dataclass
from companion.league.acts import (
    Act,
    AddNote,
    Amend,
    Appoint,
    Confirm,
    Decide,
    EnterRace,
    Forget,
    Lift,
    OpenTable,
    Penalize,
    PlaceRace,
    Protest,
    Receive,
    Restore,
    Strike,
)
from companion.league.entry_acts import Come, StandFor
from companion.league.names import key_of
from companion.league.ports import LeagueWriter
from companion.league.said import UNSAID, Role
from companion_web.guard import LONGEST_PIN, bearer_of
from companion_web.league.access import LeagueAccess
from companion_web.problems import Problem

ACTS: Final = frozenset(Act.kinds) - {OpenTable.kind, Appoint.kind, Receive.kind, Forget.kind}
"""Acts that a page may send; those that carry the digest of a key are made where keys are."""
_STEWARDS: Final = (
    StandFor,
    Amend,
    Strike,
    Restore,
    Penalize,
    Lift,
    AddNote,
    Confirm,
    Decide,
    PlaceRace,
)
_MARSHALS: Final = (EnterRace, PlaceRace, Amend, Penalize, AddNote, Confirm)
"""Of a marshal, about the races of the one table."""
MAY: Final[Mapping[Role, frozenset[str]]] = {
    "organiser": ACTS,
    "steward": frozenset(kind.kind for kind in (*_STEWARDS, Protest)),
    "marshal": frozenset(kind.kind for kind in _MARSHALS),
    "driver": frozenset({Protest.kind, Come.kind}),
}


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who sends something. `by` is how the journal names them; `table` is a marshal's."""

    by: str
    role: Role
    table: str | None = None

    def check(self, acts: Sequence[Act], league: LeagueWriter) -> None:
        """See that all this may be done.

        Raises:
            Problem: 403 where it may not.
        """
        entered = {act.race for act in acts if isinstance(act, EnterRace)}
        for act in acts:
            is_own = not isinstance(act, Protest | Come) or key_of(act.driver) == key_of(self.by)
            if act.kind not in MAY[self.role] or (self.role == "driver" and not is_own):
                raise _refusal(f"a {self.role} does not do this: {act.kind}")
            if self.role == "marshal":
                self._check_table(act, entered, league)

    def _check_table(self, act: Act, entered: Collection[str], league: LeagueWriter) -> None:
        """A marshal speaks of the races of one table, and leaves bans to the stewards."""
        if isinstance(act, EnterRace):
            table = None if act.table is UNSAID else act.table
        else:
            race = getattr(act, "race", UNSAID)
            if race in entered:
                return
            table = league.table_of_race(race) if isinstance(race, str) else None
        if table is None or key_of(table) != key_of(self.table or ""):
            raise _refusal(f"this is not of table {self.table}, whose marshal you are")
        if isinstance(act, Penalize) and (act.ban, act.licence) != (UNSAID, UNSAID):
            raise _refusal("a ban and points on the licence are given by the stewards")


def _refusal(message: str) -> Problem:
    return Problem(HTTPStatus.FORBIDDEN, "not-your-role", message)


def speaker(access: LeagueAccess, request: Request) -> Speaker:
    """Who sends a request.

    Raises:
        Problem: 401 without a key that is known, 403 with one of a seat, 429 while an address
            guesses keys.
    """
    key = bearer_of(request.environ)
    if len(key) > LONGEST_PIN:
        member = access.writer.member(key)
        if member is not None:
            return Speaker(member.name, member.role, member.table)
    return Speaker(f"page ({access.guard.referee(request).by})", "organiser")
