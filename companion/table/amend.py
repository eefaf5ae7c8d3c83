"""Amending: a wrong number two turns ago is put right and the race goes on as far as it holds.

Undo so many answers, give the corrected one, try the later ones again as they stand. The
first that no longer holds is asked again, with the old answer as its first key.

Whether the corrected answer is legal there shows only there. So it is tried on a race of its
own, replayed from the same lines; the table goes over to that race only if it held.
"""

from __future__ import annotations

from typing import Any

from companion.table import refusals, secrecy
from companion.table.ports import JSON, By
from companion.table.race import Given, Race
from companion.table.undo import again

MOST_TOLD = 100


def amend(trial: Race, back: Any, value: Any, *, by: By, at: float) -> dict[str, Any]:
    """Amend an answer in `trial`, which is spoilt where the reply is a refusal.

    Args:
        back: how many answers ago, 1 for the last one.
        value: what the answer should have been.

    Returns:
        The reply of the engine protocol, and `"kept"`: how many later answers still hold;
        `"dropped"` are the others, oldest first, as `told_answer` tells them.

    Raises:
        Refusal: there is no such answer.
    """
    its = answer_at(trial, back)
    assert its.key is not None  # answer_at gives answers only
    first = len(trial.given) - back + 1
    tail = trial.given[first:]
    told_tail = [told_answer(trial, place) for place in range(first, len(trial.given))]
    seat, kind = its.key
    trial.say({"undo": back}, by=by, at=at)
    reply = trial.say({"seat": seat, kind: value}, by=by, at=at)
    if not reply["ok"]:
        return reply
    kept = again(trial, tail, at=at)
    told = {"version": trial.engine.version, "asks": trial.asks}
    return {**reply, **told, "kept": kept, "dropped": told_tail[kept:]}


def look(trial: Race, line: JSON, *, by: By, at: float) -> dict[str, Any]:
    """What an amendment would do to `trial`, which is spoilt.

    Returns:
        With a value `kept`, `dropped` and the `asks` after it, or the refusal; without one
        only `asked`, the ask that was answered then, with its options.

    Raises:
        Refusal: there is no such answer.
    """
    live = trial.asks
    if "value" not in line:
        its = answer_at(trial, line["amend"])
        trial.say({"undo": line["amend"]}, by=by, at=at)
        asked = (ask for ask in trial.asks if (ask["seat"], ask["kind"]) == its.key)
        return {"asked": next(asked, None)}
    reply = amend(trial, line["amend"], line["value"], by=by, at=at)
    if not reply["ok"]:
        return {**reply, "asks": live}
    return {key: reply[key] for key in ("asks", "kept", "dropped")}


def last_answers(race: Race, most: Any) -> list[JSON]:
    """The lines that `amend` and `undo` count, newest first: the first is 1 back.

    Raises:
        Malformed: `most` is no number of lines, 1 to 100.
    """
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_TOLD:
        raise refusals.bad_value("answers", most, f"1 to {MOST_TOLD}")
    newest = len(race.given) - 1
    return [told_answer(race, place) for place in range(newest, max(-1, newest - most), -1)]


def told_answer(race: Race, place: int) -> JSON:
    """The answer at a place of `given` as seat, kind, value and who gave it.

    A referee's line has no kind; of what is still a secret the value is null, and `secret` true.
    """
    given = race.given[place]
    if given.key is None:
        seat = given.line.get("seat", 0)
        return {"seat": seat, "kind": None, "value": given.line, "by": given.by}
    seat, kind = given.key
    told = {
        "seat": seat,
        "kind": kind,
        "value": secrecy.open_line(race, place)[kind],
        "by": given.by,
    }
    return {**told, "secret": True} if secrecy.is_secret(race, place) else told


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
