"""From a plan to a graph: the spaces numbered through, and every change and pair looked up.

Where a file has counts only, straights and corners are laid out from them here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.rules.board.plan import Faults, Plan, SectionPlan, parse_place
from companion.rules.board.track import Turn


class Graph:
    """The spaces of the track (without the pit) and what is next to what.

    Spaces are numbered in driving order, section by section, there lane by lane. Lists
    are indexed by space.
    """

    def __init__(self, plan: Plan, faults: Faults) -> None:
        self.plan = plan
        self.faults = faults
        self.ids: list[str] = []
        self.section: list[int] = []
        self.lane: list[int] = []
        self.number: list[int] = []
        self._first: list[list[int]] = []
        for at, section in enumerate(plan.sections):
            self._number(at, section)
        self.ahead = [
            self.space(at, lane, number + 1)
            for at, lane, number in zip(self.section, self.lane, self.number, strict=True)
        ]
        self.changes: list[list[int]] = [[] for _ in self.ids]
        self.beside: list[list[int]] = [[] for _ in self.ids]
        for at in range(len(plan.sections)):
            self._connect(at, self.layout(at))

    def space(self, section: int, lane: int, number: int) -> int:
        """Index of a space, its number running on past the section's ends; -1 if none."""
        sections = self.plan.sections
        count = sections[section].spaces[lane]
        if number < 1:
            section = (section - 1) % len(sections)
            number += sections[section].spaces[lane]
        elif number > count:
            section = (section + 1) % len(sections)
            number -= count
        if 1 <= number <= sections[section].spaces[lane]:
            return self._first[section][lane] + number - 1
        return -1

    def look_up(self, text: str, where: str, section: int = 0) -> int:
        """Index of a space written `l7` (of this section) or `S2.l7`; a fault and -1 if none."""
        written = parse_place(text)
        if written is None:
            self.faults.add(where, f"{text!r} is no space; one is written l7 or S2.l7")
            return -1
        labels = [other.label for other in self.plan.sections]
        if written.label is not None and written.label not in labels:
            self.faults.add(where, f"there is no space {text}: the track has no {written.label}")
            return -1
        if written.lane not in self.plan.lanes:
            self.faults.add(where, f"there is no space {text}: no lane is called {written.lane}")
            return -1
        at = section if written.label is None else labels.index(written.label)
        lane = self.plan.lanes.index(written.lane)
        space = self._first[at][lane] + written.number - 1
        count = self.plan.sections[at].spaces[lane]
        if 1 <= written.number <= count:
            return space
        title = self.plan.sections[at].title
        self.faults.add(
            where,
            f"there is no space {text}: lane {written.lane} of {title} has {count} spaces",
            "no-space",
            space=text,
            count=count,
        )
        return -1

    def _number(self, at: int, section: SectionPlan) -> None:
        firsts = []
        for lane, (name, count) in enumerate(zip(self.plan.lanes, section.spaces, strict=True)):
            firsts.append(len(self.ids))
            self.ids += [f"{section.label}.{name}{number}" for number in range(1, count + 1)]
            self.section += [at] * count
            self.lane += [lane] * count
            self.number += range(1, count + 1)
        self._first.append(firsts)

    def _connect(self, at: int, layout: Layout) -> None:
        for is_change, pairs in ((True, layout.changes), (False, layout.beside)):
            for pair in pairs:
                start, end = self.space(at, *pair.start), self.space(at, *pair.end)
                if start < 0 or end < 0:
                    # Laid out toward a lane that the next section does not have.
                    continue
                if is_change:
                    self.changes[start].append(end)
                # Side by side goes both ways, even where the arrow goes only one.
                if end not in self.beside[start]:
                    self.beside[start].append(end)
                    self.beside[end].append(start)

    def layout(self, at: int) -> Layout:
        """The lane changes of a section and its pairs side by side: written, or laid out."""
        section = self.plan.sections[at]
        beside = self._read(at, section.beside, "|")
        if section.changes is not None:
            return Layout(self._read(at, section.changes, ">"), beside)
        if section.kind == "straight":
            return self._straight(at, section)
        if beside:
            return Layout(_changes_inward(beside, section.spaces, section.turns), beside)
        return self._laid_out(at, section)

    def _laid_out(self, at: int, section: SectionPlan) -> Layout:
        """A corner from its counts. Where the straight behind it changes into a space of its own
        from the same lane, the corner does not: it has turned the other way since."""
        changes, beside = lay_corner(section.spaces, section.turns)
        after = self.plan.sections[(at + 1) % len(self.plan.sections)]
        if after.kind != "straight" or after.changes is not None:
            return Layout(changes, beside)

        def is_twice(pair: Pair) -> bool:
            lanes = pair.start.lane, pair.end.lane
            enters = pair.end.number - section.spaces[pair.end.lane]
            own = Pair(Place(lanes[0], 1), Place(lanes[1], enters))
            if enters < 1 or own not in lay_straight(after.spaces, after.lead).changes:
                return False
            start, end = (self.plan.lanes[lane] for lane in lanes)
            return f"{start}1>{end}{enters}" not in after.closed

        twice = tuple(pair for pair in changes if is_twice(pair))
        return Layout(tuple(pair for pair in changes if pair not in twice), (*beside, *twice))

    def _straight(self, at: int, section: SectionPlan) -> Layout:
        """A straight without its closed changes, which stay side by side."""
        laid = lay_straight(section.spaces, section.lead)
        closed = self._read(at, section.closed, ">")
        for text in section.closed:
            pair = self._read_pair(at, text, ">")
            if pair is not None and pair not in laid.changes:
                self.faults.add(section.title, f"closes {text}, which is no lane change there")
        return Layout(tuple(c for c in laid.changes if c not in closed), laid.beside + closed)

    def _read(self, at: int, texts: tuple[str, ...], sign: str) -> tuple[Pair, ...]:
        """Changes (`>`) or pairs (`|`) as written; the faulty ones are noted and left out."""
        pairs: list[Pair] = []
        for text in texts:
            pair = self._read_pair(at, text, sign)
            if pair in pairs:
                self.faults.add(self.plan.sections[at].title, f"{text} is written twice")
            elif pair is not None:
                pairs.append(pair)
        return tuple(pairs)

    def _read_pair(self, at: int, text: str, sign: str) -> Pair | None:
        title = self.plan.sections[at].title
        first, found, second = text.partition(sign)
        if not found:
            kind = "lane change" if sign == ">" else "pair side by side"
            self.faults.add(title, f"{text!r} is no {kind}; one is written l1{sign}m1")
            return None
        start, end = self.look_up(first, title, at), self.look_up(second, title, at)
        if start < 0 or end < 0:
            return None
        where = f"{title}, lane {self.plan.lanes[self.lane[start]]}"
        if abs(self.lane[start] - self.lane[end]) != 1:
            self.faults.add(where, f"{text} joins lanes that are not neighbours")
            return None
        pair = self._place(at, start), self._place(at, end)
        if pair[0] is None or pair[1] is None or not self._fits(at, start, end, sign):
            wanted = "lead on, within this section or into the next"
            if sign == "|":
                wanted = "have a space of this section, and one of it or a neighbouring section"
            self.faults.add(where, f"{text} should {wanted}")
            return None
        return Pair(pair[0], pair[1])

    def _place(self, at: int, space: int) -> Place | None:
        """A space seen from a section, in it or in one of its neighbours; None if farther."""
        lane, number = self.lane[space], self.number[space]
        counts = self.plan.sections
        seen = {
            (at + 1) % len(counts): counts[at].spaces[lane] + number,
            (at - 1) % len(counts): number - counts[at - 1].spaces[lane],
            at: number,
        }
        found = seen.get(self.section[space])
        return None if found is None else Place(lane, found)

    def _fits(self, at: int, start: int, end: int, sign: str) -> bool:
        """Whether a change goes from this section on, or a pair has one of its spaces."""
        if sign == "|":
            return at in (self.section[start], self.section[end])
        following = (at + 1) % len(self.plan.sections)
        return self.section[start] == at and self.section[end] in (at, following)


# -- sections laid out from counts ----------------------------------------------------------------

# In a straight the lanes stand half a space apart, and a lane change goes to the first space
# whose front is ahead. In a corner the outer lane has more spaces than the inner: both are spread
# evenly between the limits, which the stagger of the straights makes slanted, so that the outer
# lane reaches half a space of the inner one farther at either end. A space of the inner lane is
# entered from the hindmost space of the outer lane that it lies beside (where four spaces meet in
# a point, the hindmost one counts as beside).
#
# A `Place` is (lane, number), and the numbers run on past the ends of the section: in a lane of 7
# spaces number 8 is the first space of the next section, number 0 the last space of the section
# before.


class Place(NamedTuple):
    """A space seen from a section: index of the lane from the left, number from 1."""

    lane: int
    number: int


class Pair(NamedTuple):
    """Two places side by side; as a lane change from `start` to `end`."""

    start: Place
    end: Place


class Layout(NamedTuple):
    """The lane changes of a section, and its pairs side by side that are none."""

    changes: tuple[Pair, ...]
    beside: tuple[Pair, ...]


def _neighbours(lanes: int) -> Iterator[tuple[int, int]]:
    """Each pair of neighbouring lanes, both ways round.

    >>> list(_neighbours(3))
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    for left in range(lanes - 1):
        yield left, left + 1
        yield left + 1, left


def _inward(lanes: int, turns: Turn) -> list[tuple[int, int]]:
    """The pairs of neighbouring lanes (outer, inner) of a corner.

    >>> _inward(3, "right"), _inward(3, "left")
    ([(0, 1), (1, 2)], [(1, 0), (2, 1)])
    """
    return [(a, b) for a, b in _neighbours(lanes) if (b > a) == (turns == "right")]


def lay_straight(spaces: tuple[int, ...], lead: str) -> Layout:
    """All lane changes of a straight, the closed ones too.

    `lead` is the side whose lane stands farthest ahead, "left" or "right", or "level"
    where the lanes stand in line; there the spaces in line are side by side as well.

    >>> lay_straight((1, 2), "left").changes
    (Pair(start=Place(lane=0, number=1), end=Place(lane=1, number=2)), \
Pair(start=Place(lane=1, number=1), end=Place(lane=0, number=1)))
    """
    last = len(spaces) - 1
    halves = {"left": range(last, -1, -1), "right": range(last + 1), "level": [0] * (last + 1)}
    # In half spaces: a space's front lies at twice its number plus the stagger of its lane.
    stagger = halves[lead]
    changes = [
        Pair(Place(lane, number), Place(other, target))
        for lane, other in _neighbours(len(spaces))
        for number in range(1, spaces[lane] + 1)
        if (target := number + (stagger[lane] - stagger[other]) // 2 + 1) <= spaces[other]
    ]
    in_line = [
        Pair(Place(lane, number), Place(lane + 1, number))
        for lane in range(last)
        for number in range(1, min(spaces[lane], spaces[lane + 1]) + 1)
        if lead == "level"
    ]
    return Layout(tuple(changes), tuple(in_line))


def lay_corner(spaces: tuple[int, ...], turns: Turn) -> Layout:
    """A corner that turns one way, laid out from its counts."""
    pairs: list[Pair] = []
    for outer, inner in _inward(len(spaces), turns):
        if spaces[outer] and spaces[inner]:
            pairs += _staircase(outer, spaces[outer], inner, spaces[inner])
    changes = _changes_inward(pairs, spaces, turns)
    return Layout(changes, tuple(pair for pair in pairs if pair not in changes))


def _hindmost(many: int, few: int, target: int) -> int:
    """The hindmost of `many` outer spaces beside space `target` of `few` inner ones.

    >>> [_hindmost(7, 5, target) for target in range(1, 6)]
    [1, 2, 3, 5, 6]
    """
    half_inner_spaces = 2 * target - 1
    # Rounded up in whole numbers: a board must not depend on floating point.
    return max(1, -(-half_inner_spaces * many // (2 * few + 2)))


def _staircase(outer: int, many: int, inner: int, few: int) -> Iterator[Pair]:
    """All pairs of two lanes of a corner, each from the outer place to the inner one."""
    first = [1, *(_hindmost(many, few, target) for target in range(1, few + 1)), many]
    last = [*first[1:], many]
    # From 0 to one too many: the inner spaces before and behind the section have neighbours here.
    for target in range(few + 2):
        for number in range(first[target], last[target] + 1):
            yield Pair(Place(outer, number), Place(inner, target))


def _changes_inward(
    pairs: Sequence[Pair], spaces: tuple[int, ...], turns: Turn
) -> tuple[Pair, ...]:
    """The lane changes of a corner of which the pairs side by side are known.

    The hindmost outer space beside an inner one is the foremost beside the inner one
    behind it. So it does not matter whether `pairs` (either way round) hold the changes
    themselves or, as `beside` of a track file does, only the other pairs.
    """
    known = [*pairs, *(Pair(pair.end, pair.start) for pair in pairs)]
    changes = []
    for outer, inner in _inward(len(spaces), turns):
        if not (spaces[outer] and spaces[inner]):
            continue
        entered_from = 1
        for target in range(1, spaces[inner] + 2):
            behind = Place(inner, target - 1)
            beside = [p.start.number for p in known if p.end == behind and p.start.lane == outer]
            entered_from = max(beside, default=entered_from)
            changes.append(Pair(Place(outer, entered_from), Place(inner, target)))
    return tuple(changes)
