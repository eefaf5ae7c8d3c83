"""Who is asked what: the asks of the first pending step.

`asks` is all that a table needs to know of a moment; `decide` accepts what is listed here
and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.rules.formula import contact, length, pitstop, setting_up, tables, trials
from companion.rules.formula.asks import (
    BlackAsk,
    GearAsk,
    LeavesPit,
    Loses,
    MoveAsk,
    Outcome,
    Reason,
    RollAsk,
    Sky,
    SlipstreamAsk,
    Starts,
    Unhurt,
)
from companion.rules.formula.boardless import reports
from companion.rules.formula.boardless.rounds import ask_order
from companion.rules.formula.gears import gear_choices, trial_gears
from companion.rules.formula.moves import move_options, slipstream_options
from companion.rules.formula.sketch import near_ends
from companion.rules.formula.state import Phase, State, Status, Step
from companion.rules.formula.tables import (
    BLACK_DIE,
    BODY,
    CATEGORIES,
    ENGINE,
    HANDLING,
    PIT_SLOW,
    START_RANGES,
)
from companion.rules.formula.urban import aims, regain, reroll, trail
from companion.rules.formula.urban.drivers import own_limit
from companion.rules.formula.urban.tables import NOISE, RADIO
from companion.rules.formula.weather import weather_table
from companion.rules.game import Ask

HURTS = {
    Reason.COLLISION: (tables.COLLISION_HURTS, BODY),
    Reason.ENGINE: (tables.ENGINE_HURTS, ENGINE),
    Reason.DEBRIS: (tables.DEBRIS_HURTS, HANDLING),
}
"""Up to which number a roll hurts, dry and in rain, and what it costs."""


def asks(state: State) -> list[Ask]:
    """Every open ask, in the order in which a table would take them."""
    if not state.pending:
        return []
    step = state.pending[0]
    make = _ASKS.get(step.kind)
    return [] if make is None else list(make(state, step))


def pit_outcomes() -> tuple[Outcome, ...]:
    """The outcomes of the pit roll: two faces for each space of a fast exit, then slow."""
    fast = range(BLACK_DIE[0], PIT_SLOW[0], 2)
    outcomes = (Outcome(low, low + 1, LeavesPit((low + 1) // 2)) for low in fast)
    return (*outcomes, Outcome(*PIT_SLOW, LeavesPit(0)))


def shot_outcomes(table: Mapping[tuple[int, int], str]) -> tuple[Outcome, ...]:
    """The outcomes of a shot: the category that is hit, or a miss."""
    return tuple(
        Outcome(low, high, Loses(CATEGORIES.index(hit)) if hit else Unhurt())
        for (low, high), hit in table.items()
    )


def outcomes_of(state: State, reason: Reason, seat: int = 0) -> tuple[Outcome, ...]:
    """The outcomes that matter of a black die rolled by a seat for this reason."""
    if reason in HURTS:
        limits, category = HURTS[reason]
        upto = own_limit(state, seat, reason) or limits[state.raining]
        hurt = Outcome(BLACK_DIE[0], upto, Loses(category))
        return (hurt, Outcome(upto + 1, BLACK_DIE[1], Unhurt()))
    if reason is Reason.GRID:
        return tuple(Outcome(face, face) for face in range(BLACK_DIE[0], BLACK_DIE[1] + 1))
    if reason is Reason.START:
        hows = zip(START_RANGES, state.setup.edition.start_outcomes, strict=True)
        return tuple(Outcome(low, high, Starts(how)) for (low, high), how in hows)
    if reason is Reason.PIT:
        return pit_outcomes()
    if reason is Reason.WEATHER:
        rows = weather_table(state.setup).items()
        by_number = sorted((low, high, line) for line, (low, high) in rows)
        return tuple(Outcome(low, high, Sky(line)) for low, high, line in by_number)
    return shot_outcomes(NOISE if reason is Reason.NOISE else RADIO)


def _black(
    state: State, seat: int, reason: Reason, *, against: int | None = None, at: str | None = None
) -> Ask:
    return BlackAsk(seat, reason, outcomes_of(state, reason, seat), against, at)


def _grid(state: State, step: Step) -> list[Ask]:
    rolled = {seat for seat, _ in step.rolls}
    tied = [seat for group in step.groups if len(group) > 1 for seat in group]
    return [_black(state, seat, Reason.GRID) for seat in tied if seat not in rolled]


def _gear(state: State, step: Step) -> list[Ask]:
    car = state.cars[step.seat]
    if state.phase is Phase.TRIALS:
        choices = trial_gears(car)
    else:
        choices = gear_choices(car, in_box=stands_in_box(state, step.seat))
    return [GearAsk(step.seat, choices, state.setup.edition.categories)]


def stands_in_box(state: State, seat: int) -> bool:
    """Whether a car stands in its box; boardless, every car in the pit does."""
    if state.setup.boardless:
        return state.cars[seat].status is Status.PIT
    return state.cars[seat].space in state.setup.track.boxes


def _roll(state: State, step: Step) -> list[Ask]:
    return [RollAsk(step.seat, state.cars[step.seat].gear)]


def _move(state: State, step: Step) -> list[Ask]:
    if state.setup.boardless:
        return reports.ask_report(state, step)
    track, options = state.setup.track, move_options(state, step)
    return [MoveAsk(step.seat, track, options, near_ends(state, step.seat, options))]


def _debris(state: State, step: Step) -> list[Ask]:
    if not step.spaces:
        return [_black(state, step.seat, Reason.DEBRIS)]
    return [_black(state, step.seat, Reason.DEBRIS, at=state.setup.track.ids[step.spaces[0]])]


def _slipstream(state: State, step: Step) -> list[Ask]:
    track = state.setup.track
    charmed = "charmed" in step.flags
    options = slipstream_options(state, step.seat, charmed=charmed)
    return [SlipstreamAsk(step.seat, track, options)]


def _collision(state: State, step: Step) -> list[Ask]:
    others = dict.fromkeys(step.others)  # FD-DRV-8: one that rolls twice rolls twice in turn
    rolls = [_black(state, other, Reason.COLLISION, against=step.seat) for other in others]
    if step.seats:
        rolls.append(_black(state, step.seat, Reason.COLLISION, against=step.seats[0]))
    return rolls


def _touch(state: State, step: Step) -> list[Ask]:
    pairs = contact.rollers(step).items()
    return [_black(state, seat, Reason.COLLISION, against=against) for seat, against in pairs]


def _engine(state: State, step: Step) -> list[Ask]:
    return [_black(state, seat, Reason.ENGINE) for seat in step.seats]


_ASKS: dict[str, Callable[[State, Step], Sequence[Ask]]] = {
    "grid": _grid,
    "start": lambda state, step: [_black(state, step.seat, Reason.START)],
    "gear": _gear,
    "roll": _roll,
    "move": _move,
    "debris": _debris,
    "slipstream": _slipstream,
    "pit": lambda state, step: [_black(state, step.seat, Reason.PIT)],
    "collision": _collision,
    "touch": _touch,
    "engine": _engine,
    "weather": lambda state, step: [_black(state, step.seat, Reason.WEATHER)],
    "build": setting_up.ask_build,
    "tires": setting_up.ask_tires,
    "length": length.ask_length,
    "time": trials.ask_time,
    "stop": pitstop.ask_stop,
    "repair": pitstop.ask_repair,
    "recover": regain.ask_recover,
    "noise": lambda state, step: [_black(state, step.seat, Reason.NOISE)],
    "radio": aims.ask_radio,
    "throw": lambda state, step: [_black(state, step.seat, Reason.RADIO, against=step.seats[0])],
    "trail": trail.ask_trail,
    "reroll": reroll.ask_reroll,
    "order": ask_order,
}
