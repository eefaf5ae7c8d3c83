"""What the table answers by itself: gears that were set early, and dice that it throws."""

from __future__ import annotations

from companion.dice import sides_of, throw
from companion.rules.commands import Answer, Line
from companion.rules.errors import Refusal
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
    """Throw every die that the companion throws, as far as it is asked now; the events of it.

    A gear that was set early is answered in between.
    """
    events: list[Line] = []
    dice, seed = race.beside.dice, race.seed
    while dice is not None and seed is not None:
        due = ((ask, sides_of(ask)) for ask in race.engine.open if ask.seat in dice.seats)
        ask, sides = next((one for one in due if one[1] is not None), (None, None))
        if ask is None or sides is None:
            break
        face = throw(seed, len(race.engine.accepted), ask, sides)
        events += race.put(Answer(ask.seat, ask.kind, face), by="companion", at=at)
        events += answer_early(race, at)
    return events


def _answer(race: Race, seat: int, gear: int, at: float, *, puts_out: bool) -> Events:
    try:
        if puts_out:
            raise refused("gear-puts-out", gear=gear)
        return race.put(Answer(seat, "gear", gear), by="companion", at=at)
    except Refusal as refusal:
        race.put(view.Preset(None, seat), by="companion", at=at)
        race.words[seat] = refusal
        return []
