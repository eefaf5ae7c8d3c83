"""The driver of the wired seats: buttons, presses, screens and their threads put together."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from queue import Empty, SimpleQueue
from tomllib import TOMLDecodeError
from typing import Any

from companion.seats.contacts import SETTLE, SETTLE_MS, settle_of
from companion.seats.plan import SeatTrouble
from companion.system.host import Closing, Lasting
from companion.table.ports import Picture, Trouble
from race_companion_wired.buttons import Button, Factories, Pressed, Presses, Seen
from race_companion_wired.pinmap import Layout, PinMapError, ScreenPlace, WiredSeat, layouts
from race_companion_wired.screens import CONTROLLERS, BusWriter, LumaWire, Screen, Wire

Said = Mapping[str, object]
"""What stands under `[wired]`."""
OPTIONS = ("layout", "pin_factory", "controllers", SETTLE)


def said_in(options: Said) -> dict[str, object]:
    """All of the options, read before any is judged: none of them is then told as one that
    nobody knows."""
    return {name: options[name] for name in OPTIONS if name in options}


def open_seats(seats: Sequence[int], listener: Any, options: Said) -> WiredSeats:
    """Start the wired seats on the Pi's own lines and buses.

    Args:
        options: `[wired]` of the configuration: `layout` ("pair", "header" or "expanded"),
            `pin_factory` ("lgpio" or "rpigpio"), `controllers` by seat where the pin map's
            is not the one that was bought, `settle_ms` (left out: 5).

    Raises:
        SeatTrouble: that cannot be done.
    """
    said = said_in(options)
    if "pin_factory" not in said:
        raise SeatTrouble('[wired] names no pin_factory: write "lgpio", or "rpigpio" up to a Pi 4')
    layout = layout_of(seats, said)
    factories = Factories(str(said["pin_factory"]), layout.expanders.values())
    settle_ms = settle_of("wired", said)
    wired = wired_of(seats, layout, said)
    return WiredSeats(wired, listener, factories, LumaWire, settle_ms=settle_ms)


RETRY_MS = 5000
"""A line that another program holds is tried again so often."""


def layout_of(seats: Sequence[int], options: Said) -> Layout:
    """The layout that is configured; left out, the smallest that has these seats.

    Raises:
        SeatTrouble: there is no such layout, it lacks a seat, or the map cannot be read.
    """
    try:
        known = layouts()
    except (PinMapError, TOMLDecodeError) as error:
        raise SeatTrouble(f"the pin map cannot be read: {error}") from error
    fitting = [name for name, layout in known.items() if set(seats) <= set(layout.seats)]
    name = options.get("layout", fitting[0] if fitting else None)
    if not isinstance(name, str) or name not in fitting:
        wired = ", ".join(map(str, seats))
        raise SeatTrouble(f"the layout {name!r} has not the seats {wired}; {fitting} have")
    return known[name]


def wired_of(seats: Sequence[int], layout: Layout, options: Said) -> list[WiredSeat]:
    """The wiring of the seats, with the controllers that the configuration names.

    Raises:
        SeatTrouble: a controller that we do not know.
    """
    named = options.get("controllers", {})
    if not isinstance(named, dict):
        raise SeatTrouble(f"[wired] controllers = {named!r} should be a table by seat")
    wired = []
    for seat in seats:
        place = layout.seats[seat].screen
        controller = named.get(str(seat), place.controller)
        if controller not in CONTROLLERS:
            raise SeatTrouble(
                f"[wired.controllers] {seat} = {controller!r} is none of {', '.join(CONTROLLERS)}"
            )
        wired.append(replace(layout.seats[seat], screen=replace(place, controller=controller)))
    return wired


MakeWire = Callable[[ScreenPlace], Wire]


class WiredSeats(Closing):
    """The driver of wired seats.

    Args:
        make_wire: from the place of a screen to the way there.
        now: a monotonic clock in seconds.
        settle_ms: how long a contact must be steady.
    """

    def __init__(
        self,
        wired: Sequence[WiredSeat],
        listener: Any,
        factories: Factories,
        make_wire: MakeWire,
        now: Callable[[], float] = time.monotonic,
        settle_ms: int = SETTLE_MS,
    ) -> None:
        self._listener = listener
        self._factories = factories
        self._now = now
        self._seen: SimpleQueue[Seen | None] = SimpleQueue()
        self._unwatched = [(w.seat, n, line) for w in wired for n, line in enumerate(w.buttons, 1)]
        self._buttons: list[Button] = []
        self._told: dict[int, Trouble | None] = {}
        self._retry_ms = 0
        with ExitStack() as opened:
            self._screens = {one.seat: self._make_screen(one, make_wire) for one in wired}
            self._writers: dict[int, BusWriter] = {}
            for bus in dict.fromkeys(one.screen.bus for one in wired):
                here = {s.seat: self._screens[s.seat] for s in wired if s.screen.bus == bus}
                writer = BusWriter(f"screens of bus {bus}", here, now)
                opened.callback(writer.close)
                self._writers |= dict.fromkeys(here, writer)
            self._presses = Presses(lambda seat: self._screens[seat].number, self._touch, settle_ms)
            opened.callback(factories.close)
            opened.callback(self._release)
            self._watch()
            thread = Lasting("wired buttons", self._serve, lambda: False)
            thread.start()
            # Undone from the last to the first: the thread, which takes lines, ends before they do.
            opened.callback(thread.join)
            opened.callback(self._seen.put, None)
            self._opened = opened.pop_all()

    def show(self, seat: int, picture: Picture) -> None:
        """Show this picture; the latest wins; returns at once."""
        self._writers[seat].show(seat, picture)

    def errors(self, seat: int) -> dict[str, int]:
        """What went wrong on the way to a seat's screen; see `Counting`."""
        return {"i2c": self._screens[seat].errors}

    def close(self) -> None:
        """Stop; the screens go on showing what they show. May be called twice."""
        self._opened.close()

    def _make_screen(self, wired: WiredSeat, make_wire: MakeWire) -> Screen:
        place = wired.screen

        def report(why: str | None) -> None:
            trouble = None if why is None else Trouble("silent", why)
            self._listener.health(wired.seat, "screen", trouble)

        return Screen(CONTROLLERS[place.controller], make_wire(place), report)

    def _watch(self) -> None:
        """Watch the lines that are not yet; one that cannot be had puts its seat out of reach."""
        troubles: dict[int, Trouble | None] = {}
        for seat, number, line in list(self._unwatched):
            try:
                factory = self._factories.of(line)
                button = Button(factory, line, (seat, number), self._seen.put, self._now)
            except SeatTrouble as trouble:
                troubles[seat] = troubles.get(seat) or trouble.trouble
                continue
            self._buttons.append(button)
            self._unwatched.remove((seat, number, line))
            troubles.setdefault(seat, None)
        for seat, trouble_of in troubles.items():
            if self._told.get(seat) != trouble_of:
                self._listener.health(seat, "buttons", trouble_of)
        self._told = troubles
        self._retry_ms = self._now_ms() + RETRY_MS

    def _release(self) -> None:
        for button in self._buttons:
            button.close()

    def _touch(self, seat: int) -> bool:
        return self._writers[seat].wake(seat)

    # -- the thread of the presses -----------------------------------------------------------

    def _serve(self) -> None:
        while True:
            try:
                seen = self._seen.get(timeout=self._patience_s())
            except Empty:  # a contact has settled meanwhile, or lines are to be tried again
                self._press(self._presses.due(self._now_ms()))
                if self._unwatched and self._now_ms() >= self._retry_ms:
                    self._watch()
                continue
            if seen is None:
                return
            self._listener.edge(seen.seat, seen.button, seen.at_ms, seen.down)
            self._press(self._presses.see(seen))

    def _press(self, pressed: list[Pressed]) -> None:
        for one in pressed:
            self._listener.press(one.seat, one.button, one.hold, one.picture)

    def _patience_s(self) -> float | None:
        """How long until there is something to do; None: all are steady and watched."""
        wakes = [self._presses.wake_ms(), self._retry_ms if self._unwatched else None]
        due = [wake_ms for wake_ms in wakes if wake_ms is not None]
        return max(0, min(due) - self._now_ms()) / 1000 if due else None

    def _now_ms(self) -> int:
        return round(self._now() * 1000)
