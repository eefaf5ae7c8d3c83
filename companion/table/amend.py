"""Amending: a wrong number two turns ago is put right and the race goes on as far as it holds.

Undo so many answers, give the corrected one, try the later ones again as they stand. The
first that no longer holds is asked again, with the old answer as its first key.

Whether the corrected answer is legal there shows only there. So it is tried on a race of its
own, replayed from the same lines; the table goes over to that race only if it held.
"""

from __future__ import annotations

from typing import Any

from companion.table import refusals
from companion.table.ports import By
from companion.table.race import Given, Race
from companion.table.undo import again


def amend(trial: Race, back: Any, value: Any, *, by: By, at: float) -> dict[str, Any]:
    """Amend an answer in `trial`, which is spoilt where the reply is a refusal.

    Args:
        back: how many answers ago, 1 for the last one.
        value: what the answer should have been.

    Returns:
        The reply of the engine protocol, and `"kept"`: how many later answers still hold.

    Raises:
        Refusal: there is no such answer.
    """
    its = answer_at(trial, back)
    assert its.key is not None  # answer_at gives answers only
    tail = trial.given[len(trial.given) - back + 1 :]
    seat, kind = its.key
    trial.say({"undo": back}, by=by, at=at)
    reply = trial.say({"seat": seat, kind: value}, by=by, at=at)
    if not reply["ok"]:
        return reply
    kept = again(trial, tail, at=at)
    return {**reply, "version": trial.engine.version, "asks": trial.asks, "kept": kept}


def answer_at(race: Race, back: Any) -> Given:
    """The answer that was given so many answers ago.

    Raises:
        Malformed: there are not so many.
        Illegal: it is a referee's line.
    """
    if isinstance(back, bool) or not isinstance(back, int) or not 1 <= back <= len(race.given):
        raise refusals.no_such_answer(back, len(race.given))
    its = race.given[-back]
    if its.key is None:
        raise refusals.not_an_answer()
    return its
