"""The bots of a running table, and the boards that are solved for them.

A seat with `"bot": LEVEL` in the header answers for itself. A bot is a caller like any other: it
looks at the race as it was published, thinks in a thread of its own, and gives its answer with
the version that it was thought out for; what has changed meanwhile makes it stale, and it looks
again. Dice are not its own: a person throws them, or the companion.

A bot of the higher levels needs the board solved, and so do odds in turns. That is the work of a
process of its own, so that the table neither waits nor grows; until it is done such a bot plays as
one that needs none. While nobody plays, the board of a race with advice is solved ahead, at the
lowest priority.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from companion.advice.bots.levels import USUAL, Kind, level_kind
from companion.rules.board.build import load_track
from companion.rules.game import Ask, OpenAsk
from companion.rules.games import fetch
from companion.rules.lines import Answer
from companion.system.config import Config
from companion.system.frozen import dataclass
from companion.system.host import Closing, Lasting, how_to_install, make_way
from companion.table.ports import Caller, Snapshot
from companion.table.session import Session
from companion.table.state import TableState

if TYPE_CHECKING:
    from companion.advice.alone import BySky
    from companion.advice.solve.model import Sky
    from companion.rules.formula.book import Wear
    from companion.rules.formula.state import State

_log = logging.getLogger(__name__)
_REFUSED = 400
_STALE = 409


class TableBots(Closing):
    """The bots of a table. Their thread begins with the first ask that is for one of them."""

    def __init__(self, session: Session, state: TableState, config: Config, solver: Solver) -> None:
        self._session, self._state, self._config = session, state, config
        self._solver = solver
        self._waiting: SimpleQueue[_Position | None] = SimpleQueue()
        self._closing = Event()
        self._levels: dict[str, tuple[Kind, Any]] = {}
        self._race = ""
        self._thread: Thread | None = None
        self._stop = session.watch(self._look)

    def close(self) -> None:
        """Stop; an answer that is being thought out is not given. May be called twice."""
        self._stop()
        self._closing.set()
        self._waiting.put(None)
        if self._thread is not None:
            self._thread.join()

    def _look(self, shown: Snapshot) -> None:
        """In the table's thread; no waiting."""
        race = self._state.race
        if race is None or not race.beside.bots or race.is_finished or race.paused:
            return
        engine, bots = race.engine, race.beside.bots
        game = str(race.header["game"])
        position = _Position(race.id, game, bots, engine.moment, engine.version, engine.open_asks)
        if position.next_ask() is None:
            return
        self._waiting.put(position)
        if self._thread is None:
            self._thread = Thread(target=self._serve, name="bots", daemon=True)
            self._thread.start()

    # -- the bots' thread ----------------------------------------------------------------------

    def _serve(self) -> None:
        while (position := self._latest()) is not None:
            try:
                self._answer(position)
            except Exception:  # a bot's fault must not end the evening: a person answers for it
                _log.exception("a bot did not know what to answer")

    def _latest(self) -> _Position | None:
        """The newest of what waits; None: it is over."""
        position = self._waiting.get()
        while position is not None:
            try:
                position = self._waiting.get_nowait()
            except Empty:
                break
        return position

    def _answer(self, position: _Position) -> None:
        found = position.next_ask()
        # Not `sleep`: a table that closes does not wait for a bot that takes its time.
        if found is None or self._closing.wait(self._config.bot_pace_s):
            return
        name, ask = found
        kind, bot = self._level(position, name)
        value = kind.answer(bot, position.state, ask)
        line = {**Answer(ask.seat, ask.kind, value).line, "version": position.version}
        reply = self._session.submit(Caller(seat=ask.seat, by="bot"), line)
        if reply.status >= _REFUSED and reply.status != _STALE:
            _log.warning("a bot's answer was refused: %s", reply.body.get("error"))

    def _level(self, position: _Position, name: str) -> tuple[Kind, Any]:
        """The level of this name, and its bot for this race.

        As long as its board is not solved, and where it cannot be, the usual level plays.
        """
        if position.race != self._race:
            self._levels, self._race = {}, position.race
        if name not in self._levels:
            kind, figures = level_kind(name, position.game), None
            if kind.needs_board:
                figures = self._solver.figures(position.race, position.state)
                if figures is None:
                    stands_in = level_kind(USUAL)
                    return stands_in, stands_in.make(None)
            self._levels[name] = kind, kind.make(figures)
        return self._levels[name]


@dataclass(frozen=True, slots=True)
class _Position:
    """A race as it stands: which, the levels of its bots by seat, the state, and what is asked."""

    race: str
    game: str
    bots: Mapping[int, str]
    state: Any
    version: int
    asks: tuple[OpenAsk, ...]

    def next_ask(self) -> tuple[str, Ask] | None:
        """The level and the first ask of a bot; None: none is asked anything.

        Dice, and what lies on the table otherwise, are for people.
        """
        for opened in self.asks:
            is_own = not opened.ask.by_hand and opened.ask.sides is None
            if opened.seat in self.bots and is_own:
                return self.bots[opened.seat], opened.ask
        return None


# -- solving --------------------------------------------------------------------------------------

LOOK_S = 0.2
LOWEST = 19
"""The priority of what only fills the gaps."""


class Solver(Closing):
    """Has the boards of races solved, each by a process of its own, once a race.

    Args:
        folder: of the solved boards.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        self._tried: dict[str, _Process] = {}

    def close(self) -> None:
        """Give up what is being solved. May be called twice."""
        for process in self._tried.values():
            process.close()

    @property
    def share(self) -> float | None:
        """How much of the board that is being solved is done, 0 to 1; None: none is."""
        at_work = (one.share.value for one in list(self._tried.values()) if one.is_at_work)
        return next(at_work, None)

    def figures(self, race: str, state: State, *, gently: bool = False) -> BySky | None:
        """The solved boards of a race; None: they are being solved, or cannot be here.

        Args:
            gently: with what nobody else wants of the processor.
        """
        # Imported here, and below: a race without bots and advice needs none of it.
        from companion.advice.alone import BySky, skies_of
        from companion.rules.formula.book import as_advice_has_it
        from companion.study.solved import SolvedBoards

        setup, boards, wanted = state.setup, SolvedBoards(self._folder), skies_of(state)
        if setup.boardless:
            return None
        wears = [car.full for car in state.cars.values()]
        figures = BySky(setup, lambda sky: boards.find(setup, wears, sky))
        if all(figures.exactly(sky) for sky in wanted):
            return figures
        with self._lock:
            process = self._tried.get(race)
            if process is None:
                house = as_advice_has_it(setup.house, setup.edition.name)
                given = {"laps": setup.laps, "rules": setup.rules, "house": house}
                work = setup.track.source, setup.edition.name, given, wears, wanted
                process = self._tried[race] = _Process(self._folder, work, gently)
        # What cannot be solved does not keep a bot from what can.
        return figures if not process.is_at_work and figures.exactly(wanted[0]) else None

    def wait(self, race: str, given_up: Event) -> None:
        """Until the boards of a race are looked after."""
        process = self._tried.get(race)
        while process is not None and process.is_at_work and not given_up.wait(LOOK_S):
            pass


class _Process:
    """One that solves; `share` is how much of it is done."""

    def __init__(self, folder: Path, work: tuple[Any, ...], gently: bool) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self.share = context.Value("d", 0.0, lock=False)
        args = (folder, *work, gently, self.share)
        self._process = context.Process(target=_solve, args=args, daemon=True)
        self._process.start()
        self._is_told = False

    @property
    def is_at_work(self) -> bool:
        """Whether it goes on; the first who finds that it failed is told on the log."""
        if self._process.exitcode and not self._is_told:
            self._is_told = True
            _log.warning("the board could not be solved (see above): bots play without it")
        return self._process.exitcode is None

    def close(self) -> None:
        """End it."""
        self._is_told = True
        self._process.kill()
        self._process.join()


class IdleSolving(Closing):
    """Solves the board of the race on the table once nobody has done anything for a while.

    `done` is set when a board has been looked after.
    """

    def __init__(self, session: Session, state: TableState, config: Config, solver: Solver) -> None:
        self._state, self._config, self._solver = state, config, solver
        self._changed = Event()
        self._closing = Event()
        self._tried: set[str] = set()
        self._waits: tuple[str, State] | None = None
        self._thread: Thread | None = None
        self.done = Event()
        self._stop = session.watch(self._look)

    def close(self) -> None:
        """Stop. May be called twice."""
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
            self._thread = Lasting("idle", self._serve, self._closing.is_set)
            self._thread.start()

    def _serve(self) -> None:
        while not self._closing.wait(self._config.idle_s):
            was_quiet, waits = not self._changed.is_set(), self._waits
            self._changed.clear()
            if was_quiet and waits is not None:
                # Once for each race, whether or not its board can be solved.
                self._tried.add(waits[0])
                self._solve(*waits)
                self.done.set()

    def _solve(self, race: str, state: State) -> None:
        from companion.rules.formula.state import State
        from companion.study.solved import is_known

        is_ours = isinstance(state, State) and is_known(state.setup)
        if is_ours and find_spec("numpy") is not None:
            self._solver.figures(race, state, gently=True)
            self._solver.wait(race, self._closing)


def _solve(
    folder: Path, source: str, game: str, given: dict[str, Any], wears: list[Wear],
    wanted: list[Sky], gently: bool, share: Any,
) -> None:  # fmt: skip
    """In a process of its own."""
    if find_spec("numpy") is None:
        sys.exit(f"companion: numpy solves a board: {how_to_install('solve')}")
    if gently:
        make_way(LOWEST)
    from companion.rules.formula.book import Setup, edition_of
    from companion.rules.formula.game import Formula
    from companion.study.solved import SolvedBoards

    rules = fetch(game)
    assert isinstance(rules, Formula)
    edition = edition_of(rules.edition, given["rules"])
    setup = Setup(load_track(source), edition=edition, **given)

    def tell(before: int, done: float) -> None:
        share.value = (before + done) / len(wanted)

    for at, sky in enumerate(wanted):
        SolvedBoards(folder).solved(setup, wears, partial(tell, at), sky=sky)
