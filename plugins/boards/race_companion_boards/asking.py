"""A board asked for section by section, for what one reads off it at a glance: counts, stops, the
way a corner turns, the line, the grid, the pit.

The arrows of the corners are not asked for: the file is a sketch (`exact = false`) whose corners
are laid out from their counts, and the answers can be refined in it later (docs/tracks.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar, cast, get_args

from companion.rules.board import plan
from companion.rules.board.track import Turn

BACK = "<"
"""The answer that asks the question before again."""


class _Back(Exception):
    """The last answer is to be given again."""


T = TypeVar("T")
Reader = Callable[[str], T]


class Asking:
    """The questions, from the first one; answers that were given already are not asked again.

    A reader takes the text of an answer, last of its arguments, and gives its value, or raises
    ValueError with a sentence that says what would be accepted; then the question is asked again.
    """

    def __init__(self) -> None:
        self._given: list[str] = []
        self._next = 0

    def plan(self) -> plan.Plan:
        """The board that the answers tell of."""
        while True:
            self._next = 0
            try:
                return _ask_plan(self)
            except _Back:
                del self._given[-1:]

    @property
    def is_new(self) -> bool:
        """Whether the next question has not been asked yet."""
        return self._next == len(self._given)

    def ask(self, question: str, read: Reader[T], usual: str | None = None) -> T:
        """Ask until the answer can be read; `usual` is what an empty answer means."""
        if not self.is_new:
            self._next += 1
            return read(self._given[self._next - 1])
        shown = question if usual is None else f"{question} [{usual or 'none'}]"
        while True:
            given = input(f"{shown}: ").strip()
            if given == BACK:
                raise _Back
            try:
                value = read(given or usual or "")
            except ValueError as error:
                print(f"  {error}")
                continue
            self._given.append(given or usual or "")
            self._next += 1
            return value


def _ask_plan(talk: Asking) -> plan.Plan:
    name = talk.ask("Name of the board", _new_text)
    lanes = talk.ask("Lanes, left to right in driving direction", _lanes, "l m r")
    # Once only: after `<` the questions are gone through again with the answers so far.
    if talk.is_new:
        print("The sections in driving order; the straight with the finish line comes first.")
    sections = _ask_sections(talk, lanes)
    counts = {section.label: section.spaces for section in sections}
    places = partial(_places, lanes, counts)
    question = "Finish line: the first space past it, of each lane"
    finish = talk.ask(question, partial(_finish, counts["S1"]))
    grid = talk.ask("Grid, pole first, as l16 r16 l13", places)
    pit = _ask_pit(talk, places)
    return plan.Plan(name, False, lanes, sections, grid, finish, pit, _ask_weather(talk))


def _ask_sections(talk: Asking, lanes: tuple[str, ...]) -> tuple[plan.SectionPlan, ...]:
    sections = [_ask_straight(talk, "S1", lanes)]
    while len(sections) < plan.MOST_SECTIONS:
        corners = sum(section.kind == "corner" for section in sections)
        words = ("corner", "straight", "end") if corners else ("corner", "straight")
        after = "corner" if sections[-1].kind == "straight" else "straight"
        kind = talk.ask(f"Next: {', '.join(words)}", partial(_one_of, words), after)
        if kind == "end":
            break
        if kind == "corner":
            sections.append(_ask_corner(talk, corners + 1, lanes))
        else:
            sections.append(_ask_straight(talk, f"S{len(sections) - corners + 1}", lanes))
    return tuple(sections)


def _ask_straight(talk: Asking, label: str, lanes: tuple[str, ...]) -> plan.SectionPlan:
    spaces = talk.ask(
        f"{label} straight, spaces of {' '.join(lanes)}", partial(_counts, len(lanes))
    )
    leads = get_args(plan.Lead)
    question = f"{label} the lane that stands farthest ahead: {', '.join(leads)}"
    lead = cast(plan.Lead, talk.ask(question, partial(_one_of, leads)))
    closed = talk.ask(f"{label} lane changes that it lacks, as m22>r23", _changes, "")
    return plan.SectionPlan("straight", label, None, spaces, lead=lead, closed=closed)


def _ask_corner(talk: Asking, number: int, lanes: tuple[str, ...]) -> plan.SectionPlan:
    label = f"T{number}"
    name = talk.ask(f"{label} corner, its name", _new_text, f"Corner {number}")
    stops = talk.ask(f"{label} stops", partial(_number, 1, plan.MOST_STOPS))
    question = f"{label} turns first to the left or to the right"
    turns = cast(Turn, talk.ask(question, partial(_one_of, get_args(Turn))))
    spaces = talk.ask(f"{label} spaces of {' '.join(lanes)}", partial(_counts, len(lanes)))
    question = f"{label} shortest and longest way as printed, as 3-7"
    low, high = talk.ask(question, partial(_span_or_none, 1, plan.MOST_SPACES), "") or (None, None)
    return plan.SectionPlan(
        "corner", label, name, spaces, stops=stops, turns=turns, shortest=low, longest=high
    )


def _ask_pit(talk: Asking, places: Reader[tuple[str, ...]]) -> plan.PitPlan | None:
    spaces = talk.ask("Pit lane, its spaces; 0 for none", partial(_number, 0, plan.MOST_SPACES))
    if not spaces:
        return None
    entry = talk.ask("Spaces that lead into the pit lane, as r1 r2", places)
    out = talk.ask("Spaces that the pit lane leads to, as r19 r20", places)
    first, last = talk.ask("Boxes lie beside the pit spaces, as 4-13", partial(_span, 1, spaces))
    return plan.PitPlan(spaces=spaces, entry=entry, exit=out, boxes=tuple(range(first, last + 1)))


def _ask_weather(talk: Asking) -> dict[str, tuple[int, int]] | None:
    """The weather table; its middle range decides the other two."""
    question = "Weather table: the variable numbers of the black die, as 8-12"
    middle = talk.ask(question, partial(_span_or_none, 2, plan.BLACK_DIE - 1), "")
    if middle is None:
        return None
    low, high = middle
    return {"rain": (1, low - 1), "variable": middle, "fine": (high + 1, plan.BLACK_DIE)}


def _finish(counts: tuple[int, ...], text: str) -> tuple[int, ...]:
    numbers = _counts(len(counts), text)
    if not all(1 <= number <= count for number, count in zip(numbers, counts, strict=True)):
        raise ValueError(f"S1 has {' '.join(map(str, counts))} spaces")
    return numbers


Counts = Mapping[str, tuple[int, ...]]
"""The spaces of each lane, by the label of a section."""


def _places(lanes: tuple[str, ...], counts: Counts, text: str) -> tuple[str, ...]:
    """Spaces of the first section, or of another with its name before: `T8.l9`."""
    for word in _split(text):
        place = plan.parse_place(word)
        section = counts.get(place.label or "S1") if place else None
        if place is None or section is None or place.lane not in lanes:
            raise ValueError(f"{word!r} is no space; spaces are written as l1 or T2.l1")
        count = section[lanes.index(place.lane)]
        if not 1 <= place.number <= count:
            raise ValueError(f"there is no {word}; that lane has {count} spaces there")
    if not _split(text):
        raise ValueError("at least one space is wanted, as l1 or T2.l1")
    return _split(text)


def _split(text: str) -> tuple[str, ...]:
    """Words between blanks, commas or slashes."""
    return tuple(re.findall(r"[^\s,/]+", text))


def _new_text(text: str) -> str:
    if not text or not text.isprintable():
        raise ValueError("a text on one line is wanted")
    return text


def _lanes(text: str) -> tuple[str, ...]:
    lanes = _split(text)
    are_letters = all(len(lane) == 1 and lane.isascii() and lane.islower() for lane in lanes)
    if not are_letters or not 1 <= len(lanes) <= plan.MOST_LANES or len(set(lanes)) < len(lanes):
        raise ValueError(f"1 to {plan.MOST_LANES} different small letters are wanted, as l m r")
    return lanes


def _changes(text: str) -> tuple[str, ...]:
    """Lane changes; whether the board has their spaces is not asked."""
    for change in _split(text):
        if plan.parse_pair(change, ">") is None:
            raise ValueError(f"{change!r} is no lane change; one is written as m22>r23")
    return _split(text)


_NUMBER = re.compile(r"[0-9]{1,3}")


def _counts(lanes: int, text: str) -> tuple[int, ...]:
    """A number of spaces for each lane."""
    words = _split(text)
    if len(words) != lanes or not all(map(_NUMBER.fullmatch, words)):
        raise ValueError(f"{lanes} numbers are wanted, one for each lane")
    if max(map(int, words)) > plan.MOST_SPACES:
        raise ValueError(f"a lane has {plan.MOST_SPACES} spaces at most")
    return tuple(map(int, words))


def _number(low: int, high: int, text: str) -> int:
    if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise ValueError(f"a number from {low} to {high} is wanted")
    return int(text)


def _one_of(words: tuple[str, ...], text: str) -> str:
    """One of a few words, or the beginning of one alone."""
    meant = [word for word in words if text and word.startswith(text.lower())]
    if len(meant) != 1:
        raise ValueError(f"one of these is wanted: {', '.join(words)}")
    return meant[0]


_SPAN = re.compile(r"([0-9]{1,3})(?:\s*[-–]\s*([0-9]{1,3}))?")


def _span(low: int, high: int, text: str) -> tuple[int, int]:
    """A range `4-13`, or one number that is both its ends."""
    match = _SPAN.fullmatch(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not low <= first <= last <= high:
        raise ValueError(f"two numbers within {low}-{high} are wanted, as {low}-{high}")
    return first, last


def _span_or_none(low: int, high: int, text: str) -> tuple[int, int] | None:
    return _span(low, high, text) if text else None
