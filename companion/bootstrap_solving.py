"""Solves the board of the race on the table while nobody does anything, for the odds to have turns.

That is done by a process of its own, at the lowest priority, so that the table neither waits nor
grows; a race without advice has nothing solved for it.
"""

from __future__ import annotations

from importlib.util import find_spec
from threading import Event, Thread
from typing import TYPE_CHECKING

from companion.bootstrap_bots import solved_apart
from companion.closing import Closing
from companion.config import Config
from companion.table.ports import Snapshot
from companion.table.session import Session
from companion.table.state import TableState

if TYPE_CHECKING:
    from companion.rules.formula.state import State


class IdleSolving(Closing):
    """Looks every so often whether the table was quiet since the last look.

    `done` is set when a board has been looked after.
    """

    def __init__(self, session: Session, state: TableState, config: Config) -> None:
        self._state, self._config = state, config
        self._changed = Event()
        self._closing = Event()
        self._tried: set[str] = set()
        self._waits: tuple[str, State] | None = None
        self._thread: Thread | None = None
        self.done = Event()
        self._stop = session.watch(self._look)

    def close(self) -> None:
        """Stop; a board that is being solved is given up. May be called twice."""
        self._stop()
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _look(self, shown: Snapshot) -> None:
        """In the table's thread."""
        self._changed.set()
        race = self._state.race
        if race is None or race.id in self._tried or race.is_finished or not race.beside.advice:
            self._waits = None
            return
        self._waits = race.id, race.engine.moment
        if self._thread is None:
            self._thread = Thread(target=self._serve, name="idle", daemon=True)
            self._thread.start()

    def _serve(self) -> None:
        while not self._closing.wait(self._config.idle_s):
            was_quiet, waits = not self._changed.is_set(), self._waits
            self._changed.clear()
            if was_quiet and waits is not None:
                self._tried.add(waits[0])
                self._solve(waits[1])
                self.done.set()

    def _solve(self, state: State) -> None:
        from companion.advising import is_known
        from companion.rules.formula.state import State as FormulaState

        is_ours = isinstance(state, FormulaState) and is_known(state.setup)
        if is_ours and find_spec("numpy") is not None:
            solved_apart(self._config.data / "solved", state, given_up=self._closing)
