"""The ends of a move as keys: lanes on buttons 1 to 3, near and far on 4 and 5.

A lane's own button is the end that a driver would want there: of those that cost least the
farthest. Where just one lane has two ends the nearer is on 4 and the farther on 5, and the
lane's own button is empty, so that nobody presses it by habit. Else 4 and 5 take the next
two ends, near or far of their lane, and every key says so; where still more are left, 5 opens
a page with all that have no key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.board.track import IN_PIT, Track
from companion.rules.formula.asks import MoveAsk, SlipstreamAsk
from companion.rules.formula.option import Option
from companion.rules.formula.outlook import stands_a_turn
from companion.rules.formula.wear import tell_cost
from companion.views.formula.facts import car_of, next_corner, the_race
from companion.views.model import Mark
from companion.views.seat.core import Choice, Talk, make_key, to_page
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS, Words
from companion.views.words.places import before_corner, lane_letter, lane_word, place_key
from companion.views.words.wear import cost_key

NEAR, FAR = 4, 5
PIT = -1
"""What stands for a lane where an end lies in the pit."""


def options_of(talk: Talk) -> Sequence[Option]:
    """The ends on offer."""
    ask = talk.ask
    assert isinstance(ask, MoveAsk | SlipstreamAsk), "the page is shown for ways only"
    return ask.ends


def board(talk: Talk) -> Track:
    """The board that the way lies on."""
    return the_race(talk.scene).setup.track


def value_of(talk: Talk, option: Option) -> dict[str, object]:
    """The answer that chooses an end."""
    return {"to": board(talk).ids[option.to], "brakes": option.brakes}


def is_old(talk: Talk, option: Option) -> bool:
    """Is this the answer that was taken back?"""
    old = talk.old
    return isinstance(old, Mapping) and value_of(talk, option) == {"brakes": 0, **old}


def by_lane(talk: Talk, options: Sequence[Option]) -> dict[int, list[Option]]:
    """The ends by lane (index), the nearest of each lane first."""
    track, car = board(talk), car_of(talk.scene, talk.who)
    start = car.space if car and car.space is not None else None

    def distance(option: Option) -> tuple[int, str]:
        """Levels from where the car stands to an end of its move."""
        far = 0 if start is None else track.level[option.to] - track.level[start]
        return far % track.lap_levels, track.ids[option.to]

    found: dict[int, list[Option]] = {}
    for option in sorted(options, key=distance):
        found.setdefault(track.lane[option.to], []).append(option)
    return dict(sorted(found.items()))


def short_name(talk: Talk, option: Option, columns: int) -> str:
    """What the end of a move is called on a key."""
    car = car_of(talk.scene, talk.who)
    return place_key(board(talk), option.to, talk.say, car.box if car else None, columns)


def _where(talk: Talk, option: Option) -> str:
    """The end as the hint of a key: "3→" before the corner that the page names, else by name."""
    track, corner, space = board(talk), next_corner(talk.scene, talk.who), option.to
    is_before = track.corner[space] < 0 and track.straight[space] != IN_PIT
    if corner is not None and is_before and track.next_corner[space] == corner.corner:
        return f"{before_corner(track, space)}→"
    return short_name(talk, option, HINT_COLUMNS)


def end_hint(option: Option, say: Words) -> tuple[str, Mark]:
    """The second line of an end's key and how the key is marked: the worst thing of all."""
    if option.out:
        return say("OUT"), "out"
    cost = cost_key(tell_cost(option.cost), say)
    if option.spin:
        return say("spin"), "costs"
    if cost:
        return cost, "costs"
    return (say("debris"), "costs") if option.arrival.debris else ("", "")


def end_choice(talk: Talk, option: Option, label: str = "") -> Choice:
    """The key that ends the move there: by its lane, or by its name where no label is given.

    The second line says what it costs; where that is nothing, the name.
    """
    hint, mark = end_hint(option, talk.say)
    if not hint and stands_a_turn(the_race(talk.scene), talk.who, option.to):
        hint, mark = talk.say("+1 turn"), "costs"
    if label and not hint:
        hint = _where(talk, option)
    label = label or short_name(talk, option, KEY_COLUMNS)
    mark = "old" if is_old(talk, option) else mark
    return Choice(make_key(label, hint, mark), talk.answer(value_of(talk, option)), talk.home())


def end_choices(talk: Talk, ends: Sequence[Option], *, pair: bool) -> dict[int, Choice | None]:
    """Buttons 1 to 5 for ends that are braked alike; `pair`: 4 is free for an end too.

    Ends in the pit have keys here only where there are no others: a car that has entered the
    pit lane. Else they are under "more".
    """
    lanes = by_lane(talk, ends)
    pits = lanes.pop(PIT, [])
    if not lanes:
        return {button: end_choice(talk, option) for button, option in enumerate(pits[:5], 1)}
    single = _single_pair(lanes) if pair else None
    if single is not None:
        near, far = lanes.pop(single)
        named = {lane + 1: end_choice(talk, there[0], _word(talk, lane))
                 for lane, there in lanes.items()}  # fmt: skip
        named[NEAR] = end_choice(talk, near, talk.say("near"))
        named[FAR] = end_choice(talk, far, talk.say("far"))
        return dict(named)
    wanted = {lane: want(there) for lane, there in lanes.items()}
    places: dict[int, Choice | None] = {
        lane + 1: end_choice(talk, option, _which(talk, lane, lanes[lane], option))
        for lane, option in wanted.items()
    }
    return places | _rest_choices(talk, lanes, wanted, (NEAR, FAR) if pair else (FAR,))


def _single_pair(lanes: Mapping[int, Sequence[Option]]) -> int | None:
    """The one lane that has two ends, where all others have one."""
    several = [lane for lane, there in lanes.items() if len(there) > 1]
    return several[0] if len(several) == 1 and len(lanes[several[0]]) == 2 else None


def want(ends: Sequence[Option]) -> Option:
    """The end that a driver would want, of ends from near to far: cheap first, then far."""
    return min(reversed(ends), key=_price)


def _price(option: Option) -> tuple[bool, bool, int]:
    return option.out, option.spin, sum(option.cost)


def without_key(talk: Talk, ends: Sequence[Option], *, pair: bool) -> list[Option]:
    """The ends that have no button of their own, for the page behind button 5."""
    lanes = by_lane(talk, ends)
    lanes.pop(PIT, None)
    wanted = [want(there) for there in lanes.values()]
    rest = sorted((o for there in lanes.values() for o in there if o not in wanted), key=_price)
    room = 2 if pair else 1
    return rest[room - 1 :] if len(rest) > room else []


def _rest_choices(
    talk: Talk,
    lanes: Mapping[int, Sequence[Option]],
    wanted: Mapping[int, Option],
    buttons: Sequence[int],
) -> dict[int, Choice | None]:
    """Near and far on 4 and 5, the cheapest first; a page where there are more."""
    hidden = without_key(talk, [o for there in lanes.values() for o in there],
                         pair=len(buttons) == 2)  # fmt: skip
    rest = sorted(
        ((lane, o) for lane, there in lanes.items() for o in there
         if o is not wanted[lane] and o not in hidden),
        key=lambda pair: _price(pair[1]),
    )  # fmt: skip
    places: dict[int, Choice | None] = {}
    for button, (lane, option) in zip(buttons, rest, strict=False):
        label = _which(talk, lane, lanes[lane], option)
        places[button] = end_choice(talk, option, label)
    if hidden:
        brakes = str(hidden[0].brakes)
        mark: Mark = "old" if any(is_old(talk, option) for option in hidden) else "more"
        page = talk.turn_to("lane", picked=(brakes, "pair" if len(buttons) == 2 else ""))
        places[FAR] = to_page(talk.say("other"), page, mark, talk.say("{n} ends", n=len(hidden)))
    return places


def _which(talk: Talk, lane: int, ends: Sequence[Option], option: Option) -> str:
    """One end of a lane in a word: near, far, or only the lane for one that stands between."""
    if len(ends) > 1 and option is ends[0]:
        return talk.say("{lane} near", lane=_letter(talk, lane))
    if len(ends) > 1 and option is ends[-1]:
        return talk.say("{lane} far", lane=_letter(talk, lane))
    return _word(talk, lane)


def _letter(talk: Talk, lane: int) -> str:
    return lane_letter(board(talk), lane, talk.say)


def _word(talk: Talk, lane: int) -> str:
    return lane_word(board(talk), lane, talk.say)
