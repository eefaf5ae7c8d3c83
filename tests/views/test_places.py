"""Spaces have names for people, and short ones for keys."""

from __future__ import annotations

import pytest

from companion.rules.board.track import Track
from companion.views.words import LANGUAGES, place_key, place_line, place_name, words


@pytest.mark.parametrize(
    ("space", "en", "fr"),
    [
        ("S5.m1", "middle, 3 before Loews", "milieu, 3 avant Loews"),
        ("S5.m3", "middle, 1 before Loews", "milieu, 1 avant Loews"),
        ("T5.l2", "Loews, left, 2nd", "Loews, gauche, 2e"),
        ("T5.r1", "Loews, right, 1st", "Loews, droite, 1re"),
        ("P4", "pit lane 4", "voie des stands 4"),
        ("B2", "your box", "votre box"),
        ("B3", "box 3", "stand 3"),
    ],
)
def test_a_space_has_a_name_for_people(monaco: Track, space: str, en: str, fr: str) -> None:
    index = monaco.index[space]
    assert place_name(monaco, index, words("en"), owner=2) == en
    assert place_name(monaco, index, words("fr"), owner=2) == fr


@pytest.mark.parametrize(
    ("space", "key"),
    [
        ("S5.m1", "3→Loews"), ("T5.l2", "Loews 2"), ("T5.l11", "Loew 11"), ("T3.m2", "Casi2 2"),
        ("S1.m1", "22→Sain"), ("P14", "pit 14"), ("B2", "box"), ("B10", "box 10"),
    ],
)  # fmt: skip
def test_a_short_name_fits_a_key(monaco: Track, space: str, key: str) -> None:
    assert place_key(monaco, monaco.index[space], words("en"), owner=2) == key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_space_fits_its_key_and_its_line_and_shows_no_id(
    monaco: Track, language: str
) -> None:
    say = words(language)
    for space, name in enumerate(monaco.ids):
        assert len(place_key(monaco, space, say)) <= 7
        assert len(place_line(monaco, space, say, 21)) <= 21
        assert name not in place_name(monaco, space, say)


def test_no_two_spaces_of_the_board_share_a_name(monaco: Track) -> None:
    names = [place_name(monaco, space, words("en")) for space in range(len(monaco.ids))]
    assert len(set(names)) == len(names)
