"""Answers typed at a prompt, read: numbers, words, spaces of a board.

Each reader takes the text of an answer and gives its value, or raises ValueError with a
sentence that says what would be accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from companion.rules.board.notation import parse_pair, parse_place
from companion.rules.board.plan import MOST_LANES, MOST_SPACES, SectionPlan

T = TypeVar("T")
Reader = Callable[[str], T]

_NUMBERS = re.compile(r"[0-9]{1,3}")
_SPAN = re.compile(r"([0-9]{1,3})(?:\s*[-–]\s*([0-9]{1,3}))?")


class Places:
    """Reads spaces of a board whose sections are known."""

    def __init__(self, lanes: tuple[str, ...], sections: Sequence[SectionPlan]) -> None:
        self._lanes = lanes
        self._counts = {section.label: section.spaces for section in sections}

    def finish(self, text: str) -> tuple[int, ...]:
        """A number for each lane of the first section."""
        counts = self._counts["S1"]
        numbers = counts_of(len(counts))(text)
        if not all(1 <= number <= count for number, count in zip(numbers, counts, strict=True)):
            raise ValueError(f"S1 has {' '.join(map(str, counts))} spaces")
        return numbers

    def listed(self, text: str) -> tuple[str, ...]:
        """Spaces of the first section, or of another with its name before: `T8.l9`."""
        places = tuple(split(text))
        for place in places:
            self._look_up(place)
        if not places:
            raise ValueError("at least one space is wanted, as l1 or T2.l1")
        return places

    def _look_up(self, text: str) -> None:
        place = parse_place(text)
        counts = self._counts.get(place.label or "S1") if place else None
        if place is None or counts is None or place.lane not in self._lanes:
            raise ValueError(f"{text!r} is no space; spaces are written as l1 or T2.l1")
        count = counts[self._lanes.index(place.lane)]
        if not 1 <= place.number <= count:
            raise ValueError(f"there is no {text}; that lane has {count} spaces there")


def split(text: str) -> list[str]:
    """Words between blanks, commas or slashes."""
    return re.split(r"[\s,/]+", text.strip(" ,/")) if text.strip(" ,/") else []


def read_text(text: str) -> str:
    """A text that is not empty."""
    if not text or not text.isprintable():
        raise ValueError("a text on one line is wanted")
    return text


def read_lanes(text: str) -> tuple[str, ...]:
    """The names of the lanes."""
    lanes = tuple(split(text))
    are_letters = all(len(lane) == 1 and lane.isascii() and lane.islower() for lane in lanes)
    if not are_letters or not 1 <= len(lanes) <= MOST_LANES or len(set(lanes)) < len(lanes):
        raise ValueError(f"1 to {MOST_LANES} different small letters are wanted, as l m r")
    return lanes


def counts_of(lanes: int) -> Reader[tuple[int, ...]]:
    """A number of spaces for each lane, blanks or slashes between."""

    def read(text: str) -> tuple[int, ...]:
        words = split(text)
        if len(words) != lanes or not all(_NUMBERS.fullmatch(word) for word in words):
            raise ValueError(f"{lanes} numbers are wanted, one for each lane")
        if max(map(int, words)) > MOST_SPACES:
            raise ValueError(f"a lane has {MOST_SPACES} spaces at most")
        return tuple(map(int, words))

    return read


def number_in(low: int, high: int) -> Reader[int]:
    """A whole number, both ends included."""

    def read(text: str) -> int:
        if not _NUMBERS.fullmatch(text) or not low <= int(text) <= high:
            raise ValueError(f"a number from {low} to {high} is wanted")
        return int(text)

    return read


def one_of(words: Sequence[str]) -> Reader[str]:
    """One of a few words, or as much of it as tells it from the others."""

    def read(text: str) -> str:
        meant = [word for word in words if text and word.startswith(text.lower())]
        if len(meant) != 1:
            raise ValueError(f"one of these is wanted: {', '.join(words)}")
        return meant[0]

    return read


def span_within(low: int, high: int) -> Reader[tuple[int, int]]:
    """A range `4-13`, or one number that is both its ends."""

    def read(text: str) -> tuple[int, int]:
        match = _SPAN.fullmatch(text)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not low <= first <= last <= high:
            raise ValueError(f"two numbers within {low}-{high} are wanted, as {low}-{high}")
        return first, last

    return read


def perhaps(read: Reader[T]) -> Reader[T | None]:
    """None for an empty answer."""
    return lambda text: read(text) if text else None


def read_changes(text: str) -> tuple[str, ...]:
    """Lane changes; whether the board has their spaces is not asked."""
    changes = tuple(split(text))
    for change in changes:
        if parse_pair(change, ">") is None:
            raise ValueError(f"{change!r} is no lane change; one is written as m22>r23")
    return changes
