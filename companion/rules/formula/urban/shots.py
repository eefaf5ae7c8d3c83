"""Shots at a car: the noise zone, and Stanley's radio (FD-URBAN-3, FD-DRV-3)."""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Illegal
from companion.rules.formula import events_urban as ev
from companion.rules.formula.black import black_roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.losses import mark, put_out
from companion.rules.formula.refuse import whole_number
from companion.rules.formula.state import Step
from companion.rules.formula.tables import CATEGORIES
from companion.rules.formula.urban.aims import targets
from companion.rules.formula.urban.tables import LEAVES_DEBRIS, NOISE, RADIO, VITAL
from companion.rules.formula.wear import NOTHING, Wear, one


def answer_noise(flow: Flow, seat: int, value: Any) -> None:
    """FD-URBAN-3; tires at 0 lose nothing more, and no shot spins a car."""
    category = _hit(NOISE, black_roll(flow.state, "noise", value, seat))
    flow.take()
    cost = _cost(flow, seat, category)
    flow.tell(
        ev.NoiseRolled(seat=seat, rule="FD-URBAN-3", roll=value, category=category, cost=cost)
    )
    _suffer(flow, seat, category, cost, "FD-URBAN-3")


def answer_radio(flow: Flow, seat: int, value: Any) -> None:
    """FD-DRV-3: whom it is thrown at; null keeps it."""
    if value is not None:
        near = targets(flow.state, seat)
        if whole_number("radio", value) not in near:
            raise Illegal(
                "not-near",
                f"the radio hits seats {near}, not {value}",
                rule="FD-DRV-3",
                args={"seat": value, "near": near},
            )
    flow.take()
    if value is not None:
        flow.tell(ev.RadioThrown(seat=seat, rule="FD-DRV-3", against=value))
        flow.first(Step("throw", seat, seats=(value,)))


def answer_throw(flow: Flow, seat: int, value: Any) -> None:
    """FD-DRV-3: a category at 0 loses nothing."""
    category = _hit(RADIO, black_roll(flow.state, "radio", value, seat))
    (victim,) = flow.take().seats
    cost = _cost(flow, victim, category)
    flow.tell(
        ev.RadioHit(
            seat=seat, rule="FD-DRV-3", against=victim, roll=value, category=category, cost=cost
        )
    )
    _suffer(flow, victim, category, cost, "FD-DRV-3")


def _hit(table: dict[tuple[int, int], str], roll: int) -> str:
    return next(category for (low, high), category in table.items() if low <= roll <= high)


def _cost(flow: Flow, seat: int, category: str) -> Wear:
    """What a car loses by a shot: nothing where there is nothing left (FD-CAR-2)."""
    at = CATEGORIES.index(category) if category else 0
    return one(at) if category and flow.car(seat).wear[at] else NOTHING


def _suffer(flow: Flow, seat: int, category: str, cost: Wear, rule: str) -> None:
    """A body or engine WP lost leaves debris; the last of a vital one puts the car out."""
    if not any(cost):
        return
    if category in VITAL and not flow.car(seat).wear[CATEGORIES.index(category)]:
        put_out(flow, seat, category, rule)
    elif category in LEAVES_DEBRIS:
        mark(flow, seat)
