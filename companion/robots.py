"""Bots at the table: whoever has `"bot": LEVEL` in the header answers for itself.

A bot is a caller like any other: it looks at the race as it was published, thinks in a thread of
its own, and says its answer with the version that it was thought out for; what has changed
meanwhile makes it stale, and it looks again. Dice are not its own: a person throws them, or the
companion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from logging import getLogger
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from companion.advice.bots.levels import USUAL, Kind, level_kind
from companion.advice.by_sky import BySky
from companion.closing import Closing
from companion.dice import sides_of
from companion.frozen import dataclass
from companion.rules.commands import Answer
from companion.rules.formula.state import State
from companion.rules.game import Ask, OpenAsk
from companion.table.ports import Caller, TablePort

_log = getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Moment:
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
            is_own = not opened.ask.by_hand and sides_of(opened.ask) is None
            if opened.seat in self.bots and is_own:
                return self.bots[opened.seat], opened.ask
        return None


SolvedFor = Callable[[State], BySky | None]
"""The solved boards of a race, solved if need be; None: they cannot be."""


class Robots(Closing):
    """The bots of a table.

    Args:
        pace_s: seconds that a bot takes for an answer at least, so that people can follow.
    """

    def __init__(self, table: TablePort, solved: SolvedFor, pace_s: float) -> None:
        self._table, self._solved, self._pace_s = table, solved, pace_s
        self._moments: SimpleQueue[Moment | None] = SimpleQueue()
        self._closing = Event()
        self._levels: dict[str, tuple[Kind, Any]] = {}
        self._race = ""
        self._thread = Thread(target=self._serve, name="bots", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; an answer that is being thought out is not given."""
        self._closing.set()
        self._moments.put(None)
        self._thread.join()

    def look(self, moment: Moment) -> None:
        """The race stands so now. From the table's thread; no waiting."""
        if moment.next_ask() is not None:
            self._moments.put(moment)

    # -- the bots' thread -----------------------------------------------------------------------

    def _serve(self) -> None:
        while (moment := self._latest()) is not None:
            try:
                self._answer(moment)
            except Exception:  # a bot's fault must not end the evening: a person answers for it
                _log.exception("a bot did not know what to answer")

    def _latest(self) -> Moment | None:
        """The newest of what waits; None: it is over."""
        moment = self._moments.get()
        while moment is not None:
            try:
                moment = self._moments.get_nowait()
            except Empty:
                break
        return moment

    def _answer(self, moment: Moment) -> None:
        found = moment.next_ask()
        if found is None or self._closing.wait(self._pace_s):
            return
        name, ask = found
        kind, bot = self._level(moment, name)
        value = kind.answer(bot, moment.state, ask)
        line = Answer(ask.seat, ask.kind, value).line
        said = {**line, "version": moment.version}
        reply = self._table.submit(Caller(seat=ask.seat, by="bot"), said)
        if reply.status >= _REFUSED and reply.status != _STALE:
            _log.warning("a bot's answer was refused: %s", reply.body.get("error"))

    def _level(self, moment: Moment, name: str) -> tuple[Kind, Any]:
        """The level of this name, and its bot for this race; what cannot be solved is played
        without."""
        if moment.race != self._race:
            self._levels, self._race = {}, moment.race
        if name not in self._levels:
            kind, figures = level_kind(name, moment.game), None
            if kind.needs_board:
                figures = self._solved(moment.state)
                kind = kind if figures is not None else level_kind(USUAL)
            self._levels[name] = kind, kind.make(figures)
        return self._levels[name]


_REFUSED = 400
_STALE = 409
