"""A seat that is asked nothing (its car, the race around it), and the Formula games put together.

The road before a car is what a phone draws: the ends of its move, the cars and debris around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from companion.rules.board.track import Track
from companion.rules.formula.asks import BlackAsk, MoveAsk, OrderAsk, SlipstreamAsk
from companion.rules.formula.book import tell_cost
from companion.rules.formula.car import Option
from companion.rules.formula.moves import why
from companion.rules.formula.order import gears_to_come
from companion.rules.lines import Answer
from companion.views import pages, screen
from companion.views.formula import die, menu, odds, page, parts, street, turn
from companion.views.formula.menu import place_shown
from companion.views.formula.parts import driver_info, name_of, next_to_play, sky_word
from companion.views.formula.report import doubt_of
from companion.views.formula.street import left_to_use
from companion.views.formula.turn import a_turn, price_words, value_of
from companion.views.model import Preset, Scene
from companion.views.screen import GameViews, Page, Pages, Talk, board_of, words_of_asks
from companion.views.words import (
    LINE_COLUMNS,
    before_corner,
    corner_name,
    fit,
    phrase,
    place_line,
    place_name,
    wrap,
)

DOUBT_LINES = 4
"""The lines that what is doubted of a report has there."""


def car_page(talk: screen.Talk) -> screen.Screen:
    """Who plays, and the seat's car: place and lap, wear, its corner, who is ahead and behind,
    tires and sky. Any button: the rest."""
    car = parts.car_of(talk.scene, talk.seat)
    if car is None:
        return screen.Screen(talk.say("You have no car."))
    choices, foot = screen.any_button(talk.turn_to("road")), _at_the_foot(talk)
    page = parts.car_screen(talk, talk.seat, _who_plays(talk), choices)
    whole = _who_plays(talk, whole=True)
    if car.status in parts.GONE:
        # Title and line change places: that its race is over matters more to this seat than who
        # plays.
        return replace(page, title=page.lines[0], lines=(page.title, *foot), go="")
    # On a board nobody reports, so nothing can be doubted, and the log is long.
    doubt = doubt_of(talk) if talk.scene.track is None else ""
    if doubt:
        lines = (*page.lines, *wrap(doubt, DOUBT_LINES))
        return replace(page, lines=lines, tells=(doubt, *(page.tells or ())), asks=whole, go="")
    near = tuple(filter(None, (_corner_ahead(talk), _neighbours_line(talk))))
    return replace(
        page,
        lines=(*page.lines, *near, *foot),
        tells=(*(page.tells or ()), " · ".join(_car_and_sky(talk, screen.ANY))),
        asks=whole,
        # A phone shows all of the next page at once, except for the driver.
        go="" if driver_info(talk.scene, talk.seat) is None else None,
    )


def _corner_ahead(talk: screen.Talk) -> str:
    """The next corner in a line: "Casino 1 in 19: 0/1", inside it "Casino 1: stop 0 of 1"."""
    corner, track = parts.next_corner(talk.scene, talk.seat), talk.scene.track
    car = parts.car_of(talk.scene, talk.seat)
    if corner is None or track is None or car is None or car.space is None:
        return parts.corner_line(talk)
    name, stops = corner_name(track, corner.corner, talk.say), corner._asdict()
    if corner.inside:
        return talk.say.fitting("{name}: stop {made}/{needed}", LINE_COLUMNS, name=name, **stops)
    away = before_corner(track, car.space)
    return talk.say.fitting("{name} in {away}: {made}/{needed}", LINE_COLUMNS, name=name,
                            away=away, **stops)  # fmt: skip


def _neighbours_line(talk: screen.Talk) -> str:
    """Who is ahead and behind, and how many spaces: "↑4 Dad ↓1 Marguerite"."""
    found = [one for one in parts.neighbours(talk.scene, talk.seat) if one]
    room = LINE_COLUMNS // max(len(found), 1)
    pieces = []
    for one in found:
        # A level car has no sign: of two cars the first is the one ahead.
        sign = f"{'↓' if one.gap < 0 or one is not found[0] else '↑'}{abs(one.gap)} "
        pieces.append(sign + fit(talk.name_of(one.seat), room - len(sign)))
    return " ".join(pieces)


def road_page(talk: screen.Talk) -> screen.Screen:
    """Where the car stands, its corner, and who is how far ahead and behind. Any button: the
    driver of an urban race, else the car again."""
    track, car = talk.scene.track, parts.car_of(talk.scene, talk.seat)
    where = ""
    if track and car and car.space is not None:
        where = place_line(track, car.space, talk.say, LINE_COLUMNS, car.box)
    ahead, behind = parts.neighbours(talk.scene, talk.seat)
    lines = [where, parts.corner_line(talk)]
    if ahead:
        lines.append(_gap_line(talk, phrase("ahead {gap}: {name}"), ahead.seat, ahead.gap))
    if behind:
        lines.append(_gap_line(talk, phrase("behind {gap}: {name}"), behind.seat, -behind.gap))
    return screen.Screen(
        parts.standing(talk, talk.seat),
        tuple(line for line in lines if line),
        screen.any_button(
            talk.turn_to("driver") if driver_info(talk.scene, talk.seat) else talk.home()
        ),
    )


def driver_page(talk: screen.Talk) -> screen.Screen:
    """Who drives the car through the streets, and what that is good for (FD-DRV-1 to 10)."""
    driver = driver_info(talk.scene, talk.seat)
    if driver is None:
        return car_page(talk)
    text = screen.spoken(talk.say(driver.says), 3)
    return screen.Screen(driver.name, **text, choices=screen.any_button(talk.home()))


def _gap_line(talk: screen.Talk, pattern: str, seat: int, gap: int) -> str:
    """A neighbour and the spaces to it."""
    return talk.say.fitting(pattern, LINE_COLUMNS, name=talk.name_of(seat), gap=gap)


def _who_plays(talk: screen.Talk, *, whole: bool = False) -> str:
    """Who is on turn and who is next; between two rounds without a board, who says the order.

    `whole`: names are not cut.
    """
    columns = screen.ANY if whole else LINE_COLUMNS
    if any(isinstance(one.ask, OrderAsk) for one in talk.scene.asks):
        host = next((info.seat for info in talk.scene.seats if info.host), talk.seat)
        return talk.say.fitting("{name} sets the order", columns, name=talk.name_of(host))
    turn, then = screen.mover_of(talk.scene), parts.next_to_play(talk.scene)
    if not turn:
        return ""
    playing = talk.name_of(turn)
    if then is None:
        return talk.say.fitting("{name} plays", columns, name=playing)
    room = LINE_COLUMNS - len(talk.say("{name}, then {other}", name="", other=""))
    other = talk.say("you") if then == talk.seat else talk.name_of(then)
    if whole:
        return _does(talk, turn, other)
    other = fit(other, max(room - len(playing), room // 2))
    return talk.say.fitting("{name}, then {other}", LINE_COLUMNS, name=playing, other=other)


def _does(talk: screen.Talk, seat: int, other: str) -> str:
    """What somebody has to do, and who is next: "Bob rolls the gear die, then you"."""
    kind = next((one.kind for one in talk.scene.asks if one.seat == seat), "")
    task = ASKS[kind].task if kind in ASKS else phrase("{name} plays")
    does = talk.say(task, name=talk.name_of(seat))
    return talk.say("{name}, then {other}", name=does, other=other)


FOOT_LINES = 2
"""The lines of a waiting screen below the wear."""


def _car_and_sky(talk: screen.Talk, columns: int = LINE_COLUMNS) -> list[str]:
    """The tires and their age in laps, the sky, what an urban car still has."""
    pieces = _tires_line(talk, columns), sky_word(talk.scene, talk.say)
    has_driver = driver_info(talk.scene, talk.seat)
    left = left_to_use(talk.scene, talk.seat, talk.say) if has_driver else ()
    return [*filter(None, pieces), *left]


def _at_the_foot(talk: screen.Talk) -> tuple[str, ...]:
    """That on two lines at most; what stands together is told there as long as it finds room."""
    lines: list[str] = []
    for part in _car_and_sky(talk):
        joined = f"{lines[-1]}, {part}" if lines else part
        if lines and len(joined) <= LINE_COLUMNS:
            lines[-1] = joined
        else:
            lines.append(part)
    return tuple(lines[:FOOT_LINES])


TIRES = {
    "hard": (phrase("hard tires"), phrase("Your hard tires, lap {n}")),
    "soft": (phrase("soft tires"), phrase("Your soft tires, lap {n}")),
    "rain": (phrase("rain tires"), phrase("Your rain tires, lap {n}")),
}


def _tires_line(talk: screen.Talk, columns: int = LINE_COLUMNS) -> str:
    """The tires and their age in laps, where there is a choice of them."""
    car = parts.car_of(talk.scene, talk.seat)
    if car is None or "tires" not in parts.rules_of(talk.scene):
        return ""
    short, whole = TIRES[car.tires]
    if columns == screen.ANY:
        return talk.say(whole, n=car.tires_lap)
    return fit(talk.say("{tires} lap {n}", tires=talk.say(short), n=car.tires_lap))


def next_page(talk: screen.Talk) -> screen.Screen:
    """The next to play may set the gear early; the same button again forgets it."""
    car = parts.car_of(talk.scene, talk.seat)
    chosen = talk.scene.preset.get(talk.seat)
    choices: dict[int, screen.Choice | None] = {}
    for gear in gears_to_come(car) if car else ():
        label = talk.say("set") if gear == chosen else ""
        key = screen.make_key(str(gear), label)
        does = (Preset(None if gear == chosen else gear),)
        choices[gear] = screen.Choice(key, does, about=turn.of_gear(gear))
    title = talk.say("Which gear next?")
    page = parts.car_screen(talk, talk.seat, title, screen.at(choices), big=str(chosen or ""))
    return replace(page, kind="scale", asks=_who_plays(talk, whole=True))


# -- the road before a car ------------------------------------------------------------------------


def standing_of(scene: Scene, seat: int) -> screen.Standing:
    """A car in figures."""
    car = parts.car_of(scene, seat)
    if car is None:
        return screen.Standing()
    laps = parts.the_race(scene).setup.laps
    return screen.Standing(parts.place_of(scene, seat), parts.lap_now(scene, car), laps, car.gear)


def road_of(talk: screen.Talk, choices: screen.Choices) -> screen.Road | None:
    """The road where the seat's own move is asked, or its die and with it the move, or where
    somebody says that a car stands elsewhere; `choices` are the keys that the seat has now."""
    scene, proposal = talk.scene, talk.scene.proposal or {}
    race, track = parts.race_of(scene), scene.track
    seat = int(proposal.get("seat") or talk.seat)
    car = parts.car_of(scene, seat)
    if race is None or track is None or car is None or car.space is None:
        return None
    ends = () if proposal or talk.who != talk.seat else _ends(talk, choices)
    if not proposal and not ends:
        return None
    ghost = track.index.get(proposal["space"]) if proposal else place_shown(talk)
    return screen.Road(
        track=track,
        seat=seat,
        at=car.space,
        asked="" if proposal or talk.ask is None else talk.ask.kind,
        ends=ends,
        cars={
            c.seat: c.space for c in parts.cars_of(scene) if c.space is not None and c.seat != seat
        },
        debris=tuple(sorted(race.debris)),
        ghost=ghost,
        rolled=_rolled(talk),
        corners={n: corner_name(track, n, talk.say) for n in range(len(track.corners))},
    )


def _rolled(talk: screen.Talk) -> str:
    """What the die shows that the move at hand goes by."""
    last = turn.last_die(talk.scene) if isinstance(talk.ask, MoveAsk) else None
    return str(last["shows"]) if last and last["seat"] == talk.who and last["gear"] else ""


def _ends(talk: screen.Talk, choices: screen.Choices) -> tuple[screen.End, ...]:
    """Where the move may end, the cheapest way to each space first; before the die is told for
    each of its faces, of one face the cheapest."""
    ask, track = talk.ask, board_of(talk.scene)
    if track is None:
        return ()
    if isinstance(ask, MoveAsk | SlipstreamAsk):
        buttons = _buttons_of(talk, choices)
        return tuple(_end(talk, option, buttons) for option in sorted(ask.ends, key=_rank(track)))
    found: dict[tuple[int, int], screen.End] = {}
    for face, option in _ways(talk, track):
        if (option.to, face) not in found:
            found[option.to, face] = _end(talk, option, {}, face)
    return tuple(found.values())


def _rank(track: Track) -> Callable[[Option], tuple[object, ...]]:
    """What is cheaper: the price in all, then fewer brakes."""
    return lambda option: (*option.rank(track)[:4], option.brakes)


def _ways(talk: screen.Talk, track: Track) -> list[tuple[int, Option]]:
    """All ends of all faces, the cheapest first; of equal ones that of the face which can go least
    beyond it for that price, as most people go as far as they can."""
    car, rank = parts.car_of(talk.scene, talk.who), _rank(track)
    start = track.level[car.space] if car and car.space is not None else 0
    ways = []
    for face, ends in turn.ends_by_face(talk).items():
        far = {option: (track.level[option.to] - start) % track.lap_levels for option in ends}
        best = min(map(rank, ends), default=())
        most = max((far[option] for option in ends if rank(option) == best), default=0)
        ways += [((*rank(option), most - far[option]), face, option) for option in ends]
    return [(face, option) for _, face, option in sorted(ways, key=lambda way: way[0])]


def _buttons_of(talk: screen.Talk, choices: screen.Choices) -> dict[tuple[str, int], int]:
    """The button that ends the move now, by space and brakes."""
    found = {}
    for button, choice in enumerate(choices, 1):
        for intent in choice.does if choice else ():
            if isinstance(intent, Answer) and isinstance(intent.value, dict):
                value = intent.value
                if intent.seat == talk.who and "to" in value:
                    found[str(value["to"]), int(value.get("brakes", 0))] = button
    return found


DEAR = 2
"""So many points, beside brakes that are spent by choice, are asked for once more: a slip of the
finger should not cost them."""


def _end(
    talk: screen.Talk,
    option: Option,
    buttons: dict[tuple[str, int], int],
    roll: int | None = None,
) -> screen.End:
    track, car = parts.the_race(talk.scene).setup.track, parts.car_of(talk.scene, talk.who)
    value = value_of(talk, option)
    price, short = _price_of(talk, option)
    return screen.End(
        to=option.to,
        brakes=option.brakes,
        button=buttons.get((str(value["to"]), option.brakes)),
        cost=tell_cost(option.cost),
        price=price,
        name=place_name(track, option.to, talk.say, car.box if car else None),
        says=price_words(talk, option),
        short=short,
        dear=option.out
        or option.spin
        or sum(option.cost) - option.brakes >= DEAR
        or a_turn(talk, option),
        roll=roll,
    )


def _price_of(talk: screen.Talk, option: Option) -> tuple[screen.Price, str]:
    """What an end costs, as a color and in four columns."""
    if option.out:
        return "out", "✕"
    lost = sum(option.cost)
    if lost or option.spin or option.arrival.debris or a_turn(talk, option):
        return "costly", "↻" if option.spin else f"−{lost}" if lost else "!"
    return "free", ""


# -- the games together ---------------------------------------------------------------------------


ASKS = words_of_asks(Path(__file__).with_name("asks.toml"))
PAGES: Pages = {
    **{about: shown for chapter in page.CHAPTERS for about, shown in chapter.PAGES.items()},
    ("hurt", ""): die.list_page,
    ("weather", ""): die.weather_page,
    ("trial", ""): street.onlooker_page,
    ("agree", ""): menu.agree_page,
    ("proposed", ""): menu.proposer_page,
    ("next", ""): next_page,
    ("car", ""): car_page,
    ("finished", ""): menu.result_page,
}

ANYWHERE: Mapping[str, Page] = {
    "elsewhere": menu.lanes_page,
    "place": menu.place_page,
    "car": car_page,
    "road": road_page,
    "driver": driver_page,
    "menu": menu.menu_page,
    "menu2": menu.menu2_page,
    "wear": menu.wear_page,
    "standings": menu.standings_page,
    "odds": odds.odds_page,
    "retire": menu.retire_page,
    "end": menu.end_page,
}


def topic(talk: Talk) -> str:
    """What is going on for a seat in a race that goes on."""
    if talk.ask is None:
        return _topic_of_others(talk)
    for_itself = not talk.dialog.target
    # A steward answers for one seat; the list would settle everybody's rolls.
    if isinstance(talk.ask, BlackAsk) and for_itself and die.has_list(talk):
        return "hurt"
    return VIEWS.topic_of(talk.ask.kind)


def _topic_of_others(talk: Talk) -> str:
    """What a seat that is asked nothing has to do with what others are asked."""
    asked = {type(one.ask) for one in talk.scene.asks}
    # What this seat can settle for all comes before what it can only look at.
    if BlackAsk in asked and die.has_list(talk):
        return "hurt"
    if BlackAsk in asked and die.is_asked(talk):
        return "weather"
    if OrderAsk in asked and talk.info.host:
        return "order"
    if parts.driving(talk.scene) is not None:
        return "trial"
    if pages.waits(talk):
        return "others"
    if next_to_play(talk.scene) == talk.seat:
        return "next"
    return "dead" if pages.dead_seat(talk) else "car"


VIEWS = GameViews(
    names={
        "die": {str(gear): color for gear, color in turn.DICE.items()},
        "out": parts.WHY_OUT,
    },
    asks=ASKS,
    pages=PAGES,
    anywhere=ANYWHERE,
    topic=topic,
    story=page.STORY,
    name=name_of,
    standing=standing_of,
    road=road_of,
    around=page.around_car,
    finish=page.finish_of,
    throws=turn.thrown_die,
    thrown=turn.last_throw,
    of_seat=page.of_seat,
    odds=odds.for_page,
    of_table=page.of_table,
    summary=page.summary,
    takes_late=True,
    questions=die.QUESTIONS,
    refusals=why,
)
