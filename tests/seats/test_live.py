"""The live test: what a person presses is held against what the glasses asked for."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from support.pods.listener import soon

from companion.drawing.seat import trial_picture
from companion.seats.live import LiveTest
from companion.seats.plan import Finding
from companion.table.ports import Picture
from companion.views.model import Trouble
from race_companion_wired.simulated import SimulatedSeats

Wiring = Callable[[int, int], tuple[int, int] | None]
"""From the glass that asks and the button that it asks for: what is heard of the press."""


def as_it_should_be(seat: int, button: int) -> tuple[int, int]:
    return seat, button


class Person:
    """All seats, and somebody who presses below the glass that is lit what it asks for."""

    def __init__(self, wiring: Wiring) -> None:
        self.live = LiveTest(lambda line: None, patience_s=0.01)
        self._wiring = wiring
        self._asked = 0

    def show(self, seat: int, picture: Picture) -> None:
        if picture.lamp != "on":
            return
        button = self._asked % 6 + 1
        self._asked += 1
        heard = self._wiring(seat, button)
        if heard:
            self.live.press(*heard, hold=False, picture=picture.number)

    def close(self) -> None:
        pass


def examined(wiring: Wiring) -> list[Finding]:
    person = Person(wiring)
    return person.live.run({1: person, 2: person})


def wrong(found: list[Finding]) -> list[tuple[int | None, str, str]]:
    return [(one.seat, one.says, one.mend) for one in found if not one.ok]


def test_seats_as_they_should_be_are_well() -> None:
    found = examined(as_it_should_be)
    assert wrong(found) == []
    assert [one.says for one in found] == ["all six, each at its place"] * 2


def test_exchanged_screens_are_found() -> None:
    """Who presses below the glass that shows 1 presses seat 2."""
    first, second = wrong(examined(lambda seat, button: (3 - seat, button)))
    assert first[1] == "who presses below glass 1 presses seat 2: exchanged"
    assert "of seats 2 and 1" in second[2]


def test_exchanged_wires_of_two_buttons_are_found() -> None:
    swapped = {3: 4, 4: 3}
    found = wrong(examined(lambda seat, button: (seat, swapped.get(button, button))))
    assert found[0] == (1, "button 3 came as 4", "exchange the wires of buttons 3 and 4")
    assert len(found) == 4


def test_a_dead_button_is_found_and_the_test_goes_on() -> None:
    found = examined(lambda seat, button: None if (seat, button) == (2, 5) else (seat, button))
    assert [(seat, says) for seat, says, _ in wrong(found)] == [(2, "button 5 was not heard")]


def test_every_error_of_a_screen_is_counted() -> None:
    person = Person(as_it_should_be)
    for _ in range(3):
        person.live.health(1, "screen", Trouble("silent", "it does not answer"))
        person.live.health(1, "screen", None)
    (found,) = wrong(person.live.run({1: person}))
    assert found[1] == "screen: it does not answer (3 times)"


def test_contacts_that_bounce_long_get_their_setting() -> None:
    person = Person(as_it_should_be)
    moves = ((0, False), (0, False), (100, True), (104, False), (112, True), (300, False))
    for at_ms, down in moves:
        person.live.edge(1, 2, at_ms, down)
    found = person.live.run({1: person})
    assert "contacts bounce 12 ms at most" in found[-1].says
    assert "settle_ms = 15" in found[-1].says


def test_what_a_pod_has_measured_counts_as_what_wires_show() -> None:
    person = Person(as_it_should_be)
    for ms in (3, 11, 0):
        person.live.bounce(1, 2, ms)
    found = person.live.run({1: person})
    assert "contacts bounce 11 ms at most" in found[-1].says
    (tried,) = person.live.tried()
    assert (tried.bounces, tried.down) == ({2: 11}, ())


def test_real_wires_are_asked_seen_and_measured() -> None:
    """The real driver of wired seats, on simulated wires."""
    lines: list[str] = []
    live = LiveTest(lines.append, patience_s=10)
    with SimulatedSeats((1,), live) as seats:

        def press_all() -> None:
            for button in range(1, 7):
                wanted = trial_picture(1, range(1, button), button)
                assert soon(lambda: seats.picture(1) == wanted)  # noqa: B023
                seats.press(1, button)

        hand = Thread(target=press_all)
        hand.start()
        found = live.run({1: seats})
        hand.join()
    assert wrong(found) == []
    assert [one.what for one in found] == ["buttons", "bounce"]
    assert sum("yes, bounces" in line for line in lines) == 6
