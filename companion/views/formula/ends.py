"""The ends of a move as keys: lanes on buttons 1 to 3, near and far on 4 and 5.

Where just one lane has two ends the nearer is on 4 and the farther on 5, and the lane's own
button is empty, so that nobody presses it by habit. Where more lanes have two, the ends stand on
1 to 5 by lane, then by distance, and every key says which it is. Of more ends than keys those
have one that a driver would want: of each lane the farthest of the cheapest, then whatever
costs least; 5 opens a page with the others, by lane and distance too.
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
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS, phrase
from companion.views.words.places import before_corner, lane_letter, lane_word, place_key, spot
from companion.views.words.wear import cost_key, cost_words

LANE_BUTTONS = 3
"""A lane has its own button where the board has no more lanes than these; else ends stand in a
row."""
NEAR, FAR = 4, 5
NEAR_OR_FAR = (phrase("near"), phrase("far"))
PAIRED, UNPAIRED = (1, 2, 3, 4, 5), (1, 2, 3, 5)
"""The buttons of ends in a row; 4 may be another key."""
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


def end_hint(talk: Talk, option: Option) -> tuple[str, Mark]:
    """The second line of an end's key and how the key is marked: the worst thing of all."""
    say = talk.say
    if option.out:
        return say("OUT"), "out"
    cost = cost_key(tell_cost(option.cost), say)
    if option.spin:
        return say("spin"), "costs"
    if cost:
        return cost, "costs"
    if option.arrival.debris:
        return say("debris"), "costs"
    return (say("+1 turn"), "costs") if a_turn(talk, option) else ("", "free")


def a_turn(talk: Talk, option: Option) -> bool:
    """Whether the end costs a turn: the pit, entered too fast."""
    return stands_a_turn(the_race(talk.scene), talk.who, option.to)


def end_choice(
    talk: Talk, option: Option, label: str = "", *, lane: int | None = None, near_or_far: str = ""
) -> Choice:
    """The key that ends the move there: by a label, else by its lane, else by its name.

    The second line says what it costs; where that is nothing, the name.
    """
    hint, mark = end_hint(talk, option)
    full = ""
    if lane is not None:
        short, full = _label(talk, lane, near_or_far)
        label = label or short
    if label and not hint:
        hint = _where(talk, option)
    place = spot(board(talk), option.to, talk.say)
    label = label or short_name(talk, option, KEY_COLUMNS)
    # The price first, for a narrow phone; where there is none, none is told: as of gears.
    says = place if mark == "free" else f"{price_words(talk, option)} · {place}"
    mark = "old" if is_old(talk, option) else mark
    key = make_key(label, hint, mark, full=full, says=says)
    return Choice(key, talk.answer(value_of(talk, option)), talk.home())


def price_words(talk: Talk, option: Option) -> str:
    """What an end costs, in words: "−2 tires, over debris", or "free"."""
    say = talk.say
    if option.out:
        return say("puts the car out")
    parts = [cost_words(tell_cost(option.cost), say)]
    parts += [say("spins")] if option.spin else []
    parts += [say("over debris")] if option.arrival.debris else []
    parts += [say("stands a turn")] if a_turn(talk, option) else []
    return ", ".join(part for part in parts if part) or say("free")


def end_choices(talk: Talk, ends: Sequence[Option], *, pair: bool) -> dict[int, Choice | None]:
    """Buttons 1 to 5 for ends that are braked alike; `pair`: 4 is free for an end too.

    Ends in the pit have keys here only where there are no others: a car that has entered the
    pit lane. Else they are under "more".
    """
    lanes = by_lane(talk, ends)
    pits = lanes.pop(PIT, [])
    if not lanes:
        return {button: end_choice(talk, option) for button, option in enumerate(pits[:5], 1)}
    buttons = PAIRED if pair else UNPAIRED
    if len(board(talk).lanes) > LANE_BUTTONS:
        return _in_a_row(talk, lanes, buttons)
    single = _single_pair(lanes) if pair else None
    if single is not None:
        near, far = lanes.pop(single)
        named: dict[int, Choice | None] = {
            lane + 1: end_choice(talk, there[0], lane=lane) for lane, there in lanes.items()
        }
        named[NEAR] = end_choice(talk, near, talk.say("near"), lane=single, near_or_far="near")
        named[FAR] = end_choice(talk, far, talk.say("far"), lane=single, near_or_far="far")
        return named
    if all(len(there) == 1 for there in lanes.values()):
        return {lane + 1: end_choice(talk, there[0], lane=lane) for lane, there in lanes.items()}
    return _in_a_row(talk, lanes, buttons)


def _single_pair(lanes: Mapping[int, Sequence[Option]]) -> int | None:
    """The one lane that has two ends, where all others have one."""
    several = [lane for lane, there in lanes.items() if len(there) > 1]
    return several[0] if len(several) == 1 and len(lanes[several[0]]) == 2 else None


def want(ends: Sequence[Option]) -> Option:
    """The end that a driver would want, of ends from near to far: cheap first, then far."""
    return min(reversed(ends), key=_price)


def _price(option: Option) -> tuple[bool, bool, int]:
    return option.out, option.spin, sum(option.cost)


def _in_a_row(
    talk: Talk, lanes: Mapping[int, Sequence[Option]], buttons: Sequence[int]
) -> dict[int, Choice | None]:
    """The ends by lane, then by distance; a page for those that find no button."""
    hidden = _hidden(lanes, len(buttons))
    shown = [(lane, o) for lane, there in lanes.items() for o in there if o not in hidden]
    places: dict[int, Choice | None] = {
        button: end_choice(talk, option, lane=lane, near_or_far=_which(lanes[lane], option))
        for button, (lane, option) in zip(buttons, shown, strict=False)
    }
    if hidden:
        mark: Mark = "old" if any(is_old(talk, option) for option in hidden) else "more"
        picked = (str(hidden[0].brakes), "pair" if buttons == PAIRED else "")
        hint = talk.say.many("{n} end", "{n} ends", len(hidden))
        places[FAR] = to_page(talk.say("other"), talk.turn_to("lane", picked=picked), mark, hint)
    return places


def _hidden(lanes: Mapping[int, Sequence[Option]], room: int) -> list[Option]:
    """The ends for which there is no button beside the one that opens their page."""
    ends = [option for there in lanes.values() for option in there]
    if len(ends) <= room:
        return []
    wanted = [want(there) for there in lanes.values()]
    rest = sorted((option for option in ends if option not in wanted), key=_price)
    shown = [*wanted, *rest][: room - 1]
    return [option for option in ends if option not in shown]


def without_key(talk: Talk, ends: Sequence[Option], *, pair: bool) -> list[Option]:
    """The ends that have no button of their own, for the page behind button 5."""
    lanes = by_lane(talk, ends)
    lanes.pop(PIT, None)
    return _hidden(lanes, len(PAIRED if pair else UNPAIRED))


def _which(ends: Sequence[Option], option: Option) -> str:
    """Whether an end of a lane is the near or the far one; "" for one that stands between."""
    if len(ends) == 1 or option not in (ends[0], ends[-1]):
        return ""
    return NEAR_OR_FAR[option is ends[-1]]


def _label(talk: Talk, lane: int, near_or_far: str) -> tuple[str, str]:
    """What a key calls an end: "L near", and in full "left, near"; else its lane."""
    word = lane_word(board(talk), lane, talk.say)
    if not near_or_far:
        return word, word
    letter = lane_letter(board(talk), lane, talk.say)
    which = talk.say(near_or_far)
    return talk.say("{lane} {which}", lane=letter, which=which), f"{word}, {which}"
