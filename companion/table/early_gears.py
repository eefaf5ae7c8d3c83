"""Gears set early: kept until the seat is asked, then answered for it.

A gear that is no longer on offer by then, or that would put the car out, is dropped with a
word on the seat's screen; the seat is asked as if it had set none.
"""

from __future__ import annotations

from companion.rules.commands import Answer
from companion.rules.errors import Refusal
from companion.table.ports import By
from companion.table.race import Events, Race
from companion.table.refusals import refused
from companion.views.model import Preset

BY_ITSELF: By = "companion"


def check_runs(race: Race, seat: int) -> None:
    """Refuse a gear for a seat that will not be asked for one.

    Raises:
        Illegal: the seat has no car in the race.
    """
    if "gear" not in race.kinds or seat in race.outline.bystanders:
        raise refused("not-running", seat=seat)


def answer_early(race: Race, at: float) -> Events:
    """Answer what was set early, as far as it is asked now; the events of it.

    Not in time trials: the first gear starts a watch, which is for the driver to press.
    """
    if not race.preset or race.outline.on_trial:
        return []
    events: Events = []
    for ask in race.asks:
        gear = race.preset.get(ask["seat"])
        if ask["kind"] == "gear" and gear is not None:
            events += _answer(race, ask["seat"], gear, at, puts_out=gear in ask["out"])
    return events


def _answer(race: Race, seat: int, gear: int, at: float, *, puts_out: bool) -> Events:
    try:
        if puts_out:
            raise refused("gear-puts-out", gear=gear)
        return race.put(Answer(seat, "gear", gear), by=BY_ITSELF, at=at)
    except Refusal as refusal:
        race.put(Preset(None, seat), by=BY_ITSELF, at=at)
        race.words[seat] = refusal
        return []
