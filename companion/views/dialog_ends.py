"""The ends of a move as keys: lanes on buttons 1 to 3, near and far on 4 and 5.

Where one lane has two ends the nearer is on 4 and the farther on 5, and the lane's own
button is empty, so that nobody presses it by habit. Where two lanes have two ends each, the
farther ones are on the lanes' own buttons and the nearer ones on 4 and 5, and every key says
so. A lane with more ends than that opens a page of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.track import Track
from companion.views.costs import move_hint
from companion.views.dialog_core import Choice, Talk, make_key, to_page
from companion.views.facts import box_of, space_of
from companion.views.model import Mark
from companion.views.places import lane_letter, lane_word, place_key
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS

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


def end_choice(talk: Talk, option: Option, label: str = "") -> Choice:
    """The key that ends the move there: by its lane, or by its name where no label is given.

    The second line says what it costs; where that is nothing, the name.
    """
    hint, mark = move_hint(option, talk.say)
    if label and not hint:
        hint = short_name(talk, option, HINT_COLUMNS)
    label = label or short_name(talk, option, KEY_COLUMNS)
    mark = "old" if is_old(talk, option) else mark
    return Choice(make_key(label, hint, mark), talk.answer(value_of(option)), talk.home())


def end_choices(talk: Talk, ends: Sequence[Option], *, pair: bool) -> dict[int, Choice | None]:
    """Buttons 1 to 5 for ends that are braked alike; `pair`: 4 and 5 are free for near and far.

    Ends in the pit have keys here only where there are no others: a car that has entered the
    pit lane. Else they are under "more".
    """
    lanes = by_lane(talk, ends)
    pits = lanes.pop(PIT, [])
    if not lanes:
        return {button: end_choice(talk, option) for button, option in enumerate(pits[:5], 1)}
    double = [lane for lane, there in lanes.items() if len(there) == 2][:2] if pair else []
    places: dict[int, Choice | None] = {
        lane + 1: _lane_choice(talk, lane, there)
        for lane, there in lanes.items()
        if lane not in double
    }
    if len(double) == 1:
        near, far = lanes[double[0]]
        places[NEAR] = end_choice(talk, near, talk.say("near"))
        places[FAR] = end_choice(talk, far, talk.say("far"))
    elif double:
        for button, lane in zip((NEAR, FAR), double, strict=True):
            near, far = lanes[lane]
            letter = _letter(talk, lane)
            places[button] = end_choice(talk, near, talk.say("{lane} near", lane=letter))
            places[lane + 1] = end_choice(talk, far, talk.say("{lane} far", lane=letter))
    return places


def _letter(talk: Talk, lane: int) -> str:
    """The lane in one column."""
    return lane_letter(talk.scene.track, lane, talk.say) if talk.scene.track else str(lane + 1)


def _lane_choice(talk: Talk, lane: int, ends: Sequence[Option]) -> Choice:
    """The button of a lane: its only end, or the page of its ends."""
    track = talk.scene.track
    label = lane_word(track, lane, talk.say) if track else str(lane + 1)
    if len(ends) == 1:
        return end_choice(talk, ends[0], label)
    page = talk.turn_to("lane", picked=(str(lane), str(ends[0]["brakes"])))
    mark: Mark = "old" if any(is_old(talk, option) for option in ends) else "more"
    return to_page(label, page, mark, talk.say("{n} ends", n=len(ends)))
