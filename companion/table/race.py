"""One race on the table: the engine, and what the table remembers beside it.

Everything that happens is a line, and `fold` is the only thing that changes a race. Live, a
line is said once (`say`) and waits in `lines` to be written; after a restart the same lines
are folded again and give the same race. Nothing in here knows a disk, a thread or a clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.boards import TrackLibrary
from companion.record import RecordError, engine_line, header_of, tracks_of
from companion.rules.board.track import Track
from companion.table.ports import JSON, By
from companion.table.secrecy import revealed

LOG_LENGTH = 120
"""Events kept for the story; a page tells the last thirty that are worth a sentence."""

Key = tuple[int, str]


class EnginePort(Protocol):
    """The engine protocol as an object."""

    @property
    def version(self) -> int:
        """Counts the accepted lines that changed the race; never goes back."""

    def handle(self, line: dict[str, Any]) -> dict[str, Any]:
        """The reply to a line. Never raises."""

    def state(self) -> dict[str, Any] | None:
        """STATE of the race, None before the first."""

    def secrets(self, seat: int) -> dict[str, Any]:
        """What only this seat may see."""


class BrokenRace(Exception):
    """A race of the journal that today's rules do not accept; the message names line and rule."""


Engines = Callable[[TrackLibrary, int], EnginePort]
"""Makes an engine with these boards whose version goes on from a number."""


@dataclass(frozen=True, slots=True)
class Given:
    """An accepted line that `undo` counts.

    `version` is the one before the line; `since` the version at which the ask opened that it
    answers, None for a referee's line; `reveals` are the kinds of secret answers that came out
    with it.
    """

    line: JSON
    by: By
    version: int
    since: int | None
    reveals: frozenset[str] = frozenset()
    at: float = 0.0

    @property
    def key(self) -> Key | None:
        """Seat and kind of an answer; None for a referee's line."""
        if self.since is None:
            return None
        return self.line["seat"], kind_of(self.line)


def kind_of(line: JSON) -> str:
    """The kind of ask that an answer answers; "" where there is none."""
    return next((key for key in line if key not in ("seat", "version", "reason")), "")


class Race:
    """A race under way; made by `open_race`.

    `saved` counts the lines that are known to be on disk; `words` are refusals for seats
    whose early gear came to nothing; `pauses` lasted from when to when (None: it lasts);
    `watch_from` is when watches really began whose first answer was given again.
    """

    def __init__(self, engine: EnginePort, first: JSON) -> None:
        self.engine = engine
        self.lines: list[JSON] = [first]
        self.saved = 0
        self.asks: list[dict[str, Any]] = []
        self.given: list[Given] = []
        self.old: dict[Key, list[Any]] = {}
        self.preset: dict[int, int] = {}
        self.preset_by: dict[int, By] = {}
        self.proposal: JSON | None = None
        self.paused = False
        self.pauses: list[tuple[float, float | None]] = []
        self.watch_from: dict[int, float] = {}
        self.log: deque[JSON] = deque(maxlen=LOG_LENGTH)
        self.words: dict[int, JSON] = {}
        self.track: Track | None = None
        self._state: tuple[int, JSON] | None = None

    @property
    def id(self) -> str:
        """What the journal and the record know the race by."""
        return str(self.lines[0]["id"])

    @property
    def header(self) -> JSON:
        """HEADER of the engine protocol."""
        return header_of(self.lines[0])

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats in the order of the header; the first is the host's."""
        return tuple(entry["seat"] for entry in self.lines[0]["seats"])

    @property
    def state(self) -> JSON:
        """STATE, made once a version."""
        version = self.engine.version
        if self._state is None or self._state[0] != version:
            self._state = version, self.engine.state() or {}
        return self._state[1]

    @property
    def is_finished(self) -> bool:
        """Whether the rules have come to a result."""
        return bool(self.state.get("phase") == "finished")

    @property
    def has_result(self) -> bool:
        """Whether that result has been recorded, and nothing was undone since."""
        return "result" in self.lines[-1]

    @property
    def unsaved(self) -> list[JSON]:
        """The lines that are not yet known to be on disk."""
        return self.lines[self.saved :]

    def say(self, line: JSON, *, by: By, at: float) -> dict[str, Any]:
        """Fold a line and, where it is accepted, keep it to be written."""
        reply = self.fold(line, by, at)
        if reply["ok"]:
            told = {key: value for key, value in line.items() if key != "version"}
            self.lines.append({"at": at, "by": by, **told})
        return reply

    def fold(self, line: JSON, by: By, at: float) -> dict[str, Any]:
        """Let a line take effect; the reply is that of the engine protocol."""
        if "table" in line:
            _WORDS[line["table"]](self, {"at": at, **line}, by)
            return self.reply()
        told = engine_line(line)
        if told is None:
            return self.reply()
        before, since = self.engine.version, self._since(told)
        reply = self.engine.handle(told)
        self.asks = reply["asks"]
        if reply["ok"]:
            kept = {key: value for key, value in told.items() if key != "version"}
            reveals = revealed(self.header, reply["events"])
            self._remember(Given(kept, by, before, since, reveals, at), reply["events"])
        return reply

    def reply(self) -> dict[str, Any]:
        """The reply to what changes the table and not the race."""
        return {"ok": True, "version": self.engine.version, "events": [], "asks": self.asks}

    def begin(self) -> dict[str, Any]:
        """Give the engine the header; its reply."""
        reply = self.engine.handle({"new": self.header})
        self.asks = reply["asks"]
        if reply["ok"]:
            self._tell(reply["events"])
        return reply

    def _since(self, told: JSON) -> int | None:
        key = told.get("seat"), kind_of(told)
        return next((ask["since"] for ask in self.asks if (ask["seat"], ask["kind"]) == key), None)

    def _remember(self, given: Given, events: Sequence[JSON]) -> None:
        self._tell(events)
        if "undo" in given.line:
            self._forget(given.line["undo"])
            return
        self.given.append(given)
        if given.key is None:
            self.proposal = None
            return
        seat, kind = given.key
        if self.proposal and self.proposal["seat"] == seat:
            self.proposal = None
        if kind == "gear":
            self.preset.pop(seat, None)
        if given.key in self.old:
            del self.old[given.key][0]
            if not self.old[given.key]:
                del self.old[given.key]

    def _forget(self, count: int) -> None:
        """Answers taken back are offered again, the oldest of a kind first."""
        self.proposal = None
        for given in reversed(self.given[-count:]):
            if given.key is not None:
                self.old.setdefault(given.key, []).insert(0, given.line[given.key[1]])
        del self.given[-count:]
        driven = {given.key[0] for given in self.given if given.key and given.key[1] == "gear"}
        self.watch_from = {s: at for s, at in self.watch_from.items() if s in driven}

    def _tell(self, events: Sequence[JSON]) -> None:
        version = self.engine.version
        self.log.extend({"version": version, **event} for event in events)


def _pause(race: Race, line: JSON, by: By) -> None:
    if not race.paused:
        race.pauses.append((line["at"], None))
    race.paused = True


def _resume(race: Race, line: JSON, by: By) -> None:
    if race.paused:
        race.pauses[-1] = (race.pauses[-1][0], line["at"])
    race.paused = False


def _watch(race: Race, line: JSON, by: By) -> None:
    race.watch_from[line["seat"]] = line["from"]


def _preset(race: Race, line: JSON, by: By) -> None:
    race.preset.pop(line["seat"], None)
    if line["gear"] is not None:
        race.preset[line["seat"]] = line["gear"]
        race.preset_by[line["seat"]] = by


def _propose(race: Race, line: JSON, by: By) -> None:
    told = {key: line[key] for key in ("seat", "space", "error") if key in line}
    race.proposal = {**told, "from": line["from"]}


def _drop(race: Race, line: JSON, by: By) -> None:
    race.proposal = None


_WORDS: dict[str, Callable[[Race, JSON, By], None]] = {
    "pause": _pause,
    "resume": _resume,
    "watch": _watch,
    "preset": _preset,
    "propose": _propose,
    "drop": _drop,
}


def open_race(engines: Engines, lines: Sequence[JSON], base: int) -> Race:
    """The race that these lines of a journal tell, as it stood after the last of them.

    Args:
        base: the version that the engine goes on from.

    Raises:
        BrokenRace: a line is refused that was accepted once.
    """
    tracks = tracks_of(lines[0])
    race = Race(engines(tracks, base), lines[0])
    if lines[0].get("track_file"):
        race.track = tracks.load(lines[0]["track"])
    replies = [race.begin()]
    for line in lines[1:]:
        replies.append(race.fold(line, line.get("by", "companion"), line.get("at", 0.0)))
        race.lines.append(line)
        if not replies[-1]["ok"]:
            break
    if not replies[-1]["ok"]:
        error = replies[-1]["error"]
        fault = RecordError(len(replies), error["message"], rule=error["rule"])
        raise BrokenRace(f"race {race.lines[0]['name']!r} does not hold any more: {fault}")
    race.saved = len(race.lines)
    return race
