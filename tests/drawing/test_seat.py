"""What a seat's screen must do whatever stands on it."""

from __future__ import annotations

import dataclasses
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest
import segno
from support.each import holds_for_each, in_one
from support.screens.dots import to_text

from companion.drawing.bitmap import HEIGHT, SIZE
from companion.drawing.keys import HEIGHT as HEIGHT_OF_CELL
from companion.drawing.keys import KEY_WIDTH, LEFT_EDGES, LOW, ROOMY, TALL, TOPS, Rows
from companion.drawing.seat import draw_seat
from companion.views.model import Key, Pip, SeatView

NO_KEYS: tuple[Key | None, ...] = (None,) * 6
PLAIN = (Key("1"), Key("2"), Key("3"), Key("4"), Key("5"), Key("6"))

DRIVING = SeatView(
    "Gear?", ("P1 lap 1/2 Loews 1/3",), PLAIN, (Pip("Tires", 4, 6), Pip("Brakes", 0, 3)), big="4"
)


def rows(view: SeatView) -> list[str]:
    """The screen, a text a row."""
    return to_text(draw_seat(view)).splitlines()


def cell(screen: list[str], button: int, layout: Rows) -> list[str]:
    """The part of the screen that belongs to a button."""
    left = LEFT_EDGES[(button - 1) // 2]
    top = layout.upper if button % 2 else layout.lower
    return [row[left : left + KEY_WIDTH] for row in screen[top : top + layout.height]]


@in_one("lines", [(), ("one",), ("one", "two"), ("one", "two", "three")])
@in_one("button", range(1, 7))
def test_a_key_is_drawn_in_the_place_of_its_button_and_nowhere_else(
    button: int, lines: tuple[str, ...]
) -> None:
    layout = {0: ROOMY, 1: TALL}.get(len(lines), LOW)
    keys = [Key("-"), *[Key("-")] * 5]
    without = rows(SeatView("t", lines, tuple(keys)))
    keys[button - 1] = Key("8")
    drawn = rows(SeatView("t", lines, tuple(keys)))
    changed = [b for b in range(1, 7) if cell(drawn, b, layout) != cell(without, b, layout)]
    assert changed == [button]


@in_one("mark", ["old", "costs", "out", "more", "back"])
@in_one("lines", [(), ("one",), ("one", "two")])
def test_every_mark_is_seen_without_reading(mark: str, lines: tuple[str, ...]) -> None:
    plain = SeatView("t", lines, (Key("3"), *PLAIN[1:]))
    marked = SeatView("t", lines, (Key("3", mark=mark), *PLAIN[1:]))  # type: ignore[arg-type]
    assert draw_seat(plain) != draw_seat(marked)


def test_marks_do_not_look_like_one_another() -> None:
    marks = ["", "old", "costs", "out", "more", "back"]
    looks = {draw_seat(SeatView("t", keys=(Key("3", mark=mark),))) for mark in marks}  # type: ignore[arg-type]
    assert len(looks) == len(marks)


def test_a_blinking_screen_differs_in_its_title_only_and_there_in_every_dot() -> None:
    view = SeatView("Gear?", ("a line",), PLAIN)
    calm, lit = rows(view), rows(dataclasses.replace(view, blink=True))
    swap = str.maketrans("#.", ".#")
    assert [row.translate(swap) for row in calm[:12]] == lit[:12]
    assert calm[12:] == lit[12:]


@in_one(("left", "full"), [(0, 3), (1, 3), (3, 3), (5, 14), (14, 14), (0, 0)])
def test_a_point_of_wear_more_or_less_is_seen(left: int, full: int) -> None:
    view = SeatView("t", ("line", "line"), pips=(Pip("Tires", left, full),))
    other = SeatView("t", ("line", "line"), pips=(Pip("Tires", left + 1, full + 1),))
    assert draw_seat(view) != draw_seat(other)


def test_six_categories_have_six_places() -> None:
    pips = tuple(Pip("Same", 1, 3) for _ in range(6))
    looks = {draw_seat(SeatView("t", pips=pips[:count])) for count in range(1, 7)}
    assert len(looks) == 6


def test_one_pool_has_all_the_width_and_a_high_block_for_each_point() -> None:
    def pool(left: int) -> list[str]:
        pips = (Pip("points", left, 18, "point", "points"),)
        return rows(dataclasses.replace(DRIVING, pips=pips))

    assert [len(pool(left)[28].replace(".", " ").split()) for left in (18, 17, 1)] == [18, 17, 1]
    changed = [n for n, (a, b) in enumerate(zip(pool(17), pool(16), strict=True)) if a != b]
    assert set(changed) <= set(range(16, 32)), "two rows of the screen's memory"


def test_a_figure_alone_is_larger_than_one_beside_lines() -> None:
    def lit(view: SeatView) -> int:
        return sum(row.count("#") for row in rows(view)[14:])

    alone = lit(SeatView("t", big="4"))
    beside = lit(SeatView("t", ("x" * 17,), big="4")) - lit(SeatView("t", ("x" * 17,)))
    assert alone == 4 * beside


def test_a_figure_gives_way_before_a_line_is_cut() -> None:
    cut = SeatView("t", ("x" * 20 + "…",), PLAIN, big="P3")
    whole = SeatView("t", ("x" * 21,), PLAIN, big="P3")
    assert rows(cut)[14:38] != rows(whole)[14:38]
    small_lines = rows(SeatView("t", ("x" * 21,) * 5))[14:22]
    assert [row[:106] for row in rows(whole)[14:22]] == [row[:106] for row in small_lines]


def test_a_title_too_wide_is_written_smaller_before_it_is_cut() -> None:
    exact, wide = rows(SeatView("x" * 25)), rows(SeatView("x" * 26))
    assert exact[:12] != wide[:12]
    assert rows(SeatView("x" * 26))[:12] == rows(SeatView("x" * 24 + "…"))[:12]


def test_with_wear_the_figure_stands_in_the_upper_right_corner() -> None:
    other = dataclasses.replace(DRIVING, big="5")
    assert [row[:112] for row in rows(DRIVING)] == [row[:112] for row in rows(other)]
    assert rows(DRIVING)[16:] == rows(other)[16:]
    assert rows(DRIVING) != rows(other)


def test_from_page_to_page_of_a_turn_only_title_and_keys_change() -> None:
    pages = [
        dataclasses.replace(DRIVING, title="Ana, then Bob", keys=NO_KEYS),
        dataclasses.replace(DRIVING, title="Where now?", keys=(Key("left", "3→", "costs"),) * 6),
    ]
    for page in pages:
        assert rows(page)[10:31] == rows(DRIVING)[10:31]


@in_one("button", range(1, 7))
def test_on_a_drivers_screen_a_key_is_drawn_in_its_cell_and_nowhere_else(button: int) -> None:
    keys = list(PLAIN)
    keys[button - 1] = Key("middle", "tires−2")
    drawn = rows(dataclasses.replace(DRIVING, keys=tuple(keys)))
    left, top = LEFT_EDGES[(button - 1) // 2], TOPS[(button - 1) % 2]
    for y, (row, before) in enumerate(zip(drawn, rows(DRIVING), strict=True)):
        for x, (dot, was) in enumerate(zip(row, before, strict=True)):
            inside = left <= x < left + KEY_WIDTH and top <= y < top + HEIGHT_OF_CELL
            assert dot == was or inside


def test_a_figure_stands_at_the_same_dots_with_a_hint_and_without() -> None:
    hinted = dataclasses.replace(DRIVING, keys=(Key("1", "−2TB"), *PLAIN[1:]))
    added = [(a, b) for a, b in zip("".join(rows(DRIVING)), "".join(rows(hinted)), strict=True)]
    assert ("#", ".") not in added
    assert (".", "#") in added


@pytest.mark.parametrize("label", ["3", "middle", "2–20"])
def test_marks_on_a_drivers_screen_do_not_look_like_one_another(label: str) -> None:
    marks = ["", "old", "costs", "out", "more", "back"]
    keys = [(Key(label, mark=mark), *PLAIN[1:]) for mark in marks]  # type: ignore[arg-type]
    looks = {draw_seat(dataclasses.replace(DRIVING, keys=row)) for row in keys}
    assert len(looks) == len(marks)


def test_on_a_drivers_screen_an_accent_on_a_capital_is_not_cut_off() -> None:
    plain, accented = (dataclasses.replace(DRIVING, title=title) for title in ("E", "É"))
    lit = [sum(row[:8].count("#") for row in rows(view)[:10]) for view in (plain, accented)]
    assert lit[0] < lit[1]


def test_on_a_drivers_screen_a_blinking_title_has_all_its_dots_turned() -> None:
    lit = rows(dataclasses.replace(DRIVING, blink=True))
    swap = str.maketrans("#.", ".#")
    assert [row[:112].translate(swap) for row in lit[:10]] == [
        row[:112] for row in rows(DRIVING)[:9]
    ] + [lit[9][:112].translate(swap)]
    assert lit[16:] == rows(DRIVING)[16:]


def test_without_keys_the_lines_have_the_whole_height() -> None:
    lines = ("one", "two", "three", "four")
    assert draw_seat(SeatView("t", lines)) == draw_seat(SeatView("t", lines, NO_KEYS))
    assert draw_seat(SeatView("t", lines)) != draw_seat(SeatView("t", lines, PLAIN))


LINK = "http://192.168.100.20:8000/seat/3#k=7QX2M4RBTN6KZP5W"


def modules(screen: list[str], size: int, scale: int) -> list[list[int]]:
    """The QR code read off the right half of a screen; 1 is dark."""
    border = (HEIGHT - size * scale) // 2
    return [
        [screen[border + y * scale][64 + border + x * scale] == "." for x in range(size)]
        for y in range(size)
    ]


def test_a_seat_link_is_drawn_whole_with_two_dots_a_module_on_a_light_border() -> None:
    code = segno.make_qr(LINK, error="l")
    size = len(code.matrix)
    screen = rows(SeatView("Seat 3", ("scan me",), qr=LINK))
    assert modules(screen, size, 2) == [list(map(bool, row)) for row in code.matrix]
    edge = (HEIGHT - 2 * size) // 2
    assert edge >= 3
    assert all(row[64:] == "#" * 64 for row in screen[:edge] + screen[-edge:])
    assert all(row[64 : 64 + edge] + row[-edge:] == "#" * 2 * edge for row in screen)


def test_another_link_is_another_code() -> None:
    code = segno.make_qr(LINK, error="l")
    screen = rows(SeatView("Seat 3", qr=LINK[:-1] + "X"))
    assert modules(screen, len(code.matrix), 2) != [list(map(bool, row)) for row in code.matrix]


def test_keys_beside_a_code_are_told_by_their_number() -> None:
    bare = SeatView("Seat 3", qr=LINK)
    sixth = dataclasses.replace(bare, keys=(*NO_KEYS[:5], Key("back")))
    fifth = dataclasses.replace(bare, keys=(*NO_KEYS[:4], Key("back"), None))
    assert len({draw_seat(view) for view in (bare, sixth, fifth)}) == 3


LETTERS = [chr(n) for n in (*range(0x20, 0x17F), 0, 9, 10, 0xAD, 0x301, 0x200D, 0x2192, 0x4E2D)]
LETTERS += ["\N{CHEQUERED FLAG}", "\N{ARABIC LETTER ALEF}", "\U0010ffff"]


def any_text(dice: Random, most: int = 40) -> str:
    rare = chr(dice.randrange(0xD800))
    return "".join(dice.choices([*LETTERS, rare], k=dice.randint(0, most)))


def any_view(seed: int) -> SeatView:
    """Whatever a view can be, sense or none."""
    dice = Random(seed)
    text = partial(any_text, dice)
    marks: list[Any] = ["", "old", "costs", "out", "more", "back"]
    keys = [
        None if dice.random() < 0.3 else Key(text(), text(), dice.choice(marks)) for _ in "123456"
    ]
    pips = [
        Pip(text(), dice.randint(-1, 60), dice.randint(-1, 60)) for _ in range(dice.randint(0, 7))
    ]
    return SeatView(
        title=text(),
        lines=tuple(text() for _ in range(dice.randint(0, 6))),
        keys=tuple(key if dice.random() < 0.7 else None for key in keys),
        pips=tuple(pips) if dice.random() < 0.5 else (),
        big=text() if dice.random() < 0.5 else "",
        qr=any_text(dice, 60) if dice.random() < 0.5 else "",
        blink=dice.random() < 0.5,
    )


def test_any_view_at_all_is_drawn() -> None:
    def is_drawn(seed: int) -> None:
        assert len(draw_seat(any_view(seed))) == SIZE

    holds_for_each(is_drawn, product(range(300)))
