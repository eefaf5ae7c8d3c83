"""The legal ends of a move once more, written from the rule texts alone, and slow on purpose.

Every simple way is walked step by step and judged by the definitions as they stand:
FD-MOVE-1 to 4, FD-CORNER-1 to 7, FD-BRAKE-1, FD-BLOCK-1 and 2, FD-DEBRIS-4, FD-SLIP-3 and
5, FD-PIT-1, 3 and 6, FD-END-2, and the slide of FD-TIRE-6. Nothing is shared with the
program but the board. For a car that begins on the track.

The only liberty taken: a way is given up as soon as its beginning is illegal, which it then
is whole (the beginning of a shortest way is a shortest way).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations, pairwise
from typing import Any

from companion.rules.board.track import Track

BLOCKED_COST = {1: (1, 0), 2: (2, 0), 3: (3, 0), 4: (3, 1), 5: (3, 2), 6: (3, 3)}
"""FD-BLOCK-1: brakes and tires for the spaces not moved; more eliminate."""

Way = tuple[int, ...]


@dataclass(frozen=True)
class Situation:
    """A car about to move `roll` spaces, and what stands and lies around it.

    `box` is the index of its box, or None where it may not go to the pit (FD-PIT-1). `slide`
    are the spaces by which it slides, `dearer` the tires WP that each space of an overshoot
    costs (FD-TIRE-2 to 6). `whole` is the house switch `corner_ways: shortest` (FD-MOVE-4).
    """

    track: Track
    start: int
    roll: int
    stops: int = 0
    brakes: int = 3
    tires: int = 6
    occupied: frozenset[int] = frozenset()
    debris: frozenset[int] = frozenset()
    box: int | None = None
    last_lap: bool = False
    slide: int = 0
    dearer: int = 1
    whole: bool = False


@dataclass(frozen=True)
class End:
    """One option of a `move`: what it costs, and what comes of it."""

    to: str
    brakes: int
    blocked: int
    debris: tuple[str, ...]
    spin: bool
    out: bool
    cost: dict[str, int] = field(hash=False)

    @property
    def rank(self) -> tuple[bool, bool, int, int]:
        """Least first: out, spin, WP in all, debris spaces."""
        return self.out, self.spin, sum(self.cost.values()), len(self.debris)


# ways


def subsets(spaces: frozenset[int]) -> Iterator[frozenset[int]]:
    """Every set of these spaces (FD-DEBRIS-4)."""
    several = (combinations(sorted(spaces), many) for many in range(len(spaces) + 1))
    return map(frozenset, chain.from_iterable(several))


def ways(case: Situation, longest: int) -> set[Way]:
    """All legal ways of the case with up to `longest` steps, the start included in each."""
    found: set[Way] = set()
    near = frozenset(space for space in case.debris if space != case.start)
    for avoided in subsets(near):
        found |= set(walk(case, (case.start,), case.occupied | avoided, longest))
    return shortest(case, found) if case.whole else found


def shortest(case: Situation, legal: set[Way]) -> set[Way]:
    """Of these ways the shortest to each end; debris off a way may be treated as occupied."""
    by_end: dict[int, list[tuple[int, frozenset[int]]]] = defaultdict(list)
    for way in legal:
        by_end[way[-1]].append((len(way), crossed(case, way)))
    return {
        way
        for way in legal
        if not any(
            spaces < len(way) and met <= crossed(case, way) for spaces, met in by_end[way[-1]]
        )
    }


def crossed(case: Situation, way: Way) -> frozenset[int]:
    """The debris that a way goes over; none where the car is lifted."""
    return frozenset(way[1 : lifted_at(case, way)]) & case.debris


def walk(case: Situation, way: Way, taken: frozenset[int], longest: int) -> Iterator[Way]:
    """This way and all that go on from it through spaces that are not taken."""
    yield way
    if len(way) > longest:
        return
    for space in steps(case, way):
        longer = (*way, space)
        stands = taken if lifted_at(case, longer) is None else frozenset()
        if space not in stands and space not in way and is_shortest(case, longer, taken):
            yield from walk(case, longer, taken, longest)


def lifted_at(case: Situation, way: Way) -> int | None:
    """The step with which the car finishes and is lifted (FD-END-2); None if it does not."""
    past = case.track.past_line
    for at, (space, following) in enumerate(pairwise(way), 1):
        if case.last_lap and past[following] and not past[space]:
            return at
    return None


def steps(case: Situation, way: Way) -> tuple[int, ...]:
    """Where a way can go on by one space (FD-MOVE-1, 3, FD-CORNER-4, FD-PIT-6)."""
    track, here = case.track, way[-1]
    if overshoots(case, way):
        return (track.ahead[here],)
    if here in track.boxes:
        return ()
    if here in track.pit:
        return pit_steps(case, here)
    enter = () if case.box is None else track.entries[here]
    return (*track.nexts[here], *enter)


def pit_steps(case: Situation, here: int) -> tuple[int, ...]:
    """In the lane a car goes to its own box and no farther."""
    track = case.track
    assert case.box is not None
    if track.box_lane[case.box] == here:
        return (track.boxes[case.box],)
    return (track.ahead[here],)


def is_shortest(case: Situation, way: Way, taken: frozenset[int]) -> bool:
    """Whether the last stretch of a way, if in a straight, is a shortest way (FD-MOVE-4)."""
    straights = [case.track.straight[space] for space in way]
    if straights[-1] < 0:
        return True
    begin = len(way) - 1
    while begin > 0 and straights[begin - 1] == straights[-1]:
        begin -= 1
    if lifted_at(case, way[: begin + 1]) is not None:
        taken = frozenset()  # beyond the line of the last lap nothing stands in the way
    elif lifted_at(case, way) is not None:
        taken = frozenset(space for space in taken if not case.track.past_line[space])
    return len(way) - 1 - begin == distance(case.track, way[begin], way[-1], taken)


def distance(track: Track, start: int, end: int, taken: frozenset[int]) -> int:
    """Steps from start to end inside their straight, around the spaces taken."""
    straight, reached, count = track.straight[start], {start}, 0
    while end not in reached:
        reached = {
            following
            for space in reached
            for following in track.nexts[space]
            if track.straight[following] == straight and following not in taken
        }
        assert reached, "the way itself reaches its end"
        count += 1
    return count


# corners


def beyond(case: Situation, way: Way) -> list[tuple[int, int]]:
    """For each corner left without its stops: stops missing, and spaces beyond its limit.

    FD-CORNER-1, 2, 5: stops made before count in the corner that the move began in only.
    """
    track, left, lifted = case.track, [], lifted_at(case, way)
    for at, (space, following) in enumerate(pairwise(way)):
        corner = track.corner[space]
        if corner < 0 or track.corner[following] == corner:
            continue
        if lifted is not None and at >= lifted:
            continue  # a corner beyond the line is not judged
        made = case.stops if track.corner[case.start] == corner else 0
        missing = track.corners[corner].stops - made
        if missing > 0:
            left.append((missing, len(way) - at - 1))
    return left


def overshoots(case: Situation, way: Way) -> bool:
    """Whether the way has left a corner without its stops."""
    return bool(beyond(case, way))


# ends


def move_ends(case: Situation) -> list[End]:
    """The options of a `move` ask for a case."""
    known = ways(case, case.roll + case.slide)
    in_lane = [way for way in known if in_pit(case, way) and stays(case, way)]
    ends = [judge(case, way, 0, 0) for way in in_lane]
    on_track = [way for way in known if not in_pit(case, way)]
    for brakes in range(min(case.brakes, case.roll) + 1) if on_track else ():
        length = case.roll - brakes
        begun = [way for way in on_track if len(way) - 1 <= slid(case, way, length)]
        whole = [way for way in begun if len(way) - 1 == slid(case, way, length)]
        reach = max(len(way) for way in begun)
        furthest = whole or [way for way in begun if len(way) == reach]
        ends += [
            judge(case, way, brakes, slid(case, way, length) - len(way) + 1) for way in furthest
        ]
    return thin(ends)


def slid(case: Situation, way: Way, length: int) -> int:
    """The length that a way of `length` spaces gets: more if these touch a corner (FD-TIRE-6)."""
    touched = any(case.track.corner[space] >= 0 for space in way[1 : length + 1])
    return length + case.slide if touched else length


def in_pit(case: Situation, way: Way) -> bool:
    """Whether the way ends in the lane or in a box."""
    return way[-1] in case.track.pit or way[-1] in case.track.boxes


def stays(case: Situation, way: Way) -> bool:
    """Whether a way in the pit is over: in the box, at its length, or behind a car (FD-PIT-3)."""
    length = slid(case, way, case.roll)
    if len(way) - 1 > length:
        return False
    if way[-1] in case.track.boxes or len(way) - 1 == length:
        return True
    return all(space in case.occupied for space in pit_steps(case, way[-1]))


def judge(case: Situation, way: Way, brakes: int, blocked: int) -> End:
    """What a way costs, blocked first, then the spaces beyond limits (FD-BLOCK-2)."""
    block_brakes, block_tires = BLOCKED_COST.get(blocked, (0, 0))
    left = beyond(case, way)
    spaces = sum(beyond_limit for _, beyond_limit in left)
    tires = case.tires - block_tires
    grace = tires == 0 and spaces == 1
    gone = (
        blocked > max(BLOCKED_COST)
        or brakes + block_brakes > case.brakes
        or tires < 0
        or any(missing > 1 for missing, _ in left)
    )
    asked = spaces * case.dearer
    overshoot = 0 if gone else asked  # the texts are silent: who is out pays no more
    out = gone or (asked > tires and not grace)
    spent = {
        "brakes": min(brakes + block_brakes, case.brakes),  # FD-CAR-2: none below 0
        "tires": min(block_tires + overshoot, case.tires),
    }
    met = way[1 : lifted_at(case, way)]
    return End(
        to=case.track.ids[way[-1]],
        brakes=brakes,
        blocked=blocked,
        debris=tuple(case.track.ids[space] for space in met if space in case.debris),
        spin=not out and asked > 0 and asked >= tires,
        out=out,
        cost={category: points for category, points in spent.items() if points},
    )


def slip_ends(case: Situation) -> list[End]:
    """The options of a slipstream besides null: `case.roll` is 3, `case.box` None."""
    ends = []
    for way in ways(case, case.roll):
        if len(way) == 1:
            continue  # FD-SLIP-3: at least one space is moved
        brakes = case.roll - len(way) + 1
        began = case.track.corner[way[0]]
        entered = any(case.track.corner[space] not in (-1, began) for space in way[1:])
        if brakes + entered <= case.brakes:
            end = judge(case, way, brakes, 0)
            paid = end.cost.get("brakes", 0) + entered
            ends.append(End(**{**vars(end), "cost": end.cost | ({"brakes": paid} if paid else {})}))
    return thin(ends)


def thin(ends: list[End]) -> list[End]:
    """Of equal ends the cheapest; on one space with equal cost the one with fewest brakes."""
    best: dict[tuple[str, int], End] = {}
    for end in ends:
        key = end.to, end.brakes
        if key not in best or end.rank < best[key].rank:
            best[key] = end
    groups: dict[Any, list[End]] = defaultdict(list)
    for end in best.values():
        groups[end.to, tuple(sorted(end.cost.items()))].append(end)
    return [min(group, key=lambda end: end.brakes) for group in groups.values()]
