"""What decides a turn is in sight: the corner that comes, the chance to hold it, the brakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from support.screens.hands import presses_to

from companion.drawing.seat import draw_road
from companion.rules.board.track import Track
from companion.rules.formula.book import GEAR_FACES
from companion.rules.formula.moves import chance_to_hold, ends_of_move
from companion.rules.lines import End
from companion.views.dialog import choices, press, show
from companion.views.formula.parts import next_corner, percent
from companion.views.page import seat_view
from companion.views.screen import HOME
from companion.views.words import before_corner

TableOf = Callable[..., Any]


def alone_at(table: TableOf, space: str, gear: int, **more: Any) -> Any:
    """One car of two still runs; it is asked for its gear there."""
    cars = {
        "1": {"space": space, "gear": gear, "lap": 1, **more},
        "2": {"space": None, "status": "out", "gear": 1, "lap": 1},
    }
    names = ("Ana", "Bob")
    return table(names=names).place(cars=cars, order=[1], turn=1, round=5)


def advised(race: Any) -> Any:
    """The scene at a table where odds are told."""
    return race.scene(advise=lambda state, seat: {})


def hints(scene: Any) -> list[str]:
    return [key.hint if key else "" for key in show(scene, 1).keys]


def test_at_the_choice_of_a_gear_the_corner_that_is_told_is_the_next_one(
    table: TableOf, monaco: Track
) -> None:
    """FD-CORNER-1: of each corner of Monaco, with its stops made."""
    for number, corner in enumerate(monaco.corners):
        ids = [name for at, name in enumerate(monaco.ids) if monaco.corner[at] == number]
        scene = alone_at(table, ids[-1], 2, stops=corner.stops).scene()
        told = next_corner(scene, 1)
        after = (number + 1) % len(monaco.corners)
        assert told == (after, 0, monaco.corners[after].stops, False)


def test_with_a_stop_missing_it_is_still_the_corner_that_the_car_is_in(table: TableOf) -> None:
    """FD-CORNER-1"""
    told = next_corner(alone_at(table, "T5.l3", 2, stops=1).scene(), 1)
    assert told is not None
    assert (told.made, told.needed, told.inside) == (1, 3, True)


def test_from_inside_a_corner_the_way_to_the_next_one_is_counted_in_its_lane(monaco: Track) -> None:
    for space in monaco.track_spaces():
        here, steps, at = monaco.corner[space], 0, space
        while steps == 0 or monaco.corner[at] in (-1, here):
            at, steps = monaco.ahead[at], steps + 1
        assert before_corner(monaco, space) == steps, monaco.ids[space]


@pytest.mark.parametrize(
    ("space", "stops"), [("S1.m20", 0), ("T1.m3", 0), ("T1.m3", 1), ("T5.l3", 1), ("S6.m3", 0)]
)
def test_the_chance_to_hold_is_the_share_of_faces_without_an_overshoot(
    table: TableOf, space: str, stops: int
) -> None:
    """FD-CORNER-2: alone on the road, nothing braked."""
    state = alone_at(table, space, 4, stops=stops).engine.moment
    for gear, faces in GEAR_FACES.items():
        held = [
            any(
                not (end.brakes or end.arrival.spaces or end.out)
                for end in ends_of_move(state, 1, face)
            )
            for face in faces
        ]
        assert chance_to_hold(state, 1, gear) == Fraction(sum(held), len(held)), gear


def test_each_gear_says_its_chance_where_odds_are_told_and_a_price_comes_first(
    table: TableOf,
) -> None:
    race = alone_at(table, "S1.m20", 4)
    assert hints(advised(race))[1:5] == ["−G", "100%", "50%", "0%"]
    keys = show(advised(race), 1).keys
    assert keys[2] is not None
    assert keys[2].says == "4–8 · holds 100 %"
    assert not any("%" in hint for hint in hints(race.scene()))


@pytest.mark.parametrize(
    ("space", "stops"), [("S1.m20", 0), ("T1.m3", 0), ("T5.l3", 0), ("T5.l3", 1), ("S6.m3", 0)]
)
def test_on_a_phone_the_corner_ends_where_its_chance_does(
    table: TableOf, space: str, stops: int
) -> None:
    """FD-CORNER-2: what a bar has within the corner or before it is the share that holds."""
    race = alone_at(table, space, 4, stops=stops)
    view = seat_view(advised(race), 1, HOME, draw_road, own=True)
    corner = view["around"]["corner"]
    furthest = corner["away"] + corner["longest"]
    told = [one for one in view["choices"] if "die" in one]
    assert told
    for one in told:
        faces = GEAR_FACES[one["die"]]
        assert one["holds"] == percent(
            Fraction(sum(face <= furthest for face in faces), len(faces))
        )
    unadvised = seat_view(race.scene(), 1, HOME, draw_road, own=True)
    assert {one["holds"] for one in unadvised["choices"] if "die" in one} == {""}


def test_nobody_knows_the_chance_on_a_sketch_or_without_a_board(table: TableOf) -> None:
    state = alone_at(table, "S1.m20", 4).engine.moment
    sketch = replace(state.setup, track=replace(state.setup.track, exact=False))
    assert chance_to_hold(replace(state, setup=sketch), 1, 4) is None


def test_without_a_point_of_brakes_nothing_is_offered_to_brake(table: TableOf) -> None:
    """FD-BRAKE-1"""
    for brakes, hint, title in (
        (1, "brake…", "Brake and more"),
        (0, "place…", "Where did it end?"),
    ):
        race = alone_at(table, "S1.m10", 3, wear={"brakes": brakes})
        race.answer(seat=1, gear=3)
        race.answer(seat=1, roll=6)
        assert hints(race.scene())[5] == hint
        more, _ = press(race.scene(), 1, HOME, 6)
        page = show(race.scene(), 1, more)
        assert page.title == title
        assert any("sp." in key.label for key in page.keys if key) == bool(brakes)


def test_the_last_car_that_runs_is_offered_the_end_where_it_chooses_its_gear(
    table: TableOf,
) -> None:
    """FD-END-2: two presses, the second of which it is asked for."""
    race = alone_at(table, "S1.m10", 2)
    assert presses_to(race.scene(), 1, lambda does: End() in does) == (6, 1)
    two = table(names=("Ana", "Bob")).new(grid=[1, 2], start="normal")
    assert [choice.key.label for choice in choices(two.scene(), 1) if choice and choice.key] == [
        "1"
    ]
