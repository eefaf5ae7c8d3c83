"""How long a screen takes to draw and to compare, and how many bytes a press sends.

    python benchmarks/draw.py

Six seats play a race on Monaco with random answers; every key pressed redraws all six screens,
and what has changed on them is counted as it would be sent.

Measured on two shared cores: a screen is drawn in 0.2 ms and its changed spans are found in
0.01 ms (medians); the page's PNG takes 1.8 ms. A press sends some 190 bytes to a screen on
average: 740 to the screen of who pressed, whose question changes, 80 to each of the others.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

from companion.drawing.bitmap import SIZE, changed_spans
from companion.drawing.png import png
from companion.drawing.seat import draw_seat
from companion.engine import Engine
from companion.tracklib import TrackLibrary
from companion.views.dialog import HOME, press, show
from companion.views.hands import presses_to, sends
from companion.views.model import Scene, SeatInfo, Send

NAMES = ("Ana", "Bruno", "Chloé", "Dora", "Eve", "Fritz")
ANSWERS = 200


class Screens:
    """The six screens of a race, and what was measured while they were drawn."""

    def __init__(self) -> None:
        self.engine = Engine(TrackLibrary())
        seats = [{"seat": n, "name": name} for n, name in enumerate(NAMES, 1)]
        header = {"game": "formula-d", "track": "monaco", "rules": [], "seats": seats}
        ready = {"grid": [1, 2, 3, 4, 5, 6], "start": "normal", "weather": "fine"}
        self.engine.handle({"new": header | ready})
        self.dialogs = dict.fromkeys(range(1, 7), HOME)
        self.shown = dict.fromkeys(range(1, 7), bytes(SIZE))
        self.draw_ms: list[float] = []
        self.compare_ms: list[float] = []
        self.sent: list[int] = []
        self.sent_to_presser: list[int] = []

    def scene(self) -> Scene:
        """The race as the views see it."""
        return Scene(
            version=self.engine.version,
            seats=tuple(SeatInfo(n, name) for n, name in enumerate(NAMES, 1)),
            header=self.engine.header,
            track=self.engine.track,
            state=self.engine.state(),
            asks=tuple(self.engine.asks()),
        )

    def answer(self, seat: int, line: dict[str, Any]) -> None:
        """Press the keys that give an answer, redrawing all screens after each."""
        for button in presses_to(self.scene(), seat, sends(line)) or ():
            self.dialogs[seat], wanted = press(self.scene(), seat, self.dialogs[seat], button)
            for intent in wanted:
                if isinstance(intent, Send):
                    self.engine.handle(dict(intent.line))
            self.redraw(seat)

    def redraw(self, presser: int) -> None:
        """Draw all screens and count the bytes that have changed."""
        scene = self.scene()
        for seat, before in self.shown.items():
            view = show(scene, seat, self.dialogs[seat])
            drawn = timed(self.draw_ms, lambda view=view: draw_seat(view))
            spans = timed(self.compare_ms, lambda a=before, b=drawn: changed_spans(a, b))
            count = sum(span.stop - span.start for span in spans)
            self.sent.append(count)
            if seat == presser:
                self.sent_to_presser.append(count)
            self.shown[seat] = drawn


def timed(durations: list[float], work: Callable[[], Any]) -> Any:
    """What `work` returns; its duration in milliseconds is added to the list."""
    start = perf_counter()
    result = work()
    durations.append((perf_counter() - start) * 1000)
    return result


def reply_to(ask: dict[str, Any], dice: random.Random) -> Any:
    """A random answer that keeps cars in the race where there is one."""
    options = ask["options"]
    if ask["kind"] == "black":
        return dice.randint(2, 20)
    if ask["kind"] == "gear":
        return dice.choice([gear for gear in options if gear not in ask.get("out", ())][-2:])
    if ask["kind"] in ("move", "slipstream"):
        chosen = dice.choice([end for end in options if end and not end["out"]] or options)
        return {"to": chosen["to"], "brakes": chosen["brakes"]}
    return dice.choice(options)


def main() -> None:
    """Play, and print the table."""
    screens, dice = Screens(), random.Random(1)
    screens.redraw(1)
    screens.sent.clear()
    screens.sent_to_presser.clear()
    for _ in range(ANSWERS):
        if not (asks := screens.engine.asks()):
            break
        screens.answer(asks[0]["seat"], {"seat": asks[0]["seat"],
                                         asks[0]["kind"]: reply_to(asks[0], dice)})  # fmt: skip
    png_ms: list[float] = []
    for picture in list(screens.shown.values()) * 5:
        timed(png_ms, lambda picture=picture: png(picture))
    print(f"presses                  {len(screens.sent_to_presser)}")
    print(f"draw a screen            {statistics.median(screens.draw_ms):.3f} ms")
    print(f"find its changed spans   {statistics.median(screens.compare_ms):.3f} ms")
    print(f"PNG of a screen          {statistics.median(png_ms):.3f} ms")
    print(f"bytes a press and screen {statistics.mean(screens.sent):.0f}")
    print(f"of the presser's screen  {statistics.mean(screens.sent_to_presser):.0f}")


if __name__ == "__main__":
    main()
