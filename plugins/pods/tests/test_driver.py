"""The driver of pods: ports come and go, each pod finds its seat, the listener hears of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Condition, Event
from types import SimpleNamespace

import pytest
from support.pods.checks import picture
from support.pods.listener import Listener, soon
from support.pods.paper import PaperPod

from companion.cli import main
from companion.drawing.seat import spare_lines, spare_pod
from companion.seats.plan import SeatTrouble
from companion.system.host import Lasting
from companion.system.plugins import Options, PluginError
from companion.table.ports import Picture, Reply
from companion.views.model import Trouble
from companion.views.screen import Lamp
from companion.views.words import LANGUAGES, words
from race_companion_pods.driver import TURN_MS, PodSeats, settings_of
from race_companion_pods.link import format_firmware
from race_companion_pods.ports import PortLost, SerialPort
from race_companion_pods.wire import FIRMWARE, FORMS, LAMPS, LEVEL, Hello, seal


class PaperPort:
    """A port with a pod on paper; `is_in` is its plug."""

    def __init__(self, pod: PaperPod) -> None:
        self.pod = pod
        self.is_in = True
        self._buffer = b""
        self._news = Condition()
        self._is_woken = False
        self._is_strange = False

    def read(self, wait_s: float) -> bytes:
        with self._news:
            self._news.wait_for(lambda: self._buffer or self._is_woken, wait_s)
            if not self.is_in:
                raise PortLost("it was pulled out")
            self._is_woken = False
            data, self._buffer = self._buffer, b""
            return data

    def write(self, data: bytes) -> None:
        if self._is_strange:
            self._put(seal(bytes([FORMS[Hello].kind, 0, 4, LEVEL + 1, 9, 8, 7])))
        else:
            self._put(self.pod.hear(data))

    def speaks_otherwise(self) -> None:
        """From now on another protocol, in which it cannot say what number it has."""
        self._is_strange = True

    def wake(self) -> None:
        with self._news:
            self._is_woken = True
            self._news.notify_all()

    def close(self) -> None:
        self.wake()

    def press(self, button: int) -> None:
        self.pod.press(button)
        self._put(self.pod.due(1.0))

    def unplug(self) -> None:
        self.is_in = False
        self.wake()

    def _put(self, data: bytes) -> None:
        with self._news:
            self._buffer += data
            self._news.notify_all()


class Rig:
    """Ports by name, a driver on them, and its listener."""

    def __init__(self, seats: tuple[int, ...], *, buzzer: bool = False) -> None:
        self.ports: dict[str, PaperPort] = {}
        self.listener = Listener()
        self.driver = PodSeats(
            seats,
            self.listener,
            find_ports=lambda: [name for name, port in self.ports.items() if port.is_in],
            open_port=lambda name: self.ports[name],
            look_s=0.01,
            buzzer=buzzer,
        )

    def plug_in(self, name: str, number: int) -> PaperPort:
        self.ports[name] = PaperPort(PaperPod(number))
        return self.ports[name]

    def is_well(self, seat: int) -> bool:
        return self.listener.troubles.get((seat, "pod"), "") is None


@pytest.fixture
def rig_of() -> Iterator[Callable[..., Rig]]:
    with ExitStack() as opened:

        def make(*seats: int, **options: bool) -> Rig:
            rig = Rig(seats, **options)
            opened.callback(rig.driver.close)
            return rig

        yield make


def test_a_pod_comes_to_the_seat_of_its_number_whatever_its_port(
    rig_of: Callable[..., Rig],
) -> None:
    rig = rig_of(1, 2)
    rig.driver.show(1, picture(10))
    rig.driver.show(2, picture(20))
    second, first = rig.plug_in("ttyUSB0", 2), rig.plug_in("ttyUSB1", 1)
    assert soon(lambda: second.pod.screen == picture(20).bitmap)
    assert soon(lambda: first.pod.screen == picture(10).bitmap)


def test_a_press_comes_to_the_listener_with_seat_and_picture(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(4)
    rig.driver.show(4, picture(77))
    port = rig.plug_in("ttyUSB0", 4)
    assert soon(lambda: port.pod.picture == 1)
    port.press(6)
    assert soon(lambda: rig.listener.presses == [(4, 6, False, 77)])


def test_a_new_picture_does_not_wait_for_the_heartbeat(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(1)
    port = rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    begin_s = time.monotonic()
    rig.driver.show(1, picture(5))
    assert soon(lambda: port.pod.screen == picture(5).bitmap)
    assert time.monotonic() - begin_s < 0.9


def lit(number: int, lamp: Lamp) -> Picture:
    return replace(picture(number), lamp=lamp)


def signal_of(port: PaperPort) -> tuple[int, int]:
    """Lamp and sound of the pod's last signal."""
    assert port.pod.lamp is not None
    return port.pod.lamp.lamp, port.pod.lamp.beep


def test_the_lamp_follows_the_pictures_and_there_is_no_sound_unless_it_is_wanted(
    rig_of: Callable[..., Rig],
) -> None:
    rig = rig_of(1)
    rig.driver.show(1, lit(5, "on"))
    port = rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: port.pod.lamp is not None and signal_of(port) == (LAMPS["on"], 0))
    for number, lamp in enumerate(("blinks", "on", "off", "on"), 6):
        rig.driver.show(1, lit(number, lamp))
        assert soon(lambda: signal_of(port) == (LAMPS[lamp], 0))  # noqa: B023


def test_where_it_is_wanted_the_buzzer_sounds_when_a_seats_turn_comes_and_only_then(
    rig_of: Callable[..., Rig],
) -> None:
    rig = rig_of(1, buzzer=True)
    rig.driver.show(1, lit(4, "off"))
    port = rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    sound = TURN_MS // 10
    turns = (("on", sound), ("blinks", 0), ("on", 0), ("off", 0), ("on", sound))
    for number, (lamp, beep) in enumerate(turns, 5):
        rig.driver.show(1, lit(number, lamp))
        assert soon(lambda: signal_of(port) == (LAMPS[lamp], beep))  # noqa: B023


def test_a_new_pod_without_a_number_takes_the_first_free_seat(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(1, 2, 3)
    rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    rig.plug_in("ttyUSB1", 0)
    assert soon(lambda: rig.is_well(2))


def test_two_pods_of_one_number_do_not_share_a_seat(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(1)
    first = rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    second = rig.plug_in("ttyUSB1", 1)
    rig.driver.show(1, picture(5))
    assert soon(lambda: first.pod.screen == picture(5).bitmap)
    assert second.pod.screen != picture(5).bitmap


def spare(number: int, free: int | None, *, is_twin: bool = False) -> bytes:
    return spare_pod(number, is_twin=is_twin, free=free)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("race_companion_pods.driver.PATIENCE_S", 0.0)


@pytest.mark.usefixtures("impatient")
def test_a_pod_without_a_seat_says_so_and_a_press_seats_it(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(1, 2)
    rig.driver.show(2, picture(20))
    rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    lost = rig.plug_in("ttyUSB1", 7)
    assert soon(lambda: lost.pod.screen == spare(7, free=2))
    assert soon(lambda: rig.listener.keys.get((2, "pod")) == "pod-elsewhere")
    assert soon(lambda: lost.pod.picture > 0)
    lost.press(4)
    assert soon(lambda: rig.is_well(2))
    assert soon(lambda: lost.pod.screen == picture(20).bitmap)
    assert rig.listener.presses == [], "the press that seats it does nothing else"
    assert soon(lambda: lost.pod.picture > 1)
    lost.press(5)
    assert soon(lambda: rig.listener.presses == [(2, 5, False, 20)])


@pytest.mark.usefixtures("impatient")
def test_the_second_of_two_pods_of_one_number_says_so(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(1, 2)
    rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    twin = rig.plug_in("ttyUSB1", 1)
    assert soon(lambda: twin.pod.screen == spare(1, free=2, is_twin=True))
    assert soon(lambda: rig.listener.keys.get((2, "pod")) == "pod-twice")
    rig.plug_in("ttyUSB2", 2)
    assert soon(lambda: rig.is_well(2))
    assert soon(lambda: twin.pod.screen == spare(1, free=None, is_twin=True))
    assert soon(lambda: twin.pod.picture > 1)
    twin.press(1)
    assert soon(lambda: twin.pod.screen == spare(1, free=None, is_twin=True))


@pytest.mark.usefixtures("impatient")
def test_a_new_pod_that_finds_all_seats_taken_says_so_and_a_press_seats_it_once_one_is_free(
    rig_of: Callable[..., Rig],
) -> None:
    rig = rig_of(1)
    rig.driver.show(1, picture(5))
    first = rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    new = rig.plug_in("ttyUSB1", 0)
    assert soon(lambda: new.pod.screen == spare(0, free=None))
    first.unplug()
    assert soon(lambda: new.pod.screen == spare(0, free=1))
    assert soon(lambda: new.pod.picture > 0)
    new.press(2)
    assert soon(lambda: new.pod.screen == picture(5).bitmap)
    assert soon(lambda: rig.is_well(1))
    assert rig.listener.presses == []


def test_a_pod_without_a_seat_says_so_in_every_language_on_the_glass() -> None:
    """Three languages of two lines each: none of them below the edge."""
    glass = spare_pod(7, is_twin=False, free=2)
    rows = [any(glass[y // 8 * 128 + x] >> y % 8 & 1 for x in range(128)) for y in range(64)]
    gaps = "".join("#" if row else " " for row in rows).split()
    assert len(gaps) >= 2 * len(LANGUAGES)
    for number in (0, 10):
        for code in LANGUAGES:
            for line in spare_lines(words(code), number, is_twin=bool(number), free=None):
                assert len(line) * 5 < 128, line


def test_a_pulled_plug_is_told_and_mended_by_putting_it_in_anywhere(
    rig_of: Callable[..., Rig],
) -> None:
    rig = rig_of(1)
    rig.driver.show(1, picture(5))
    rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: rig.is_well(1))
    rig.ports["ttyUSB0"].unplug()
    assert soon(lambda: rig.listener.troubles[1, "pod"] == "it was pulled out")
    port = rig.plug_in("ttyUSB7", 1)
    assert soon(lambda: rig.is_well(1))
    assert soon(lambda: port.pod.screen == picture(5).bitmap)


def test_a_dead_screen_is_told(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(1)
    rig.ports["ttyUSB0"] = PaperPort(PaperPod(1, starts=0))
    assert soon(lambda: "screen" in (rig.listener.troubles.get((1, "screen")) or ""))


def other_firmware() -> PaperPort:
    port = PaperPort(PaperPod(1))
    port.speaks_otherwise()
    return port


def test_a_pod_with_other_firmware_is_told_with_both_versions(
    rig_of: Callable[..., Rig],
) -> None:
    rig = rig_of(1)
    rig.ports["ttyUSB0"] = other_firmware()
    assert soon(lambda: "9.8.7" in (rig.listener.troubles.get((1, "pod")) or ""))
    assert format_firmware(FIRMWARE) in (rig.listener.troubles[1, "pod"] or "")
    assert rig.listener.keys[1, "pod"] == "new-firmware"


def test_a_pod_with_other_firmware_makes_room_for_the_seats_own(
    rig_of: Callable[..., Rig],
) -> None:
    rig = rig_of(1, 2)
    rig.driver.show(1, picture(5))
    rig.ports["ttyUSB0"] = other_firmware()
    assert soon(lambda: rig.listener.keys.get((1, "pod")) == "new-firmware")
    port = rig.plug_in("ttyUSB1", 1)
    assert soon(lambda: rig.is_well(1))
    assert soon(lambda: port.pod.screen == picture(5).bitmap)
    assert soon(lambda: rig.listener.keys.get((2, "pod")) == "new-firmware")


def test_a_pod_that_is_given_other_firmware_keeps_its_seat(rig_of: Callable[..., Rig]) -> None:
    rig = rig_of(1, 2)
    port = rig.plug_in("ttyUSB0", 2)
    assert soon(lambda: rig.is_well(2))
    port.speaks_otherwise()
    assert soon(lambda: rig.listener.keys.get((2, "pod")) == "new-firmware")
    assert rig.listener.keys.get((1, "pod")) != "new-firmware"


def test_a_driver_may_be_closed_twice() -> None:
    rig = Rig((1,))
    rig.plug_in("ttyUSB0", 1)
    rig.driver.close()
    rig.driver.close()


def test_a_port_that_is_not_there_is_told_in_a_sentence() -> None:
    with pytest.raises(PortLost, match="/nowhere is not there: is the cable in"):
        SerialPort("/nowhere")


def read(options: Options) -> None:
    settings_of(options)
    options.check()


@pytest.mark.parametrize(
    "told", [{"ports": "ttyUSB0"}, {"ports": [1]}, {"port": ["x"]}, {"buzzer": "yes"}]
)
def test_a_wrong_configuration_is_refused(told: dict[str, object]) -> None:
    with pytest.raises((SeatTrouble, PluginError), match="pod"):
        read(Options("pod", told))


def test_a_fault_of_ours_is_told_and_the_pod_is_taken_up_again(
    rig_of: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = rig_of(1)
    rig.driver.show(1, picture(5))
    port = rig.plug_in("ttyUSB0", 1)
    assert soon(lambda: port.pod.picture == 1)
    seen: list[str | None] = []
    told = rig.listener.health

    def fail_once(*press: object) -> Reply:
        monkeypatch.undo()
        raise RuntimeError("the table is not at home")

    def health(seat: int, part: str, trouble: Trouble | None) -> None:
        told(seat, part, trouble)
        seen.append(trouble and str(trouble))

    monkeypatch.setattr(rig.listener, "press", fail_once)
    rig.listener.health = health  # type: ignore[method-assign]
    port.press(2)
    assert soon(lambda: "ttyUSB0 broke off: the table is not at home" in seen)
    assert soon(lambda: rig.is_well(1))
    port.press(3)
    assert soon(lambda: (1, 3, False, 5) in rig.listener.presses)


@pytest.mark.parametrize("error", [TypeError("NoneType"), OSError(19, "No such device")])
def test_a_look_for_ports_that_raises_is_told_and_looked_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    pod, looks, fails = PaperPort(PaperPod(1)), count(), Event()

    def comports() -> list[SimpleNamespace]:
        if next(looks) < 5 or fails.is_set():
            raise error
        return [SimpleNamespace(device="ttyUSB0")]

    monkeypatch.setattr("race_companion_pods.driver.PATIENCE_S", 0.0)
    monkeypatch.setattr("race_companion_pods.ports.list_ports.comports", comports)
    monkeypatch.setattr("race_companion_pods.ports._is_known", lambda port: True)
    listener = Listener()
    driver = PodSeats((1,), listener, open_port=lambda name: pod, look_s=0.01)
    try:
        assert soon(lambda: "cannot be looked at" in str(listener.troubles.get((1, "pod"))))
        assert soon(lambda: listener.troubles[1, "pod"] is None)
        fails.set()  # the pod that is there goes on
        driver.show(1, picture(7))
        assert soon(lambda: pod.pod.picture > 0)
        pod.press(1)
        assert soon(lambda: len(listener.presses) == 1)
    finally:
        driver.close()


def test_the_doctor_and_the_list_of_pods_say_that_ports_cannot_be_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def comports() -> None:
        raise TypeError("a device went")

    monkeypatch.setattr("race_companion_pods.ports.list_ports.comports", comports)
    assert main(["doctor", "--data", str(tmp_path), "--seats", "1 pod"]) == 1
    assert "WRONG port: the serial ports cannot be looked at" in capsys.readouterr().out
    assert main(["pod", "list"]) == 2
    assert "the serial ports cannot be looked at" in capsys.readouterr().err


def test_a_thread_that_breaks_off_begins_again_until_nobody_wants_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.system.host.AGAIN_S", 0.0)
    begun = count(1)

    def work() -> None:
        if next(begun) < 4:
            raise ValueError("of a library")

    thread = Lasting("somebody", work, lambda: False)
    thread.start()
    thread.join(5)
    assert not thread.is_alive()
    assert next(begun) == 5
    assert [record.getMessage() for record in caplog.records] == [
        "somebody: it broke off, and begins again"
    ]
