"""The legal ends of a move once more, written from the rule texts alone, and slow on purpose.

Every simple way is walked step by step and judged by the definitions as they stand:
FD-MOVE-1 to 4, FD-CORNER-1 to 7, FD-BRAKE-1, FD-BLOCK-1 and 2, FD-DEBRIS-4, FD-SLIP-3 and
5, FD-PIT-1, 3 and 6. Nothing is shared with the program but the board. For a car on the
track that does not finish with this move; complete rules, hard tires, dry.

The only liberty taken: a way is given up as soon as its beginning is illegal, which it then
is whole (the beginning of a shortest way is a shortest way).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations, pairwise
from typing import Any

from companion.rules.track import Track

BLOCKED_COST = {1: (1, 0), 2: (2, 0), 3: (3, 0), 4: (3, 1), 5: (3, 2), 6: (3, 3)}
"""FD-BLOCK-1: brakes and tires for the spaces not moved; more eliminate."""

Way = tuple[int, ...]


@dataclass(frozen=True)
class Situation:
    """A car about to move `roll` spaces, and what stands and lies around it.

    `box` is the index of its box, or None where it may not go to the pit (FD-PIT-1).
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
    return found


def walk(case: Situation, way: Way, taken: frozenset[int], longest: int) -> Iterator[Way]:
    """This way and all that go on from it through spaces that are not taken."""
    yield way
    if len(way) > longest:
        return
    for space in steps(case, way):
        longer = (*way, space)
        if space not in taken and space not in way and is_shortest(case.track, longer, taken):
            yield from walk(case, longer, taken, longest)


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


def is_shortest(track: Track, way: Way, taken: frozenset[int]) -> bool:
    """Whether the last stretch of a way, if in a straight, is a shortest way (FD-MOVE-4)."""
    straight = track.straight[way[-1]]
    if straight < 0:
        return True
    stretch = [way[-1]]
    for space in way[-2::-1]:
        if track.straight[space] != straight:
            break
        stretch.append(space)
    return len(stretch) - 1 == distance(track, stretch[-1], stretch[0], taken)


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
    track, left = case.track, []
    for at, (space, following) in enumerate(pairwise(way)):
        corner = track.corner[space]
        if corner < 0 or track.corner[following] == corner:
            continue
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
    known = ways(case, case.roll)
    ends: list[End] = []
    for brakes in range(min(case.brakes, case.roll) + 1):
        length = case.roll - brakes
        full = [way for way in known if len(way) - 1 == length and not in_pit(case, way)]
        reach = max(
            len(way) - 1 for way in known if len(way) - 1 <= length and not in_pit(case, way)
        )
        furthest = full or [way for way in known if len(way) - 1 == reach and not in_pit(case, way)]
        ends += [judge(case, way, brakes, length - len(way) + 1) for way in furthest]
    ends += [judge(case, way, 0, 0) for way in known if in_pit(case, way) and stays(case, way)]
    return thin(ends)


def in_pit(case: Situation, way: Way) -> bool:
    """Whether the way ends in the lane or in a box."""
    return way[-1] in case.track.pit or way[-1] in case.track.boxes


def stays(case: Situation, way: Way) -> bool:
    """Whether a way in the pit is over: in the box, at its length, or behind a car (FD-PIT-3)."""
    if way[-1] in case.track.boxes or len(way) - 1 == case.roll:
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
    overshoot = 0 if gone else spaces  # the texts are silent: who is out pays no more
    out = gone or (spaces > tires and not grace)
    spent = {
        "brakes": min(brakes + block_brakes, case.brakes),  # FD-CAR-2: none below 0
        "tires": min(block_tires + overshoot, case.tires),
    }
    return End(
        to=case.track.ids[way[-1]],
        brakes=brakes,
        blocked=blocked,
        debris=tuple(case.track.ids[space] for space in way[1:] if space in case.debris),
        spin=not out and spaces > 0 and spaces >= tires,
        out=out,
        cost={category: points for category, points in spent.items() if points},
    )


def slip_ends(case: Situation) -> list[End]:
    """The options of a slipstream besides null: `case.roll` is 3, `case.box` None."""
    ends = []
    for way in ways(case, case.roll):
        brakes = case.roll - len(way) + 1
        began = case.track.corner[way[0]]
        entered = any(case.track.corner[space] not in (-1, began) for space in way[1:])
        if len(way) > 1 and brakes + entered <= case.brakes:
            end = judge(case, way, brakes, 0)
            paid = end.cost.get("brakes", 0) + entered
            ends.append(End(**{**vars(end), "cost": end.cost | ({"brakes": paid} if paid else {})}))
    return thin(ends)


def thin(ends: list[End]) -> list[End]:
    """Of equal ends the cheapest; on one space with equal cost the one with fewest brakes."""
    best: dict[tuple[str, int, int], End] = {}
    for end in ends:
        key = end.to, end.brakes, end.blocked
        if key not in best or end.rank < best[key].rank:
            best[key] = end
    groups: dict[Any, list[End]] = defaultdict(list)
    for end in best.values():
        groups[end.to, tuple(sorted(end.cost.items()))].append(end)
    return [min(group, key=lambda end: end.brakes) for group in groups.values()]
