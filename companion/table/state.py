"""What lies on the table: a lobby or a race, and the other races that wait in the journal.

Whatever changes here is an entry whose line the journal keeps. The state has the lines that are
not yet on disk (`take_unsaved`); the lines that are, folded again by `load`, make the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field, replace

from companion.advice.bots.levels import BOARDLESS, level_kind, levels_of
from companion.boards import TrackLibrary
from companion.dice import digest
from companion.frozen import dataclass
from companion.packs import PackLibrary
from companion.record import header_of, make_header, recorded, result_of
from companion.rules.beside import part
from companion.rules.errors import Malformed, Refusal
from companion.rules.games import NAMES
from companion.rules.packs import as_at_a_table
from companion.table import lobby as lobbies
from companion.table.commands import Boards
from companion.table.entries import Boot, Laid, Lost, Seed, TableEntry, table_entry
from companion.table.ports import JournalPort, Line, LoggedRace
from companion.table.race import BrokenRace, Engines, Events, Race, open_race
from companion.table.refusals import refused
from companion.views.model import NO_BOARD, Language, Lobby, Seen, SetUp, Trouble

TABLE_LOG = "table"
"""The log of what happens outside of races: starts, the lobby, which race is open."""
PAGE = 12
"""Waiting races that are listed at once."""
Written = list[tuple[str, Line]]
"""Lines to be put on disk, each with the log that it belongs to."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a table is given: where lines are kept, rules, boards, names, seeds, dates, packs.

    Without `advice` no race that begins here has any. `buttons` are the seats that have real ones.
    `switch` switches the computer "off" or does a "restart" and says why it does not; None: nobody
    may from a seat.
    """

    journal: JournalPort
    engines: Engines
    tracks: TrackLibrary
    new_id: Callable[[], str]
    new_seed: Callable[[], str]
    date: Callable[[], str]
    packs: PackLibrary = field(default_factory=PackLibrary)
    advice: bool = True
    buttons: frozenset[int] = frozenset()
    switch: Callable[[str], str] | None = None


class TableState:
    """All durable state of the running table.

    `trouble` is a sentence about a race that could not be put back on the table; `lost` what
    the disk has lost, and nobody has seen yet.
    """

    def __init__(self, given: Surroundings) -> None:
        self._given = given
        self._unsaved: Written = []
        self._waiting: list[LoggedRace] | None = None
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
        self.lost: tuple[Trouble, ...] = ()
        self._base = 0
        self._open: str | None = None
        self._unsaved.clear()
        self._waiting = None
        setting_up: list[TableEntry] = []
        for entry in map(table_entry, self._given.journal.lines(TABLE_LOG)):
            if isinstance(entry, SetUp | Boards):
                setting_up.append(entry)
                continue
            if isinstance(entry, Laid):
                setting_up.clear()
            self._fold(entry)
        self.lobby = self.fresh_lobby()
        for entry in setting_up:
            with suppress(Refusal):  # the file of a board or a pack of then may be gone
                self._fold(entry)
        if self._open is not None:
            self._reopen(self._open)

    def _reopen(self, race: str) -> None:
        lines = self._given.journal.lines(race)
        try:
            self.race = open_race(self._given.engines, lines, self._base)
        except BrokenRace as broken:
            self.trouble = str(broken)
            self.put(Laid(race, self._base + len(lines), on=False))

    @property
    def buttons(self) -> frozenset[int]:
        """The seats that have buttons of their own."""
        return self._given.buttons

    @property
    def switch(self) -> Callable[[str], str] | None:
        """Switches the computer; None: no seat may."""
        return self._given.switch

    @property
    def packs(self) -> PackLibrary:
        """The rules packs that there are."""
        return self._given.packs

    # -- races ---------------------------------------------------------------------------

    @property
    def current(self) -> Race:
        """The race on the table.

        Raises:
            NoRace: there is none.
        """
        if self.race is None:
            raise refused("no-race")
        return self.race

    def start(self, header: Line) -> Events:
        """Begin a race; the one on the table waits. The events that open it.

        Raises:
            Refusal: the header is none, or its track cannot be read.
        """
        game = header.get("game")
        if isinstance(game, str) and game not in NAMES:
            raise refused("not-at-the-table", game=f"{game:.40}", names=", ".join(NAMES))
        header, seed = self._with_seed(as_at_a_table(header))
        header = header if self._given.advice else {**header, "advice": False}
        track = header.get("track")
        first = make_header(
            header,
            race=self._given.new_id(),
            name=_free_name(header, self._names()),
            started=self._given.date(),
            track_text=None if track is None else self._given.tracks.text(track),
        )
        race = Race(self._given.engines(self._given.tracks, self.version), first)
        events = race.begin()
        self._unsaved.append((race.id, first))
        race.saved = 1
        if seed is not None:
            race.put(Seed(seed), by="companion", at=0.0)
        self._lay(race)
        return events

    def _with_seed(self, header: Line) -> tuple[Line, str | None]:
        """A header that promises the seed which is drawn for it; None where no dice are thrown.

        Raises:
            Malformed: a level that no bot has, or dice that are none.
        """
        beside, game, track = part(header)[1], header.get("game"), header.get("track")
        is_blank = game not in BOARDLESS and (track is None or track in self._given.tracks.cards())
        if beside.bots and (not levels_of(game) or is_blank):
            raise Malformed("no-bots", "bots play formula-d and formule-de on a board, downforce")
        for level in beside.bots.values():
            level_kind(level, game)
        if beside.dice is None:
            return header, None
        seed = self._given.new_seed()
        dice = {"seats": list(beside.dice.seats), "sha256": digest(seed)}
        return {**header, "dice": dice}, seed

    def resume(self, name: str) -> None:
        """Put a waiting race back on the table, by its name or id; the one there waits.

        Raises:
            Malformed: no such race waits.
            Illegal: it does, but today's rules do not accept it.
        """
        found = _called(name, self.waiting()) or _called(name, self._older())
        if not found:
            raise refused("no-such-race", race=name)
        lines = self._given.journal.lines(found[0])
        try:
            race = open_race(self._given.engines, lines, self.version)
        except BrokenRace as broken:
            raise refused("broken-race", trouble=str(broken)) from broken
        self._lay(race)

    def put_away(self, race: Race) -> None:
        """Clear the table of this race: one that is not over waits in the journal."""
        self._unsaved += self._take_race()
        self.put(Laid(race.id, self.version, on=False))

    def waiting(self) -> list[LoggedRace]:
        """The races that are not over and not on the table, newest first."""
        if self._waiting is None:
            here = self.race.id if self.race else None
            known = self._given.journal.races()
            self._waiting = [race for race in known if not race.is_finished and race.id != here]
        return self._waiting

    def waiting_page(self, page: int) -> tuple[list[LoggedRace], int]:
        """A page of all races that wait, from 1, and how many pages there are."""
        races = [*self.waiting(), *self._older()]
        return races[(page - 1) * PAGE : page * PAGE], -(-len(races) // PAGE)

    @property
    def may_wait_longer(self) -> bool:
        """Whether there may be more races that wait than a page has."""
        return len(self.waiting()) > PAGE or len(self._given.journal.races()) >= 2 * PAGE

    def _older(self) -> list[LoggedRace]:
        """The races that wait and were put aside by the journal for newer ones."""
        older = self._given.journal.races(older=True)
        return [race for race in older if not race.is_finished]

    def trial(self) -> Race:
        """The race on the table once more, replayed, to try something out on.

        Raises:
            NoRace: there is none.
        """
        trial = open_race(self._given.engines, self.current.lines, self._base)
        trial.saved = self.current.saved
        return trial

    def _lay(self, race: Race) -> None:
        """Put a race on the table; its engine went on from the version that there was."""
        base = self.version
        if self.race is not None:
            self.put_away(self.race)
        self.put(Laid(race.id, base))
        self.race = race

    def _names(self) -> set[str]:
        """The names that races go by now."""
        here = {self.race.name} if self.race else set()
        return here | {race.name for race in self.waiting()}

    # -- entries ---------------------------------------------------------------------------

    def put(self, entry: TableEntry) -> None:
        """Let an entry take effect and keep its line to be written.

        Raises:
            Refusal: the lobby does not accept it; nothing has changed.
        """
        self._fold(entry)
        if isinstance(entry, Laid):
            self.lobby = self.fresh_lobby()
        self._unsaved.append((TABLE_LOG, entry.line))

    def boot(self) -> None:
        """The table was started once more."""
        self.put(Boot(self.boots + 1))

    def _fold(self, entry: TableEntry) -> None:
        match entry:
            case Boot(count):
                self.boots = count
            case Laid(race, base, on):
                self._open, self._base, self.race = race if on else None, base, None
            case Lost(trouble):
                self.lost = (*self.lost, trouble)
            case Seen():
                self.lost = ()
            case Language(code, seat) if seat is not None:
                self.languages[seat] = code
            case Boards():
                self.lobby = self._with_boards(self.lobby)
            case SetUp(word, value, seat):
                self.lobby = lobbies.act(self.lobby, word, seat, value)

    def fresh_lobby(self) -> Lobby:
        """A lobby that nobody has joined, with the names and the setting of earlier races."""
        headers = [header_of(race.header) for race in self._given.journal.races()]
        names, last = lobbies.known_names(headers), headers[0] if headers else None
        levels = {game: tuple(levels_of(game)) for game in NAMES}
        here = Lobby(names=names, last=last, games=NAMES, levels=levels)
        return self._with_boards(replace(here, circuits=lobbies.known_circuits(headers)))

    def _with_boards(self, lobby: Lobby) -> Lobby:
        """What a race may ask for now: boards, none, cards, and what people call them; packs."""
        library = self._given.tracks
        boards, cards = tuple(library.names()), tuple(library.cards())
        titles = {name: library.title(name) for name in (*boards, *cards)}
        packs = {name: text for name, (_, text) in self._given.packs.packs().items()}
        tracks = (*boards, NO_BOARD, *cards)
        return replace(lobby, tracks=tracks, cards=cards, titles=titles, packs=packs)

    # -- writing -------------------------------------------------------------------------

    def take_unsaved(self) -> Written:
        """What has to be on disk before anything is shown, in order."""
        lines, self._unsaved = self._unsaved, []
        if lines:
            self._waiting = None  # it may have been a race that was opened or put away
        return lines + self._take_race()

    def _take_race(self) -> Written:
        """The lines of the race on the table that are not on disk yet."""
        race = self.race
        if race is None:
            return []
        lines: Written = [(race.id, line) for line in race.unsaved]
        race.saved = len(race.lines)
        return lines

    @property
    def holds_answers_only(self) -> bool:
        """Whether all that has to be written are lines of the race on the table."""
        return not self._unsaved

    def finish(self) -> tuple[str, Sequence[Line]] | None:
        """The id and the whole record of a race that has just come to its result, else None."""
        race = self.race
        if race is None or not self.is_over or self.is_kept:
            return None
        if race.seed is not None:
            race.lines.append({"seed": race.seed})
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
    def asks(self) -> list[Line]:
        """The open asks."""
        return self.race.asks if self.race else []

    @property
    def host(self) -> int | None:
        """The first seat of the race that is no bot's; of the lobby, the first that joined."""
        return self.race.host if self.race else lobbies.host_of(self.lobby)


def _called(name: str, races: Sequence[LoggedRace]) -> list[str]:
    return [race.id for race in races if name in (race.name, race.id)]


def _free_name(header: Line, taken: set[str]) -> str:
    """A name that people recognise: "monaco: Ana, Bob", counted up while one like it waits."""
    seats = header.get("seats")
    entries = [e for e in seats if isinstance(e, dict)] if isinstance(seats, list) else []
    people = ", ".join(str(entry.get("name", entry.get("seat"))) for entry in entries)
    board = header.get("track") or header.get("circuit") or header.get("game")
    name = f"{board}: {people}"
    count = 1
    while (counted := name if count == 1 else f"{name} ({count})") in taken:
        count += 1
    return counted
