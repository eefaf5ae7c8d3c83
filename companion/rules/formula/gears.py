"""Gear and gear roll (FD-GEAR, FD-REV, FD-DIE-1; in the pit FD-PIT-2, FD-PIT-3).

The start roll stands here too, and a roll that a driver may make once more.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated

from companion.rules.codec import Pair, Within, replace
from companion.rules.formula import book
from companion.rules.formula.asks import BlackAsk, GearAsk, GearChoice, RollAsk, SecondRollAsk
from companion.rules.formula.car import Car, PitMark, Point, Status, Trial
from companion.rules.formula.losses import mark, put_out, read_roll
from companion.rules.formula.moving import to_move
from companion.rules.formula.state import Asks, Event, Flow, Phase, Roll, SeatStep, State, Wears
from companion.rules.game import Ask
from companion.rules.lines import Illegal, bad, refuse, whole_number, yes_or_no


class TurnedRound(Event):
    """A car that had spun is turned round."""


class GearEngaged(Event):
    """A gear was engaged."""

    gear: int
    before: int

    def applied(self, state: State) -> State:
        car = state.cars[self.seat]
        status = Status.PIT if car.status is Status.PIT else Status.RACING
        # 4th was the limit for this one choice after a fast exit; that is over now (DE-PIT-2).
        mark = None if car.pit_mark is PitMark.FRESH else car.pit_mark
        return state.change(self.seat, gear=self.gear, status=status, pit_mark=mark)


class OverRevved(Wears):
    """Gears were skipped downwards."""

    skipped: int


class DieRolled(Event):
    """The face of the gear die; in a trial rolls are counted (FD-TRIAL-2)."""

    gear: int
    face: int

    def applied(self, state: State) -> State:
        if state.phase is not Phase.TRIALS:
            return state
        trial = state.cars[self.seat].trial or Trial()
        return state.change(self.seat, trial=replace(trial, rolls=trial.rolls + 1))


# -- which gears ----------------------------------------------------------------------------------


def gears_on_offer(state: State, seat: int) -> list[GearChoice]:
    """The legal gears of a car, ascending, with what they cost."""
    car = state.cars[seat]
    if state.phase is Phase.TRIALS:
        return trial_gears(car, flying=state.setup.house.trial_start == "flying")
    in_box = car.served and state.ground.in_box(state, car)
    choices = gear_choices(car, in_box=in_box, held=state.setup.house.pit_lane == "gears")
    if car.coasts:
        paid = state.setup.house.coast_gears == "paid"
        return [c for c in choices if c.gear == car.gear - 1 or (paid and c.skipped)]
    return _that_reach(state, car, choices)


def _that_reach(state: State, car: Car, choices: list[GearChoice]) -> list[GearChoice]:
    """House switch `pit_gear`: on its way to its box a car takes a gear that can reach it.

    Where none can, the highest (competition rules of 2018, 19-1-8).
    """
    if state.setup.house.pit_gear == "any":
        return choices
    away = state.ground.spaces_to_box(state, car)
    if not away:
        return choices
    top = max(choice.gear for choice in choices)
    return [c for c in choices if book.GEAR_DICE[c.gear][1] >= away or c.gear == top]


def gear_choices(car: Car, *, in_box: bool, held: bool = False) -> list[GearChoice]:
    """The legal gears, ascending; `in_box` tells that the car leaves its box this turn.

    DE-PIT-2: nor is it in more than 4th in the turn after a fast stop. `held`: house switch
    `pit_lane` at "gears": over-revs are paid in the pit lane too, and there is no 1st from the
    stop to the end of the lane (competition rules of 2018, 19-1-3, 19-1-9).
    """
    if car.status in ONLY_FIRST:
        return [GearChoice(1)]
    lowest = 2 if held and car.served and car.status is Status.PIT else 1
    if in_box and car.served:
        return [GearChoice(gear) for gear in range(lowest, book.PIT_GEAR + 1)]
    top = book.PIT_GEAR if car.pit_mark is PitMark.FRESH else min(car.gear + 1, book.TOP_GEAR)
    pays, skips = held or car.status is not Status.PIT, _may_skip(car)
    return list(_choices(car.gear, lowest, top, car.wear if pays else None, skips))


def trial_gears(car: Car, *, flying: bool = False) -> list[GearChoice]:
    """FD-TRIAL-1: over-rev is free, 6th to 1st still impossible (FD-GEAR-3).

    `flying`: house switch `trial_start`, a trial begins in any gear (the federation's variants,
    1-B; Québec).
    """
    if car.status is Status.GRID:
        return [GearChoice(gear) for gear in range(1, book.TOP_GEAR + 1 if flying else 2)]
    lowest = max(1, car.gear - max(book.OVER_REV_COST) - 1)
    return [GearChoice(gear) for gear in range(lowest, min(car.gear + 1, book.TOP_GEAR) + 1)]


_PLAIN = [GearChoice(gear) for gear in range(book.TOP_GEAR + 1)]
_OVER_REV = {skipped: book.as_wear(cost) for skipped, cost in book.OVER_REV_COST.items()}


# `typed`, as a pool of the same numbers is equal to a car's categories, and pays otherwise.
@lru_cache(maxsize=1024, typed=True)
def _choices(
    engaged: int, lowest: int, top: int, wear: book.Wear | None, skips: bool
) -> tuple[GearChoice, ...]:
    """The gears from the lowest to the top one for a car in this gear; asked for at every turn.

    `wear` is None where over-revs cost nothing; `skips`: whether it may go down by more than one.
    """
    choices = (_choose(engaged, gear, wear, skips=skips) for gear in range(lowest, top + 1))
    return tuple(choice for choice in choices if choice is not None)


def _choose(engaged: int, gear: int, wear: book.Wear | None, *, skips: bool) -> GearChoice | None:
    """One gear for a car that runs; None where FD-GEAR-3 or FD-REV-2 forbid it."""
    skipped = engaged - gear - 1
    if skipped < 1:
        return _PLAIN[gear]
    cost = _OVER_REV.get(skipped)
    if cost is None:
        return None
    # There are no over-revs in the pit lane, whatever is skipped (FD-PIT-3).
    if wear is None:
        return _PLAIN[gear]
    if not book.affords(wear, cost) or not skips:
        return None
    cost = book.paid_by(wear, cost)
    out = cost[book.ENGINE] > 0 and wear[book.ENGINE] <= cost[book.ENGINE]
    return GearChoice(gear, cost, skipped, out=out)


def _may_skip(car: Car) -> bool:
    """Whether a car may go down by more than one gear (FD-REV-2).

    Its gearbox has points, and with the house switch `repair_lifts` at "no" it always had.
    """
    return car.wear[book.GEARBOX] > 0 and not car.memory.limited


ONLY_FIRST = {
    Status.SPUN: ("FD-CORNER-6", "after-spin", "a car that has spun starts in 1st"),
    Status.STALLED: ("FD-START-2", "after-stall", "a stalled car starts in 1st"),
    Status.GRID: ("FD-GEAR-1", "first-gear-first", "the first gear is 1st"),
}
"""Cars that have 1st only, with the rule, the key of a refusal and its words."""

# -- the steps ------------------------------------------------------------------------------------


class Gear(SeatStep, kind="gear", at=Point.GEAR, rule="FD-GEAR-1", on_trial=True):
    """The gear of this turn."""

    def asks(self, state: State) -> Asks:
        choices = tuple(gears_on_offer(state, self.seat))
        return _gear_asks(self.seat, choices, state.setup.edition.categories)

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-GEAR-1 to FD-GEAR-3, FD-REV-1, FD-REV-2."""
        assert isinstance(ask, GearAsk)
        car, gear = flow.car(self.seat), whole_number(value, "gear")
        choice = next((c for c in ask.choices if c.gear == gear), None)
        if choice is None:
            raise _refuse_gear(flow.state, car, gear)
        if car.status is Status.SPUN:
            flow.tell(TurnedRound(seat=self.seat, rule="FD-CORNER-6"))
        flow.tell(GearEngaged(seat=self.seat, rule=self.rule, gear=gear, before=car.gear))
        # Before the over-rev: a car that this puts out must lose its roll too (FD-REV-2).
        flow.due(GearRoll.just(self.seat))
        if choice.skipped:
            _over_rev(flow, self.seat, choice)


# Every turn has these two, of which there are not many.


@lru_cache(maxsize=1024)
def _gear_asks(
    seat: int, choices: tuple[GearChoice, ...], categories: tuple[str, ...]
) -> tuple[GearAsk]:
    return (GearAsk(seat, choices=choices, categories=categories),)


@cache
def _roll_asks(seat: int, gear: int) -> tuple[RollAsk]:
    return (RollAsk(seat, gear=gear),)


def _over_rev(flow: Flow, seat: int, choice: GearChoice) -> None:
    flow.tell(OverRevved(seat=seat, rule="FD-REV-1", skipped=choice.skipped, cost=choice.cost))
    if choice.out:
        put_out(flow, seat, "engine", "FD-REV-2")
    elif choice.cost[book.ENGINE]:
        mark(flow, seat)


def _is_short(state: State, car: Car, gear: int) -> bool:
    """Whether `pit_gear` forbids this gear."""
    away = state.ground.spaces_to_box(state, car)
    return state.setup.house.pit_gear == "reaches" and book.GEAR_DICE[gear][1] < away


def _refuse_gear(state: State, car: Car, gear: int) -> Illegal:
    """Why this gear is not on offer."""
    args = {"gear": gear, "from": car.gear}
    if not 1 <= gear <= book.TOP_GEAR:
        return Illegal("no-such-gear", f"gears are 1 to {book.TOP_GEAR}, not {gear}", args=args)
    if car.status in ONLY_FIRST:
        rule, key, why = ONLY_FIRST[car.status]
        return Illegal(key, f"{why}, not in {gear}", rule=rule, args=args)
    if car.coasts:
        message = f"without an engine a car shifts down, from {car.gear} not to {gear}"
        return Illegal("coasts-down", message, rule="FD-ENGINE-3", args=args)
    # It is on offer but for the distance to the box, so nothing else can be the reason.
    if gear in {one.gear for one in gear_choices(car, in_box=False)} and _is_short(
        state, car, gear
    ):
        message = f"gear {gear} cannot reach the box"
        return Illegal("pit-gear-short", message, rule="FD-PIT-6", args=args)
    in_box = state.ground.in_box(state, car)
    leaves = car.served and car.status is Status.PIT
    if gear == 1 and leaves and state.setup.house.pit_lane == "gears":
        message = "from its stop to the end of the pit lane a car has no 1st"
        return Illegal("no-first-in-pit", message, rule="FD-PIT-3", args=args)
    if (in_box and car.served) or (car.pit_mark is PitMark.FRESH and gear > book.PIT_GEAR):
        message = f"a car leaves its box in {book.PIT_GEAR}th or lower, not in {gear}"
        return Illegal("leave-box", message, rule="FD-PIT-2", args=args)
    if gear > car.gear:
        message = f"from {car.gear} at most gear {car.gear + 1}, not {gear}"
        return Illegal("gear-too-high", message, rule="FD-GEAR-2", args=args)
    if car.gear - gear - 1 > max(book.OVER_REV_COST):
        message = f"from {car.gear} down to {gear} is impossible"
        return Illegal("gear-too-low", message, rule="FD-GEAR-3", args=args)
    if not _may_skip(car):
        name = state.setup.edition.category(book.GEARBOX)
        message = f"without {name} points only one gear down, to {car.gear - 1}"
        return Illegal(f"no-{name}", message, rule="FD-REV-2", args=args)
    message = f"the wear points for {car.gear} down to {gear} are not there"
    return Illegal("over-rev-unaffordable", message, rule="FD-REV-2", args=args)


class GearRoll(SeatStep, kind="roll", at=Point.ROLL, rule="FD-DIE-1", on_trial=True):
    """The face of the gear die."""

    def asks(self, state: State) -> Asks:
        return _roll_asks(self.seat, state.cars[self.seat].gear)

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-DIE-1; what the face brings with it is queued (`Step.after_roll`)."""
        gear, face = flow.car(self.seat).gear, whole_number(value, "roll")
        low, high = book.GEAR_DICE[gear]
        if not low <= face <= high:
            message = f"the die of gear {gear} shows {low} to {high}, not {face}"
            args = {"gear": gear, "face": face, "low": low, "high": high}
            refuse("face-out-of-range", message, rule=self.rule, **args)
        flow.tell(DieRolled(seat=self.seat, rule=self.rule, gear=gear, face=face))
        # By its point a double stands right behind the roll, so it is first now (DE-START-1).
        doubled = bool(flow.queue) and isinstance(flow.queue[0], Double)
        if doubled:
            flow.take()
        flow.due(to_move(flow.state, self.seat, 2 * face if doubled else face))
        if flow.state.phase is not Phase.TRIALS:
            flow.after_roll(self.seat, face)

    def check(self, state: State) -> None:
        if not state.cars[self.seat].gear:
            bad("pending-form", "a die is rolled for a gear that is engaged", rule="FD-GEAR-1")


class Double(SeatStep, kind="double", at=Point.DOUBLE, rule="DE-START-1"):
    """The first roll of the gear die counts double (DE-START-1); it never comes first."""

    def check(self, state: State) -> None:
        edition = state.setup.edition
        if "double" not in edition.start_outcomes:
            bad("pending-form", f"double is never pending in {edition.name}")


# -- the start roll (FD-START-1 to FD-START-4; DE-START-1) ----------------------------------------

# House switch `spin_restart`: with "black-die" a car that has spun rolls again before it goes on
# (competition rules of 2018, 10-4-6), instead of just starting in 1st (FD-CORNER-6).

RULES = {
    "stalled": "FD-START-2",
    "normal": "FD-START-3",
    "great": "FD-START-4",
    "double": "FD-START-4",  # DE-START-1
}


class StartRolled(Event):
    """The start roll: stalled, normal, great or double."""

    roll: Roll
    outcome: str

    def applied(self, state: State) -> State:
        if self.outcome == "stalled":
            return state.change(self.seat, status=Status.STALLED, gear=0)
        if self.outcome == "great":
            return state.change(self.seat, status=Status.RACING, gear=1)
        return state


def rolls_to_start(state: State, car: Car) -> bool:
    """Whether a car rolls before its first gear: on the grid, by house switch after a spin."""
    if car.status is Status.SPUN:
        return state.setup.house.spin_restart == "black-die"
    return car.status is Status.GRID and state.setup.start_rolls


class Start(SeatStep, kind="start", at=Point.START, rule="FD-START-1"):
    """The black die before the first gear of a car."""

    def asks(self, state: State) -> Asks:
        edition = state.setup.edition
        hows = zip(edition.start_ranges, edition.start_outcomes, strict=True)
        outcomes = [book.Outcome(low, high, book.Starts(how)) for (low, high), how in hows]
        return [BlackAsk(self.seat, reason=book.Reason.START, outcomes=outcomes)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        _, roll, does = read_roll(ask, value)
        assert isinstance(does, book.Starts)
        # After any other roll the gear that is asked for next turns the car round.
        if flow.car(self.seat).status is Status.SPUN and does.how in ("stalled", "great"):
            flow.tell(TurnedRound(seat=self.seat, rule="FD-CORNER-6"))
        flow.tell(StartRolled(seat=self.seat, rule=RULES[does.how], roll=roll, outcome=does.how))
        if does.how in ("normal", "double"):
            flow.due(Gear(seat=self.seat))
        if does.how == "double":
            flow.due(Double(seat=self.seat))
        if does.how == "great":
            flow.due(to_move(flow.state, self.seat, book.GREAT_START, how="great"))

    def check(self, state: State) -> None:
        car = state.cars[self.seat]
        if car.status is not Status.GRID and not rolls_to_start(state, car):
            bad("pending-form", "a start roll is for a car on the grid", rule=self.rule)


# -- a roll made once more, once a race: house switch `second_roll` (FD-DIE-1) --------------------

# `gear`: of the die of a gear (the federation's variants: a point of "telemetry"); `any`: of
# every die that the driver rolls, the black one too (the Italian Regolamento per il Campionato).
# The second roll counts, whatever it shows. A driver has one such point a race; how a season
# gives more is not played.
#
# It hangs on no chapter: whatever asks a driver for a die, its answer waits here before it
# counts. So nothing has happened yet while it is asked, and with "no" the answer goes where it
# was meant for. Of those who roll together the others go on meanwhile. A roll that does no harm
# is not held.

RULE = "FD-DIE-1"
DICE = {"none": (), "gear": (RollAsk,), "any": (RollAsk, BlackAsk)}
"""The asks whose answers may be rolled again, by the value of the switch."""
Thrown = tuple[int, int]
"""The lowest and the highest number of what was answered; both the same: that number."""


class RollHeld(Event):
    """A roll that may yet be made again: nothing has changed so far."""

    roll: Roll


class SecondRollChosen(Event):
    """Whether the die is rolled once more; then there is no further roll in this race."""

    again: bool

    def applied(self, state: State) -> State:
        return state.remembering(self.seat, second_roll=True) if self.again else state


class SecondRoll(SeatStep, kind="second_roll", at=Point.HELD, rule=RULE):
    """Whether the roll that waits counts; the step that has asked for it comes next."""

    roll: Annotated[Thrown, Pair(Within(0, 100), Within(0, 100))]

    def _behind(self, state: State) -> Asks:
        """What the step asks that this one has come before."""
        at = state.pending.index(self) + 1
        return state.pending[at].asks(state) if state.pending[at:] else ()

    def asks(self, state: State) -> Asks:
        others = [ask for ask in self._behind(state) if ask.seat != self.seat]
        return [SecondRollAsk(self.seat, roll=_as_answered(self.roll)), *others]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        # Somebody else's roll is for the step behind; this one then goes back in front of it.
        if ask.seat != self.seat:
            flow.take().answer(flow, ask, value)
            flow.due(self)
            return
        again = yes_or_no(value, self.kind)
        asked = (a for a in self._behind(flow.state) if a.seat == self.seat)
        flow.tell(SecondRollChosen(seat=self.seat, rule=RULE, again=again))
        die = next((a for a in asked if isinstance(a, DICE["any"])), None)
        # To roll again nothing has to be done: the step behind asks once more.
        if die is not None and not again:
            flow.take().answer(flow, die, _as_answered(self.roll))

    def check(self, state: State) -> None:
        """It is the last that a car has, at a table that plays so."""
        if not may_hold(state) or state.cars[self.seat].memory.second_roll:
            bad("pending-form", "this car has no second roll", rule=RULE)


def may_hold(state: State) -> bool:
    """Whether a roll may be made once more at this table."""
    return state.setup.house.second_roll != "none"


def holds(flow: Flow, ask: Ask, value: object) -> bool:
    """Whether a roll waits for a step of this kind, now put in before the one that asked for it.

    Raises:
        Malformed, Illegal: it is no answer to what was asked.
    """
    state = flow.state
    dice = DICE[state.setup.house.second_roll]
    if not dice or not isinstance(ask, dice) or state.phase is not Phase.RACE:
        return False
    car = state.cars.get(ask.seat)
    if car is None or car.memory.second_roll or not car.runs:
        return False
    # On a flow that is thrown away: a wrong answer is refused now, not when it is used.
    trial = Flow(state)
    trial.take().answer(trial, ask, value)
    rolled = read_roll(ask, value) if isinstance(ask, BlackAsk) else None
    if rolled and isinstance(rolled.meaning, book.Unhurt):
        return False
    roll = _as_pair(rolled.roll if rolled else value)
    flow.tell(RollHeld(seat=ask.seat, rule=RULE, roll=_as_answered(roll)))
    flow.due(SecondRoll(seat=ask.seat, roll=roll))
    return True


def _as_pair(roll: object) -> Thrown:
    if isinstance(roll, int):
        return roll, roll
    assert isinstance(roll, list)
    return roll[0], roll[1]


def _as_answered(roll: Thrown) -> Roll:
    low, high = roll
    return low if low == high else [low, high]
