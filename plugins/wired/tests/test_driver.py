"""The wired seats as a whole, on mock pins and simulated buses, with their real threads."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.seats import seat_driver, wires_of
from companion.drawing.bitmap import SIZE
from companion.seats.plan import SeatPlan, SeatTrouble
from companion.table.ports import Picture, Reply
from companion.views.model import Trouble
from race_companion_wired import buttons, driver, pinmap
from race_companion_wired.pinmap import Expander, Line, ScreenPlace, layouts
from race_companion_wired.simulated import SimulatedSeats

WAIT_S = 20.0


class Listener:
    """Keeps what a driver says."""

    def __init__(self) -> None:
        self.presses: SimpleQueue[tuple[int, int, bool, int | None]] = SimpleQueue()
        self.troubles: dict[tuple[int, str], str] = {}

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        self.presses.put((seat, button, hold, picture))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        if trouble is None:
            self.troubles.pop((seat, part), None)
        else:
            self.troubles[seat, part] = str(trouble)

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """Nobody looks so closely."""


def until(fits: Callable[[], Any], seconds: float = WAIT_S) -> bool:
    """Whether something that other threads do comes true in time."""
    end = time.monotonic() + seconds
    while not fits():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def noise(seed: int) -> bytes:
    return Random(seed).randbytes(SIZE)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def four(listener: Listener) -> Iterator[SimulatedSeats]:
    with SimulatedSeats((1, 2, 3, 4), listener) as seats:
        yield seats


def test_each_seat_shows_its_own_picture(four: SimulatedSeats, listener: Listener) -> None:
    for seat in range(1, 5):
        four.show(seat, Picture(10 + seat, noise(seat)))
    assert until(lambda: all(four.picture(seat) == noise(seat) for seat in range(1, 5)))
    assert listener.troubles == {}


def test_every_button_presses_itself_and_names_its_picture(
    four: SimulatedSeats, listener: Listener
) -> None:
    four.show(2, Picture(77, noise(1)))
    assert until(lambda: four.picture(2) == noise(1))
    for button in range(1, 7):
        four.press(2, button)
        assert listener.presses.get(timeout=WAIT_S) == (2, button, False, 77)
    assert listener.presses.empty()


def test_a_button_that_is_held_says_so(four: SimulatedSeats, listener: Listener) -> None:
    four.press(1, 6, hold_s=0.65)
    assert listener.presses.get(timeout=WAIT_S)[:3] == (1, 6, True)


def test_every_line_of_the_map_is_the_button_that_it_says(listener: Listener) -> None:
    with SimulatedSeats(range(1, 11), listener) as ten:
        for seat, wired in layouts()["expanded"].seats.items():
            for button, line in enumerate(wired.buttons, 1):
                assert ten.pin(seat, button).info.name == f"GPIO{line.number}"
                ten.pin(seat, button).drive_low()
        time.sleep(0.02)
        for seat in range(1, 11):
            for button in range(1, 7):
                ten.pin(seat, button).drive_high()
        heard = {listener.presses.get(timeout=WAIT_S)[:2] for _ in range(60)}
    assert heard == {(seat, button) for seat in range(1, 11) for button in range(1, 7)}


@pytest.mark.faults("a wired seat: a NACK, a line that is taken")
def test_a_screen_that_falls_silent_leaves_the_others_alone(
    four: SimulatedSeats, listener: Listener
) -> None:
    place = four.places[3]
    four.buses[place.bus].silent.add(place.address)
    for seat in range(1, 5):
        four.show(seat, Picture(20, noise(seat)))
    assert until(lambda: (3, "screen") in listener.troubles)
    assert until(lambda: all(four.picture(seat) == noise(seat) for seat in (1, 2, 4)))
    assert list(listener.troubles) == [(3, "screen")]
    four.buses[place.bus].silent.clear()
    assert until(lambda: four.picture(3) == noise(3))
    assert until(lambda: listener.troubles == {})


@pytest.mark.faults("a wired seat: a NACK, a line that is taken")
def test_a_screen_on_the_same_bus_is_served_while_its_neighbour_is_silent(
    listener: Listener,
) -> None:
    with SimulatedSeats((1, 2), listener) as pair:
        assert pair.places[1].bus == pair.places[2].bus
        pair.buses[1].silent.add(pair.places[1].address)
        pair.show(2, Picture(5, noise(2)))
        assert until(lambda: pair.picture(2) == noise(2))


def test_a_wrong_address_marks_the_seat(listener: Listener) -> None:
    built = {2: ScreenPlace(1, 0x3E, "SSD1306")}
    with SimulatedSeats((1, 2), listener, built=built) as pair:
        pair.show(2, Picture(5, noise(2)))
        assert until(lambda: (2, "screen") in listener.troubles)
        assert pair.picture(2) == bytes(SIZE)


def test_a_wrong_controller_is_seen_and_the_configuration_mends_it(listener: Listener) -> None:
    built = {1: replace(layouts()["pair"].seats[1].screen, controller="SH1106")}
    for told, right in (({}, False), ({"controllers": {"1": "SH1106"}}, True)):
        with SimulatedSeats((1,), listener, told, built) as one:
            one.show(1, Picture(5, noise(2)))
            driver_screen = one._screens[1]
            assert until(lambda screen=driver_screen: screen.number == 5)
            assert (one.picture(1) == noise(2)) is right


def test_closing_leaves_the_picture_on_the_screen(listener: Listener) -> None:
    seats = SimulatedSeats((1,), listener)
    seats.show(1, Picture(5, noise(2)))
    seats.close()
    seats.close()
    assert seats.picture(1) == noise(2)


class Refusing:
    """A pin factory one of whose lines is somebody else's."""

    def __init__(self, factory: Any, busy: str) -> None:
        self._factory, self._busy = factory, busy

    def __getattr__(self, name: str) -> Any:
        return getattr(self._factory, name)

    def pin(self, name: str) -> Any:
        if name == self._busy:
            raise RuntimeError("GPIO busy")
        return self._factory.pin(name)


@pytest.mark.faults("a wired seat: a NACK, a line that is taken")
def test_a_line_that_is_taken_puts_its_seat_out_of_reach_and_no_other(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = buttons.open_factory
    monkeypatch.setattr(buttons, "open_factory", lambda *told: Refusing(real(*told), "GPIO6"))
    with SimulatedSeats((1, 2), listener) as pair:
        assert list(listener.troubles) == [(2, "buttons")]
        assert "GPIO6, button 2, cannot be read: GPIO busy" in listener.troubles[2, "buttons"]
        pair.press(1, 1)
        assert listener.presses.get(timeout=WAIT_S)[:2] == (1, 1)


def test_a_line_that_was_taken_when_the_table_opened_is_had_once_it_is_free(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = buttons.open_factory
    made: list[Refusing] = []

    def refuse(*told: Any) -> Refusing:
        made.append(Refusing(real(*told), "GPIO6"))
        return made[-1]

    monkeypatch.setattr(buttons, "open_factory", refuse)
    monkeypatch.setattr(driver, "RETRY_MS", 20)
    with SimulatedSeats((1, 2), listener) as pair:
        assert list(listener.troubles) == [(2, "buttons")]
        for one in made:
            one._busy = ""
        assert until(lambda: not listener.troubles)
        pair.press(2, 2)
        assert listener.presses.get(timeout=WAIT_S)[:2] == (2, 2)


@pytest.mark.parametrize(
    ("told", "word"),
    [
        ({}, "names no pin_factory"),
        ({"pin_factory": "pigpio"}, "none of lgpio, rpigpio, mock"),
        ({"pin_factory": "lgpio", "layout": "star"}, "'star' has not the seats 1, 2"),
        ({"pin_factory": "lgpio", "controllers": {"1": "SSD1327"}}, "'SSD1327' is none of"),
        ({"pin_factory": "lgpio", "colour": "red"}, "'colour'"),
    ],
)
def test_a_configuration_that_cannot_be_followed_says_why(
    listener: Listener, told: dict[str, Any], word: str
) -> None:
    opened: Any = seat_driver("wired")((1, 2), listener, told)
    with SeatTroubles() as troubles, opened as seats:
        seats.begin()
    found = [*troubles.said, *listener.troubles.values()]
    assert any(word in one for one in found), found


@pytest.mark.parametrize(
    ("right", "wrong", "word"),
    [('"GPIO5"', '"five"', "'five' is no line"), ("[", "", "Ex")],
    ids=["no line", "no TOML"],
)
def test_seats_on_a_map_that_cannot_be_read_say_why(
    right: str, wrong: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "seat.toml"
    own.write_text(pinmap.MAP.read_text("utf-8").replace(right, wrong), "utf-8")
    monkeypatch.setattr(pinmap, "MAP", own)
    layouts.cache_clear()
    try:
        with pytest.raises(SeatTrouble, match=word):
            driver.layout_of((1, 2), {})
    finally:
        layouts.cache_clear()


class SeatTroubles:
    """Keeps what is said by the trouble that ends a block."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def __enter__(self) -> SeatTroubles:
        return self

    def __exit__(self, kind: Any, error: Any, at: Any) -> bool:
        if isinstance(error, SeatTrouble):
            self.said.append(str(error))
            return True
        return False


def test_no_other_back_end_is_tried_where_the_named_one_does_not_work(listener: Listener) -> None:
    """This machine is no Pi: lgpio is missing, or finds no Pi; nothing falls back to the mock."""
    seats = driver.open_seats((1,), listener, {"pin_factory": "lgpio"})
    seats.close()
    assert "'lgpio' does not work here" in listener.troubles[1, "buttons"]


@pytest.mark.parametrize(
    ("name", "library"), [("wired", "luma.core"), ("wired simulated", "smbus2")]
)
def test_a_library_that_is_missing_is_told_with_what_installs_it(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    monkeypatch.delitem(sys.modules, "race_companion_wired.simulated", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    opened: Any = seat_driver(name)((1,), listener, {"pin_factory": "lgpio"})
    with SeatTroubles() as troubles, opened as seats:
        seats.begin()
    (said,) = troubles.said
    assert re.match(rf"wired seats need the library {library}: .*pip install '\.\[pi\]'", said)


def test_an_expander_needs_lgpio() -> None:
    expander = Expander("X1", 1, 0x20, 7)
    with pytest.raises(SeatTrouble, match="write pin_factory = 'lgpio'"):
        buttons.Factories("rpigpio", [expander]).of(Line("X1", 3))


def test_an_expander_is_found_by_bus_and_address(tmp_path: Path) -> None:
    expander = Expander("X1", 1, 0x20, 7)
    with pytest.raises(SeatTrouble, match="dtoverlay=mcp23017,addr=0x20,gpiopin=7"):
        buttons.chip_of(expander, tmp_path)
    (tmp_path / "1-0020" / "gpiochip3").mkdir(parents=True)
    assert buttons.chip_of(expander, tmp_path) == 3


def test_a_line_of_an_expander_is_not_that_of_the_header(listener: Listener) -> None:
    with SimulatedSeats(range(1, 11), listener) as ten:
        assert ten.pin(2, 1).info.name == ten.pin(4, 6).info.name == "GPIO5"
        assert ten.pin(2, 1) is not ten.pin(4, 6)


def test_an_expander_has_a_table_of_pins_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero's factories for real boards share one, by the names of the header's lines."""
    shared: dict[object, Any] = {"GPIO5": "a pin of the header"}

    class Local:
        def __init__(self, chip: int | None = None) -> None:
            self.pins = shared

    fake = SimpleNamespace(LGPIOFactory=Local)
    monkeypatch.setattr(buttons, "import_module", lambda name: fake)
    assert buttons.open_factory("lgpio").pins is shared
    assert buttons.open_factory("lgpio", chip=3).pins == {}


def test_without_resistors_the_lines_of_an_expander_float(listener: Listener) -> None:
    with SimulatedSeats(range(1, 11), listener, resistors=False) as ten:
        high = {seat for seat in range(1, 11) if ten.pin(seat, 3).state}
    assert high == {1, 2, 3}


def test_an_edge_stamped_by_a_foreign_clock_counts_as_now() -> None:
    seen: list[Any] = []
    factory = buttons.open_factory("mock")
    button = buttons.Button(factory, Line("GPIO", 5), (1, 1), seen.append, lambda: 50.0)
    button._changed(factory.ticks() + 1e9, 0)
    assert seen[-1].at_ms == 50_000
    button._changed(factory.ticks() - 0.1, 1)
    assert seen[-1].at_ms == pytest.approx(49_900, abs=50)
    button.close()


@pytest.mark.parametrize("drivers", [{}, {1: "phone"}, {1: "wired simulated"}, {1: "wired"}])
def test_whoever_asks_for_the_pin_factory_has_it_also_where_no_seat_can_be_wired(
    drivers: dict[int, str],
) -> None:
    told = {"pin_factory": "rpigpio", "layout": "round"}
    assert wires_of(SeatPlan(drivers, {"wired": told})) == {"factory": "rpigpio", "light": None}
