"""The letters that a table of French and English speakers needs, and how texts are fitted."""

from __future__ import annotations

import pytest
from support.each import in_one

from companion.drawing.bitmap import Canvas, columns, fit, font, hint_columns, wrap

FRENCH = "àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»’"
SIGNS = "–—×·€°←→↑↓✓…"
NAMES = "".join(chr(code) for code in (*range(0x20, 0x7F), *range(0xC0, 0x180)))


@pytest.mark.parametrize("size", ["5x8", "6x12", "8x16", "12x24"])
def test_every_letter_of_a_european_name_is_there(size: str) -> None:
    missing = [c for c in FRENCH + SIGNS + NAMES if not font(size).has_all(c)]
    assert missing == []


def test_a_character_without_glyph_is_seen_as_a_box_of_the_same_width() -> None:
    letters = font("6x12")
    assert not letters.has_all("漢")
    assert letters.shape("漢") == list(letters.missing)
    assert len(letters.missing) == letters.width
    assert any(letters.missing)


def test_a_decomposed_accent_is_drawn_as_its_letter() -> None:
    assert font("6x12").shape("Zoe\u0301") == font("6x12").shape("Zoé")


@in_one("size", ["5x8", "6x12", "8x16", "12x24", "16x32"])
def test_no_glyph_is_wider_or_higher_than_its_cell(size: str) -> None:
    letters = font(size)
    shapes = [letters.shape(character) for character in letters.glyphs]
    assert {len(shape) for shape in shapes} == {letters.width}
    assert max(max(shape) for shape in shapes) < 1 << letters.height


def test_no_two_letters_look_alike_but_those_that_do_in_print() -> None:
    seen: dict[tuple[int, ...], str] = {}
    alike = []
    letters = font("6x12")
    for character in letters.glyphs:
        shape = tuple(letters.shape(character))
        if character.isascii() and character.isalnum() and shape in seen:
            alike.append(seen[shape] + character)
        seen[shape] = character
    assert alike == []


def test_a_figure_is_its_capital_magnified_without_empty_rows() -> None:
    letters = font("16x32")
    figure = letters.figure("E", 2)
    tall = 2 * (letters.bottom - letters.top)
    assert len(figure) == 32
    assert max(figure).bit_length() == tall
    canvas = Canvas()
    canvas.blit(figure, 0, 0)
    drawn = canvas.to_bytes()
    assert drawn[4] == drawn[5]


def test_an_unknown_size_has_no_glyph_file() -> None:
    with pytest.raises(FileNotFoundError):
        font("9x9")


@in_one("text", ["Sainte-Dévote", "Zoe\u0301" * 9, "漢字漢字漢字漢字漢字"])
@in_one("width", [0, 1, 7, 10])
def test_a_fitted_text_is_never_wider_than_asked(text: str, width: int) -> None:
    assert columns(fit(text, width)) <= width


def test_a_text_that_fits_is_left_alone_and_a_cut_one_says_so() -> None:
    assert fit("Rascasse", 8) == "Rascasse"
    assert fit("Rascasse", 7) == "Rascas…"


def test_a_longer_label_leaves_less_room_for_its_hint() -> None:
    rooms = [hint_columns("x" * length) for length in range(8)]
    assert rooms == sorted(rooms, reverse=True)
    assert rooms[-1] == 0


def test_a_word_too_long_for_a_line_is_cut_and_none_is_lost() -> None:
    assert wrap("at Sainte-Dévote now", 10) == ["at", "Sainte-Dé…", "now"]
