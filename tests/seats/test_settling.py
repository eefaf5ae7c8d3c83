"""The time that contacts must be steady is a setting, and a senseless one is refused."""

from __future__ import annotations

import pytest
from support.each import in_one

from companion.seats.contacts import SETTLE_MS, settle_of
from companion.seats.plan import SeatTrouble


def test_left_out_it_is_that_of_all_buttons() -> None:
    assert settle_of("wired", {}) == SETTLE_MS
    assert settle_of("wired", {"settle_ms": 12}) == 12


@in_one("told", [0, 1, 51, "12", 5.5, None])
def test_a_senseless_one_is_refused_by_name(told: object) -> None:
    with pytest.raises(SeatTrouble, match=r"settle_ms = .* should be 2 to 50 milliseconds"):
        settle_of("wired", {"settle_ms": told})
