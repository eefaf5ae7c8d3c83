"""The seat's menu in a Formula race, opened by holding 6; "it stands elsewhere"; the result.

The table may overrule the companion: a seat says in which lane its car stands and how far along;
the table then says which rule that breaks, and another seat agrees with one press. Nobody types:
the place is stepped along the lane and always shown by its name. On a board that is a sketch (its
move has `near` ends) this is the way to such an end too: it begins beside the farthest listed end,
and nobody needs to agree.
"""

from __future__ import annotations

from functools import partial

from companion.rules.board.track import Track
from companion.rules.formula.asks import MoveAsk
from companion.rules.formula.car import Car, Status
from companion.rules.formula.order import (
    TeamRow,
    classification,
    points_for,
    rank_teams,
    was_driven,
)
from companion.rules.lines import End
from companion.views.formula import parts
from companion.views.model import Agree, Propose
from companion.views.options import car_word
from companion.views.pages import after_page, leave_screen, menu2_screen, menu_screen, to_language
from companion.views.screen import (
    HOME,
    LINES,
    Choice,
    Screen,
    Talk,
    alone_in,
    any_button,
    at,
    make_key,
    spoken,
    to_page,
)
from companion.views.words import LINE_COLUMNS, fit, lane_word, phrase, place_line, wrap
from companion.views.words.refusals import refusal_text


def menu_page(talk: Talk) -> Screen:
    """Wear, standings, odds, pause; more: link, steward, retire, language."""
    say = talk.say
    # Alone there is no order to look up; in a race that was watched the last car pressed 63 times
    # before it was home.
    second = (
        to_page(say("end"), talk.turn_to("end"), hint=say("now?"))
        if alone_in(talk.scene) == talk.seat
        else to_page(say("race"), talk.turn_to("standings"), hint=say("places"))
    )
    odds = None
    if talk.scene.advise is not None and talk.scene.track is not None:
        odds = to_page(say("odds"), talk.turn_to("odds"), hint=say("by gear"))
    return menu_screen(talk, to_page(say("wear"), talk.turn_to("wear")), second, odds)


def end_page(talk: Talk) -> Screen:
    """The last car that runs may end the race now: nobody is left to wait for."""
    end = Choice(make_key(talk.say("end"), "", "out"), (End(),))
    text = talk.say("Nobody else is running. End the race as it stands?")
    stay = talk.back(talk.turn_to("menu"))
    return Screen(talk.say("End now?"), **spoken(text, 3), choices=at({1: end, 6: stay}))


def menu2_page(talk: Talk) -> Screen:
    """The rarer things."""
    car = parts.car_of(talk.scene, talk.seat)
    full = talk.say("Leave the race")
    retire = to_page(talk.say("retire"), talk.turn_to("retire"), full=full)
    keys = {3: retire} if car and car.runs else {}
    # Where the first page has the odds, the language has had to move here (`menu_screen`).
    return menu2_screen(talk, keys if talk.scene.advise is None else {**keys, 4: to_language(talk)})


RETIRED = phrase("retired from its seat")
"""The reason that the record of the race gets, and the story tells in every language."""


def retire_page(talk: Talk) -> Screen:
    """Asked again before a car leaves the race."""
    say = talk.say
    text = say("Your car leaves the race.")
    return leave_screen(talk, say("Really retire?"), text, say("retire"), RETIRED)


def wear_page(talk: Talk) -> Screen:
    """The wear of every car, a page each, one's own first."""
    others = (car.seat for car in parts.cars_of(talk.scene) if car.seat != talk.seat)
    seats, number = [talk.seat, *others], talk.dialog.number
    is_last = number + 1 >= len(seats)
    seat = seats[number % len(seats)]
    return Screen(
        talk.say.fitting("Wear of {name}", LINE_COLUMNS, name=talk.name_of(seat)),
        asks=talk.say("Wear of {name}", name=talk.name_of(seat)),
        tells=(),
        pips=parts.car_pips(talk.scene, seat, talk.say),
        lines=(talk.say("any button: on"),),
        choices=any_button(HOME if is_last else talk.turn_to("wear", number=number + 1)),
    )


def standings_page(talk: Talk) -> Screen:
    """The order on the road, four a page."""
    home = [car for car in parts.cars_of(talk.scene) if car.status is Status.FINISHED]
    home.sort(key=lambda car: car.place or 0)
    seats = [*(car.seat for car in home), *parts.running_order(talk.scene)]
    rows = [partial(fit, f"{n}. {talk.name_of(seat)}") for n, seat in enumerate(seats, 1)]
    return talk.four(talk.say("Order now"), rows, "standings", HOME)


# -- it stands elsewhere --------------------------------------------------------------------------


BACK = 6
LANE_BUTTONS = PIT = 4
"""Lanes with a button; the button of the pit lane where a board has fewer."""


def lanes_page(talk: Talk) -> Screen:
    """In which lane does it stand? The lanes, and the pit lane on 4, of four lanes on 5."""
    track = talk.scene.track
    if track is None:
        return Screen(talk.say("No board"), choices=at({BACK: talk.back(talk.home())}))
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
    choices[BACK] = talk.back(talk.home())
    return Screen(
        talk.say("In which lane?"),
        wrap(talk.say("Where does the car really stand?"), 2),
        at(choices),
        kind="lanes",
    )


def _first_step(talk: Talk, track: Track, lane: int) -> int:
    """Where stepping along a lane begins: beside the car, on a sketch where its move may end."""
    start, ask = _start(talk), talk.ask
    if start is None or not isinstance(ask, MoveAsk) or not ask.near:
        return 0
    here, lap = track.level[start], track.lap_levels
    ends = [(track.level[option.to] - here) % lap for option in ask.ends]
    path = _path_of(track, start, str(lane))
    farthest = max(ends, default=0)
    return min(
        range(len(path)), key=lambda at: abs((track.level[path[at]] - here) % lap - farthest)
    )


STEPS = {1: 1, 2: -1, 3: 5, 4: -5}
"""Spaces that a button moves the place."""
OK = 5


def place_page(talk: Talk) -> Screen:
    """How far along? Steps of one and five; the place is named as it goes."""
    track, start = talk.scene.track, _start(talk)
    if track is None or start is None:
        return Screen(talk.say("No board"), choices=at({BACK: talk.back(talk.home())}))
    path, space = _path_of(track, start, talk.dialog.picked[0]), place_shown(talk)
    assert space is not None, "a place is shown"
    choices: dict[int, Choice | None] = {
        button: _step(talk, step, len(path)) for button, step in STEPS.items()
    }
    propose = (Propose(talk.who, track.ids[space]),)
    choices[OK] = Choice(make_key(talk.say("ok")), propose, talk.home())
    choices[BACK] = talk.back(talk.turn_to("elsewhere"))
    name = _place(talk, track, space, talk.who)
    return Screen(talk.say("It stands here:"), (name,), at(choices), kind="lanes")


def place_shown(talk: Talk) -> int | None:
    """The space that is being stepped to; None: none is."""
    track, start = talk.scene.track, _start(talk)
    if talk.dialog.page != "place" or track is None or start is None:
        return None
    path = _path_of(track, start, talk.dialog.picked[0])
    return path[talk.dialog.number % len(path)]


def _step(talk: Talk, step: int, length: int) -> Choice:
    number = (talk.dialog.number + step) % length
    key = make_key(f"+{step}" if step > 0 else f"−{-step}")
    return Choice(key, then=talk.turn_to("place", picked=talk.dialog.picked, number=number))


def _path_of(track: Track, start: int, picked: str) -> tuple[int, ...]:
    """The spaces of a lane (or the pit: its lane, then its boxes), from beside the car on."""
    if picked == "pit":
        return (*track.pit, *track.boxes)
    lane = int(picked)
    path = [space for space, its in enumerate(track.lane) if its == lane]
    here = track.level[start]
    return tuple(sorted(path, key=lambda space: (track.level[space] - here) % track.lap_levels))


def _start(talk: Talk) -> int | None:
    car = parts.car_of(talk.scene, talk.who)
    return car.space if car else None


def _place(talk: Talk, track: Track, space: int, seat: int) -> str:
    car = parts.car_of(talk.scene, seat)
    return place_line(track, space, talk.say, LINE_COLUMNS, car.box if car else None)


def agree_page(talk: Talk) -> Screen:
    """Another seat says that its car stands elsewhere: do you agree?"""
    proposal = talk.scene.proposal or {}
    name = talk.name_of(proposal["seat"])
    yes = Choice(make_key(talk.say("yes")), (Agree(True),))
    no = Choice(make_key(talk.say("no")), (Agree(False),))
    return Screen(
        talk.say.fitting("{name}: agreed?", LINE_COLUMNS, name=name),
        _proposal_lines(talk),
        at({1: yes, 2: no}),
        asks=talk.say("{name} says that the car stands here: agreed?", name=name),
        kind="lanes",
    )


def proposer_page(talk: Talk) -> Screen:
    """One's own proposal waits for another seat; it can be dropped."""
    drop = Choice(make_key(talk.say("drop")), (Agree(False),))
    keys = at({BACK: drop})
    return Screen(talk.say("Another seat agrees?"), _proposal_lines(talk), keys, kind="lanes")


def _proposal_lines(talk: Talk) -> tuple[str, ...]:
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


# -- the result (FD-END-2, FD-TEAM-1) -------------------------------------------------------------


def result_page(talk: Talk) -> Screen:
    """The classification and the teams, four a page, then what now; any button turns."""
    pages, page = _result_pages(talk), talk.dialog.number
    if page >= len(pages):
        return after_page(talk)
    title, lines = pages[page]
    whole = tuple(line for _, rows in pages for line in rows)
    onward = any_button(talk.turn_to("result", number=page + 1))
    return Screen(title, lines, onward, asks=_headline(talk), tells=whole, go="")


def _headline(talk: Talk) -> str:
    """Who has won."""
    race = parts.the_race(talk.scene)
    first = classification(race)[0]
    if not was_driven(race):
        return talk.say("No race was driven")
    if first.status is Status.OUT:
        return talk.say("Nobody comes home")
    return talk.say("{name} wins!", name=first.name)


def _result_pages(talk: Talk) -> list[tuple[str, tuple[str, ...]]]:
    """Titles and lines; the teams have a page of their own (FD-TEAM-1)."""
    race = parts.the_race(talk.scene)
    rows = [_row(talk, place, car) for place, car in enumerate(classification(race), 1)]
    count = max(1, -(-len(rows) // LINES))
    pages = [
        (
            talk.say("Result {page}/{pages}", page=page + 1, pages=count),
            tuple(rows[page * LINES : (page + 1) * LINES]),
        )
        for page in range(count)
    ]
    with_teams = any(car.team for car in race.cars.values())
    teams = [_team_row(talk, team) for team in rank_teams(race)] if with_teams else []
    of_teams = [tuple(teams[n : n + LINES]) for n in range(0, len(teams), LINES)]
    return pages + [(talk.say("Teams"), lines) for lines in of_teams]


def _row(talk: Talk, place: int, car: Car) -> str:
    """One line of the classification: the points, or that it went out for none, behind the name."""
    points = points_for(parts.the_race(talk.scene), place, car)
    tail = f" {points}" if points else ""
    if car.status is Status.OUT and not points:
        tail = f" {talk.say('out')}"
    head = f"{place}. "
    return head + fit(car.name, LINE_COLUMNS - len(head) - len(tail)) + tail


def _team_row(talk: Talk, team: TeamRow) -> str:
    head, tail = f"{team.place}. ", f" {team.points}"
    name = car_word(talk.say, "team", team.team)
    return head + fit(name, LINE_COLUMNS - len(head) - len(tail)) + tail
