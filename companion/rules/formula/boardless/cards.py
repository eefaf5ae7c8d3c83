"""Where a car is on the card of a board, and what its figures make of a report.

Nobody says which corner it was, so it is counted along: a corner ends with the move that
leaves it, and the line begins the count anew, so that a slip is mended within a lap. What is
known is the spaces moved and how long each corner is, shortest and longest way. So of a car in
a corner two numbers are kept (`Car.depth`): the fewest and the most spaces of it that it can
have come. Whoever cannot have left is still there, whoever cannot be there any more has left;
between the two it is as has been said; a stop beyond those that the corner asks for is in it
unless the seat says that it is in the next one. The referee may correct all of it.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.board.plan import MOST_STOPS
from companion.rules.board.track import Corner
from companion.rules.copies import replace
from companion.rules.formula.boardless.bounds import Report, reach
from companion.rules.formula.boardless.told import About
from companion.rules.formula.car import Car
from companion.rules.formula.moving import Move
from companion.rules.formula.state import State

Doubt = tuple[About, int, int]
"""What is doubted, the corner by its place on the card (-1: none), and a number."""
OUTSIDE = (0, 0)
NO_CORNER = -1


class Count(NamedTuple):
    """A report as it is counted.

    `corner` is the one that the car is in or comes to, with the `stops` made before the one of
    this move, which is there if it has `stopped`; `depth` as in `Car`. `line_due`: the last
    corner is behind the car and the line is not; `line`: nobody said so, and it is. `overshot`
    is the corner that was left with stops missing.
    """

    corner: int = 0
    stops: int = 0
    depth: tuple[int, int] = OUTSIDE
    line_due: bool = False
    stopped: bool = False
    line: bool = False
    overshot: int = NO_CORNER
    doubts: tuple[Doubt, ...] = ()

    def doubting(self, *doubts: Doubt) -> Count:
        """The same, doubted."""
        return self._replace(doubts=(*self.doubts, *doubts))


class _Drive(NamedTuple):
    """A reported move from a place on the card: so many spaces at `least` and at `most`.

    `held` are those that it braked or was blocked for.
    """

    car: Car
    corners: tuple[Corner, ...]
    least: int
    most: int
    held: int = 0

    @property
    def here(self) -> Corner:
        return self.corners[self.car.reckoning.corner]

    @property
    def after(self) -> int:
        return (self.car.reckoning.corner + 1) % len(self.corners)

    @property
    def is_last(self) -> bool:
        return not self.after

    @property
    def inside(self) -> bool:
        return self.car.stops > 0

    @property
    def short(self) -> int:
        """The stops that the corner at hand still asks for."""
        return max(0, self.here.stops - self.car.stops)

    @property
    def low(self) -> int:
        """The fewest spaces of this corner that it has come."""
        return self.car.reckoning.depth[0] or int(self.inside)

    @property
    def high(self) -> int:
        """The most; where it is not known (after a correction), all."""
        unknown = self.inside and self.car.reckoning.depth == OUTSIDE
        return self.here.longest if unknown else self.car.reckoning.depth[1]

    @property
    def may_stay(self) -> bool:
        """Whether it can be in the corner after the move: who has the stops brakes to leave it."""
        spaces = self.least if self.short else self.least + self.held
        return self.low + spaces <= self.here.longest

    @property
    def may_leave(self) -> bool:
        """Whether it can be out of it."""
        return self.high + self.most > self.here.shortest

    @property
    def likely_stays(self) -> bool:
        """Half-way between its bounds, in a corner half-way between its own."""
        half = self.here.shortest + self.here.longest
        return self.low + self.high + 2 * self.least <= half

    def beyond(self, spaces: int) -> tuple[int, int]:
        """How far beyond this corner so many spaces lead, at least and at most; 0: not."""
        low = self.low + spaces - self.here.longest
        return max(0, low), max(0, self.high + spaces - self.here.shortest)


def count_on(state: State, step: Move, report: Report) -> Count:
    """What a report comes to, on a card and without."""
    car, corners = state.cars[step.seat], state.setup.track.corners
    gone = report.brakes + report.blocked
    if step.spaces and gone >= step.spaces:  # FD-MOVE-5: it stands where it stood
        return Count(
            car.reckoning.corner,
            car.stops,
            car.reckoning.depth,
            car.reckoning.line_due,
            report.corner,
        )
    if report.pit:
        return Count()
    if not corners:
        return _with_line(state, car, report, _blind(car, report))
    drive = _Drive(car, corners, step.spaces - gone, reach(state, step) - gone, gone)
    count = _overshoot(drive, report) if _overshoots(report) else _stop(drive, report)
    if report.line:
        count = _over_line(drive, report, count)
    count = _with_line(state, car, report, count)
    return count._replace(depth=_depth(drive, count, fresh=report.line or count.line))


def may_be_next(state: State, step: Move) -> bool:
    """Whether a move out of a corner that has its stops can end in it and in the next one.

    Behind the last one lies the line, which a report has a word for.
    """
    car, corners = state.cars[step.seat], state.setup.track.corners
    if not corners or not car.stops or not step.spaces:
        return False
    drive = _Drive(car, corners, step.spaces, reach(state, step))
    return drive.may_stay and drive.may_leave and not drive.short and not drive.is_last


def likely_reports(state: State, step: Move) -> tuple[dict[str, int | bool], ...]:
    """What the figures make of a move that nobody has told of yet, the likeliest first.

    Only of a car that is in a corner with stops missing: it is there still, or it overshoots.
    """
    car, corners = state.cars[step.seat], state.setup.track.corners
    if not corners or not car.stops or not step.spaces:
        return ()
    drive = _Drive(car, corners, step.spaces, reach(state, step))
    least, most = drive.beyond(step.spaces)
    if not drive.short or not most:
        return ({"corner": True},) if drive.short else ()
    middle = drive.low + drive.high - drive.here.shortest - drive.here.longest
    over = min(max(step.spaces + middle // 2, least, 1), most)
    if drive.short > 1:
        beyond: dict[str, int | bool] = {"missing": drive.short}
    else:
        beyond = {"overshoot": over, "missing": 1}
    if not drive.may_stay:
        return (beyond,)
    stays: dict[str, int | bool] = {"corner": True}
    return (stays, beyond) if drive.likely_stays else (beyond, stays)


def card_ahead(state: State, car: Car) -> dict[str, str | int] | None:
    """What the ask of a report says of the corner that lies ahead; nothing without a card."""
    corners = state.setup.track.corners
    if not corners:
        return None
    corner = corners[car.reckoning.corner]
    return {
        "corner": corner.label,
        "stops": corner.stops,
        "shortest": corner.shortest,
        "longest": corner.longest,
        "made": car.stops,
    }


def _overshoots(report: Report) -> bool:
    return bool(report.overshoot or report.missing)


def _blind(car: Car, report: Report) -> Count:
    """Without a card: stops in a row, of which no corner asks for more than three."""
    stops = car.stops if report.corner and not report.line and car.stops < MOST_STOPS else 0
    return Count(stops=0 if _overshoots(report) else stops, stopped=report.corner)


def _stop(drive: _Drive, report: Report) -> Count:
    """No overshoot: it stands in a corner, or between two."""
    car, at = drive.car, drive.car.reckoning.corner
    stays = Count(at, car.stops, line_due=car.reckoning.line_due, stopped=report.corner)
    if not drive.inside:
        return stays
    leaves = Count(drive.after, 0, line_due=drive.is_last, stopped=report.corner)
    still = (About.STILL, at, drive.here.shortest)
    if report.corner:
        if drive.short:
            gone = leaves.doubting((About.GONE, at, drive.here.longest))
            return stays if drive.may_stay else gone
        if drive.may_leave:
            return leaves if report.next or not drive.may_stay else stays
        return stays if not report.next else stays.doubting(still)
    if not drive.may_leave:
        return stays._replace(stopped=True).doubting(still)
    if not drive.short:
        return leaves
    doubt = (About.SHORT, at, drive.short)
    return leaves.doubting(doubt if drive.may_stay else (About.GONE, at, drive.here.longest))


def _overshoot(drive: _Drive, report: Report) -> Count:
    """A corner was left with stops missing: this one, or (it has its stops) the next one."""
    car, at = drive.car, drive.car.reckoning.corner
    passes = not drive.is_last and drive.inside and not drive.short
    room = max(0, drive.here.shortest - drive.high) if passes else 0
    beyond = drive.beyond(drive.most)[1]
    if passes and room + drive.corners[drive.after].shortest < drive.most:
        at, beyond = drive.after, drive.most - room - drive.corners[drive.after].shortest
    corner = drive.corners[at]
    missing = drive.short if at == car.reckoning.corner else corner.stops
    return Count(
        (at + 1) % len(drive.corners),
        depth=(0, max(1, report.overshoot)),
        line_due=at + 1 == len(drive.corners),
        overshot=at,
        doubts=tuple(_overshoot_doubts(report, at, corner, missing, beyond)),
    )


def _over_line(drive: _Drive, report: Report, count: Count) -> Count:
    """A move over the line begins the count anew: behind what it overshot, or with its stop."""
    car = drive.car
    if not _overshoots(report):
        return Count(stopped=report.corner, doubts=_round(drive))
    behind = drive.is_last and drive.inside and not drive.short
    if not behind and car.lap and not car.reckoning.line_due:
        return Count(overshot=count.overshot, doubts=count.doubts)
    at_line = replace(car, stops=0, reckoning=replace(car.reckoning, corner=0, depth=OUTSIDE))
    return _overshoot(drive._replace(car=at_line), report)


def _overshoot_doubts(
    report: Report, at: int, corner: Corner, missing: int, beyond: int
) -> list[Doubt]:
    """What is wrong with it: the corner has its stops or misses others, or it is too far away."""
    found: list[Doubt] = []
    if not missing:
        found.append((About.DONE, at, corner.stops))
    elif max(1, report.missing) != missing:
        found.append((About.MISSING, at, missing))
    if not beyond:
        found.append((About.THROUGH, at, corner.shortest))
    elif report.overshoot > beyond:
        found.append((About.BEYOND, at, beyond))
    return found


def _round(drive: _Drive) -> tuple[Doubt, ...]:
    """The line was said: whether the corners that lie before it can have been passed."""
    car = drive.car
    if not car.lap or car.reckoning.line_due:
        return ()
    behind = not drive.short and drive.inside
    rest = max(0, drive.here.shortest - drive.high) if drive.inside else drive.here.shortest
    rest += sum(corner.shortest for corner in drive.corners[car.reckoning.corner + 1 :])
    at = drive.after if behind and not drive.is_last else car.reckoning.corner
    return ((About.ROUND, at, rest),) if rest >= drive.most else ()


def _with_line(state: State, car: Car, report: Report, count: Count) -> Count:
    """Behind the line that nobody said: a stop or an overshoot says it.

    In the last lap it would be the end of the race, and that is for people to say.
    """
    if report.line:
        return count
    due = not car.lap or car.reckoning.line_due or (count.stopped and count.line_due)
    if not due or not (count.stopped or _overshoots(report)):
        return count
    if car.lap < state.setup.laps:
        at_the_end = _overshoots(report) and count.line_due
        return count._replace(line=True, line_due=at_the_end)
    doubt = (About.HOME, len(state.setup.track.corners) - 1, state.setup.laps)
    return count._replace(line_due=True).doubting(doubt)


def _depth(drive: _Drive, count: Count, *, fresh: bool) -> tuple[int, int]:
    """How far it can have come into the corner where it has stopped; `fresh`: past the line."""
    if not count.stopped:
        return count.depth
    longest, car = drive.corners[count.corner].longest, drive.car
    if drive.inside and count.corner == car.reckoning.corner and not fresh:
        low, high = drive.low + drive.least, drive.high + drive.most
        return min(low, longest), min(high, longest)
    return 1, min(longest, car.reckoning.depth[1] + drive.most)
