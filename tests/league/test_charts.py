"""Charts: what they say, as text in the SVG; that they can be told apart without color."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from companion.league.charts import (
    COLORS,
    MARKS,
    Chart,
    cars_in,
    color_of,
    draw_svg,
    gap_chart,
    look_of,
    position_chart,
    progress_chart,
)
from companion.league.plain import Entry, Race

SVG = "{http://www.w3.org/2000/svg}"
CSS = Path(__file__).parents[2] / "web" / "companion_web" / "static" / "base.css"


def say(text: str) -> str:
    return text


def test_a_line_is_where_its_car_was_in_each_row() -> None:
    chart = position_chart([[1, 2], [2, 1], [2]], {1: "Ana", 2: "Bea"}, say, x_label="lap")
    assert [(line.name, line.ys) for line in chart.lines] == [
        ("Ana", (1, 2, None)),
        ("Bea", (2, 1, 1)),
    ]


def test_the_names_are_text_whatever_is_in_them() -> None:
    names = ("Ana & <b>", "$x^2$", "_under", "Łukasz")
    drawn = draw_svg(progress_chart([(name, (n,)) for n, name in enumerate(names)], say))
    for told in ("Ana &amp; &lt;b&gt;", "$x^2$", "_under", "Łukasz"):
        assert told in drawn


def test_ten_cars_have_ten_colors_and_ten_marks_those_of_the_page() -> None:
    of_page = re.findall(r"--paint-\w+: (#\w+);", CSS.read_text())
    assert tuple(of_page[:10]) == COLORS
    assert len(set(MARKS)) == len(MARKS) == len(COLORS)


def test_no_two_of_a_large_league_look_alike() -> None:
    assert len({look_of(number) for number in range(1, 101)}) == 100


def test_the_same_chart_is_the_same_bytes() -> None:
    chart = gap_chart([{1: 0, 2: 3.5}], {1: "Ana", 2: "Bea"}, say)
    assert draw_svg(chart) == draw_svg(chart)


def test_a_chart_of_nothing_can_be_drawn() -> None:
    assert ElementTree.fromstring(draw_svg(Chart("", "", ()))).tag.endswith("svg")


def test_a_name_without_end_is_cut_and_no_two_names_stand_on_each_other() -> None:
    lines = [(f"{n} Maximiliane-Konstanze von Hohenlohe", [5.0, 9.0]) for n in range(20)]
    drawn = ElementTree.fromstring(draw_svg(progress_chart(lines, say), is_narrow=True))
    names = [one for one in drawn.iter(f"{SVG}text") if "Max" in (one.text or "")]
    assert all((one.text or "").endswith("…") for one in names)
    heights = sorted(float(one.attrib["y"]) for one in names)
    assert min(b - a for a, b in pairwise(heights)) > 10
    assert 0 < heights[0] < heights[-1] < 288


def test_the_names_of_cars_that_are_out_stand_below_those_that_are_home() -> None:
    rows = [[1, 2, 3], [1, 2, 3], [2, 3], [3]]
    chart = position_chart(rows, {1: "Ana", 2: "Bea", 3: "Cai"}, say, x_label="lap")
    drawn = ElementTree.fromstring(draw_svg(chart))
    at = {one.text: float(one.attrib["y"]) for one in drawn.iter(f"{SVG}text") if "y" in one.attrib}
    assert at["Cai"] < at["Bea"] < at["Ana"]


def test_a_line_has_the_color_of_its_car() -> None:
    chart = gap_chart([{1: 0, 2: 3.5}], {1: "Ana", 2: "Bea"}, say, colors={1: "pink"})
    assert [look_of(line.number)[0] for line in chart.lines] == ["#d98ec4", "#4068a0"]


def test_the_gaps_end_where_the_first_one_comes_home() -> None:
    """Else the others become the first, and the last of all ends with no gap."""
    gaps = [{1: 0, 2: 4, 3: 9}, {1: 0, 2: 5, 3: 18}, {2: 0, 3: 14}, {3: 0}]
    names = {1: "Ana", 2: "Bea", 3: "Cai"}
    chart = gap_chart(gaps, names, say, home={1, 2, 3})
    assert [line.ys for line in chart.lines] == [(0, 0), (4, 5), (9, 18)]
    gone = gap_chart([{1: 0, 2: 4}, {1: 0}], {1: "Ana", 2: "Bea"}, say, home={1})
    assert [line.ys for line in gone.lines] == [(0, 0), (4, None)]  # who is out ends there


def test_people_have_the_colors_of_their_cars_over_a_season() -> None:
    lines = [(name, [10.0]) for name in ("Ana", "Bea", "Cai", "Dot")]
    chart = progress_chart(lines, say, colors={"Ana": "pink", "Bea": "red", "Cai": "pink"})
    looks = [look_of(line.number) for line in chart.lines]
    assert [color for color, _ in looks] == ["#d98ec4", "#ba230b", "#d98ec4", "#4068a0"]
    assert len(set(looks)) == 4  # two in one color have other marks


def test_the_color_of_a_car_is_told_by_its_race_alone() -> None:
    entries = tuple(
        Entry(seat=n, driver=key, name=key, place=n) for n, key in ((1, "ana"), (2, "bea"))
    )
    about = {"id": "r", "name": "", "date": "2026-01-01", "game": "formula-d", "entries": entries}
    driven = Race(**about, numbers={"colors": {"1": "violet"}})
    told = Race(**about, source="hand")
    assert cars_in([driven, told]) == {"ana": ("violet", 1), "bea": ("blue", 2)}
    assert [color_of(told, one) for one in entries] == ["", ""]


def test_a_chart_follows_the_theme_of_the_page_that_shows_it() -> None:
    drawn = draw_svg(gap_chart([{1: 0, 2: 3.5}, {1: 0, 2: 4}], {1: "Ana", 2: "Bea"}, say))
    assert "prefers-color-scheme: dark" in drawn
    assert "fill: #ffffff" not in drawn, "no white paper on a dark page"
    assert "#1b1e23" in drawn.split("</style>", 1)[1], "the ink that the dark theme changes"


def test_a_picture_of_a_season_of_sixty_draws_twenty_lines_and_its_values_have_all() -> None:
    lines = [(f"Driver {n}", [float(n * r) for r in range(1, 25)]) for n in range(60, 0, -1)]
    chart = progress_chart(lines, str)
    picture = draw_svg(chart)
    drawn = re.findall(r">(Driver \d+)</text>", picture)
    assert drawn == [f"Driver {n}" for n in range(60, 40, -1)]
    assert len(picture) < 250_000
    assert len(chart.lines) == 60
