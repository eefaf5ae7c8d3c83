"""Who is asked what: the asks of the first pending step.

`asks` is all that a table needs to know of a moment; `decide` accepts what is listed here
and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.rules.formula import contact, length, pitstop, setting_up, tables, trials
from companion.rules.formula.boardless import reports
from companion.rules.formula.boardless.rounds import ask_order
from companion.rules.formula.gears import gear_choices, trial_gears
from companion.rules.formula.moves import move_options, slipstream_options
from companion.rules.formula.sketch import near_details
from companion.rules.formula.state import Phase, State, Status, Step
from companion.rules.formula.tables import BLACK_DIE, GEAR_DICE, PIT_SLOW, START_RANGES
from companion.rules.formula.urban import aims, regain, reroll, trail
from companion.rules.formula.urban.drivers import own_limit
from companion.rules.formula.urban.tables import NOISE, RADIO
from companion.rules.formula.wear import tell_cost
from companion.rules.formula.weather import weather_ranges
from companion.rules.game import Ask

Ranges = tuple[tuple[int, int], ...]


def asks(state: State) -> list[Ask]:
    """Every open ask, in the order in which a table would take them."""
    if not state.pending:
        return []
    step = state.pending[0]
    make = _ASKS.get(step.kind)
    return [] if make is None else list(make(state, step))


def hurt_ranges(upto: int) -> Ranges:
    """The two outcomes of a roll that hurts up to this number."""
    return ((BLACK_DIE[0], upto), (upto + 1, BLACK_DIE[1]))


def pit_ranges() -> Ranges:
    """The outcomes of the pit roll: two faces for each space of a fast exit, then slow."""
    fast = range(BLACK_DIE[0], PIT_SLOW[0], 2)
    return (*((low, low + 1) for low in fast), PIT_SLOW)


def black_ranges(state: State, reason: str, seat: int = 0) -> Ranges:
    """The outcome ranges that matter of a black die rolled by a seat for this reason."""
    if reason == "grid":
        return tuple((face, face) for face in range(BLACK_DIE[0], BLACK_DIE[1] + 1))
    if reason == "start":
        return START_RANGES
    if reason == "pit":
        return pit_ranges()
    if reason == "weather":
        return weather_ranges(state)
    if reason in ("noise", "radio"):
        return tuple(NOISE if reason == "noise" else RADIO)
    hurts = {
        "collision": tables.COLLISION_HURTS,
        "engine": tables.ENGINE_HURTS,
        "debris": tables.DEBRIS_HURTS,
    }
    return hurt_ranges(own_limit(state, seat, reason) or hurts[reason][state.raining])


def _black(state: State, seat: int, reason: str, **more: object) -> Ask:
    details = {"for": reason, **more}
    ranges = [list(pair) for pair in black_ranges(state, reason, seat)]
    return Ask(seat, "black", ranges, details)


def _grid(state: State, step: Step) -> list[Ask]:
    rolled = {seat for seat, _ in step.rolls}
    tied = [seat for group in step.groups if len(group) > 1 for seat in group]
    return [_black(state, seat, "grid") for seat in tied if seat not in rolled]


def _gear(state: State, step: Step) -> list[Ask]:
    car = state.cars[step.seat]
    if state.phase is Phase.TRIALS:
        choices = trial_gears(car)
    else:
        choices = gear_choices(car, in_box=stands_in_box(state, step.seat))
    names = state.setup.edition.categories
    costs = {str(c.gear): tell_cost(c.cost, names) for c in choices if any(c.cost)}
    out = [c.gear for c in choices if c.out]
    return [Ask(step.seat, "gear", [c.gear for c in choices], {"costs": costs, "out": out})]


def stands_in_box(state: State, seat: int) -> bool:
    """Whether a car stands in its box; boardless, every car in the pit does."""
    if state.setup.boardless:
        return state.cars[seat].status is Status.PIT
    return state.cars[seat].space in state.setup.track.boxes


def _roll(state: State, step: Step) -> list[Ask]:
    low, high = GEAR_DICE[state.cars[step.seat].gear]
    return [Ask(step.seat, "roll", list(range(low, high + 1)))]


def _move(state: State, step: Step) -> list[Ask]:
    if state.setup.boardless:
        return reports.ask_report(state, step)
    track, options = state.setup.track, move_options(state, step)
    told = [option.as_json(track) for option in options]
    return [Ask(step.seat, "move", told, near_details(state, step.seat, options))]


def _debris(state: State, step: Step) -> list[Ask]:
    if not step.spaces:
        return [_black(state, step.seat, "debris")]
    return [_black(state, step.seat, "debris", at=state.setup.track.ids[step.spaces[0]])]


def _slipstream(state: State, step: Step) -> list[Ask]:
    track = state.setup.track
    charmed = "charmed" in step.flags
    options = slipstream_options(state, step.seat, charmed=charmed)
    told = [option.as_json(track) for option in options]
    return [Ask(step.seat, "slipstream", [*told, None])]


def _collision(state: State, step: Step) -> list[Ask]:
    others = dict.fromkeys(step.others)  # FD-DRV-8: one that rolls twice rolls twice in turn
    rolls = [_black(state, other, "collision", **{"with": step.seat}) for other in others]
    if step.seats:
        rolls.append(_black(state, step.seat, "collision", **{"with": step.seats[0]}))
    return rolls


def _touch(state: State, step: Step) -> list[Ask]:
    pairs = contact.rollers(step).items()
    return [_black(state, seat, "collision", **{"with": against}) for seat, against in pairs]


def _engine(state: State, step: Step) -> list[Ask]:
    return [_black(state, seat, "engine") for seat in step.seats]


_ASKS: dict[str, Callable[[State, Step], Sequence[Ask]]] = {
    "grid": _grid,
    "start": lambda state, step: [_black(state, step.seat, "start")],
    "gear": _gear,
    "roll": _roll,
    "move": _move,
    "debris": _debris,
    "slipstream": _slipstream,
    "pit": lambda state, step: [_black(state, step.seat, "pit")],
    "collision": _collision,
    "touch": _touch,
    "engine": _engine,
    "weather": lambda state, step: [_black(state, step.seat, "weather")],
    "build": setting_up.ask_build,
    "tires": setting_up.ask_tires,
    "length": length.ask_length,
    "time": trials.ask_time,
    "stop": pitstop.ask_stop,
    "repair": pitstop.ask_repair,
    "recover": regain.ask_recover,
    "noise": lambda state, step: [_black(state, step.seat, "noise")],
    "radio": aims.ask_radio,
    "throw": lambda state, step: [_black(state, step.seat, "radio", **{"with": step.seats[0]})],
    "trail": trail.ask_trail,
    "reroll": reroll.ask_reroll,
    "order": ask_order,
}
