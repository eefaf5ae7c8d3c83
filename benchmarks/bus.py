"""What a press costs on the I2C bus, and where on the screens: by pair of pages and by row.

    PYTHONPATH=tests python benchmarks/bus.py [SEATS …]

Whole races on Monaco, driven by the careful driver of the tests. Each screen is written by the
wired seats' own code through luma's interface to a recorded bus; a pod's bytes are those of the
spans that it is sent, as its firmware writes them. luma's own figure is taken in the same run.

Measured: 158 bytes a press and screen at a table of four, 116 at one of six (pods: 164, 121);
before a waiting screen told corner and neighbours 133 and 95 (pods: 137, 98). Of a turn's bytes a
fifth is its four titles, a fifth the addresses of its spans, the rest keys that come and go. What
was tried at four seats: windows over several rows, which the SSD1306 could take, 164; without the
bars of the gate 152; without the neighbours 154; all titles in small letters 149.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from support.formula.careful import answer
from support.screens.hands import presses_to, sends

from companion.drawing.bitmap import PAGES
from companion.drawing.seat import draw_seat
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.lines import Answer, Retire
from companion.table.ports import Picture
from companion.table.screens import Press, Screens
from companion.views.dialog import settled, topic
from companion.views.model import Scene, SeatInfo, SeatView
from companion.views.screen import HOME, Talk
from race_companion_pods.link import Glass
from race_companion_wired.oled import Oled
from race_companion_wired.pinmap import ScreenPlace
from race_companion_wired.screens import CONTROLLERS, Screen
from race_companion_wired.simulated import SimulatedBus, SimulatedWire, smbus_of

NAMES = ("Ana", "Bob", "Cleo", "Dan", "Eve", "Fay")
LAPS = 2
GOAL = 140
SHOWN = 16
"""Pairs of pages in the table, the dearest first."""
POD_WINDOW = 7
"""What the firmware spends on a span beside its dots: two addresses, two control bytes, three
commands (firmware/pod/screen.c)."""


class Bus:
    """One screen on a recorded bus of its own."""

    def __init__(self) -> None:
        place = ScreenPlace(1, 0x3C, "SSD1306")
        self.bus = SimulatedBus({0x3C: Oled("SSD1306", Random(1))})
        self.wire = SimulatedWire(place, smbus_of({1: self.bus}))
        self.screen = Screen(CONTROLLERS["SSD1306"], self.wire, lambda why: None)

    def sent_for(self, picture: Picture) -> int:
        """The bytes until the screen shows this picture."""
        before = self.bus.bytes_sent
        self.screen.show(picture)
        self.screen.work(0.0)
        assert self.bus.devices[0x3C].picture() == picture.bitmap
        return self.bus.bytes_sent - before

    def sent_by_luma(self) -> int:
        """The bytes of one `display` of luma's own driver."""
        from luma.oled.device import ssd1306
        from PIL import Image

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            device = ssd1306(self.wire._open())
            device.persist = True
            before = self.bus.bytes_sent
            device.display(Image.new("1", (128, 64)))
        return self.bus.bytes_sent - before


class Pod:
    """What a pod is sent for its pictures."""

    def __init__(self) -> None:
        self._glass = Glass()

    def sent_for(self, bitmap: bytes) -> int:
        """The bytes on the pod's bus until its screen shows this picture."""
        sent = 0
        while span := self._glass.next_span(bitmap):
            sent += POD_WINDOW + len(span[2])
        return sent


class Race:
    """A race and its screens; `play` fills the counts."""

    def __init__(self, seats: int, draw: Callable[[SeatView], bytes] = draw_seat) -> None:
        self.engine = Engine(TrackLibrary())
        told = [{"seat": n, "name": NAMES[n - 1]} for n in range(1, seats + 1)]
        header = {"game": "formula-d", "track": "monaco", "laps": LAPS, "rules": [], "seats": told}
        ready = {"grid": list(range(1, seats + 1)), "start": "normal", "weather": "fine"}
        self.engine.handle({"new": header | ready})
        self.seats = tuple(SeatInfo(n, NAMES[n - 1]) for n in range(1, seats + 1))
        self.screens = Screens(draw, 1)
        self.wired = {info.seat: Bus() for info in self.seats}
        self.pods = {info.seat: Pod() for info in self.seats}
        self.pages: dict[int, str] = {}
        self.presses = 0
        self.wired_bytes = self.pod_bytes = self.presser_bytes = 0
        self.by_pair: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.by_row: Counter[int] = Counter()
        self.shown: dict[int, bytes] = {}

    def scene(self) -> Scene:
        """The race as the views see it."""
        return Scene(
            version=self.engine.version,
            seats=self.seats,
            header=self.engine.header,
            track=self.engine.track,
            state=self.engine.visible,
            asks=self.engine.open_asks,
        )

    def play(self) -> None:
        """To the end, redrawing all screens after every press."""
        dice = Random(5)
        self.redraw(0)
        while asks := self.engine.asks():
            ask = asks[0]
            value = answer(ask, self.engine.moment, dice)
            if isinstance(value, dict) and "to" in value:
                value = {"to": value["to"], "brakes": value["brakes"]}
            self.give({"seat": ask["seat"], ask["kind"]: value})

    def give(self, line: Mapping[str, Any]) -> None:
        """Press the way to an answer; one that no keys give alone is given by hand."""
        seat, scene = line["seat"], self.scene()
        buttons = presses_to(scene, seat, sends(line), self.screens.dialog(seat) or HOME)
        if buttons is None:
            self.engine.handle(dict(line))
            self.redraw(0)
        for button in buttons or ():
            for intent in self.screens.press(self.scene(), Press(seat, button, False, None)):
                if isinstance(intent, Answer | Retire):
                    self.engine.handle(intent.line)
            self.presses += 1
            self.redraw(seat)

    def redraw(self, presser: int) -> None:
        """Show the race on all screens; what a press by `presser` has cost (0: nobody's)."""
        scene = self.scene()
        self.screens.refresh(scene)
        for seat, picture in self.screens.pictures().items():
            page = self.page(scene, seat)
            wired = self.wired[seat].sent_for(picture)
            pod = self.pods[seat].sent_for(picture.bitmap)
            if presser:
                self.wired_bytes += wired
                self.pod_bytes += pod
                self.presser_bytes += wired if seat == presser else 0
                self.by_pair[self.pages[seat], page].append(wired)
                self._count_rows(self.shown[seat], picture.bitmap)
            self.pages[seat], self.shown[seat] = page, picture.bitmap

    def page(self, scene: Scene, seat: int) -> str:
        """The page that a seat is on, by what is going on and what it has turned to."""
        dialog = settled(scene, seat, self.screens.dialog(seat))
        return f"{topic(Talk(scene, seat, dialog))} {dialog.page}".rstrip()

    def _count_rows(self, before: bytes, after: bytes) -> None:
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            self.by_row[place // (len(after) // PAGES)] += old != new


def tell(seats: int) -> float:
    """Play, print the tables; the bytes a press and screen."""
    race = Race(seats)
    race.play()
    screens = race.presses * seats
    print(f"{seats} seats, {race.presses} presses; bytes a press and screen (goal {GOAL}):")
    print(f"  wired {race.wired_bytes / screens:.0f}, pods {race.pod_bytes / screens:.0f}, "
          f"luma {Bus().sent_by_luma()}; "
          f"the presser's own {race.presser_bytes / race.presses:.0f}")  # fmt: skip
    rows = " ".join(f"{race.by_row[page] / screens:.1f}" for page in range(PAGES))
    print(f"  bytes that differ, by rows of eight from the top: {rows}")
    dearest = sorted(race.by_pair.items(), key=lambda pair: -sum(pair[1]))
    for (before, after), sent in dearest[:SHOWN]:
        share = sum(sent) / race.wired_bytes
        print(
            f"  {share:5.1%} {before:>16} → {after:16} {len(sent):4} × {sum(sent) / len(sent):.0f}"
        )
    print()
    return race.wired_bytes / screens


def main() -> int:
    """The status says whether the goal is reached at every size of table."""
    sizes = [int(word) for word in sys.argv[1:]] or [4, 6]
    return int(max([tell(seats) for seats in sizes]) > GOAL)


if __name__ == "__main__":
    sys.exit(main())
