"""Who speaks to the league, and what they may do: the keeper by the PIN, people by a link of their
own. Guesses at the PIN are braked as at the table's door; a link has 192 bits.

What the league's pages are given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Literal, Protocol

from flask import Request

from companion.league.acts import Act, Come, EnterRace, Penalize, Protest
from companion.league.errors import key_of
from companion.league.forms import UNSAID, Role
from companion.league.league import League
from companion.league.plain import Line, Refused
from companion.league.view import View
from companion.system.frozen import dataclass
from companion_web.guard import LONGEST_PIN, Guard, Problem, bearer_of

# -- doors ----------------------------------------------------------------------------------------


ACTS: Final = frozenset(kind for kind, act in Act.kinds.items() if act.may)
"""Acts that a page may send; those that carry the digest of a key are made where keys are."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who sends something. `by` is how the journal names them; `table` is a marshal's."""

    by: str
    role: Role | Literal["host"]
    table: str | None = None

    def check(self, acts: Sequence[Act], league: League) -> None:
        """See that all this may be done.

        Raises:
            Problem: 403 where it may not.
        """
        entered = {act.race for act in acts if isinstance(act, EnterRace)}
        for act in acts:
            is_own = not isinstance(act, Protest | Come) or key_of(act.driver) == key_of(self.by)
            if self.role not in act.may or (self.role == "driver" and not is_own):
                raise _refusal(f"a {self.role} does not do this: {act.kind}")
            if self.role == "marshal":
                self._check_table(act, entered, league)

    def _check_table(self, act: Act, entered: Collection[str], league: League) -> None:
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
        if isinstance(act, Penalize) and act.bars:
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
    caller = access.guard.caller(request)
    if caller.host:  # whose table it is need not look for a PIN to add an evening
        return Speaker(f"page (seat {caller.seat})", "host")
    return Speaker(f"page ({access.guard.referee(request).by})", "organiser")


# -- access ---------------------------------------------------------------------------------------


class Reviews(Protocol):
    """What makes and keeps the reviews of races."""

    def known(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race as it was made last; None: there is none."""

    def review(self, race: str, lines: Sequence[Line]) -> Mapping[str, Any] | None:
        """The review of a record; None: it is being made, or (`why_none`) cannot be had."""

    def what_if(
        self, race: str, lines: Sequence[Line], line: int, answers: Sequence[object]
    ) -> Mapping[str, Any] | None:
        """What bots make of the rest after each of some answers; None: it is being driven."""

    def why_none(self, race: str, lines: Sequence[Line]) -> str | None:
        """Why no review of a record can be had, in a sentence; None: there is one, or will be."""


@dataclass(frozen=True, slots=True)
class LeagueAccess:
    """The league as the pages reach it.

    Args:
        guard: who may change it: whoever has the PIN.
        draws: whether pictures to send around can be made here (extra `league`).
        has_table: whether the same address has a table's page.
        has_live_page: whether tables report to this server how they stand.
        not_taken: records that this table's club refuses, and why.
        reviews: the reviews of races; None: there are none to be had.
    """

    queries: View
    writer: League
    guard: Guard
    draws: bool = True
    has_table: bool = False
    has_live_page: bool = False
    not_taken: Callable[[], Sequence[tuple[str, str]]] = tuple
    reviews: Reviews | None = None

    def catch_up(self) -> Sequence[Refused]:
        """Take in what has come since the last page."""
        return self.writer.catch_up(wait=False)

    def review(self, race: str, lines: Sequence[Line]) -> Mapping[str, Any] | None:
        """The review of a race; None: not yet, or never (`why_no_review`)."""
        return None if self.reviews is None else self.reviews.review(race, lines)

    def why_no_review(self, race: str, lines: Sequence[Line]) -> str | None:
        """Why a race has no review, in a sentence; None: it has one, or will."""
        return None if self.reviews is None else self.reviews.why_none(race, lines)

    def known_review(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race, if it was made already."""
        return None if self.reviews is None else self.reviews.known(race)
