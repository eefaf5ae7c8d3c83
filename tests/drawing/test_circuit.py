"""A circuit on paper: closed, to scale, and every space to be found."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import pytest

from companion.drawing.circuit import UNIT, Plate, draw_circuit, plates
from companion.drawing.layout import LANE_WIDTH, Course, Piece, Place, course, layout_of
from companion.race.boards import TrackLibrary
from companion.rules.board.build import load_track
from companion.rules.board.track import Track

SMALL = """
name = "Two & <three>"
exact = false
lanes = ["l", "r"]
grid = ["l3", "r2"]
finish = { l = 5, r = 5 }
[[section]]
kind = "straight"
spaces = [10, 10]
lead = "level"
[[section]]
kind = "corner"
name = "East"
stops = 2
turns = "right"
spaces = [8, 6]
[[section]]
kind = "straight"
spaces = [10, 10]
lead = "level"
[[section]]
kind = "corner"
name = "West"
stops = 1
turns = "right"
spaces = [8, 6]
"""


LIBRARY = TrackLibrary(())
FIGURES_OF_EIGHT = {"Suzuka"}
"""Boards whose road crosses itself, on a bridge; below it there are no spaces to hide."""


ALWAYS = ("monaco", "small")
OTHERS = [name for name in LIBRARY.names() if name not in ALWAYS]
BOARDS = [*ALWAYS, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]


@cache
def lay_out(track: Track) -> dict[str, Place]:
    """The place of every space by its id, pit lane and boxes included."""
    layout = layout_of(track)
    return {name: layout.place(space) for space, name in enumerate(track.ids)}


@pytest.fixture(scope="module", params=BOARDS)
def track(request: pytest.FixtureRequest) -> Track:
    return load_track(SMALL) if request.param == "small" else LIBRARY.load(request.param)


@pytest.fixture(scope="module")
def picture(track: Track) -> str:
    """The board as it is drawn."""
    return draw_circuit(track)


@pytest.fixture(scope="module")
def drawn(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


@pytest.fixture(scope="module")
def names(track: Track) -> list[Plate]:
    """The plates with the names of the corners."""
    return plates(track, layout_of(track))


def distance(a: Place, b: Place) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def test_the_course_ends_where_it_starts_after_one_full_turn_or_as_an_eight(track: Track) -> None:
    loop = course(track)
    full = 0 if track.name in FIGURES_OF_EIGHT else math.tau
    nearly, start = loop.at(loop.spaces - 1e-4), loop.at(0)
    assert math.hypot(nearly.x - start.x, nearly.y - start.y) < 1e-3
    assert abs(loop.turn(0, loop.spaces)) == pytest.approx(full, abs=1e-3)


def test_the_course_does_not_run_through_itself(track: Track) -> None:
    assert course(track).is_clear(len(track.lanes) * LANE_WIDTH)


def test_a_course_that_crosses_itself_is_noticed() -> None:
    knot = Course([Piece(20, 20, 0.0), Piece(10, 10, 4.7), Piece(20, 20, 0.0)])
    assert not knot.is_clear(2.4)


def test_a_bend_too_tight_for_the_road_is_noticed() -> None:
    tight = Course([Piece(30, 30, 0.0), Piece(1, 1, math.pi), Piece(30, 30, 0.0)])
    assert not tight.is_clear(2.4)


def test_every_space_has_its_place_and_the_pit_too(track: Track) -> None:
    assert list(lay_out(track)) == list(track.ids)


def test_a_lane_that_sections_lack_is_drawn_where_it_is() -> None:
    """The right lane runs on the first straight and in the bend before it."""
    text = SMALL.replace('["l", "r"]', '["l", "m", "r"]').replace("r = 5 }", "m = 5, r = 5 }")
    for old, new in (("10, 10]", "10, 10, 10]"), ("8, 6]", "8, 6, 0]"),
                     ("10, 10]\n", "10, 10, 0]\n"), ("8, 6]", "8, 6, 4]")):  # fmt: skip
        text = text.replace(f"[{old}", f"[{new}", 1)
    part = load_track(text)
    laid = lay_out(part)
    assert {*laid} == {*part.ids}
    assert distance(laid["S1.m5"], laid["S1.r5"]) == pytest.approx(LANE_WIDTH)


def test_no_two_spaces_lie_on_one_another(track: Track) -> None:
    places = lay_out(track).values()
    assert min(distance(a, b) for a, b in combinations(places, 2)) > LANE_WIDTH / 2


def gap_between(track: Track, one: int, other: int) -> float:
    """What lies between two spaces because a bridge passes there; 0 as a rule."""
    layout = layout_of(track)
    bridge = layout.course.bridge
    if bridge is None or track.section[one] != track.section[other]:
        return 0.0
    sides = [
        (reach.start + reach.stop) / 2 < bridge.at + bridge.slant * reach.offset + bridge.gap / 2
        for reach in (layout.reaches[one], layout.reaches[other])
    ]
    return bridge.gap * 1.1 if sides[0] != sides[1] else 0.0


def test_only_a_figure_of_eight_has_a_bridge(track: Track, picture: str) -> None:
    assert (course(track).bridge is not None) == (track.name in FIGURES_OF_EIGHT)
    assert ('class="bridge"' in picture) == (track.name in FIGURES_OF_EIGHT)


def test_below_a_bridge_there_is_no_space() -> None:
    track = LIBRARY.load("suzuka")
    layout = layout_of(track)
    bridge = layout.course.bridge
    assert bridge is not None
    for reach in layout.reaches:
        start = bridge.at + bridge.slant * reach.offset
        middle = (reach.start + reach.stop) / 2
        assert not start + 0.5 < middle < start + bridge.gap - 0.5


def test_the_next_space_of_a_lane_lies_right_ahead(track: Track) -> None:
    places = list(lay_out(track).values())
    for space in track.track_spaces():
        here, there = places[space], places[track.ahead[space]]
        near = here.length + there.length + gap_between(track, space, track.ahead[space])
        assert distance(here, there) < near
        ahead = (there.x - here.x) * math.cos(here.heading)
        ahead += (there.y - here.y) * math.sin(here.heading)
        assert ahead > 0


def test_spaces_side_by_side_lie_side_by_side(track: Track) -> None:
    layout = layout_of(track)
    for space in track.track_spaces():
        here = layout.reaches[space]
        for other in track.beside[space]:
            there = layout.reaches[other]
            apart = (there.start + there.stop - here.start - here.stop) / 2
            apart = math.remainder(apart, layout.course.spaces)
            between = abs(apart) - (here.stop - here.start + there.stop - there.start) / 2
            between -= gap_between(track, space, other)
            assert between < 1, (track.ids[space], track.ids[other])


def test_lanes_lie_left_to_right_in_driving_direction(track: Track) -> None:
    reaches = layout_of(track).reaches
    offsets = [reaches[space].offset for space in track.finish]
    assert offsets == sorted(offsets)
    assert sum(offsets) == pytest.approx(0)
    first, last = (lay_out(track)[track.ids[track.finish[lane]]] for lane in (0, -1))
    to_the_right = -math.sin(first.heading) * (last.x - first.x)
    to_the_right += math.cos(first.heading) * (last.y - first.y)
    assert to_the_right > 0


def turns_one_way(track: Track, corner: int) -> bool:
    """Whether all lane changes of a corner lead to one side."""
    sides = {
        (track.lane[end] > track.lane[space]) - (track.lane[end] < track.lane[space])
        for space in track.track_spaces()
        if track.corner[space] == corner
        for end in track.nexts[space]
    }
    return len(sides - {0}) == 1


def test_a_corner_that_turns_one_way_bends_that_way(track: Track) -> None:
    layout = layout_of(track)
    for number, corner in enumerate(track.corners):
        if turns_one_way(track, number):
            reaches = [layout.reaches[s] for s in track.track_spaces() if track.corner[s] == number]
            turn = layout.course.turn(min(r.start for r in reaches), max(r.stop for r in reaches))
            assert abs(turn) > 0.1, corner.label
            assert (turn > 0) == (corner.turns == "right"), corner.label


def test_every_space_is_found_in_the_picture_by_its_id(
    track: Track, drawn: ElementTree.Element
) -> None:
    cells = {cell.get("data-space"): cell for cell in drawn.iter() if cell.get("data-space")}
    assert set(cells) == set(track.ids)
    for name, place in lay_out(track).items():
        assert cells[name].get("id") == name
        assert float(cells[name].get("data-x", "nan")) == pytest.approx(place.x * UNIT, abs=0.1)
        assert float(cells[name].get("data-y", "nan")) == pytest.approx(place.y * UNIT, abs=0.1)


def test_zones_of_a_street_circuit_are_marked_space_by_space() -> None:
    streets = LIBRARY.load("port-lanterne")
    root = ElementTree.fromstring(draw_circuit(streets))
    marked: dict[str, set[str | None]] = {"noise": set(), "dark": set()}
    for cell in root.iter():
        for zone in marked:
            if zone in cell.get("class", "").split():
                marked[zone].add(cell.get("data-space"))
    assert marked["noise"] == {streets.ids[space] for space in streets.noise}
    assert marked["dark"] == {streets.ids[space] for space in streets.dark}


def test_police_line_and_tunnel_cross_every_lane_where_they_lie() -> None:
    streets = LIBRARY.load("port-lanterne")
    root = ElementTree.fromstring(draw_circuit(streets))
    groups = {group.get("class"): group for group in root.iter() if group.get("class")}
    for name, lanes in (("police", streets.police), ("tunnel", streets.tunnel)):
        assert groups[name][0].get("d", "").count("M") == len(lanes) == 3
    assert not {"police", "tunnel"} & {
        group.get("class")
        for group in ElementTree.fromstring(draw_circuit(LIBRARY.load("monaco"))).iter()
    }


def test_no_id_occurs_twice(drawn: ElementTree.Element) -> None:
    ids = [element.get("id") for element in drawn.iter() if element.get("id")]
    assert len(ids) == len(set(ids))


def test_the_picture_has_neither_scripts_nor_styles_nor_foreign_addresses(
    drawn: ElementTree.Element,
) -> None:
    for element in drawn.iter():
        assert element.tag.rpartition("}")[2] in {"svg", "title", "g", "path", "text", "tspan"}
        assert not [a for a in element.attrib if a == "style" or "href" in a or a.startswith("on")]


def test_names_are_written_as_they_are_whatever_they_hold(
    track: Track, drawn: ElementTree.Element
) -> None:
    texts = ["".join(element.itertext()) for element in drawn.iter()]
    assert track.name in texts
    for corner in track.corners:
        assert f"{corner.name} {'●' * corner.stops}" in texts


def test_corner_names_hide_neither_a_space_nor_one_another(
    track: Track, names: list[Plate]
) -> None:
    places = lay_out(track).values()
    assert not [p for p in places for plate in names if plate.is_over(p.x, p.y, 0.3)]
    assert not [pair for pair in combinations(names, 2) if pair[0].overlaps(pair[1])]


def test_a_name_stands_nearest_to_its_own_corner(track: Track, names: list[Plate]) -> None:
    places = list(lay_out(track).values())
    for number, plate in enumerate(names):
        nearest = min(
            (math.dist(within(plate, places[space]), places[space][:2]), track.corner[space])
            for space in track.track_spaces()
            if track.corner[space] >= 0
        )
        assert nearest[1] == number, track.corners[number].name


def within(plate: Plate, place: Place) -> tuple[float, float]:
    """The point of a box that is nearest to a place."""
    right, bottom = plate.left + plate.width, plate.top + plate.height
    return min(max(place.x, plate.left), right), min(max(place.y, plate.top), bottom)


def test_plates_on_one_another_are_noticed() -> None:
    assert Plate(0, 0, 5, 1).overlaps(Plate(4, 0.5, 5, 1))
    assert not Plate(0, 0, 5, 1).overlaps(Plate(5.1, 0, 5, 1))
    assert Plate(0, 0, 5, 1).is_over(5.2, 0.5, 0.3)


def test_everything_lies_within_the_picture(track: Track, drawn: ElementTree.Element) -> None:
    left, top, width, height = map(float, drawn.get("viewBox", "").split())
    for place in lay_out(track).values():
        assert left < place.x * UNIT < left + width
        assert top < place.y * UNIT < top + height
    arrows = next(group for group in drawn.iter() if group.get("class") == "arrows")
    for x, y in re.findall(r"(-?[0-9.]+) (-?[0-9.]+)", arrows[0].get("d", "")):
        assert left < float(x) < left + width
        assert top < float(y) < top + height
