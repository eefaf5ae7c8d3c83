"""The pending steps of a position that was taken while somebody was being asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from companion.rules.downforce.state import STEPS, Bid, Lot, Phase, State, Step, Why
from companion.rules.downforce.tables import BIDS, CARS, LINES, POWERS
from companion.rules.reading import bad, one_of, only_keys, whole

PHASES: Mapping[str, tuple[Phase, ...]] = {
    "pole": (Phase.AUCTION,),
    "lot": (Phase.AUCTION,),
    "bids": (Phase.AUCTION,),
    "award": (Phase.AUCTION,),
    "deal": (Phase.AUCTION,),
    "keep": (Phase.POWERS, Phase.RACE),
    "play": (Phase.RACE,),
    "bets": (Phase.RACE,),
    "order": (Phase.RACE,),
    "count": (Phase.RACE,),
}
"""Where a step may wait."""
LONGEST = 8


def read_steps(state: State, told: Any, known: State | None) -> tuple[Step, ...]:
    """The queue of pending steps; bids that are face down come from `known`.

    Raises:
        Malformed: a step that is unknown, or that the state contradicts.
    """
    if not isinstance(told, list) or len(told) > LONGEST:
        _wrong(told)
    steps = tuple(_read_step(state, one, known) for one in told)
    for step in steps:
        if state.phase not in PHASES[step.kind]:
            bad("pending-form", f"{step.kind} is not asked in the phase {state.phase}")
        if not _fits(state, step):
            bad("pending-form", f"the step {step.kind} contradicts the rest of the state")
    if state.phase is Phase.AUCTION and len(steps) > 1:
        bad("pending-form", "in the auction one step is pending at a time")
    lines = [step.number for step in steps if step.kind == "bets" and not step.again]
    if lines != list(range(state.lines - len(lines) + 1, state.lines + 1)):
        bad("pending-form", f"bets are open at the last of {state.lines} lines, not at {lines}",
            rule="DF-BET-1")  # fmt: skip
    return steps


def _fits(state: State, step: Step) -> bool:
    """Whether a step can be open in this state."""
    match step.kind:
        case "pole":
            return not state.grid
        case "lot":
            return bool(state.grid) and len(state.lots) < len(CARS)
        case "award":
            return bool(step.seats) and step.number in BIDS
        case "bets":
            return 1 <= step.number <= state.lines and not state.setup.plays("no-bets")
        case "order":
            return state.setup.plays("long-distance")
        case _:
            return True


def _wrong(told: Any) -> NoReturn:
    known = ", ".join(STEPS)
    bad("pending-form", f"pending is a list of steps ({known}), not {told!r:.60}")


def _read_step(state: State, told: Any, known: State | None) -> Step:
    kind = told.get("step") if isinstance(told, dict) else None
    if not isinstance(kind, str) or kind not in STEPS:
        _wrong(told)
    names = STEPS[kind]
    words = {word for name in names for word in (("car", "power") if name == "lot" else (name,))}
    only_keys(told, {"step", *words}, f"the step {kind}")
    values: dict[str, Any] = {}
    for name in names:
        values[name] = _lot(state, told) if name == "lot" else _READ[name](state, told.get(name))
    step = Step(kind, **values)
    return _with_bids(step, known) if kind == "bids" else step


def _lot(state: State, told: Mapping[str, Any]) -> Lot:
    car, power = one_of(told.get("car"), "car", CARS), told.get("power")
    lot = Lot(car, None if power is None else one_of(power, "power", POWERS))
    if lot not in state.lots or state.cars[car].owner is not None:
        bad("pending-form", f"{car} is on the table: turned up, and nobody's yet", car=car)
    return lot


def _seat(state: State, told: Any) -> int:
    if type(told) is not int or told not in state.players:
        bad("no-such-seat", f"a pending step names a seat of the game, not {told!r:.20}")
    return told


def _seats(state: State, told: Any) -> tuple[int, ...]:
    if not isinstance(told, list):
        _wrong(told)
    found = tuple(_seat(state, one) for one in told)
    if len(set(found)) != len(found):
        bad("seat-twice", f"a pending step names a seat twice: {told!r:.60}")
    return found


def _bids(state: State, told: Any) -> dict[int, Bid | None]:
    if not isinstance(told, dict):
        _wrong(told)
    if not all(seat in map(str, state.players) for seat in told):
        bad("no-such-seat", f"bids are by seat of the game, not {sorted(told)!r:.60}")
    if any(bid is not None for bid in told.values()):
        bad("pending-form", "a bid that is face down is told as null", rule="DF-BID-1")
    return {int(seat): None for seat in told}


def _with_bids(step: Step, known: State | None) -> Step:
    """The bids of this very lot that are known, in place of the nulls."""
    before = known.pending[0] if known is not None and known.pending else None
    if set(step.bids) & set(step.seats):
        bad("pending-form", "a seat has bid, or is still asked, not both", rule="DF-BID-1")
    if before is None or (before.lot, before.again) != (step.lot, step.again):
        return step
    bids = {seat: before.bids.get(seat) for seat in step.bids}
    return Step("bids", lot=step.lot, seats=step.seats, again=step.again, bids=bids)


def _flag(state: State, told: Any) -> bool:
    if not isinstance(told, bool):
        _wrong(told)
    return told


def _number(state: State, told: Any) -> int:
    return whole(told, "number", 0, max(LINES, BIDS[-1]))


_READ: Mapping[str, Any] = {
    "seat": _seat,
    "seats": _seats,
    "bids": _bids,
    "again": _flag,
    "number": _number,
    "why": lambda state, told: Why(one_of(told, "why", tuple(map(str, Why)))),
}
