"""It stands elsewhere: the table may overrule the companion.

A seat says in which lane its car stands and how far along; the table then says which rule
that breaks, and another seat agrees with one press. Nobody types: the place is stepped along
the lane and always shown by its name.

On a board that is a sketch (its move has `near` ends) the way to such an end is this one too:
it begins beside the farthest listed end, and nobody needs to agree.
"""

from __future__ import annotations

from companion.rules.board.track import Track
from companion.rules.formula.asks import MoveAsk
from companion.views.formula.facts import car_of, name_of
from companion.views.model import Agree, Propose
from companion.views.seat.core import Choice, Screen, Talk, at, back, make_key, to_page
from companion.views.words import LINE_COLUMNS, wrap
from companion.views.words.places import lane_word, place_line
from companion.views.words.refusals import refusal_text

STEPS = {1: 1, 2: -1, 3: 5, 4: -5}
"""Spaces that a button moves the place."""
OK = 5
BACK = 6
LANE_BUTTONS = PIT = 4
"""Lanes with a button; the button of the pit lane where a board has fewer."""


def lanes_page(talk: Talk) -> Screen:
    """In which lane does it stand? The lanes, and the pit lane on 4, of four lanes on 5."""
    track = talk.scene.track
    if track is None:
        return Screen(talk.say("No board"), choices=at({BACK: back(talk, talk.home())}))
    choices: dict[int, Choice | None] = {
        lane + 1: to_page(
            lane_word(track, lane, talk.say),
            talk.turn_to("place", picked=(str(lane),), number=_first_step(talk, track, lane)),
        )
        for lane in range(min(len(track.lanes), LANE_BUTTONS))
    }
    if track.pit:
        button = max(PIT, len(track.lanes) + 1)
        choices[button] = to_page(talk.say("pit"), talk.turn_to("place", picked=("pit",)))
    choices[BACK] = back(talk, talk.home())
    return Screen(
        talk.say("In which lane?"),
        wrap(talk.say("Where does the car really stand?"), 2),
        at(choices),
    )


def path_of(track: Track, start: int, picked: str) -> tuple[int, ...]:
    """The spaces of a lane (or the pit: its lane, then its boxes), from beside the car on."""
    if picked == "pit":
        return (*track.pit, *track.boxes)
    lane = int(picked)
    path = [space for space, its in enumerate(track.lane) if its == lane]
    here = track.level[start]
    return tuple(sorted(path, key=lambda space: (track.level[space] - here) % track.lap_levels))


def _start(talk: Talk) -> int | None:
    car = car_of(talk.scene, talk.who)
    return car.space if car else None


def _place(talk: Talk, track: Track, space: int, seat: int) -> str:
    car = car_of(talk.scene, seat)
    return place_line(track, space, talk.say, LINE_COLUMNS, car.box if car else None)


def _first_step(talk: Talk, track: Track, lane: int) -> int:
    """Where stepping along a lane begins: beside the car, on a sketch where its move may end."""
    start, ask = _start(talk), talk.ask
    if start is None or not isinstance(ask, MoveAsk) or not ask.near:
        return 0
    here, lap = track.level[start], track.lap_levels
    ends = [(track.level[option.to] - here) % lap for option in ask.ends]
    path = path_of(track, start, str(lane))
    farthest = max(ends, default=0)
    return min(
        range(len(path)), key=lambda at: abs((track.level[path[at]] - here) % lap - farthest)
    )


def place_page(talk: Talk) -> Screen:
    """How far along? Steps of one and five; the place is named as it goes."""
    track, start = talk.scene.track, _start(talk)
    if track is None or start is None:
        return Screen(talk.say("No board"), choices=at({BACK: back(talk, talk.home())}))
    path, space = path_of(track, start, talk.dialog.picked[0]), place_shown(talk)
    assert space is not None, "a place is shown"
    choices: dict[int, Choice | None] = {
        button: _step(talk, step, len(path)) for button, step in STEPS.items()
    }
    propose = (Propose(talk.who, track.ids[space]),)
    choices[OK] = Choice(make_key(talk.say("ok")), propose, talk.home())
    choices[BACK] = back(talk, talk.turn_to("elsewhere"))
    name = _place(talk, track, space, talk.who)
    return Screen(talk.say("It stands here:"), (name,), at(choices))


def place_shown(talk: Talk) -> int | None:
    """The space that is being stepped to; None: none is."""
    track, start = talk.scene.track, _start(talk)
    if talk.dialog.page != "place" or track is None or start is None:
        return None
    path = path_of(track, start, talk.dialog.picked[0])
    return path[talk.dialog.number % len(path)]


def _step(talk: Talk, step: int, length: int) -> Choice:
    number = (talk.dialog.number + step) % length
    key = make_key(f"+{step}" if step > 0 else f"−{-step}")
    return Choice(key, then=talk.turn_to("place", picked=talk.dialog.picked, number=number))


def agree_page(talk: Talk) -> Screen:
    """Another seat says that its car stands elsewhere: do you agree?"""
    proposal = talk.scene.proposal or {}
    yes = Choice(make_key(talk.say("yes")), (Agree(True),))
    no = Choice(make_key(talk.say("no")), (Agree(False),))
    return Screen(
        talk.say.fitting(
            "{name}: agreed?", LINE_COLUMNS, name=name_of(talk.scene, proposal["seat"])
        ),
        proposal_lines(talk),
        at({1: yes, 2: no}),
    )


def proposer_page(talk: Talk) -> Screen:
    """One's own proposal waits for another seat; it can be dropped."""
    drop = Choice(make_key(talk.say("drop")), (Agree(False),))
    return Screen(talk.say("Another seat agrees?"), proposal_lines(talk), at({BACK: drop}))


def proposal_lines(talk: Talk) -> tuple[str, ...]:
    """The place proposed, and the rule that it breaks where that is known."""
    proposal, track = talk.scene.proposal or {}, talk.scene.track
    if track is None or proposal.get("space") not in track.index:
        return ()
    space = track.index[proposal["space"]]
    place = _place(talk, track, space, proposal["seat"])
    error = proposal.get("error")
    if not error:
        return (place,)
    why = refusal_text(error, talk.say)
    return (place, *wrap(f"{error['rule']}: {why}" if error.get("rule") else why, 2))
