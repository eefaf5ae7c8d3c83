"""What is looked at: everything an engine says to the lines of a race, as short sums.

The only doors used are the engine protocol and the record.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import make_header, replay
from corpus import then
from corpus.form import sum_of

JSON = dict[str, Any]
STARTS = ("grid", "start", "weather", "position")
"""What a position stands in for in a header."""
NOT_PLAYED = ("new", "again", "state", "quit")
WHEN = "2026-01-01T00:00:00Z"


class Boards(TrackLibrary):
    """The boards that ship, each compiled once."""

    def __init__(self) -> None:
        super().__init__(())

    def load(self, name: Any) -> Any:
        """The board of this name."""
        return _compiled(name) if isinstance(name, str) else super().load(name)


@cache
def _compiled(name: str) -> Any:
    return TrackLibrary(()).load(name)


class Transcript:
    """One engine that hears the lines of a race.

    Besides lines of the engine protocol it takes `{"again": EDITS}`: a new race by the header of
    the one under way, with its STATE as position, after each of `EDITS`: `[path]` takes away,
    `[path, value]` puts in.
    """

    def __init__(self) -> None:
        self.engine = Engine(Boards())
        self.reply: JSON = {}
        self._overshot: list[frozenset[int]] = []

    @property
    def state(self) -> JSON:
        """STATE."""
        return then.state(self.engine.state() or {})

    @property
    def asks(self) -> list[JSON]:
        """The open asks."""
        return [dict(ask) for ask in self.engine.asks()]

    def hear(self, line: Any) -> Any:
        """What comes of a line: sums of its events and its asks, or the error in parts."""
        line = self.spoken(line)
        before, asks = self.engine.version, self.asks
        self.reply = reply = self.engine.handle(copy.deepcopy(line))
        if not reply["ok"]:
            error = dict(reply["error"])
            same = reply["asks"] == asks == self.asks and self.engine.version == before
            error["message"] = sum_of(error["message"])
            return error if same and set(reply) == {"ok", "error", "asks"} else [error, "a trace"]
        self._note(line, reply["events"])
        told = {key: value for key, value in reply.items() if key not in ("ok", "asks")}
        return f"{sum_of(then.line(told))} {sum_of(reply['asks'])}"

    def spoken(self, line: Any) -> Any:
        """The line of the engine protocol that a line of the corpus stands for."""
        if not isinstance(line, dict) or "again" not in line:
            return line
        header = {k: v for k, v in (self.engine.header or {}).items() if k not in STARTS}
        return {"new": {**header, "position": edited(self.state, line["again"])}}

    def _note(self, line: JSON, events: Sequence[JSON]) -> None:
        """Remember, by accepted line, who has overshot a corner in the turn under way."""
        if "undo" in line:
            del self._overshot[-line["undo"] :]
            return
        if "state" in line or "quit" in line:
            return
        if "new" in line:
            self._overshot = []
        seats = set(self._overshot[-1]) if self._overshot else set()
        for event in events:
            if event["event"] == "TurnBegan":
                seats.clear()
            if event["event"] == "Overshot":
                seats.add(event["seat"])
        self._overshot.append(frozenset(seats))

    def overshot(self) -> list[int]:
        """Where in `pending` a step `halt` stands of a car that has overshot its corner."""
        seats = self._overshot[-1] if self._overshot else frozenset()
        steps = enumerate(self.state.get("pending", ()))
        return [at for at, step in steps if step["step"] == "halt" and step["seat"] in seats]

    def moment(self) -> JSON:
        """The state as it stands, and what a new engine makes of it as a position.

        `state` and `asks` are sums, `open` the steps that wait. `again` is true where the new
        engine shows the same; otherwise sums of what it shows, or its refusal. Where a step `halt`
        is of a car that has overshot, `told` is the sum of a STATE that says so.
        """
        state, asks = self.state, without_since(self.asks)
        found: JSON = {"state": sum_of(state), "asks": sum_of(asks)}
        found["open"] = [step["step"] for step in state.get("pending", ())]
        if at := self.overshot():
            told = copy.deepcopy(state)
            for step in at:
                told["pending"][step]["how"] = ["overshot"]
            found["told"] = sum_of(told)
        fresh = Engine(Boards())
        reply = fresh.handle(copy.deepcopy(self.spoken({"again": []})))
        if not reply["ok"]:
            found["again"] = reply["error"]["key"]
        elif (then.state(fresh.state() or {}), without_since(fresh.asks())) == (state, asks):
            found["again"] = True
        else:
            found["again"] = [
                sum_of(then.state(fresh.state() or {})),
                sum_of(without_since(fresh.asks())),
            ]
        return found


def without_since(asks: Sequence[Mapping[str, Any]]) -> list[JSON]:
    """Asks as they are equal over a restart."""
    return [{key: value for key, value in ask.items() if key != "since"} for ask in asks]


def edited(state: JSON, edits: Sequence[Sequence[Any]]) -> Any:
    """A copy of a state in which some places hold something else, or nothing."""
    root = {"state": copy.deepcopy(state)}
    for edit in edits:
        home: Any = root
        way: list[Any] = ["state", *edit[0]]
        last = way.pop()
        for key in way:
            home = home[key]
        if len(edit) == 1:
            del home[last]
        else:
            home[last] = copy.deepcopy(edit[1])
    return root.get("state")


def observe(lines: Sequence[Any], moments: Sequence[int]) -> tuple[list[Any], list[JSON], JSON]:
    """The outcome of each line, the moments after lines of these numbers, and the last STATE.

    Numbers count from 0, which is the `new`.
    """
    talk, wanted = Transcript(), set(moments)
    outcomes: list[Any] = []
    found: list[JSON] = []
    for number, line in enumerate(lines):
        outcomes.append(talk.hear(line))
        if number in wanted:
            found.append({"at": number, **talk.moment()})
    return outcomes, found, talk.state


def wholes(lines: Sequence[Any], at: Sequence[int]) -> Iterator[tuple[int, JSON]]:
    """STATE whole after lines of these numbers."""
    talk = Transcript()
    for number, line in enumerate(lines):
        talk.hear(line)
        if number in at:
            yield number, talk.state


def record_of(lines: Sequence[Any], outcomes: Sequence[Any]) -> list[JSON]:
    """The record of a race that was never begun again: its header, and what was accepted."""
    header = lines[0]["new"]
    track = header.get("track")
    text = None if track is None else Boards().text(track)
    first = make_header(header, race="id", name="", started=WHEN, track_text=text)
    kept = [
        copy.deepcopy(line)
        for line, outcome in zip(lines, outcomes, strict=True)
        if isinstance(outcome, str) and not any(key in line for key in NOT_PLAYED)
    ]
    return [first, *kept]


def has_one_race(lines: Sequence[Any], outcomes: Sequence[Any]) -> bool:
    """Whether the first line has begun a race, and no other has."""
    begun = [
        at
        for at, (line, outcome) in enumerate(zip(lines, outcomes, strict=True))
        if isinstance(outcome, str) and ("new" in line or "again" in line)
    ]
    return begun == [0]


def replayed(record: Sequence[Mapping[str, Any]]) -> JSON:
    """STATE after a record has been played."""
    with then.uncounted():
        return then.state(replay(record).state() or {})
