"""The presses of a turn: the gear, what its die shows, where the car ended; and the slipstream.

Where the car ended is shown as keys: lanes with nothing braked are on buttons 1 to 3, near and far
on 4 and 5; button 6 is "brake and more": brakes spent, the pit, and "it stands elsewhere". Where
just one lane has two ends the nearer is on 4 and the farther on 5, and the lane's own button is
empty, so that nobody presses it by habit. Where more lanes have two, the ends stand on 1 to 5 by
lane, then by distance, and every key says which it is. Of more ends than keys those have one that a
driver would want: of each lane the farthest of the cheapest, then whatever costs least; 5 opens a
page with the others, by lane and distance too.

A die that the companion throws is thrown by any button: its seat only says when.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.board.track import IN_PIT, Track
from companion.rules.formula.asks import (
    BlackAsk,
    GearAsk,
    MoveAsk,
    ReportAsk,
    RollAsk,
    SecondRollAsk,
    SlipstreamAsk,
)
from companion.rules.formula.book import BRAKES, GEAR_DICE, tell_cost
from companion.rules.formula.car import Option
from companion.rules.formula.moves import chance_to_hold
from companion.rules.formula.order import stands_a_turn
from companion.rules.games import fetch
from companion.rules.lines import Answer
from companion.views.formula.parts import (
    car_of,
    car_screen,
    driving,
    next_corner,
    percent,
    the_race,
)
from companion.views.formula.report import form_of
from companion.views.formula.street import start_page
from companion.views.model import Mark, Scene
from companion.views.pages import list_page, option_word
from companion.views.screen import (
    AskT,
    Choice,
    Choices,
    Event,
    Outcomes,
    Pages,
    Screen,
    Talk,
    alone_in,
    any_button,
    at,
    game_of,
    in_sight,
    is_thrown_for,
    make_key,
    running,
    to_page,
)
from companion.views.words import (
    HINT_COLUMNS,
    KEY_COLUMNS,
    LINE_COLUMNS,
    before_corner,
    cost_key,
    cost_letters,
    cost_words,
    lane_letter,
    lane_word,
    phrase,
    phrases,
    place_key,
    range_text,
    spot,
)


def gear_page(talk: Talk) -> Screen:
    """Gears on the buttons of the gear gate; what a change costs stands under it."""
    start = start_page(talk) if driving(talk.scene) == talk.who else None
    if start is not None:
        return start
    keys = gear_choices(talk)
    if alone_in(talk.scene) == talk.seat == talk.who and None in keys:
        # Nobody is left to race: whoever drives on alone is offered the end, where a key is free.
        free = max(at for at, key in enumerate(keys) if key is None)
        end = to_page(talk.say("end"), talk.turn_to("end"), hint=talk.say("now?"))
        keys = (*keys[:free], end, *keys[free + 1 :])
    title = talk.asked(talk.say("Which gear?"), talk.say("Which gear now?"))
    return replace(car_screen(talk, talk.who, title, keys), kind="scale")


def gear_choices(talk: Talk) -> Choices:
    """Gear n on button n, only the legal ones (FD-GEAR-2); an old answer is marked in its place."""
    ask = talk.the(GearAsk)
    places: dict[int, Choice | None] = {}
    for choice in ask.choices:
        cost = tell_cost(choice.cost, ask.categories)
        hint = cost_letters(cost, talk.say)
        mark: Mark = "costs" if hint else "free"
        price = cost_words(cost, talk.say)
        if choice.out:
            hint, mark, price = talk.say("OUT"), "out", talk.say("puts the car out")
        held = _held(talk, choice.gear)
        # On a key there is room for one of the two; what costs is said first.
        hint = hint or (f"{held}%" if held else "")
        chance = talk.say("holds {n} %", n=held) if held else ""
        says = " · ".join(filter(None, (range_text(GEAR_DICE[choice.gear]), price, chance)))
        places[choice.gear] = talk.answers(
            str(choice.gear),
            choice.gear,
            hint,
            mark,
            says=says,
            price=price,
            holds=held,
            **of_gear(choice.gear),
        )
    return at(places)


def _held(talk: Talk, gear: int) -> str:
    """The chance in percent that the next corner is held in a gear; "" where nobody knows it."""
    chance = chance_to_hold(the_race(talk.scene), talk.who, gear)
    is_told = talk.scene.advise is not None and chance is not None
    return percent(chance) if is_told and chance is not None else ""


def of_gear(gear: int) -> dict[str, object]:
    """What a phone draws a gear by: its die, and what that shows."""
    low, high = GEAR_DICE[gear]
    return {"die": gear, "low": low, "high": high}


def roll_page(talk: Talk) -> Screen:
    """The faces of the engaged gear's die, each once, in ascending order.

    Ten faces (5th and 6th) take two pages, five and five: with equal chances no split of ten
    over six keys needs fewer presses than 1.5 on average.
    """
    ask = talk.the(RollAsk)
    if is_thrown(talk):
        asks = talk.say("Throw the {die} die", die=_die_word(talk))
        return throw_page(talk, talk.asked(_die_line(talk, ask), asks))
    faces = [talk.answers(str(face), face, die=ask.gear) for face in ask.faces]
    asks = talk.say("What does the {die} die show?", die=_die_word(talk))
    title = talk.asked(_die_line(talk, ask), asks)
    page = car_screen(talk, talk.who, title, talk.paged(in_sight(faces)))
    reports = asks_by_face(talk, ReportAsk) if talk.scene.track is None else {}
    form = form_of(talk, reports) if reports else None
    # In order, as on the die: the first key may be the answer that was taken back.
    return replace(page, kind="faces", row=tuple(faces), form=form)


def _die_word(talk: Talk) -> str:
    """The color of the die that is rolled."""
    return talk.say(DICE[_gear(talk)])


def _die_line(talk: Talk, ask: RollAsk) -> str:
    """The gear, its die, and what that shows: "gear 3: red die, 4–8", or less of it."""
    die, faces = _die_word(talk), range_text((ask.faces[0], ask.faces[-1]))
    if talk.dialog.target or running(talk.scene, talk.who):  # behind a name or the watch
        return talk.say("{die} die?", die=die)
    line = talk.say("gear {gear}: {die} die, {faces}", gear=_gear(talk), die=die, faces=faces)
    short = talk.say("{gear}: {die} die, {faces}", gear=_gear(talk), die=die, faces=faces)
    return line if len(line) <= LINE_COLUMNS else short


def _gear(talk: Talk) -> int:
    """The gear that is engaged."""
    car = car_of(talk.scene, talk.who)
    return max(1, car.gear) if car else 1


DICE = dict(enumerate(phrases("yellow | orange | red | green | violet | blue"), 1))
"""The colors of the dice by their gear, as in the box."""


def second_page(talk: Talk) -> Screen:
    """Whether the die is rolled again, and what it shows."""
    roll = talk.the(SecondRollAsk).roll
    shown = str(roll) if isinstance(roll, int) else range_text(roll)
    both = [(one, option_word(talk, one)) for one in (True, False)]
    return list_page(talk, talk.say("Roll again?"), both, (talk.say("The die: {sky}", sky=shown),))


# -- a die that the companion throws --------------------------------------------------------------


THROW_DICE = (RollAsk, BlackAsk)


def is_thrown(talk: Talk) -> bool:
    """Whether the ask at hand is a die of the companion's."""
    return isinstance(talk.ask, THROW_DICE) and is_thrown_for(talk.scene, talk.who)


def throw_page(talk: Talk, title: str) -> Screen:
    """Any button throws; what would be answered the companion puts in."""
    choices = any_button(talk.home(), talk.answer(None))
    page = car_screen(talk, talk.who, title, choices, (talk.say("Any button throws the die."),))
    return replace(page, go=talk.say("Tap to throw"))


def thrown_die(talk: Talk) -> dict[str, object] | None:
    """The die that a tap throws now: its gear, None for the black die; None: a tap throws none."""
    if not is_thrown(talk) or talk.dialog.page:
        return None
    return {"gear": _gear(talk) if isinstance(talk.ask, RollAsk) else None}


def last_die(scene: Scene) -> dict[str, object] | None:
    """What was rolled last: by whom, in which gear (None: the black die), and what it shows."""
    for event in reversed(scene.log):
        if _roll_of(event) is not None:
            return _told(event)
    return None


def last_throw(scene: Scene) -> dict[str, object] | None:
    """The last die, with the version at which it fell; None where a person rolled it."""
    for event in reversed(scene.log):
        if _roll_of(event) is not None:
            is_ours = is_thrown_for(scene, event["seat"])
            return _told(event) | {"version": event["version"]} if is_ours else None
    return None


def _told(event: Event) -> dict[str, object]:
    roll = _roll_of(event)
    shows = str(roll) if isinstance(roll, int) else range_text(roll)
    return {"seat": event["seat"], "gear": event.get("gear"), "shows": shows}


def _roll_of(event: Event) -> Any:
    """What a die shows, a number or a range; None: the event is none of a die."""
    return event.get("face") if event["event"] == "DieRolled" else event.get("roll")


# -- where did it end? ----------------------------------------------------------------------------


NO = 4
"""The button that declines a slipstream; 1 to 3 are the lanes, 6 is "brake and more"."""
MORE = 6
BRAKES_FIRST = 3
"""So many spaces braked stand before the pit and "it stands elsewhere"."""


def move_page(talk: Talk) -> Screen:
    """Where did it end? Lanes, near and far, brake and more."""
    ends = plain(options_of(talk))
    keys = at({**_end_choices(talk, ends, pair=True), MORE: _more(talk)})
    title = talk.asked(talk.say("Where did it end?"), talk.say("Where did the car end?"))
    return replace(car_screen(talk, talk.who, title, keys), kind="lanes")


def slipstream_page(talk: Talk) -> Screen:
    """Slipstream? The lanes, no, and brake and more."""
    ends = plain(options_of(talk))
    no = Choice(make_key(talk.say("no")), talk.answer(None), talk.home())
    keys = at({**_end_choices(talk, ends, pair=False), NO: no, MORE: _more(talk)})
    title = talk.asked(talk.say("Slipstream?"), talk.say("Take the slipstream?"))
    return replace(car_screen(talk, talk.who, title, keys), kind="lanes")


def ends_by_face(talk: Talk) -> dict[int, Sequence[Option]]:
    """The ends of each face of the die that is asked for, so where the car stands tells it too."""
    return {face: move.ends for face, move in asks_by_face(talk, MoveAsk).items()}


def asks_by_face(talk: Talk, kind: type[AskT]) -> dict[int, AskT]:
    """What is asked after each face of the die, where that is always of this kind; else empty.

    Soft tires, nitro, a drift and a second roll are asked after the die and before the move; a die
    of the companion's nobody knows before.
    """
    ask, scene = talk.ask, talk.scene
    if not isinstance(ask, RollAsk) or is_thrown(talk):
        return {}
    game, state, asks = fetch(game_of(scene)), the_race(scene), [one.ask for one in scene.asks]
    found = {}
    for face in ask.faces:
        rolled = game.decide(state, Answer(talk.who, RollAsk.kind, face), asks).state
        after = next((one for one in game.asks(rolled) if one.seat == talk.who), None)
        if not isinstance(after, kind):
            return {}
        found[face] = after
    return found


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


def _more(talk: Talk) -> Choice:
    """The key to the rest, marked where the old answer is behind it."""
    hidden = [option for ends in braked(options_of(talk)).values() for option in ends]
    hidden += _pit_ends(talk)
    if any(is_old(talk, option) for option in hidden):
        return to_page(talk.say("more"), talk.turn_to("more"), "old", talk.say("brake…"))
    # Without a point to spend nothing is to be braked.
    hint = talk.say("brake…") if braked(options_of(talk)) else talk.say("place…")
    return talk.more(talk.turn_to("more"), hint)


def _pit_ends(talk: Talk) -> list[Option]:
    """The ends in the pit that the first page has no key for."""
    lanes = by_lane(talk, plain(options_of(talk)))
    return lanes.get(PIT, []) if len(lanes) > 1 else []


def more_page(talk: Talk) -> Screen:
    """Brake 1, 2, 3 …, the pit, and "it stands elsewhere"."""
    braking = [_brake(talk, n, ends) for n, ends in braked(options_of(talk)).items()]
    rest = [_end_choice(talk, option) for option in _pit_ends(talk)]
    rest.append(to_page(talk.say("other"), talk.turn_to("elsewhere"), "more", talk.say("place…")))
    # A pool lets a car brake far more than anybody wants: the rest does not stand behind all that.
    choices = [*braking[:BRAKES_FIRST], *rest, *braking[BRAKES_FIRST:]]
    keys = talk.paged(choices, leave=talk.back(talk.home()))
    title = talk.say("Brake and more") if braking else talk.say("Where did it end?")
    page = car_screen(talk, talk.who, talk.asked(title), keys)
    return replace(page, kind="lanes")


def _brake(talk: Talk, brakes: int, ends: Sequence[Option]) -> Choice:
    """Spend so many brakes: at once where that leaves one end, else to its page of lanes."""
    label = talk.say("−{n} sp.", n=brakes)
    if len(ends) == 1:
        return _end_choice(talk, ends[0], label)
    mark: Mark = "old" if any(is_old(talk, option) for option in ends) else "more"
    category = the_race(talk.scene).setup.edition.category(BRAKES)
    hint = cost_key({category: brakes}, talk.say)
    return to_page(label, talk.turn_to("brake", picked=(str(brakes),)), mark, hint)


def brake_page(talk: Talk) -> Screen:
    """Where it ended with so many brakes spent: the lanes again."""
    brakes = int(talk.dialog.picked[0])
    ends = [option for option in options_of(talk) if option.brakes == brakes]
    title = talk.say.many("{n} space braked", "{n} spaces braked", brakes)
    keys = at({**_end_choices(talk, ends, pair=True), MORE: talk.back(talk.turn_to("more"))})
    return replace(car_screen(talk, talk.who, talk.asked(title), keys), kind="lanes")


def lane_page(talk: Talk) -> Screen:
    """The ends that have no button of their own, the cheapest first, each by its name."""
    brakes, pair = talk.dialog.picked
    alike = [option for option in options_of(talk) if option.brakes == int(brakes)]
    ends = _without_key(talk, alike, pair=bool(pair))
    keys = talk.paged([_end_choice(talk, option) for option in ends], leave=talk.back(talk.home()))
    page = car_screen(talk, talk.who, talk.asked(talk.say("Where did it end?")), keys)
    return replace(page, kind="lanes")


_PAGES = {"more": more_page, "brake": brake_page, "lane": lane_page}


# -- the ends of a move as keys -------------------------------------------------------------------


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
    """Whether this is the answer that was taken back."""
    old = talk.old
    # An answer may leave `brakes` out where none are spent.
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


def _short_name(talk: Talk, option: Option, columns: int) -> str:
    """What the end of a move is called on a key."""
    car = car_of(talk.scene, talk.who)
    return place_key(board(talk), option.to, talk.say, car.box if car else None, columns)


def _where(talk: Talk, option: Option) -> str:
    """The end as the hint of a key: "3→" before the corner that the page names, else by name."""
    track, corner, space = board(talk), next_corner(talk.scene, talk.who), option.to
    is_before = track.corner[space] < 0 and track.straight[space] != IN_PIT
    if corner is not None and is_before and track.next_corner[space] == corner.corner:
        return f"{before_corner(track, space)}→"
    return _short_name(talk, option, HINT_COLUMNS)


def _end_hint(talk: Talk, option: Option) -> tuple[str, Mark]:
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


def _end_choice(
    talk: Talk, option: Option, label: str = "", *, lane: int | None = None, near_or_far: str = ""
) -> Choice:
    """The key that ends the move there: by a label, else by its lane, else by its name.

    The second line says what it costs; where that is nothing, the name.
    """
    hint, mark = _end_hint(talk, option)
    full = ""
    if lane is not None:
        short, full = _label(talk, lane, near_or_far)
        label = label or short
    if label and not hint:
        hint = _where(talk, option)
    place = spot(board(talk), option.to, talk.say)
    label = label or _short_name(talk, option, KEY_COLUMNS)
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


def _end_choices(talk: Talk, ends: Sequence[Option], *, pair: bool) -> dict[int, Choice | None]:
    """Buttons 1 to 5 for ends that are braked alike; `pair`: 4 is free for an end too.

    Ends in the pit have keys here only where there are no others: a car that has entered the
    pit lane. Else they are under "more".
    """
    lanes = by_lane(talk, ends)
    pits = lanes.pop(PIT, [])
    if not lanes:
        return {button: _end_choice(talk, option) for button, option in enumerate(pits[:5], 1)}
    buttons = PAIRED if pair else UNPAIRED
    if len(board(talk).lanes) > LANE_BUTTONS:
        return _in_a_row(talk, lanes, buttons)
    single = _single_pair(lanes) if pair else None
    if single is not None:
        near, far = lanes.pop(single)
        named: dict[int, Choice | None] = {
            lane + 1: _end_choice(talk, there[0], lane=lane) for lane, there in lanes.items()
        }
        named[NEAR] = _end_choice(talk, near, talk.say("near"), lane=single, near_or_far="near")
        named[FAR] = _end_choice(talk, far, talk.say("far"), lane=single, near_or_far="far")
        return named
    if all(len(there) == 1 for there in lanes.values()):
        return {lane + 1: _end_choice(talk, there[0], lane=lane) for lane, there in lanes.items()}
    return _in_a_row(talk, lanes, buttons)


def _single_pair(lanes: Mapping[int, Sequence[Option]]) -> int | None:
    """The one lane that has two ends, where all others have one."""
    several = [lane for lane, there in lanes.items() if len(there) > 1]
    return several[0] if len(several) == 1 and len(lanes[several[0]]) == 2 else None


def want(ends: Sequence[Option]) -> Option:
    """The end that a driver would want, of ends from near to far: cheap first, then far."""
    # `min` takes the first of equals, which reversed is the farthest.
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
        button: _end_choice(talk, option, lane=lane, near_or_far=_which(lanes[lane], option))
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


def _without_key(talk: Talk, ends: Sequence[Option], *, pair: bool) -> list[Option]:
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


PAGES: Pages = {
    (GearAsk.kind, ""): gear_page,
    (RollAsk.kind, ""): roll_page,
    (MoveAsk.kind, ""): move_page,
    (SlipstreamAsk.kind, ""): slipstream_page,
    **{(ask.kind, at): page for ask in (MoveAsk, SlipstreamAsk) for at, page in _PAGES.items()},
    (SecondRollAsk.kind, ""): second_page,
}


def _change(event: Event) -> str:
    if not event.get("before"):
        return "first"
    return "same" if event.get("gear") == event.get("before") else ""


def _corner(event: Event) -> str:
    return "" if event.get("corner") else "somewhere"


OUTCOMES: Outcomes = {
    "StartRolled": lambda event: str(event.get("outcome", "normal")),
    "GearEngaged": _change,
    "Moved": lambda event: "braked" if event.get("brakes") else "",
    "Overshot": _corner,
    "StopMade": _corner,
    "SecondRollChosen": lambda event: "again" if event.get("again") else "kept",
}
