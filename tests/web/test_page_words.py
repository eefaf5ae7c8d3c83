"""The words of the pages by their keys."""

from __future__ import annotations

import pytest

from companion.views.words import LANGUAGES
from companion_web.words import ALL, GROUPS, SEAT, SEAT_TOO, page_words


def test_no_key_has_two_texts() -> None:
    """Of two tables the later one would win, and a button of the other say its words."""
    texts: dict[str, set[str]] = {}
    for table in ALL:
        for key, text in table.items():
            texts.setdefault(key, set()).add(text)
    assert {key: both for key, both in texts.items() if len(both) > 1} == {}
    of_groups = {f"{group}.{key}" for group, table in GROUPS.items() for key in table}
    assert not of_groups & texts.keys()
    assert not set(SEAT) & set(SEAT_TOO), "said twice on a phone"


@pytest.mark.parametrize("language", LANGUAGES)
def test_tires_are_told_apart_by_their_letter(language: str) -> None:
    """A tower has room for one: « pneus durs » and « pneus tendres » begin alike."""
    letters = page_words(language)["tires-letters"].split(" ")
    assert len(set(letters)) == 3
    assert all(len(letter) == 1 for letter in letters)
