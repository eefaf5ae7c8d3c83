"""The words of the pages by their keys."""

from __future__ import annotations

from companion_web.words import ALL, GROUPS, SEAT, SEAT_TOO


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
