"""What a view reads off the scene: a car, its place, its next corner, its neighbours."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.board.track import Track
from companion.rules.formula.edition_d import FORMULA_D
from companion.rules.formula.edition_de import FORMULE_DE
from companion.rules.formula.tables import PIT_GEAR, TOP_GEAR, USUAL_WEATHER
from companion.rules.games import kinds_of
from companion.views.model import Scene, SeatInfo

JSON = Mapping[str, Any]
RUNNING = ("grid", "racing", "stalled", "spun", "pit")
EDITIONS = {edition.name: edition for edition in (FORMULA_D, FORMULE_DE)}
STANDARD_WEAR = {
    game: dict(zip(edition.categories, edition.start_wear, strict=True))
    for game, edition in EDITIONS.items()
}
"""FD-CAR-1, DE-CAR-1: by game, what a car started with of which STATE does not say otherwise."""


@dataclass(frozen=True, slots=True)
class NextCorner:
    """The corner that a car is in, or the next one: stops made in it, as far as they are needed."""

    corner: int
    made: int
    needed: int
    inside: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A car ahead (gap > 0) or behind (gap < 0), in spaces along the middle of the road."""

    seat: int
    gap: int


def seat_info(scene: Scene, seat: int) -> SeatInfo:
    """What the table knows of a seat; a seat it does not know has a number only."""
    return next((info for info in scene.seats if info.seat == seat), SeatInfo(seat, str(seat)))


def secret_kinds(scene: Scene) -> Collection[str]:
    """The kinds of answers that only the seat which gave them may see."""
    kinds = kinds_of(scene.header["game"]) if scene.header else {}
    return [kind for kind, how in kinds.items() if how.revealed_by]


def rules_of(scene: Scene) -> Collection[str]:
    """The optional rules of the race, as its header names them."""
    rules: Collection[str] = (scene.header or {}).get("rules", ())
    return rules


def name_of(scene: Scene, seat: int) -> str:
    """The name that a car goes by."""
    cars = (scene.state or {}).get("cars", {})
    return str(cars.get(str(seat), {}).get("name") or seat_info(scene, seat).name)


def car_of(scene: Scene, seat: int) -> JSON | None:
    """The car of a seat, as STATE has it; None where it has none."""
    car: JSON | None = (scene.state or {}).get("cars", {}).get(str(seat))
    return car


def cars_of(scene: Scene) -> list[JSON]:
    """All cars, by seat."""
    cars = (scene.state or {}).get("cars", {})
    return [cars[seat] for seat in sorted(cars, key=int)]


def is_running(car: JSON) -> bool:
    """Is the car still in the race, on the board?"""
    return car.get("status") in RUNNING


def space_of(scene: Scene, seat: int) -> int | None:
    """The number of the space a car stands on; None: no car, no board, or lifted."""
    car = car_of(scene, seat)
    if scene.track is None or car is None or car.get("space") is None:
        return None
    return scene.track.index.get(car["space"])


def box_of(scene: Scene, seat: int) -> int | None:
    """The number of a seat's pit box: as the header says, else by its place there."""
    for place, entry in enumerate((scene.header or {}).get("seats", ()), 1):
        if entry["seat"] == seat:
            return int(entry.get("box", place))
    return None


def stands_a_turn(scene: Scene, seat: int, space: str) -> bool:
    """Whether a move to that space comes into the pit too fast, and costs a turn (DE-PIT-1)."""
    track, car = scene.track, car_of(scene, seat) or {}
    edition = EDITIONS.get(str((scene.header or {}).get("game")))
    if track is None or edition is None or car.get("status") == "pit":
        return False
    into_pit = space in track.index and track.lane[track.index[space]] < 0
    return into_pit and int(car.get("gear") or 0) > edition.pit_entry_gear


def full_wear(scene: Scene, seat: int) -> dict[str, int]:
    """The wear points that a car started with, by category (FD-CAR-2).

    A category that the race does not have is left out: no handling in DE-CAR-1.
    """
    car = car_of(scene, seat) or {}
    game = str((scene.header or {}).get("game", FORMULA_D.name))
    told: Mapping[str, int] = car.get("full") or STANDARD_WEAR.get(game, {})
    full = {name: max(left, told.get(name, 0)) for name, left in car.get("wear", {}).items()}
    return {name: points for name, points in full.items() if points}


def next_corner(scene: Scene, seat: int) -> NextCorner | None:
    """The corner that matters to a car now; None in the pit or off the board."""
    if scene.card is not None:
        return _corner_of_card(scene.card, car_of(scene, seat) or {})
    track, space = scene.track, space_of(scene, seat)
    if track is None or space is None or track.lane[space] < 0:
        return None
    corner = track.next_corner[space]
    inside = track.corner[space] >= 0
    made, needed = int((car_of(scene, seat) or {}).get("stops", 0)), track.corners[corner].stops
    return NextCorner(corner, min(made, needed) if inside else 0, needed, inside)


def _corner_of_card(card: Track, car: JSON) -> NextCorner | None:
    """The corner of the card that a car is in or comes to, by its label in STATE."""
    labels = [corner.label for corner in card.corners]
    if car.get("corner") not in labels or car.get("status") == "pit":
        return None
    at, made = labels.index(str(car["corner"])), int(car.get("stops") or 0)
    return NextCorner(at, made, card.corners[at].stops, made > 0)


def is_boardless(scene: Scene) -> bool:
    """Is a Formula race on whose board nobody has put in, so that no car has a space?"""
    game = str((scene.header or {}).get("game", ""))
    return scene.track is None and game in STANDARD_WEAR


def board_of(scene: Scene) -> Track | None:
    """What is known of the board: all of it, or its card."""
    return scene.track or scene.card


def weather_table(scene: Scene) -> Mapping[str, tuple[int, int]]:
    """The lines of the weather table; of a board that nobody has put in the usual ones."""
    board = board_of(scene)
    told = board.weather if board else None
    return told or (USUAL_WEATHER if is_boardless(scene) else {})


def progress(track: Track, car: JSON) -> int:
    """How far a car on the board has come, in levels; two levels are a space (FD-ORDER-1).

    In the pit lane the levels go on past the line, and from the stop on a car's place is taken
    without the lap that the stop has added (FD-PIT-5).
    """
    return _laps(car) * track.lap_levels + track.far_level[track.index[car["space"]]]


def _laps(car: JSON) -> int:
    """The laps that count for a car's place (FD-PIT-5)."""
    early = car.get("served") or car.get("pit_mark") == "waits"
    return int(car.get("lap") or 0) - (1 if early else 0)


def running_order(scene: Scene) -> list[int]:
    """Seats of the running cars by their place on the road, first to last.

    The order of the round decides between level cars, as it was made when it began.
    """
    if "running" not in scene.known:  # each of six screens asks for it
        scene.known["running"] = _running_order(scene)
    return list(scene.known["running"])


def _running_order(scene: Scene) -> list[int]:
    track = scene.track
    order: Sequence[int] = (scene.state or {}).get("order", ())
    turn = {seat: place for place, seat in enumerate(order)}
    if track is None:
        return [car["seat"] for car in sorted(
            (car for car in cars_of(scene) if is_running(car) and turn),
            key=lambda car: (-_laps(car), turn.get(car["seat"], len(turn))),
        )]  # fmt: skip
    here = [car for car in cars_of(scene) if is_running(car) and car.get("space") is not None]
    return [
        car["seat"]
        for car in sorted(
            here, key=lambda car: (-progress(track, car), turn.get(car["seat"], len(turn)))
        )
    ]


def place_of(scene: Scene, seat: int) -> int | None:
    """A car's place now: where it was classified, else among the running behind the finished."""
    car = car_of(scene, seat)
    if car is None or car.get("status") == "out":
        return None
    if car.get("place"):
        return int(car["place"])
    if "places" not in scene.known:  # each of six screens asks for its own
        finished = sum(1 for other in cars_of(scene) if other.get("status") == "finished")
        scene.known["places"] = {
            runner: place for place, runner in enumerate(running_order(scene), finished + 1)
        }
    place: int | None = scene.known["places"].get(seat)
    return place


def neighbours(scene: Scene, seat: int) -> tuple[Neighbour | None, Neighbour | None]:
    """The next car ahead and the next behind."""
    order = running_order(scene)
    if scene.track is None or seat not in order:
        return None, None
    place = order.index(seat)
    ahead = _neighbour(scene, seat, order[place - 1]) if place > 0 else None
    behind = _neighbour(scene, seat, order[place + 1]) if place + 1 < len(order) else None
    return ahead, behind


def _neighbour(scene: Scene, seat: int, other: int) -> Neighbour:
    """How far `other` is ahead of `seat`; both are in the running order."""
    cars = {car["seat"]: car for car in cars_of(scene)}
    assert scene.track is not None
    levels = progress(scene.track, cars[other]) - progress(scene.track, cars[seat])
    return Neighbour(other, levels // 2 if levels > 0 else -(-levels // 2))


def next_to_play(scene: Scene) -> int | None:
    """The seat whose turn comes after this one in the round; None at the end of a round."""
    state = scene.state or {}
    order, turn = list(state.get("order", ())), state.get("turn")
    if turn not in order:
        return None
    cars = state.get("cars", {})
    later = order[order.index(turn) + 1 :]
    return next((seat for seat in later if is_running(cars.get(str(seat), {}))), None)


def coming_gears(car: JSON) -> tuple[int, ...]:
    """The gears that a car may think of for its coming turn (FD-GEAR-2, FD-GEAR-3, DE-PIT-2).

    Only a wish: whether it can be paid for is judged when the turn comes.
    """
    if car.get("status") in ("stalled", "spun", "grid") or not car.get("gear"):
        return (1,)
    gear = int(car["gear"])
    top = PIT_GEAR if car.get("pit_mark") == "fresh" else min(TOP_GEAR, gear + 1)
    return tuple(range(max(1, gear - 4), top + 1))
