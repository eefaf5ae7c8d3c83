"""Amending: a wrong number two turns ago is put right and the race goes on as far as it holds.

Undo so many answers, give the corrected one, try the later ones again as they stand. The
first that no longer holds is asked again, with the old answer as its first key.

Whether the corrected answer is legal there shows only there. So it is tried on a race of its
own, replayed from the same lines; the table goes over to that race only if it held.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.commands import Answer, Line, Undo
from companion.table import secrecy
from companion.table.ports import By
from companion.table.race import Events, Race
from companion.table.refusals import refused
from companion.table.undo import again


@dataclass(frozen=True, slots=True)
class Amended:
    """What came of an amendment: the events of the corrected answer, how many later answers
    still hold, and the others, oldest first, as `shown` tells them."""

    events: Events
    kept: int
    dropped: list[Line]


def amend(trial: Race, back: object, value: object, *, by: By, at: float) -> Amended:
    """Amend an answer in `trial`, which is spoilt where that is refused.

    Args:
        back: how many answers ago, 1 for the last one.
        value: what the answer should have been.

    Raises:
        Refusal: there is no such answer, or this is none.
    """
    its, count = answer_at(trial, back)
    first = len(trial.given) - count + 1
    tail = trial.given[first:]
    later = [shown(trial, place) for place in range(first, len(trial.given))]
    trial.put(Undo(count), by=by, at=at)
    events = trial.put(Answer(its.seat, its.kind, value), by=by, at=at)
    kept = again(trial, tail, at=at)
    return Amended(events, kept, later[kept:])


def asked_then(trial: Race, back: object, *, by: By, at: float) -> Line | None:
    """The ask, with its options, that was answered so many answers ago; `trial` is spoilt.

    Raises:
        Refusal: there is no such answer.
    """
    its, count = answer_at(trial, back)
    trial.put(Undo(count), by=by, at=at)
    asked = (ask for ask in trial.asks if (ask["seat"], ask["kind"]) == (its.seat, its.kind))
    return next(asked, None)


def last_answers(race: Race, most: int) -> list[Line]:
    """The lines that `amend` and `undo` count, newest first: the first is 1 back."""
    newest = len(race.given) - 1
    return [shown(race, place) for place in range(newest, max(-1, newest - most), -1)]


def shown(race: Race, place: int) -> Line:
    """The answer at a place of `given` as seat, kind, value and who gave it.

    A referee's line has no kind; of what is still a secret the value is null, and `secret` true.
    """
    given = race.given[place]
    if given.key is None:
        seat = given.line.get("seat", 0)
        return {"seat": seat, "kind": None, "value": given.line, "by": given.by}
    seat, kind = given.key
    value = secrecy.open_line(race, place)[kind]
    answer = {"seat": seat, "kind": kind, "value": value, "by": given.by}
    return {**answer, "secret": True} if secrecy.is_secret(race, place) else answer


def answer_at(race: Race, back: object) -> tuple[Answer, int]:
    """The answer that was given so many answers ago, and how many.

    Raises:
        Malformed: there are not so many.
        Illegal: it is a referee's line.
    """
    if isinstance(back, bool) or not isinstance(back, int) or not 1 <= back <= len(race.given):
        raise refused("no-such-answer", back=f"{back!r:.40}", given=len(race.given))
    its = race.given[-back].command
    if not isinstance(its, Answer):
        raise refused("not-an-answer")
    return its, back
