"""The third press, where the car ended; and the slipstream, which asks the same.

Lanes with nothing braked are on the first page (`ends.py`); button 6 is "brake and
more": brakes spent, the pit, and "it stands elsewhere".
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.formula.asks import MoveAsk, SlipstreamAsk
from companion.rules.formula.option import Option
from companion.views.formula.ends import (
    PIT,
    by_lane,
    end_choice,
    end_choices,
    is_old,
    options_of,
    without_key,
)
from companion.views.formula.parts import car_screen
from companion.views.games import AskWords, Event, Outcomes
from companion.views.model import Mark
from companion.views.seat.core import Choice, Screen, Talk, at, back, make_key, more, paged, to_page
from companion.views.seat.parts import asked, in_full
from companion.views.words import phrase
from companion.views.words.wear import cost_key

NO = 4
"""The button that declines a slipstream; 1 to 3 are the lanes, 6 is "brake and more"."""
MORE = 6


def plain(options: Sequence[Option]) -> list[Option]:
    """The ends with the fewest brakes spent: as a rule none."""
    least = min((option.brakes for option in options), default=0)
    return [option for option in options if option.brakes == least]


def braked(options: Sequence[Option]) -> dict[int, list[Option]]:
    """The other ends, by how much is braked."""
    shown = plain(options)
    found: dict[int, list[Option]] = {}
    for option in options:
        if option not in shown:
            found.setdefault(option.brakes, []).append(option)
    return dict(sorted(found.items()))


def move_page(talk: Talk) -> Screen:
    """Where did it end? Lanes, near and far, brake and more."""
    ends = plain(options_of(talk))
    keys = at({**end_choices(talk, ends, pair=True), MORE: _more(talk)})
    question = talk.say("Where did it end?")
    asks = in_full(talk, talk.say("Where did the car end?"))
    return car_screen(talk, talk.who, asked(talk, question), keys, asks=asks)


def slipstream_page(talk: Talk) -> Screen:
    """Slipstream? The lanes, no, and brake and more."""
    ends = plain(options_of(talk))
    no = Choice(make_key(talk.say("no")), talk.answer(None), talk.home())
    keys = at({**end_choices(talk, ends, pair=False), NO: no, MORE: _more(talk)})
    return car_screen(talk, talk.who, asked(talk, talk.say("Slipstream?")), keys)


def _more(talk: Talk) -> Choice:
    """The key to the rest, marked where the old answer is behind it."""
    hidden = [option for ends in braked(options_of(talk)).values() for option in ends]
    hidden += _pit_ends(talk)
    if any(is_old(talk, option) for option in hidden):
        return to_page(talk.say("more"), talk.turn_to("more"), "old", talk.say("brake…"))
    return more(talk, talk.turn_to("more"), talk.say("brake…"))


def _pit_ends(talk: Talk) -> list[Option]:
    """The ends in the pit that the first page has no key for."""
    lanes = by_lane(talk, plain(options_of(talk)))
    return lanes.get(PIT, []) if len(lanes) > 1 else []


def more_page(talk: Talk) -> Screen:
    """Brake 1, 2, 3 …, the pit, and "it stands elsewhere"."""
    choices = [_brake(talk, n, ends) for n, ends in braked(options_of(talk)).items()]
    choices += [end_choice(talk, option) for option in _pit_ends(talk)]
    choices.append(
        to_page(talk.say("other"), talk.turn_to("elsewhere"), "more", talk.say("place…"))
    )
    keys = paged(talk, choices, leave=back(talk, talk.home()))
    return car_screen(talk, talk.who, asked(talk, talk.say("Brake and more")), keys)


def _brake(talk: Talk, brakes: int, ends: Sequence[Option]) -> Choice:
    """Spend so many brakes: at once where that leaves one end, else to its page of lanes."""
    label = talk.say("−{n} sp.", n=brakes)
    if len(ends) == 1:
        return end_choice(talk, ends[0], label)
    mark: Mark = "old" if any(is_old(talk, option) for option in ends) else "more"
    hint = cost_key({"brakes": brakes}, talk.say)
    return to_page(label, talk.turn_to("brake", picked=(str(brakes),)), mark, hint)


def brake_page(talk: Talk) -> Screen:
    """Where it ended with so many brakes spent: the lanes again."""
    brakes = int(talk.dialog.picked[0])
    ends = [option for option in options_of(talk) if option.brakes == brakes]
    title = talk.say.many("{n} space braked", "{n} spaces braked", brakes)
    keys = at({**end_choices(talk, ends, pair=True), MORE: back(talk, talk.turn_to("more"))})
    return car_screen(talk, talk.who, asked(talk, title), keys)


def lane_page(talk: Talk) -> Screen:
    """The ends that have no button of their own, the cheapest first, each by its name."""
    brakes, pair = talk.dialog.picked
    alike = [option for option in options_of(talk) if option.brakes == int(brakes)]
    ends = without_key(talk, alike, pair=bool(pair))
    keys = paged(talk, [end_choice(talk, option) for option in ends], leave=back(talk, talk.home()))
    return car_screen(talk, talk.who, asked(talk, talk.say("Where did it end?")), keys)


_PAGES = {"more": more_page, "brake": brake_page, "lane": lane_page}
ASKS = {
    MoveAsk.kind: AskWords(
        "{name} moves", "{name}: where did the car end?", "move", move_page, _PAGES
    ),
    SlipstreamAsk.kind: AskWords(
        "{name} may slipstream", "{name}: slipstream?", "slip", slipstream_page, _PAGES
    ),
}

SENTENCES = {
    ("Moved", ""): phrase("{name} moves {spaces}: {place}."),
    ("Moved", "braked"): phrase("{name} brakes {brakes} and moves {spaces}: {place}."),
    ("EndedNear", ""): phrase("{name} ends beside what the sketch of the board knows: {place}."),
    ("Slipstreamed", ""): phrase("{name} slipstreams behind {other}{cost}."),
    ("SlipstreamDeclined", ""): phrase("{name} lets the slipstream go."),
    ("LineCrossed", ""): phrase("{name} crosses the line{lap_told}."),
    ("Blocked", ""): phrase("{name} is blocked, {spaces} spaces short{cost}."),
    ("Overshot", ""): phrase("{name} overshoots {corner} by {spaces}{cost}."),
    ("Overshot", "somewhere"): phrase("{name} overshoots by {spaces}{cost}."),
    ("Spun", ""): phrase("{name} spins."),
    ("StopMade", ""): phrase("{name} stops in {corner}: {stops} of {needed}."),
    ("StopMade", "somewhere"): phrase("{name} stops in a corner."),
}


def _corner(event: Event) -> str:
    return "" if event.get("corner") else "somewhere"


OUTCOMES: Outcomes = {
    "Moved": lambda event: "braked" if event.get("brakes") else "",
    "Overshot": _corner,
    "StopMade": _corner,
}
