"""The chain of lights at a table that is open: a thread that looks at it as a page would."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from logging import getLogger
from math import inf
from threading import Condition, Thread
from typing import Any, Protocol

from companion.closing import Closing
from companion.seats.light.chain import BLINK_S, LIGHT_S, Chain, Color, Sight, begins, lights, rests
from companion.seats.pinmap import light
from companion.seats.plan import Options
from companion.seats.trouble import SeatTrouble
from companion.seats.wiring import WiredSeat
from companion.table.ports import Snapshot, TablePort

STEP_S = min(BLINK_S, LIGHT_S) / 2
"""How often lights that move are looked at."""
RETRY_S = 8.0
SEATS = range(1, 11)
EACH = range(1, 9)
BRIGHTNESS = range(1, 16)
_KNOWN = {"seats": (SEATS, 6), "each": (EACH, 1), "brightness": (BRIGHTNESS, 4)}
"""What `[light]` may say, within which bounds, and what it says where it does not."""

_log = getLogger(__name__)


class Wire(Protocol):
    """The way to a chain."""

    def show(self, colors: Sequence[Color]) -> None:
        """Send a color to every light. Raises `OSError`."""

    def close(self) -> None:
        """May be called twice."""


def figures_of(options: Options) -> dict[str, int]:
    """The figures of `[light]`: `seats`, lights of `each` of them, `brightness` of 15.

    Raises:
        SeatTrouble: one that there is not, or that is out of bounds.
    """
    unknown = sorted(options.keys() - _KNOWN.keys())
    if unknown:
        raise SeatTrouble(f"[light] has {unknown[0]!r}; it knows {', '.join(sorted(_KNOWN))}")
    figures = {}
    for name, (bounds, usual) in _KNOWN.items():
        figure = options.get(name, usual)
        if type(figure) is not int or figure not in bounds:
            at = f"from {bounds[0]} to {bounds[-1]}"
            raise SeatTrouble(f"[light] {name} = {figure!r} should be a number {at}")
        figures[name] = figure
    return figures


def fault_of(wired: Sequence[WiredSeat]) -> str:
    """What is wrong with lights beside these seats; empty where nothing is."""
    place = light()
    taken = place.taken_by(wired)
    return f"{place.data} and {place.clock} are buttons of seat {taken[0]}" if taken else ""


def open_lights(table: TablePort, options: Options, wired: Sequence[WiredSeat] = ()) -> Lights:
    """Light the chain that `[light]` describes.

    Args:
        wired: the seats whose buttons are on the lines of this machine.

    Raises:
        SeatTrouble: it describes none, or its lines are a seat's.
    """
    from companion.seats.light.wire import LumaChain

    figures = figures_of(options)
    if fault := fault_of(wired):
        raise SeatTrouble(fault)
    chain = Chain(figures["seats"], figures["each"])
    return Lights(table, chain, LumaChain(len(chain), figures["brightness"]))


def sight_of(snapshot: Snapshot) -> Sight:
    """What the lights need of what the table has published."""
    table: Mapping[str, Any] = json.loads(snapshot.body)
    state = table.get("state") or {}
    return Sight(
        {seat: picture.lamp for seat, picture in snapshot.private.items()},
        {one["seat"]: one["color"] for one in table["seats"]},
        table.get("id"),
        state.get("round"),
        bool(state.get("raining")),
        bool(state.get("debris")),
    )


class Lights(Closing):
    """A chain that follows a table; a bus that fails is tried again, and told once in the log.

    Args:
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        table: TablePort,
        chain: Chain,
        wire: Wire,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chain = chain
        self._wire = wire
        self._now = now
        self._fresh: Snapshot | None = None
        self._is_open = True
        self._changed = Condition()
        self._unwatch = table.watch(self._look)
        self._look(table.snapshot())
        self._thread = Thread(target=self._serve, name="lights", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Put the lights out. May be called twice."""
        self._unwatch()
        with self._changed:
            self._is_open = False
            self._changed.notify()
        self._thread.join()

    def _look(self, snapshot: Snapshot) -> None:
        """The table's thread: must not block."""
        with self._changed:
            self._fresh = snapshot
            self._changed.notify()

    def _serve(self) -> None:
        sight, started, shown, failed = Sight(), -inf, None, False
        pause: float | None = 0.0
        while self._wait(pause):
            with self._changed:
                fresh, self._fresh = self._fresh, None
            if fresh is not None:
                before, sight = sight, sight_of(fresh)
                started = self._now() if begins(before, sight) else started
            now = self._now()
            wanted = lights(self._chain, sight, now, now - started)
            if wanted != shown:
                shown, failed = self._show(wanted, failed)
            moves = STEP_S if not rests(sight, now - started) else None
            pause = RETRY_S if failed else moves
        self._show([(0, 0, 0)] * len(self._chain), failed=True)
        self._wire.close()

    def _wait(self, pause: float | None) -> bool:
        """Until the table changes, for so many seconds at most; whether to go on."""
        with self._changed:
            if self._fresh is None and self._is_open:
                self._changed.wait(pause)
            return self._is_open

    def _show(self, wanted: list[Color], failed: bool) -> tuple[list[Color] | None, bool]:
        """What is on the chain now, None where nobody knows, and whether it failed."""
        try:
            self._wire.show(wanted)
        except OSError as error:
            self._wire.close()
            if not failed:
                _log.warning("the lights cannot be reached: %s", error)
            return None, True
        return wanted, False
