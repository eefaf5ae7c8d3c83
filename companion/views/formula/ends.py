"""The ends of a move as keys: lanes on buttons 1 to 3, near and far on 4 and 5.

A lane's own button is the end that a driver would want there: of those that cost least the
farthest. Where just one lane has two ends the nearer is on 4 and the farther on 5, and the
lane's own button is empty, so that nobody presses it by habit. Else 4 and 5 take the next
two ends, near or far of their lane, and every key says so; where still more are left, 5 opens
a page with all that have no key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.board.track import IN_PIT, Track
from companion.views.facts import box_of, next_corner, space_of, stands_a_turn
from companion.views.model import Mark
from companion.views.seat.core import Choice, Talk, make_key, to_page
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS
from companion.views.words.places import before_corner, lane_letter, lane_word, place_key
from companion.views.words.wear import move_hint

Option = Mapping[str, Any]
NEAR, FAR = 4, 5
PIT = -1
"""What stands for a lane where an end lies in the pit, or nobody knows the board."""


def options_of(talk: Talk) -> list[Option]:
    """The ends on offer (without the null of a slipstream)."""
    return [option for option in talk.ask["options"] if option is not None]


def value_of(option: Option) -> dict[str, Any]:
    """The answer that chooses an end."""
    return {"to": option["to"], "brakes": option["brakes"]}


def is_old(talk: Talk, option: Option) -> bool:
    """Is this the answer that was taken back?"""
    old = talk.old
    return isinstance(old, Mapping) and value_of(option) == value_of({"brakes": 0, "to": "", **old})


def by_lane(talk: Talk, options: Sequence[Option]) -> dict[int, list[Option]]:
    """The ends by lane (index), the nearest of each lane first."""
    found: dict[int, list[Option]] = {}
    for option in options:
        found.setdefault(_lane(talk.scene.track, option["to"]), []).append(option)
    for ends in found.values():
        ends.sort(key=lambda option: _distance(talk, option["to"]))
    return dict(sorted(found.items()))


def _lane(track: Track | None, space: str) -> int:
    index = track.index.get(space) if track else None
    return track.lane[index] if track and index is not None else PIT


def _distance(talk: Talk, space: str) -> tuple[int, str]:
    """Levels from where the car stands to an end of its move."""
    track, start = talk.scene.track, space_of(talk.scene, talk.who)
    if track is None or start is None or space not in track.index:
        return 0, space
    return (track.level[track.index[space]] - track.level[start]) % track.lap_levels, space


def short_name(talk: Talk, option: Option, columns: int) -> str:
    """What the end of a move is called on a key."""
    track = talk.scene.track
    if track is None or option["to"] not in track.index:
        return str(option["to"])
    box = box_of(talk.scene, talk.who)
    return place_key(track, track.index[option["to"]], talk.say, box, columns)


def _where(talk: Talk, option: Option) -> str:
    """The end as the hint of a key: "3→" before the corner that the page names, else by name."""
    track, corner = talk.scene.track, next_corner(talk.scene, talk.who)
    space = track.index.get(option["to"]) if track else None
    if track is None or corner is None or space is None:
        return short_name(talk, option, HINT_COLUMNS)
    is_before = track.corner[space] < 0 and track.straight[space] != IN_PIT
    if is_before and track.next_corner[space] == corner.corner:
        return f"{before_corner(track, space)}→"
    return short_name(talk, option, HINT_COLUMNS)


def end_choice(talk: Talk, option: Option, label: str = "") -> Choice:
    """The key that ends the move there: by its lane, or by its name where no label is given.

    The second line says what it costs; where that is nothing, the name.
    """
    hint, mark = move_hint(option, talk.say)
    if not hint and stands_a_turn(talk.scene, talk.who, option["to"]):
        hint, mark = talk.say("+1 turn"), "costs"
    if label and not hint:
        hint = _where(talk, option)
    label = label or short_name(talk, option, KEY_COLUMNS)
    mark = "old" if is_old(talk, option) else mark
    return Choice(make_key(label, hint, mark), talk.answer(value_of(option)), talk.home())


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
    return bool(option.get("out")), bool(option.get("spin")), sum(option.get("cost", {}).values())


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
        brakes = str(hidden[0]["brakes"])
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
    """The lane in one column."""
    return lane_letter(talk.scene.track, lane, talk.say) if talk.scene.track else str(lane + 1)


def _word(talk: Talk, lane: int) -> str:
    """The lane as a key says it."""
    return lane_word(talk.scene.track, lane, talk.say) if talk.scene.track else str(lane + 1)
