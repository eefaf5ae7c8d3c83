"""What `/api/table` has of a Formula race: who is where, with what left, in words."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.formula.marshals import has_signal
from companion.rules.formula.state import Phase, State
from companion.rules.formula.wear import tell_wear
from companion.views.facts import alone_in, board_of
from companion.views.formula.facts import (
    car_of,
    full_wear,
    gaps,
    next_corner,
    next_to_play,
    place_of,
    race_of,
    rules_of,
    running_order,
    weather_lines,
)
from companion.views.formula.story import WHY_OUT
from companion.views.formula.street import driver_info, left_to_use
from companion.views.formula.throw import last_die, last_throw
from companion.views.formula.trial import trial_words
from companion.views.lobby.options import car_word
from companion.views.lobby.view import in_all
from companion.views.model import Scene
from companion.views.words import LANGUAGES, Words, words
from companion.views.words.places import corner_name, place_name


def of_table(scene: Scene) -> dict[str, object]:
    """What the page needs of a race on a board: its name, and the order on the road."""
    board = board_of(scene)
    return {
        "title": board.name if board else None,
        "running": running_order(scene),
        "next": next_to_play(scene),
        "last": alone_in(scene),
        "die": last_die(scene),
        "thrown": last_throw(scene),
        "fastest": _fastest(scene),
        "watch": scene.watch,
        "flags": _flags(scene),
        "weather_table": weather_lines(scene) or None,
    }


def _fastest(scene: Scene) -> dict[str, int] | None:
    """Who has driven a lap in the fewest turns so far; None: nobody has driven one."""
    lap = scene.fastest
    return dict(zip(("seat", "lap", "turns"), lap, strict=True)) if lap else None


def _flags(scene: Scene) -> list[str]:
    """What a referee may give here: flags for time and errors, the bell."""
    race = race_of(scene)
    if race is None:
        return []
    setup = race.setup
    has = {
        "time": setup.house.turn_late != "show",
        "error": setup.house.error_flags == "on",
        **{why: has_signal(setup, why) for why in ("placing", "black")},
        "bell": setup.house.race_time != "none" and setup.house.time_up == "last-lap",
    }
    return [name for name, falls in has.items() if falls]


def of_seat(scene: Scene, seat: int) -> dict[str, object]:
    """A car's standing in words."""
    return {
        "place": place_of(scene, seat),
        "gap": gaps(scene).get(seat),
        "full": full_wear(scene, seat),
        "where": _each(lambda say: _where(scene, seat, say)),
        "corner": _corner(scene, seat),
        "preset": seat in scene.preset,
        "team": _team(scene, seat),
        "driver": _driver(scene, seat),
        "left": _each(lambda say: left_to_use(scene, seat, say)),
        "why_out": _why_out(scene, seat),
        "trial": _trial(scene, seat),
    }


def _each(text: Callable[[Words], object]) -> dict[str, object]:
    return {code: text(words(code)) for code in LANGUAGES}


def _where(scene: Scene, seat: int, say: Words) -> str | None:
    """The name of the space a car stands on, as anybody calls it; None off the board."""
    track, car = scene.track, car_of(scene, seat)
    if track is None or car is None or car.space is None:
        return None
    return place_name(track, car.space, say)


def _corner(scene: Scene, seat: int) -> dict[str, object] | None:
    corner, board = next_corner(scene, seat), board_of(scene)
    if corner is None or board is None:
        return None
    names = _each(lambda say: corner_name(board, corner.corner, say))
    view = {"name": names, "made": corner.made, "needed": corner.needed, "inside": corner.inside}
    printed = board.corners[corner.corner]
    ways = {"shortest": printed.shortest, "longest": printed.longest}
    return view | ways if board.is_blank else view


def _team(scene: Scene, seat: int) -> dict[str, object] | None:
    """The team of a car; None where teams are not played."""
    car = car_of(scene, seat)
    if car is None or car.team is None or "teams" not in rules_of(scene):
        return None
    return _each(lambda say: car_word(say, "team", car.team))


def _driver(scene: Scene, seat: int) -> dict[str, object] | None:
    driver = driver_info(scene, seat)
    return None if driver is None else {"name": driver.name, "says": in_all(driver.says)}


def _trial(scene: Scene, seat: int) -> dict[str, object] | None:
    """How the trial of a car went, until the race begins; None: it did not."""
    race, car = race_of(scene), car_of(scene, seat)
    if race is None or car is None or race.phase not in (Phase.SETUP, Phase.TRIALS):
        return None
    texts = _each(lambda say: trial_words(car, say))
    return texts if any(texts.values()) else None


def _why_out(scene: Scene, seat: int) -> dict[str, str] | None:
    """Why a car is out; None: it is not, or that is the referee's own."""
    car = car_of(scene, seat)
    why = car.out.why if car and car.out else ""
    return dict(in_all(WHY_OUT[why])) if why in WHY_OUT else None


def summary(state: object) -> tuple[str, dict[int, str]]:
    """Where the race is, and where every car."""
    assert isinstance(state, State), "no Formula race"
    track, names, lines = state.setup.track, state.setup.edition.categories, {}
    for seat, car in state.cars.items():
        wear = " ".join(f"{name} {left}" for name, left in tell_wear(car.wear, names).items())
        where = car.status if car.space is None else track.ids[car.space]
        lines[seat] = f"{car.name:<20} lap {car.lap}  {where:<8} {wear}"
    return f"{state.phase}, round {state.round}", lines
