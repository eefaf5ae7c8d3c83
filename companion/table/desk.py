"""What lies on the table: a lobby or a race, and the other races that wait in the journal.

Whatever changes here is a line of the journal. The desk keeps the lines that are not yet on
disk (`take_unsaved`); the lines that are, folded again by `load`, make the same desk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.boards import TrackLibrary
from companion.record import header_of, make_header, recorded, result_of
from companion.rules.errors import Malformed
from companion.rules.games import NAMES
from companion.table import lobby as lobbies
from companion.table import refusals
from companion.table.ports import JSON, JournalPort
from companion.table.race import BrokenRace, Engines, Race, open_race
from companion.views.model import NO_BOARD, Lobby

DESK_LOG = "table"
"""The log of what happens outside of races: starts, the lobby, which race is open."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a desk is given: where lines are kept, the rules, the boards, names and dates."""

    journal: JournalPort
    engines: Engines
    tracks: TrackLibrary
    new_id: Callable[[], str]
    date: Callable[[], str]


class Desk:
    """All durable state of the running table.

    `trouble` is a sentence about a race that could not be put back on the table.
    """

    def __init__(self, given: Surroundings) -> None:
        self._given = given
        self._outbox: list[tuple[str, JSON]] = []
        self._waiting: list[JSON] | None = None
        self.load()

    def load(self) -> None:
        """Stand as the journal says, forgetting everything else.

        Raises:
            StorageError: it cannot be read.
        """
        self.race: Race | None = None
        self.languages: dict[int, str] = {}
        self.boots = 0
        self.trouble = ""
        self._base = 0
        self._open: str | None = None
        self._outbox.clear()
        self._waiting = None
        setting_up: list[JSON] = []
        for line in self._given.journal.lines(DESK_LOG):
            if _is_for_lobby(line):
                setting_up.append(line)
                continue
            if _clears_table(line):
                setting_up.clear()
            self._fold(line)
        self.lobby = self.fresh_lobby()
        for line in setting_up:
            self._fold(line)
        if self._open is not None:
            self._reopen(self._open)

    def _reopen(self, race: str) -> None:
        lines = self._given.journal.lines(race)
        try:
            self.race = open_race(self._given.engines, lines, self._base)
        except BrokenRace as broken:
            self.trouble = str(broken)
            self.log({"close": race, "base": self._base + len(lines)})

    # -- races ---------------------------------------------------------------------------

    def start(self, header: Any) -> dict[str, Any]:
        """Begin a race; the one on the table waits. The engine's reply, refusals too.

        Raises:
            Malformed: the header is no object, or its track cannot be read.
        """
        if not isinstance(header, dict):
            raise Malformed("header-form", f"a header is an object, not {header!r:.40}")
        game = header.get("game")
        if isinstance(game, str) and game not in NAMES:
            raise refusals.not_at_the_table(game, NAMES)
        first = self._first_line(header)
        race = Race(self._given.engines(self._given.tracks, self.version), first)
        reply = race.begin()
        if reply["ok"]:
            if first["track_file"] is not None:
                race.track = self._given.tracks.load(header["track"])
            self._outbox.append((race.id, first))
            race.saved = 1
            self._lay(race)
        return reply

    def resume(self, name: Any) -> None:
        """Put a waiting race back on the table, by its name or id; the one there waits.

        Raises:
            Malformed: no such race waits.
            Illegal: it does, but today's rules do not accept it.
        """
        found = [race["id"] for race in self.waiting() if name in (race["name"], race["id"])]
        if not found:
            raise refusals.no_such_race(name)
        lines = self._given.journal.lines(found[0])
        try:
            race = open_race(self._given.engines, lines, self.version)
        except BrokenRace as broken:
            raise refusals.broken_race(str(broken)) from broken
        self._lay(race)

    def put_away(self) -> None:
        """Clear the table: a race that is not over waits in the journal."""
        if self.race is not None:
            self._outbox += [(self.race.id, line) for line in self.race.unsaved]
            self.race.saved = len(self.race.lines)
            self.log({"close": self.race.id, "base": self.version})

    def waiting(self) -> list[JSON]:
        """The races that are not over and not on the table, newest first: `id`, `name`."""
        if self._waiting is None:
            here = self.race.id if self.race else None
            self._waiting = [
                {"id": race["id"], "name": race["name"]}
                for race in self._given.journal.races()
                if not race["finished"] and race["id"] != here
            ]
        return self._waiting

    def trial(self, race: Race) -> Race:
        """The race on the table once more, replayed, to try something out on."""
        trial = open_race(self._given.engines, race.lines, self._base)
        trial.saved = race.saved
        return trial

    def _lay(self, race: Race) -> None:
        """Put a race on the table; its engine went on from the version that the desk had."""
        base = self.version
        self.put_away()
        self.log({"open": race.id, "base": base})
        self.race = race

    def _first_line(self, header: JSON) -> dict[str, Any]:
        track = header.get("track")
        text = None if track is None else self._given.tracks.text(track)
        return make_header(
            header,
            race=self._given.new_id(),
            name=_free_name(header, self._names()),
            started=self._given.date(),
            track_text=text,
        )

    def _names(self) -> set[str]:
        """The names that races go by now."""
        here = {self.race.lines[0]["name"]} if self.race else set()
        return here | {race["name"] for race in self.waiting()}

    # -- the lines of the desk -------------------------------------------------------------

    def log(self, line: JSON) -> None:
        """Let a line of the desk take effect and keep it to be written."""
        self._fold(line)
        if _clears_table(line):
            self.lobby = self.fresh_lobby()
        self._outbox.append((DESK_LOG, line))

    def _fold(self, line: JSON) -> None:
        if "boot" in line:
            self.boots = line["boot"]
        elif _clears_table(line):
            self._open, self._base = line.get("open"), line["base"]
            self.race = None
        elif line["table"] == "language":
            self.languages[line["seat"]] = line["value"]
        elif line["table"] == "boards":
            self.lobby = replace(self.lobby, **self._boards())
        else:
            self.lobby = lobbies.act(self.lobby, line["table"], line["seat"], line["value"])

    def fresh_lobby(self) -> Lobby:
        """A lobby that nobody has joined, with the names and the setting of earlier races."""
        headers = [header_of(race["header"]) for race in self._given.journal.races()]
        names, last = lobbies.known_names(headers), headers[0] if headers else None
        return Lobby(names=names, last=last, games=NAMES, **self._boards())

    def _boards(self) -> dict[str, Any]:
        """What a race may ask for now: boards, none, cards; and what people call them."""
        library = self._given.tracks
        boards, cards = tuple(library.names()), tuple(library.cards())
        titles = {name: library.title(name) for name in (*boards, *cards)}
        return {"tracks": (*boards, NO_BOARD, *cards), "cards": cards, "titles": titles}

    # -- keeping -------------------------------------------------------------------------

    def take_unsaved(self) -> list[tuple[str, JSON]]:
        """What has to be on disk before anything is shown: log and line, in order."""
        lines, self._outbox = self._outbox, []
        if lines:
            self._waiting = None  # it may have been a race that was opened or put away
        if self.race is not None:
            lines += [(self.race.id, line) for line in self.race.unsaved]
            self.race.saved = len(self.race.lines)
        return lines

    @property
    def holds_answers_only(self) -> bool:
        """Whether all that has to be written are lines of the race on the table."""
        return not self._outbox

    def finish(self) -> tuple[str, Sequence[JSON]] | None:
        """The id and the whole record of a race that has just come to its result, else None."""
        race = self.race
        if race is None or not self.is_over or self.is_kept:
            return None
        race.lines.append({"result": result_of(race.state)})
        return race.id, recorded(race.lines)

    @property
    def is_over(self) -> bool:
        """Whether the race on the table has come to its result."""
        return self.race is not None and self.race.is_finished

    @property
    def is_kept(self) -> bool:
        """Whether that result has been recorded."""
        return self.race is not None and self.race.has_result

    @property
    def version(self) -> int:
        """The version of the race, or the last one that there was."""
        return self.race.engine.version if self.race else self._base

    @property
    def asks(self) -> list[Any]:
        """The open asks."""
        return self.race.asks if self.race else []

    @property
    def host(self) -> int | None:
        """The first seat of the race; of the lobby, the first that joined."""
        return self.race.seats[0] if self.race else lobbies.host_of(self.lobby)


def _clears_table(line: JSON) -> bool:
    """Whether another race, or none, lies on the table from this line on."""
    return "open" in line or "close" in line


def _is_for_lobby(line: JSON) -> bool:
    return "table" in line and line["table"] != "language"


def _free_name(header: JSON, taken: set[str]) -> str:
    """A name that people recognise: "monaco: Ana, Bob", counted up while one like it waits."""
    seats = header.get("seats")
    entries = [e for e in seats if isinstance(e, dict)] if isinstance(seats, list) else []
    people = ", ".join(str(entry.get("name", entry.get("seat"))) for entry in entries)
    name = f"{header.get('track') or header.get('game')}: {people}"
    count = 1
    while (counted := name if count == 1 else f"{name} ({count})") in taken:
        count += 1
    return counted
