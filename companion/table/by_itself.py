"""What the table answers by itself: gears that were set early, and dice that it throws.

Of the dice that the companion throws those of bots fall at once. A person throws with a tap: the
answer of its seat, in which the companion puts the face.
"""

from __future__ import annotations

from dataclasses import replace

from companion.dice import sides_of, throw
from companion.rules.commands import Answer, Line
from companion.rules.errors import Refusal
from companion.rules.game import Ask
from companion.table.race import Events, Race
from companion.table.refusals import refused
from companion.views import model as view


def answer_early(race: Race, at: float) -> Events:
    """Answer what was set early, as far as it is asked now; the events of it.

    Not in time trials: the first gear starts a watch, which is for the driver to press.
    """
    if not race.preset or race.outline.on_trial:
        return []
    events: list[Line] = []
    for ask in race.engine.open:
        gear = race.preset.get(ask.seat)
        if ask.kind == "gear" and gear is not None:
            events += _answer(race, ask.seat, gear, at, puts_out=ask.puts_out(gear))
    return events


def thrown(race: Race, at: float) -> Events:
    """Throw every die that the companion throws for a bot, as far as it is asked now; the events
    of it. Where nobody but bots races that of the whole table too.

    A gear that was set early is answered in between.
    """
    events: list[Line] = []
    bots = race.beside.bots
    nobody = {0, *race.seats} if len(bots) == len(race.seats) else set(bots)
    while due := next(
        filter(None, (_throw(race, a) for a in race.engine.open if a.seat in nobody)), None
    ):
        events += race.put(due, by="companion", at=at)
        events += answer_early(race, at)
    return events


def with_face(race: Race, answer: Answer) -> Answer | None:
    """An answer with the face that falls, where the companion throws the die that it is for; what
    it says itself counts for nothing. None: no die that is asked for is the companion's.
    """
    for ask in race.engine.open:
        if (ask.seat, ask.kind) == (answer.seat, answer.kind):
            due = _throw(race, ask)
            return None if due is None else replace(answer, value=due.value)
    return None


def _throw(race: Race, ask: Ask) -> Answer | None:
    """The answer that the seed throws; None: the ask is no die of the companion's."""
    dice, seed, sides = race.beside.dice, race.seed, sides_of(ask)
    if dice is None or seed is None or sides is None or not dice.throws_for(ask.seat):
        return None
    return Answer(ask.seat, ask.kind, throw(seed, len(race.engine.accepted), ask, sides))


def _answer(race: Race, seat: int, gear: int, at: float, *, puts_out: bool) -> Events:
    try:
        if puts_out:
            raise refused("gear-puts-out", gear=gear)
        return race.put(Answer(seat, "gear", gear), by="companion", at=at)
    except Refusal as refusal:
        race.put(view.Preset(None, seat), by="companion", at=at)
        race.words[seat] = refusal
        return []
