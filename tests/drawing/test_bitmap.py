"""The canvas, its bytes, its text, and what has changed."""

from __future__ import annotations

import random

import pytest
from support.each import in_one
from support.screens.dots import from_text, to_text

from companion.drawing.bitmap import PAGES, SIZE, WIDTH, Canvas, Span, changed_spans


def test_bit_0_of_the_first_byte_is_the_upper_left_dot() -> None:
    canvas = Canvas()
    canvas.rect(0, 0, 1, 1)
    assert canvas.to_bytes() == b"\x01" + bytes(SIZE - 1)


def test_the_lower_right_dot_is_bit_7_of_the_last_byte() -> None:
    canvas = Canvas()
    canvas.rect(127, 63, 1, 1)
    assert canvas.to_bytes() == bytes(SIZE - 1) + b"\x80"


def test_a_rectangle_over_two_pages_lights_the_rows_asked_for() -> None:
    canvas = Canvas()
    canvas.rect(3, 6, 1, 4)
    drawn = canvas.to_bytes()
    assert (drawn[3], drawn[WIDTH + 3]) == (0b11000000, 0b00000011)


def test_what_falls_off_the_screen_is_clipped_on_all_four_sides() -> None:
    canvas = Canvas()
    canvas.rect(-5, -5, 300, 300)
    canvas.blit([0b111], 0, -2)
    canvas.blit([1, 1, 1], 127, 63)
    canvas.blit([1], -1, 0)
    assert canvas.to_bytes() == b"\xff" * SIZE


def test_inverting_twice_changes_nothing() -> None:
    canvas = Canvas()
    canvas.hatch(0, 0, 50, 20)
    before = canvas.to_bytes()
    canvas.invert(10, 5, 30, 30)
    assert canvas.to_bytes() != before
    canvas.invert(10, 5, 30, 30)
    assert canvas.to_bytes() == before


def test_a_frame_is_hollow_and_dotted_lines_have_gaps() -> None:
    canvas = Canvas()
    canvas.frame(0, 0, 4, 4)
    canvas.hline(0, 5, 5, step=2)
    canvas.vline(6, 0, 3, step=2)
    rows = [row[:7] for row in to_text(canvas.to_bytes()).splitlines()[:6]]
    assert rows == ["####..#", "#..#...", "#..#..#", "####...", ".......", "#.#.#.."]


def test_text_reads_back_to_the_same_screen() -> None:
    screen = random.Random(1).randbytes(SIZE)
    assert from_text(to_text(screen)) == screen


@pytest.mark.parametrize("text", ["", "#\n" * 64, ("x" * 128 + "\n") * 64])
def test_text_that_is_no_screen_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not 64 lines"):
        from_text(text)


def sent(old: bytes, spans: list[Span], new: bytes) -> bytes:
    """What a screen shows that showed `old` and was sent `spans` of `new`."""
    shown = bytearray(old)
    for page, start, stop in spans:
        shown[page * WIDTH + start : page * WIDTH + stop] = new[
            page * WIDTH + start : page * WIDTH + stop
        ]
    return bytes(shown)


@in_one("seed", range(20))
def test_sending_the_changed_spans_gives_the_new_screen(seed: int) -> None:
    dice = random.Random(seed)
    old = dice.randbytes(SIZE)
    new = bytearray(old)
    for place in dice.sample(range(SIZE), dice.randrange(60)):
        new[place] ^= 1 << dice.randrange(8)
    assert sent(old, changed_spans(old, bytes(new)), bytes(new)) == new


def test_equal_screens_need_nothing_sent() -> None:
    assert changed_spans(bytes(SIZE), bytes(SIZE)) == []


def test_a_gap_cheaper_than_an_address_is_bridged_and_a_wider_one_is_not() -> None:
    near, far = bytearray(SIZE), bytearray(SIZE)
    near[0] = near[7] = 1
    far[0] = far[8] = 1
    assert changed_spans(bytes(SIZE), bytes(near)) == [Span(0, 0, 8)]
    assert changed_spans(bytes(SIZE), bytes(far)) == [Span(0, 0, 1), Span(0, 8, 9)]


def test_spans_never_cross_from_one_page_to_the_next() -> None:
    lit = b"\xff" * SIZE
    assert changed_spans(bytes(SIZE), lit) == [Span(page, 0, WIDTH) for page in range(PAGES)]
