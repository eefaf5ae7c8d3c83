"""Who speaks to the league, and what they may do: the keeper by the PIN, people by a link of their
own. Guesses at the PIN are braked as at the table's door; a link has 192 bits."""

from __future__ import annotations

from collections.abc import Mapping
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
from companion.league.said import Role
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
MAY: Final[Mapping[Role, frozenset[str]]] = {
    "organiser": ACTS,
    "steward": frozenset(kind.kind for kind in (*_STEWARDS, Protest)),
    "driver": frozenset({Protest.kind, Come.kind}),
}


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who sends something. `by` is how the journal names them."""

    by: str
    role: Role

    def check(self, act: Act) -> None:
        """See that this may be done.

        Raises:
            Problem: 403 where it may not.
        """
        is_own = not isinstance(act, Protest | Come) or key_of(act.driver) == key_of(self.by)
        if act.kind not in MAY[self.role] or (self.role == "driver" and not is_own):
            message = f"a {self.role} does not do this: {act.kind}"
            raise Problem(HTTPStatus.FORBIDDEN, "not-your-role", message)


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
            return Speaker(member.name, member.role)
    return Speaker(f"page ({access.guard.referee(request).by})", "organiser")
