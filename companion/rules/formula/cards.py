"""Reports of a boardless race: what they may say, and where on the card of its board a car is.

Nobody says which corner it was, so it is counted along: a corner ends with the move that
leaves it, and the line begins the count anew, so that a slip is mended within a lap. What is
known is the spaces moved and how long each corner is, shortest and longest way. So of a car in
a corner two numbers are kept (`Car.depth`): the fewest and the most spaces of it that it can
have come. Whoever cannot have left is still there, whoever cannot be there any more has left;
between the two it is as has been said; a stop beyond those that the corner asks for is in it
unless the seat says that it is in the next one. The referee may correct all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Final, NamedTuple, NoReturn

from companion.rules.board.plan import MOST_STOPS
from companion.rules.board.track import Corner
from companion.rules.codec import Many, Pair, Seat, Within, replace
from companion.rules.formula import book
from companion.rules.formula.car import Car, Reckoning, Status
from companion.rules.formula.drivers import slide_of
from companion.rules.formula.moves import may_stop
from companion.rules.formula.moving import Move, most_slipstreams
from companion.rules.formula.order import by_position, progress
from companion.rules.formula.state import Event, State
from companion.rules.lines import bad, refuse

RULES: Final[Mapping[str, str]] = {
    "brakes": "FD-BRAKE-1",
    "overshoot": "FD-CORNER-2",
    "missing": "FD-CORNER-3",
    "blocked": "FD-BLOCK-1",
    "touched": "FD-BUMP-1",
    "debris": "FD-DEBRIS-2",
    "corner": "FD-MOVE-5",
    "next": "FD-MOVE-5",
    "line": "FD-END-2",
    "pit": "FD-PIT-1",
}


class Report(NamedTuple):
    """What a seat reports of its whole move, slipstreams included; what is left out was not so.

    `brakes` spent (the one that a slipstream into a corner costs too), `overshoot` in spaces
    beyond the limit with the stops `missing`, spaces `blocked`, the cars `touched` where it ended
    (beside, or directly behind; the first is the one directly in front), spaces of `debris`
    crossed, whether it ended in a `corner`, passed the `line`, or came to its `pit` box. `next`:
    the corner is the one behind that where it had made its stops already.
    """

    brakes: int = 0
    overshoot: int = 0
    missing: int = 0
    blocked: int = 0
    touched: tuple[int, ...] = ()
    debris: int = 0
    corner: bool = False
    line: bool = False
    pit: bool = False
    next: bool = False


Bounds = Mapping[str, Sequence[int]]
"""By what a report says: lowest and highest number, the seats, or the truths on offer."""


def _reach(state: State, step: Move) -> int:
    """The spaces that a move may count at most: the roll, a slide, and slipstreams."""
    slips = book.SLIPSTREAM * most_slipstreams(state, step)
    return step.spaces + slide_of(state, state.cars[step.seat]) + slips


def bounds(state: State, step: Move, *, next_corner: bool) -> Bounds:
    """What a report of this move may say; `next_corner`: it may have come into the next one.

    FD-BASIC-16: in the basic game brakes spent are points, and there is no debris.
    """
    car, most = state.cars[step.seat], _reach(state, step)
    ranked = by_position(state, state.running())
    # Cars in the pit lane are in no collision (FD-BUMP-3).
    met = [c.seat for c in ranked if c is not car and c.status is not Status.PIT]
    return {
        "brakes": [0, min(book.spare(car.wear, book.BRAKES), most)],
        "overshoot": [0, most],
        "missing": [0, MOST_STOPS],
        "blocked": [0, most],
        "touched": met,
        # A car without handling does not roll for debris (DE-DEBRIS-1).
        "debris": [0, most if car.full[book.HANDLING] else 0],
        "corner": [False, True],
        # The line of its lap lies behind a car that has stopped (FD-PIT-5).
        "line": [False] if car.status is Status.PIT else [False, True],
        "pit": [False, True] if may_stop(state, car) else [False],
        "next": [False, True] if next_corner else [False],
    }


def read_report(state: State, step: Move, listed: Bounds, value: object) -> Report:
    """A report, within the bounds that are listed for it and without contradiction.

    Raises:
        Malformed: not an object of the words of a report, each with a value of its kind.
        Illegal: beyond the bounds, or two words that contradict one another.
    """
    names = Report._fields
    if not isinstance(value, Mapping) or not set(value) <= set(names):
        bad("report-form", f"report is an object of {', '.join(names)}, not {value!r:.60}")
    report = Report._make(
        _read(name, value[name], listed[name]) if name in value else usual
        for name, usual in zip(names, Report(), strict=True)
    )
    _refuse_contradictions(state, step, report)
    return report


def _read(name: str, value: object, listed: Sequence[int]) -> int | tuple[int, ...]:
    """One word of a report, of the kind that it has where nothing is reported."""
    read: int | tuple[int, ...]
    match getattr(Report(), name):
        # Before `int`, since true is a whole number to Python.
        case bool():
            read = value if isinstance(value, bool) else _refuse_kind(name, "true or false", value)
            fits = read in listed
        case int():
            read = value if type(value) is int else _refuse_kind(name, "a whole number", value)
            fits = listed[0] <= read <= listed[1]
        case _:
            if not isinstance(value, list) or any(type(seat) is not int for seat in value):
                _refuse_kind(name, "a list of seats", value)
            read = tuple(value)
            fits = set(read) <= set(listed) and len(set(read)) == len(read)
    if not fits:
        message = f"{name} is within {listed}, not {read!r:.60}"
        refuse("report-bounds", message, rule=RULES[name], name=name, listed=listed)
    return read


def _refuse_kind(name: str, wanted: str, value: object) -> NoReturn:
    message = f"{name} of a report is {wanted}, not {value!r:.60}"
    bad("report-value", message, rule=RULES[name], name=name)


def _refuse_contradictions(state: State, step: Move, report: Report) -> None:
    """Words that cannot be true together."""
    most, brakes, blocked = _reach(state, step), report.brakes, report.blocked
    finishes = report.line and state.cars[step.seat].lap >= state.setup.laps
    on_way = report.overshoot or report.missing or blocked or brakes or report.touched
    if report.missing == 1 and not report.overshoot:
        why = "a corner left a stop too early is overshot by a space"
        _refuse("overshoot", "FD-CORNER-2", why)
    if report.pit and (on_way or report.corner):
        why = "neither brakes, overshoots nor is blocked, and touches nobody"
        _refuse("pit", "FD-PIT-3", f"a car that comes to its box {why}")
    if report.next and not report.corner:
        _refuse("next", "FD-MOVE-5", "the next corner is one that the car has ended in")
    if blocked and finishes:
        _refuse("blocked", "FD-END-2", "a car that finishes is not blocked")
    if brakes + blocked + report.overshoot > most:
        why = f"are more than the {most} spaces of the move"
        _refuse("brakes", "FD-BRAKE-1", f"brakes, spaces blocked and overshot {why}")


def _refuse(name: str, rule: str, why: str) -> None:
    refuse("report-contradiction", why, rule=rule, name=name)


# -- what comes of a report -----------------------------------------------------------------------

# A doubt refuses nothing and charges nothing: the table sees the board. It is a sentence that
# names what is possible; what has been counted stands in `Reported`.


class Reported(Event):
    """A seat reported its move of so many spaces; `how`: move, great or fast.

    `stops` are the stops left in the corner where it ended, before this move's own is marked;
    `place` is the corner of the card that it is in or comes to next, from 0; `depth`, `line_due`
    and `run` are the car's from now on. The rest is said in `Report`.
    """

    spaces: int
    how: str
    brakes: int
    overshoot: int
    missing: int
    blocked: int
    touched: tuple[int, ...]
    debris: int
    corner: bool
    line: bool
    pit: bool
    next: bool
    stops: int
    place: int
    depth: tuple[int, int]
    line_due: bool
    run: int

    def applied(self, state: State) -> State:
        state = state.worn(self.seat, book.one(book.BRAKES, self.brakes))
        reckoning = Reckoning(self.place, self.depth, self.line_due, self.run)
        return state.change(self.seat, stops=self.stops, reckoning=reckoning)


class About(StrEnum):
    """What is doubted of a report; `corner` and `n` of the event are said with each."""

    STILL = "still"
    """Left the corner, which is `n` spaces long at least: it is in it, and its stop counts."""
    GONE = "gone"
    """No overshoot, with a stop missing in a corner that is `n` spaces long at most."""
    SHORT = "short"
    """No stop and no overshoot, with `n` stops missing in the corner."""
    DONE = "done"
    """An overshoot of a corner that has its `n` stops."""
    MISSING = "missing"
    """Another number of stops missing than `n`."""
    THROUGH = "through"
    """An overshoot of a corner that the move cannot pass, which is `n` spaces long at least."""
    BEYOND = "beyond"
    """Farther beyond the corner than the `n` spaces that are possible."""
    ROUND = "round"
    """The line, with `n` spaces of corners still before it at least, this one the next."""
    HOME = "home"
    """A stop behind the last corner of the last lap, and no line."""


class Doubted(Event):
    """A report cannot be so by the figures; `corner` is a label of the card."""

    about: str
    corner: str
    n: int


class LineFollowed(Event):
    """A car has stopped in a corner (or overshot it) behind the line, and nobody said the line."""


# -- counted along the card -----------------------------------------------------------------------

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
    # All braked or blocked away: it stands where it stood and marks a stop (FD-MOVE-5).
    if step.spaces and gone >= step.spaces:
        return Count(
            car.reckoning.corner,
            car.stops,
            car.reckoning.depth,
            car.reckoning.line_due,
            report.corner,
        )
    # A stop ends the lap, so the corners are counted anew (FD-PIT-5).
    if report.pit:
        return Count()
    if not corners:
        return _with_line(state, car, report, _blind(car, report))
    drive = _Drive(car, corners, step.spaces - gone, _reach(state, step) - gone, gone)
    count = _overshoot(drive, report) if _overshoots(report) else _stop(drive, report)
    if report.line:
        count = _over_line(drive, report, count)
    count = _with_line(state, car, report, count)
    return count._replace(depth=_depth(drive, count, fresh=report.line or count.line))


def _out_of_corner(state: State, step: Move) -> _Drive | None:
    """A move that begins in a corner of a card; None: it does not, or stands still."""
    car, corners = state.cars[step.seat], state.setup.track.corners
    if not corners or not car.stops or not step.spaces:
        return None
    return _Drive(car, corners, step.spaces, _reach(state, step))


def ends_open(state: State, step: Move) -> tuple[bool, bool]:
    """Whether a car that stops in a corner can be in the one that it came from, and in the next.

    Of one with stops missing there, and where the line lies behind it, for which a report has a
    word, it is always that one.
    """
    drive = _out_of_corner(state, step)
    if drive is None or drive.short or drive.is_last:
        return True, False
    return drive.may_stay, drive.may_leave


def may_be_next(state: State, step: Move) -> bool:
    """Whether it has to be said which of the two corners a stop is in."""
    return all(ends_open(state, step))


def likely_reports(state: State, step: Move) -> tuple[dict[str, int | bool], ...]:
    """What the figures make of a move that nobody has reported yet, the likeliest first.

    Only of a car that is in a corner with stops missing: it is there still, or it overshoots.
    """
    drive = _out_of_corner(state, step)
    if drive is None:
        return ()
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
    """Whether a stop or an overshoot shows that the line, which nobody reported, was crossed.

    In the last lap that would be the finish, and only people may report it.
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


# -- who runs where -------------------------------------------------------------------------------

# As far as laps, the card and the spaces moved show it. Nobody knows the ways of the cars, so the
# spaces that a car has moved are a guess: lanes differ, and slipstreams are not reported. Each
# order that the table gives sets the guesses right again: nobody has come less far than whoever
# is behind.

Runs = tuple[tuple[int, int], ...]
"""Seats, each with the spaces that it has moved."""
NEAR = 4
"""Spaces between two cars by that guess, up to which they may touch: all that true races had."""


class Levelled(Event, public=False):
    """By the order that the table gave these cars have moved as many spaces."""

    runs: Annotated[Runs, Many(Pair(Seat(), Within(0, book.MANY)))]

    def applied(self, state: State) -> State:
        for seat, run in self.runs:
            state = _has_run(state, seat, run)
        return state


def _has_run(state: State, seat: int, run: int) -> State:
    """The state with so many spaces moved by a car, in all."""
    reckoning = replace(state.cars[seat].reckoning, run=run)
    return state.change(seat, reckoning=reckoning)


def run_on(car: Car, step: Move, report: Report) -> int:
    """The spaces moved in all, after a report."""
    return min(book.MANY, car.reckoning.run + max(0, step.spaces - report.brakes - report.blocked))


def on_grid(state: State, order: Sequence[int]) -> State:
    """Cars on the grid: each place is a space ahead of the one behind it."""
    for behind, seat in enumerate(reversed(order)):
        state = _has_run(state, seat, behind)
    return state


def runs_in(state: State, order: Sequence[int]) -> Runs:
    """What an order of the running cars changes in the spaces that they have moved."""
    found, run = [], 0
    for seat in reversed(order):
        car = state.cars[seat]
        run = max(run, car.reckoning.run)
        if run != car.reckoning.run:
            found.append((seat, run))
    return tuple(found)


def likely_touched(state: State, step: Move, others: Sequence[int]) -> tuple[int, ...]:
    """Those of the others that a move may end beside or right behind, the likeliest first.

    Braking brings it less far; where two are as near, whoever is named first comes first.
    """
    goal = state.cars[step.seat].reckoning.run + step.spaces
    ahead = {seat: state.cars[seat].reckoning.run - goal for seat in others}
    near = [seat for seat in others if abs(ahead[seat]) <= NEAR]
    # Beside it (0 ahead) and directly behind it (1 ahead) are equally likely.
    return tuple(sorted(near, key=lambda seat: abs(2 * ahead[seat] - 1)))


def likely_order(state: State) -> tuple[int, ...]:
    """The running seats, first to last: by laps, by the card, by the spaces moved.

    Where all that is equal, as they ran in this round.
    """
    ran = {seat: place for place, seat in enumerate(state.order)}
    track = state.setup.track

    def key(car: Car) -> tuple[int, int, int, int, int]:
        run = 0 if car.status is Status.PIT else -car.reckoning.run
        lap, on_card = -progress(track, car), -_on_card(state, car)
        return lap, on_card, run, ran.get(car.seat, len(ran)), car.seat

    return tuple(car.seat for car in sorted(state.running(), key=key))


def _on_card(state: State, car: Car) -> int:
    """How far round the card: before a corner, in it, and so on; 0 without one."""
    count = len(state.setup.track.corners)
    return (
        2 * (count if car.reckoning.line_due else car.reckoning.corner) + bool(car.stops)
        if count
        else 0
    )
