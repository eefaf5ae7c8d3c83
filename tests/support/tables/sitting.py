"""A table to sit down at: the real rules and boards, a journal in memory, a clock that is set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.games import fetch
from companion.rules.lines import Refusal
from companion.table import ports
from companion.table.clock import TableClock
from companion.table.commands import command_of
from companion.table.handlers import carry_out, reply_of
from companion.table.ports import JSON, Caller, LoggedRace, Reply, StorageError
from companion.table.resume import memory_of
from companion.table.session import DiskNews, Services, Session
from companion.table.state import Surroundings, TableState
from companion.views.model import Scene, SeatView
from companion.views.screen import game_of
from support.formula.careful import answer
from support.formula.table import OneRead

REFEREE = Caller(referee=True, by="referee")


def phone(seat: int) -> Caller:
    """A phone with the token of a seat."""
    return Caller(seat=seat)


def version_and_state(scene: Scene) -> dict[str, object]:
    """The little of the page's view that most tests look at."""
    state = None if scene.state is None else fetch(game_of(scene)).tell(scene.state)
    return {"version": scene.version, "state": state}


class ListJournal:
    """A journal in memory. `full` makes the next commits fail; `commits` counts the others."""

    def __init__(self) -> None:
        self.logs: dict[str, list[JSON]] = {}
        self.commits = 0
        self.full = False
        self.memory: dict[str, tuple[int, bytes]] = {}

    def keep(self, race: str, lines: int, make: Callable[[], bytes]) -> None:
        self.memory = {race: (lines, make())}

    def kept(self, race: str) -> tuple[int, bytes] | None:
        return self.memory.get(race)

    def append(self, race: str, *lines: JSON) -> int:
        if self.full:
            raise StorageError("the disk is full: make room on it")
        self.commits += 1
        self.logs.setdefault(race, []).extend(lines)
        return len(self.logs[race])

    def lines(self, race: str) -> list[JSON]:
        return list(self.logs.get(race, ()))

    def races(self, *, older: bool = False) -> list[LoggedRace]:
        if older:
            return []
        return [
            LoggedRace(name, lines[0]["name"], lines[0], "result" in lines[-1])
            for name, lines in reversed(self.logs.items())
            if "record" in lines[0]
        ]

    def close(self) -> None:
        pass


class CachedLibrary(TrackLibrary):
    """Monaco, compiled once for all tests."""

    def load(self, name: Any) -> Any:
        return OneRead.load(name) if name == "monaco" else super().load(name)


def make_engine(tracks: TrackLibrary, version: int) -> Engine:
    engine = Engine(CachedLibrary())
    engine.version = version
    return engine


def make_state(
    journal: ListJournal,
    tracks: TrackLibrary | None = None,
    buttons: frozenset[int] = frozenset(),
    switch: Callable[[str], str] | None = None,
) -> TableState:
    ids = count(len(journal.logs))
    return TableState(
        Surroundings(
            journal=journal,
            engines=make_engine,
            tracks=tracks or CachedLibrary(()),
            new_id=lambda: f"race-{next(ids)}",
            new_seed=lambda: "5e" * 32,
            date=lambda: "2026-01-01T00:00:00+00:00",
            buttons=buttons,
            switch=switch,
        )
    )


def race_header(seats: int = 3, **more: Any) -> dict[str, Any]:
    """A race of Monaco with Ana, Bob, Cleo … in grid order."""
    names = ["Ana", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hana", "Ines", "Jon"][:seats]
    data = [{"seat": seat, "name": name} for seat, name in enumerate(names, 1)]
    grid = list(range(1, seats + 1))
    settled = {"grid": grid, "start": "normal", "weather": "fine"}
    return {"game": "formula-d", "track": "monaco", "seats": data, **settled, **more}


class Sitting:
    """A table without thread or disk: what is sent is carried out, kept, and can be reloaded."""

    def __init__(
        self, journal: ListJournal | None = None, tracks: TrackLibrary | None = None
    ) -> None:
        self.journal = journal or ListJournal()
        self.state = make_state(self.journal, tracks)
        self.at = 0.0

    def says(self, caller: Caller, line: JSON, *, pressed: bool = False) -> Reply:
        self.at += 1
        try:
            done = carry_out(self.state, caller, command_of(line), self.at, pressed=pressed)
            reply = reply_of(self.state, done)
        except Refusal as refusal:
            reply = ports.reply(refusal, self.state.asks)
        for log, kept in self.state.take_unsaved():
            self.journal.append(log, kept)
        return reply

    def accepts(self, caller: Caller, line: JSON, *, pressed: bool = False) -> JSON:
        reply = self.says(caller, line, pressed=pressed)
        assert reply.status == 200, reply
        return reply.body

    def refuses(self, caller: Caller, line: JSON, *, pressed: bool = False) -> str:
        """The key of the refusal; nothing has changed by it."""
        before, version = self.everything(), self.state.version
        reply = self.says(caller, line, pressed=pressed)
        assert reply.status >= 400, reply
        assert (self.everything(), self.state.version) == (before, version)
        return str(reply.body["error"]["key"])

    def keeps(self) -> None:
        """What the race has come to is kept, as a session has it done now and then."""
        made = memory_of(self.race, self.state.base)
        self.journal.keep(self.race.id, len(self.race.lines), made)

    def begins(self, seats: int = 3, **more: Any) -> JSON:
        return self.accepts(REFEREE, {"new": race_header(seats, **more)})

    def goes_on(self, answers: int, dice: Random | None = None) -> None:
        """So many sensible answers by the seats that are asked."""
        dice = dice or Random(7)
        for _ in range(answers):
            ask = self.state.asks[0]
            self.accepts(phone(ask["seat"]), self.sensible(ask, dice))

    def sensible(self, ask: dict[str, Any], dice: Random) -> dict[str, Any]:
        value = answer(ask, self.race.engine.moment, dice)  # type: ignore[attr-defined]
        if isinstance(value, dict):
            value = {"to": value["to"], "brakes": value["brakes"]}
        return {"seat": ask["seat"], ask["kind"]: value}

    @property
    def race(self) -> Any:
        assert self.state.race is not None
        return self.state.race

    def everything(self) -> list[Any]:
        """All that must come back after a restart."""
        table, race = self.state, self.state.race
        data: list[Any] = [table.version, table.languages, table.host, table.asks]
        if race is None:
            return [*data, table.lobby]
        return [
            *data,
            race.state,
            race.given,
            race.old,
            race.preset,
            race.proposal,
            race.paused,
            list(race.log),
            race.lines,
        ]


class Keys:
    """Stand-in for the drawing: 1024 bytes that differ where the views do."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, view: SeatView) -> bytes:
        self.drawn += 1
        return repr(view).encode()[:1024].ljust(1024)


class Room:
    """A session with its thread, a journal in memory and records in a dict."""

    def __init__(
        self,
        journal: ListJournal | None = None,
        draw: Any = None,
        tell: Any = None,
        disk: DiskNews | None = None,
        alive: Callable[[], None] | None = None,
        buttons: frozenset[int] = frozenset(),
    ) -> None:
        self.journal = journal or ListJournal()
        self.state = make_state(self.journal, buttons=buttons)
        self.now = 100.0
        self.records: dict[str, list[JSON]] = {}
        self.draw = draw or Keys()
        self.session = Session(
            self.state,
            Services(
                journal=self.journal,
                clock=TableClock(now=self.tick, wall=lambda: 0.0),
                link=lambda seat: f"http://table/seat/{seat}#secret{seat}",
                draw=self.draw,
                table_body=tell or version_and_state,
                write_record=self.keep,
                disk=disk or DiskNews(),
                alive=alive or (lambda: None),
                alive_every_s=0.001 if alive else None,
            ),
        )

    def tick(self) -> float:
        self.now += 0.5
        return self.now

    def keep(self, race: str, lines: Sequence[JSON]) -> None:
        self.records[race] = list(lines)

    def key(self, seat: int, matches: Callable[[Any], bool]) -> int:
        """The button of a seat whose intents fit."""
        from companion.views.dialog import choices

        scene = self.session._scene
        row = choices(scene, seat, self.session._screens.dialog(seat))
        return next(
            n for n, choice in enumerate(row, 1) if choice and any(map(matches, choice.does))
        )
