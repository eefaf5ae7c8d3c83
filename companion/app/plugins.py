"""Plugins at a running table, a thread each: one that hangs or fails costs the table nothing."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from logging import getLogger
from threading import Condition, Event, Thread, Timer
from typing import Any

from companion.seats.plan import BUTTONS, SeatTrouble, Troubled
from companion.seats.plan import Options as Said
from companion.system.host import Closing
from companion.system.plugins import PATIENCE_S, Options, Plugin, PluginError, in_words, plugins
from companion.table.ports import Picture, Reply, SeatListener, Snapshot, TablePort, Trouble

DRIVER = "driver"
"""What is in trouble where a plugin is."""
CLOSING_S = 3.0
"""How long a table that closes waits for a plugin."""
OPENING_S = 60.0
"""How long who tests the seats waits for a driver."""
LEAST_PAUSE_S, MOST_PAUSE_S = 0.05, 86_400.0
"""Until a listener that asks for it is called again."""
_log = getLogger(__name__)


class _Patience:
    """Tells that a plugin does not come back from what it was called for."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell, self._is_told = tell, False
        self._timer = Timer(PATIENCE_S, self._say)

    def begin(self) -> None:
        """The plugin is called."""
        self._is_told = False
        self._timer = Timer(PATIENCE_S, self._say)
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> bool:
        """It has come back; whether it was told that it does not."""
        self._timer.cancel()
        self._timer.join()  # what it says must not come after that all is well
        return self._is_told

    def _say(self) -> None:
        self._is_told = True
        self._tell(f"does not answer within {PATIENCE_S:g} s")


# -- seats ----------------------------------------------------------------------------------------


OFFERS = ("beep", "errors", "kind", "glass", "lamp", "finger", "fault")
"""What a driver may have besides: for the live test, and for the cabinet of simulated seats."""


class OutsideSeats(Closing):
    """The `SeatDriver` of a plugin: it is opened, shown pictures and closed in its own thread. What
    it offers besides is there once it is open, and is called in the thread of whoever wants it.

    Args:
        plugin: its entry point is `open_seats(seats, listener, options)`.
    """

    def __init__(
        self, plugin: Plugin, seats: Sequence[int], listener: SeatListener, said: Said
    ) -> None:
        self._plugin, self._seats, self._listener = plugin, tuple(seats), listener
        self._options = Options(plugin.heading, said)
        self.opened: Any = None
        self._failed: Troubled | None = None
        self._newest: dict[int, Picture] = {}
        self._changed, self._is_open = Condition(), True
        self._begun, self._patience = Event(), _Patience(self._fails)
        self._thread = Thread(target=self._run, name=f"plugin {plugin.name}", daemon=True)
        self._thread.start()

    def show(self, seat: int, picture: Picture) -> None:
        """Show this picture; the latest wins."""
        with self._changed:
            self._newest[seat] = picture
            self._changed.notify()

    def press(self, seat: int, button: int, hold: bool, picture: int | None = None) -> Reply:
        """A button of one of its seats was released: 1 to 6; returns once it is durable.

        Raises:
            ValueError: it has no such seat, or a seat no such button.
        """
        if seat not in self._seats or button not in BUTTONS:
            seats = ", ".join(map(str, self._seats))
            raise ValueError(f"button {button!r} of seat {seat!r}: it has 1 to 6 of seats {seats}")
        return self._listener.press(seat, button, bool(hold), picture)

    def health(self, seat: int, part: str, trouble: Trouble | str | None) -> None:
        """A part of one of its seats has failed; None: it serves again."""
        if trouble is not None and not isinstance(trouble, Trouble):
            trouble = Trouble("in-words", f"{trouble}", {"says": f"{trouble:.80}"})
        self._listener.health(seat, f"{part}", trouble)

    def bounce(self, seat: int, button: int, ms: int) -> None:
        """The contact of the press that follows bounced so long: for the live test."""
        if callable(tell := getattr(self._listener, "bounce", None)):
            tell(seat, button, ms)

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """A contact was seen to close or open, bouncing or not: for the live test."""
        if callable(tell := getattr(self._listener, "edge", None)):
            tell(seat, button, at_ms, down)

    def begin(self) -> None:
        """Wait until it is open.

        Raises:
            Troubled: it does not open.
        """
        if not self._begun.wait(OPENING_S):
            raise SeatTrouble(f"{self._plugin.broken(f'does not answer within {OPENING_S:g} s')}")
        if self._failed is not None:
            raise self._failed

    def close(self) -> None:
        """May be called twice."""
        with self._changed:
            self._is_open = False
            self._changed.notify()
        self._thread.join(CLOSING_S)

    def _run(self) -> None:
        self._patience.begin()
        try:
            driver = self.opened = self._plugin.load()(self._seats, self, self._options)
            if not all(callable(getattr(driver, one, None)) for one in ("show", "close")):
                raise self._plugin.broken(f"gives {driver!r:.80}, which has no show and close")
            try:
                self._options.check()
                self._patience.end()
                vars(self).update(
                    (one, getattr(driver, one)) for one in OFFERS if hasattr(driver, one)
                )
                self._is_well()
                self._begun.set()
                while (shown := self._next()) is not None:
                    self._patience.begin()
                    for seat, picture in shown.items():
                        driver.show(seat, picture)
                    if self._patience.end():
                        self._is_well()
            finally:
                driver.close()
        except (Exception, SystemExit) as error:
            self._patience.end()
            self._failed = self._fails(error)
            self._begun.set()

    def _fails(self, why: str | BaseException) -> Troubled:
        told = partial(_told, self._plugin, of_seats=True)
        failed = why if isinstance(why, Troubled) else SeatTrouble(told(why))
        for seat in self._seats:
            self._listener.health(seat, DRIVER, failed.trouble)
        return failed

    def _is_well(self) -> None:
        for seat in self._seats:
            self._listener.health(seat, DRIVER, None)

    def _next(self) -> dict[int, Picture] | None:
        """The newest picture of each seat that has one; None: the table closes, and has none."""
        with self._changed:
            while self._is_open and not self._newest:
                self._changed.wait()
            shown, self._newest = self._newest, {}
            return shown if self._is_open or shown else None


# -- listeners ------------------------------------------------------------------------------------

Wires = Callable[[], dict[str, Any]]
MOST_WAITING = 2000
"""Events that wait for a listener; of one that hangs the oldest are dropped."""


class TableSeen:
    """The table as a listener sees it; all of it from any thread."""

    def __init__(self, table: TablePort, wires: Wires) -> None:
        self._table, self._wires = table, wires

    def snapshot(self) -> dict[str, Any]:
        """What the page shows now: `/api/table` (docs/page.md)."""
        shown: dict[str, Any] = json.loads(self._table.snapshot().body)
        return shown

    def wires(self) -> dict[str, Any]:
        """The name of the pin factory of the wired seats (`factory`), and where a chain of lights
        hangs (`light`): on two lines, data and clock, or on SPI 0 (None)."""
        return self._wires()

    def lamps(self) -> dict[int, str]:
        """The lamp of each seat: `on` while it is asked, `blinks` after a refusal, else `off`."""
        return {seat: picture.lamp for seat, picture in self._table.snapshot().private.items()}


class Listeners(Closing):
    """All listeners that are installed. They are looked for once the table is open; `found` is set
    when they have been.

    Args:
        said: what companion.toml says under the headings of plugins.
        wires: as `TableSeen`.
    """

    def __init__(self, table: TablePort, said: Mapping[str, Said], wires: Wires = dict) -> None:
        self._table, self._seen, self._said = table, TableSeen(table, wires), said
        self._open: list[_Listening] = []
        self._is_closing, self.found = Event(), Event()
        self._thread = Thread(target=self._start, name="listeners", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """May be called twice."""
        self._is_closing.set()
        self._thread.join(CLOSING_S)
        for one in self._open:
            one.close()

    def _start(self) -> None:
        for plugin in plugins("listeners", with_ours=bool(self._said)).values():
            said = self._said.get(plugin.name)
            # Those that ship have a heading each: without it nothing of them is imported.
            is_wanted = said is not None or not plugin.is_ours
            if is_wanted and not self._is_closing.is_set():
                options = None if said is None else Options(plugin.name, said)
                self._open.append(_Listening(plugin, self._table, self._seen, options))
        self.found.set()


class _Listening(Closing):
    """One listener. What was before it is told to nobody.

    Its entry point is a function of an event, or, where it has options, `open(table, options)`,
    which gives such a function, and is called only if companion.toml has its heading.
    """

    def __init__(
        self, plugin: Plugin, table: TablePort, seen: TableSeen, options: Options | None
    ) -> None:
        self._plugin, self._seen, self._options = plugin, seen, options
        self._waiting: deque[Mapping[str, Any]] = deque(maxlen=MOST_WAITING)
        self._changed, self._is_open, self._is_fresh = Condition(), True, True
        self._patience = _Patience(partial(_told, plugin))
        self._told = table.snapshot().version
        self._unwatch = table.watch(self._look)
        self._thread = Thread(target=self._run, name=f"plugin {plugin.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """May be called twice."""
        self._unwatch()
        with self._changed:
            self._is_open = False
            self._changed.notify()
        self._thread.join(CLOSING_S)

    def _look(self, shown: Snapshot) -> None:
        """In the table's thread, which waits for no plugin."""
        with self._changed:
            at = len(shown.log)
            while at and shown.log[at - 1]["version"] > self._told:
                at -= 1
            self._waiting.extend(shown.log[at:])
            self._told = max(self._told, shown.version)
            self._is_fresh = self._is_fresh or not shown.ticked
            self._changed.notify()

    def _run(self) -> None:
        self._patience.begin()
        try:
            tell = self._opened()
            self._patience.end()
            if tell is not None:
                with ExitStack() as opened:
                    if callable(close := getattr(tell, "close", None)):
                        opened.callback(close)
                    self._serve(tell)
        except (Exception, SystemExit) as error:
            self._patience.end()
            _told(self._plugin, error)
        self._unwatch()

    def _serve(self, tell: Callable[[dict[str, Any]], object]) -> None:
        changed, pause_s = getattr(tell, "changed", None), None
        while self._wait(pause_s):
            with self._changed:
                events, self._is_fresh = [*self._waiting], False
                self._waiting.clear()
            self._patience.begin()
            for event in events:
                tell(dict(event))
            pause_s = None if changed is None else pause_in(changed())
            self._patience.end()

    def _opened(self) -> Callable[[dict[str, Any]], object] | None:
        """What is told each event; None: companion.toml does not want it."""
        found = self._plugin.load()
        if self._plugin.called_with(found, "event", "table, options") == "event":
            return found
        if self._options is None:
            return None
        tell: Callable[[dict[str, Any]], object] = found(self._seen, self._options)
        if not callable(tell):
            raise self._plugin.broken(f"gives {tell!r:.80}; it should be a function of an event")
        self._options.check()
        return tell

    def _wait(self, pause_s: float | None) -> bool:
        """Until there is something to tell, so many seconds at most; whether the table is open."""
        with self._changed:
            self._changed.wait_for(self._has_news, pause_s)
            return self._is_open

    def _has_news(self) -> bool:
        return not self._is_open or bool(self._waiting) or self._is_fresh


def pause_in(said: object) -> float | None:
    """The seconds that a listener's `changed()` gives, within bounds; None: it gives none.

    Raises:
        ValueError: it gives something else.

    >>> pause_in(0.7), pause_in(0), pause_in(None)
    (0.7, 0.05, None)
    """
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, int | float):
        raise ValueError(f"changed() gives {said!r:.80}; it should be seconds, or None")
    return min(max(LEAST_PAUSE_S, said), MOST_PAUSE_S)  # in this order: what is no number is least


def _told(plugin: Plugin, why: str | BaseException, *, of_seats: bool = False) -> str:
    """The sentence of what is wrong with a plugin, which is told on the log: of seats with each of
    them, so that here it is only where in the plugin's own code it happened."""
    sentence = f"{why if isinstance(why, PluginError) else plugin.broken(in_words(why))}"
    fault = None if isinstance(why, str | PluginError) else why
    if fault or not of_seats:
        _log.warning("%s", sentence, exc_info=fault)
    return sentence
