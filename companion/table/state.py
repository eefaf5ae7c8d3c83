"""What lies on the table: a lobby or a race, and the other races that wait in the journal.

Whatever changes here is an entry whose line the journal keeps. The state has the lines that are
not yet on disk (`take_unsaved`); the lines that are, folded again by `load`, make the same state.
Who holds which key, and who may say what, stands here too, and what a handler is given and gives.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cache
from hmac import compare_digest

from companion.advice.bots.levels import level_kind, levels_of
from companion.race.boards import PackLibrary, TrackLibrary
from companion.race.engine import TABLE, Events
from companion.race.record import digest, header_of, make_header, recorded, result_of
from companion.rules.game import Outline
from companion.rules.games import BOARDLESS, KINDS, NAMES
from companion.rules.lines import Answer, End, Join, Line, Malformed, Refusal, Retire
from companion.rules.packs import as_at_a_table, part
from companion.system.frozen import dataclass
from companion.table import clock, commands, ports
from companion.table.lobby import SEATS, act, as_usual, host_of, known_circuits, known_names
from companion.table.race import Race, answer_early, thrown
from companion.table.resume import BrokenRace, Engines, open_race
from companion.views.model import NO_BOARD, Language, Lobby, Seen, SetUp, Trouble

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

    journal: ports.JournalPort
    engines: Engines
    tracks: TrackLibrary
    new_id: Callable[[], str]
    new_seed: Callable[[], str]
    date: Callable[[], str]
    packs: PackLibrary = field(default_factory=PackLibrary)
    advice: bool = True
    buttons: frozenset[int] = frozenset()
    switch: Callable[[str], str] | None = None


class WhenRead(Mapping[str, str]):
    """What a hundred files say, read when somebody looks: most starts need none of it."""

    def __init__(self, read: Callable[[], Mapping[str, str]]) -> None:
        self._read = cache(read)

    def __getitem__(self, name: str) -> str:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


class TableState:
    """All durable state of the running table.

    `trouble` is a sentence about a race that could not be put back on the table; `lost` what
    the disk has lost, and nobody has seen yet. `base` is the version that the race began from.
    """

    def __init__(self, given: Surroundings) -> None:
        self._given = given
        self._unsaved: Written = []
        self._waiting: list[ports.LoggedRace] | None = None
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
        self.base = 0
        self._open: str | None = None
        self._latest = ""
        # What is left here was refused with its commit: it must not go out with the next one.
        self._unsaved.clear()
        self._waiting = None
        setting_up: list[commands.TableEntry] = []
        for entry in map(commands.table_entry, self._given.journal.lines(ports.TABLE_LOG)):
            if isinstance(entry, SetUp | commands.Boards):
                setting_up.append(entry)
                continue
            if isinstance(entry, commands.Laid):
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
            kept = self._given.journal.kept(race)
            self.race = open_race(self._given.engines, lines, self.base, kept)
        except BrokenRace as broken:
            self.trouble = f"{broken}; it waits" if lines else str(broken)
            # A race that is gone, or that no rules accept any more, must not keep the table shut.
            self.put(commands.Lost(Trouble("race-shut", self.trouble)))
            self.put(commands.Laid(race, self.base + len(lines), on=False))

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

    # -- races ---------------------------------------------------------------------------------

    @property
    def current(self) -> Race:
        """The race on the table.

        Raises:
            NoRace: there is none.
        """
        if self.race is None:
            raise ports.refused("no-race")
        return self.race

    def start(self, header: Line) -> Events:
        """Begin a race; the one on the table waits. The events that open it.

        Raises:
            Refusal: the header is none, or its track cannot be read.
        """
        game = header.get("game")
        if isinstance(game, str) and game not in NAMES:
            raise ports.refused("not-at-the-table", game=f"{game:.40}", names=", ".join(NAMES))
        header, seed = self._with_seed(as_at_a_table(header))
        header = header if self._given.advice else {**header, "advice": False}
        track = header.get("track")
        first: ports.JSON = make_header(
            header,
            race=self._given.new_id(),
            name=_free_name(header, self._names()),
            started=self._given.date(),
            # What is no name of a board the engine refuses.
            track_text=self._given.tracks.text(track) if isinstance(track, str) else None,
        )
        race = Race(self._given.engines(self._given.tracks, self.version), first)
        _check_seats(first["seats"])
        # Ahead of the line that lays it: a plug pulled between the two leaves a race that waits.
        self._unsaved.append((race.id, first))
        race.saved = 1
        if seed is not None:
            race.put(commands.Seed(seed), by="companion", at=0.0)
        self._lay(race)
        return race.opening

    def _with_seed(self, header: Line) -> tuple[Line, str | None]:
        """A header that promises the seed which is drawn for it; None where no dice are thrown.

        Raises:
            Malformed: a level that no bot has, or dice that are none.
        """
        beside, game, track = part(header)[1], header.get("game"), header.get("track")
        if beside.bots and (not levels_of(game) or not self._has_board(game, track)):
            on_board = " and ".join(name for name in NAMES if name not in BOARDLESS)
            raise Malformed("no-bots", f"bots play {on_board} on a board, {', '.join(BOARDLESS)}")
        for level in beside.bots.values():
            level_kind(level, game)
        if beside.dice is None:
            return header, None
        seed = self._given.new_seed()
        dice = {"seats": list(beside.dice.seats), "sha256": digest(seed)}
        return {**header, "dice": dice}, seed

    def _has_board(self, game: object, track: object) -> bool:
        """Whether bots see where they drive, or need not."""
        cards = self._given.tracks.cards()
        return game in BOARDLESS or (isinstance(track, str) and track not in cards)

    def resume(self, name: str) -> None:
        """Put a waiting race back on the table, by its name or id; the one there waits.

        Raises:
            Malformed: no such race waits.
            Illegal: it does, but today's rules do not accept it.
        """
        # The older ones only if need be: each is a file that has to be read.
        found = _called(name, self.waiting()) or _called(name, self._older())
        if not found:
            raise ports.refused("no-such-race", race=name)
        lines = self._given.journal.lines(found[0])
        try:
            race = open_race(self._given.engines, lines, self.version)
        except BrokenRace as broken:
            raise ports.refused("broken-race", trouble=str(broken)) from broken
        self._lay(race)

    def put_away(self, race: Race) -> None:
        """Clear the table of this race: one that is not over waits in the journal."""
        # The race's last lines go to disk ahead of the line that puts it away.
        self._unsaved += self._take_race()
        self.put(commands.Laid(race.id, self.version, on=False))

    def waiting(self) -> list[ports.LoggedRace]:
        """The races that are not over and not on the table, newest first."""
        if self._waiting is None:
            here = self.race.id if self.race else None
            known = self._given.journal.races()
            self._waiting = [race for race in known if _waits(race) and race.id != here]
        return self._waiting

    def waiting_page(self, page: int) -> tuple[list[ports.LoggedRace], int]:
        """A page of all races that wait, from 1, and how many pages there are."""
        races = [*self.waiting(), *self._older()]
        return races[(page - 1) * PAGE : page * PAGE], -(-len(races) // PAGE)

    @property
    def may_wait_longer(self) -> bool:
        """Whether there may be more races that wait than a page has."""
        return len(self.waiting()) > PAGE or len(self._given.journal.races()) >= 2 * PAGE

    def _older(self) -> list[ports.LoggedRace]:
        """The races that wait and were put aside by the journal for newer ones."""
        older = self._given.journal.races(older=True)
        return [race for race in older if _waits(race)]

    def trial(self) -> Race:
        """The race on the table once more, replayed, to try something out on.

        Raises:
            NoRace: there is none.
        """
        trial = open_race(self._given.engines, self.current.lines, self.base)
        trial.saved = self.current.saved
        return trial

    def _lay(self, race: Race) -> None:
        """Put a race on the table; its engine went on from the version that there was."""
        base = self.version
        if self.race is not None:
            self.put_away(self.race)
        self.put(commands.Laid(race.id, base))
        # After `put`: folding that line clears the table, as it does at a restart.
        self.race = race

    def _names(self) -> set[str]:
        """The names that races go by now."""
        here = {self.race.name} if self.race else set()
        return here | {race.name for race in self.waiting()}

    # -- entries -------------------------------------------------------------------------------

    def put(self, entry: commands.TableEntry) -> None:
        """Let an entry take effect and keep its line to be written.

        Raises:
            Refusal: the lobby does not accept it; nothing has changed.
        """
        self._fold(entry)
        if isinstance(entry, commands.Laid):
            self.lobby = self.fresh_lobby()
        self._unsaved.append((ports.TABLE_LOG, entry.line))

    def boot(self) -> None:
        """The table was started once more."""
        self.put(commands.Boot(self.boots + 1))

    def _fold(self, entry: commands.TableEntry) -> None:
        match entry:
            case commands.Boot(count):
                self.boots = count
            case commands.Laid(race, base, on):
                self._open, self.base, self.race = race if on else None, base, None
                self._latest = race
            case commands.Lost(trouble):
                self.lost = (*self.lost, trouble)
            case Seen():
                self.lost = ()
            case Language(code, seat) if seat is not None:
                self.languages[seat] = code
            case commands.Boards():
                self.lobby = self._with_boards(self.lobby)
            case SetUp(word, value, seat):
                self.lobby = act(self.lobby, word, seat, value)

    def fresh_lobby(self) -> Lobby:
        """A lobby that nobody has joined, with the names and the setting of earlier races."""
        # First the one that was here last: one that had waited is older than those begun meanwhile.
        races = sorted(self._given.journal.races(), key=lambda race: race.id != self._latest)
        headers = [header_of(race.header) for race in races]
        headers = [one for one in headers if not is_of_bots(one)]
        names, last = known_names(headers), headers[0] if headers else None
        levels = {game: tuple(levels_of(game)) for game in NAMES}
        here = as_usual(Lobby(names=names, last=last, games=NAMES, levels=levels))
        return self._with_boards(replace(here, circuits=known_circuits(headers)))

    def _with_boards(self, lobby: Lobby) -> Lobby:
        """What a race may ask for now: boards, none, cards, and what people call them; packs."""
        library = self._given.tracks
        boards, cards = tuple(library.names()), tuple(library.cards())
        titles = WhenRead(lambda: {name: library.title(name) for name in (*boards, *cards)})
        given = self._given.packs
        packs = WhenRead(lambda: {name: text for name, (_, text) in given.packs().items()})
        tracks = (*boards, NO_BOARD, *cards)
        return replace(lobby, tracks=tracks, cards=cards, titles=titles, packs=packs)

    # -- writing -------------------------------------------------------------------------------

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
        # Taken for saved already: if the disk fails, all of it is read again from the journal.
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
            # Told only now: whoever knew the seed during the race would know every throw to come.
            race.lines.append({"seed": race.seed})
        race.lines.append({"result": result_of(race.state)})
        return race.id, recorded(race.lines)

    @property
    def is_over(self) -> bool:
        """Whether the race on the table has come to its result."""
        return self.race is not None and self.race.is_finished

    @property
    def runs(self) -> bool:
        """Whether people race: a race of bots makes room for whoever comes."""
        race = self.race
        return race is not None and not race.is_finished and not is_of_bots(race.header)

    @property
    def is_kept(self) -> bool:
        """Whether that result has been recorded."""
        return self.race is not None and self.race.has_result

    @property
    def version(self) -> int:
        """The version of the race, or the last one that there was."""
        return self.race.engine.version if self.race else self.base

    @property
    def asks(self) -> list[Line]:
        """The open asks."""
        return self.race.asks if self.race else []

    @property
    def host(self) -> int | None:
        """The first seat of the race that is no bot's; of the lobby, the first that joined."""
        return self.race.host if self.race else host_of(self.lobby)


def _check_seats(entries: Sequence[ports.JSON]) -> None:
    """Refuse seats that no table has: the rules take any number."""
    for entry in entries:
        if isinstance(seat := entry.get("seat"), int) and seat not in SEATS:
            raise ports.bad_value("seat", seat, "1 to 10")


def _called(name: str, races: Sequence[ports.LoggedRace]) -> list[str]:
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


def is_of_bots(header: ports.JSON) -> bool:
    """Whether nobody drives: such a race is a demonstration, which nobody wants back."""
    return all(entry.get("bot") for entry in header["seats"])


def _waits(race: ports.LoggedRace) -> bool:
    return not (race.is_finished or is_of_bots(race.header))


# -- who holds which key --------------------------------------------------------------------------

JOIN = "join"
TOKEN_BYTES = 16
PIN_DIGITS = 8


class Access:
    """The `AccessPort` on keys that the journal keeps: each seat has a token, the referee a PIN.

    They are made once, at the first start; whoever scanned a seat's QR code keeps that seat over
    restarts and from race to race.

    Args:
        journal: where the keys are, or are put on the first start (`is_new`).

    Raises:
        StorageError: the keys could not be read or kept.
    """

    def __init__(self, journal: ports.JournalPort) -> None:
        self._journal = journal
        kept = journal.lines(ports.ACCESS_LOG)
        self.is_new = not kept
        if self.is_new or JOIN not in kept[-1]:  # a table of before has keys without it
            journal.append(ports.ACCESS_LOG, {**_make_keys(), **(kept[-1] if kept else {})})
            kept = journal.lines(ports.ACCESS_LOG)
        self.pin: str = kept[-1]["pin"]
        self._join: str = kept[-1][JOIN]
        self._tokens: dict[int, str] = {
            int(seat): token for seat, token in kept[-1]["tokens"].items()
        }
        self._url: Callable[[], str] = str
        self._table: ports.TablePort | None = None

    def serve_at(self, url: Callable[[], str], table: ports.TablePort) -> None:
        """Links begin with what `url` says at that moment, and this table says who is host."""
        self._url, self._table = url, table

    def who(self, bearer: str) -> ports.Caller | None:
        """The caller that this token or PIN belongs to; None: nobody.

        Every key is compared, in constant time each, whichever fits.
        """
        seat, is_pin = self.holder(bearer), compare_digest(self.pin.encode(), _bytes(bearer))
        return ports.Caller(referee=True, by="referee") if is_pin else seat

    def holder(self, token: str) -> ports.Caller | None:
        """The seat that this token belongs to; None: none. Unlike a PIN it cannot be guessed.

        The key of the table's one code is somebody without a seat, who may take one.
        """
        given = _bytes(token)
        if compare_digest(self._join.encode(), given):
            return ports.Caller()
        fits = [seat for seat, key in self._tokens.items() if compare_digest(key.encode(), given)]
        if not fits:
            return None
        host = self._table.snapshot().host if self._table else None
        return ports.Caller(seat=fits[0], host=fits[0] == host)

    def renew_pin(self) -> str:
        """A new PIN, kept; all other keys stay as they are.

        Raises:
            StorageError: it could not be kept.
        """
        kept = self._journal.lines(ports.ACCESS_LOG)[-1]
        self.pin = make_pin()
        self._journal.append(ports.ACCESS_LOG, {**kept, "pin": self.pin})
        return self.pin

    def token(self, seat: int) -> str:
        """The token of a seat."""
        return self._tokens[seat]

    def link(self, seat: int) -> str:
        """The link of a seat. The token is in its fragment, which no request line carries.

        For the table (0) it is that of its one code, which takes the next free seat and no other.
        """
        if seat == TABLE:
            return f"{self._url()}/join#{self._join}"
        return f"{self._url()}/seat/{seat}#{self._tokens[seat]}"


def _bytes(key: str) -> bytes:
    # A lone surrogate from outside would raise here, where it should only be a wrong key.
    return key.encode("utf-8", "surrogatepass")


def make_pin() -> str:
    """A PIN that nobody can know."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))


def _make_keys() -> dict[str, object]:
    tokens = {str(seat): secrets.token_urlsafe(TOKEN_BYTES) for seat in SEATS}
    return {"pin": make_pin(), "tokens": tokens, JOIN: secrets.token_urlsafe(TOKEN_BYTES)}


# -- who may say what -----------------------------------------------------------------------------


def speaks(
    caller: ports.Caller, command: commands.Command, host: int | None, others: Collection[int] = ()
) -> ports.By:
    """Who gives a command, if it is for this caller to give: the seat's own device, host, referee.

    A seat speaks for itself, the host (the first of the race, or who joined first) for every seat,
    the referee says everything. Whatever is answered, the record says by whom.

    Args:
        host: the seat of the host, None while nobody has joined.
        others: the seats that may answer for others too.

    Raises:
        Forbidden: it is for the seat itself, the host, or the referee.

    >>> speaks(Caller(seat=1, by="seat"), Answer(3, "gear", 2), host=1)
    'host'
    """
    if caller.referee:
        return "referee"
    if isinstance(command, commands.Demo):
        return caller.by  # the table judges whether anybody else is there
    if isinstance(command, commands.FromReferee):
        raise ports.refused("not-referee")
    if caller.seat is None and not isinstance(command, commands.Sit):
        raise ports.refused("no-seat-yet")
    seat: int | None = getattr(command, "seat", None)  # None: it is about none
    if seat == TABLE and caller.seat is not None and isinstance(command, Answer | Retire):
        return caller.by  # anybody who has a seat may answer for the whole table
    is_host = caller.host or (caller.seat is not None and caller.seat == host)
    if isinstance(command, commands.FromHost) and not is_host and caller.seat not in others:
        raise ports.refused("not-host")
    if seat is None or seat == caller.seat:
        return caller.by
    if not is_host and caller.seat not in others:
        raise ports.refused("other-seat", seat=seat)
    return caller.by if seat == TABLE else "host"  # or who acts as one: its own race is over


def helpers(outline: Outline, command: commands.Command) -> Collection[int]:
    """The seats that may answer for others on their own screens.

    Those that have no part any more; the last one that races, to end it; and the seat on turn,
    where its screen has the list of all who roll because of its move.
    """
    if isinstance(command, End):
        return () if outline.alone is None else (outline.alone,)
    if not isinstance(command, Answer):
        return ()
    mover = {outline.mover} if outline.mover and KINDS[command.kind].by_mover else set()
    return outline.bystanders | mover


# -- what a handler is given, and what it gives ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command: the events, and what the reply has besides."""

    events: Events = ()
    more: Line = field(default_factory=dict)


NOTHING = Outcome()


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler is given beside the command: the table, who gives it, and when."""

    table: TableState
    caller: ports.Caller
    by: ports.By
    at: float

    @property
    def race(self) -> Race:
        """The race on the table.

        Raises:
            NoRace: there is none.
        """
        return self.table.current

    def seat(self, seat: int | None) -> int:
        """A seat of the race.

        Raises:
            Malformed: it is none.
        """
        if seat not in self.race.seats:
            raise ports.bad_value("seat", seat, f"one of {sorted(self.race.seats)}")
        assert seat is not None
        return seat

    def put(self, entry: commands.RaceEntry, joined: int = 0) -> Outcome:
        """Put an entry into the race, with what then follows by itself: a time, early gears.

        `joined`: so many answers before it came of the same touch.
        """
        if isinstance(entry, Join):
            _check_seats([entry.entry])
        events = self.race.put(entry, by=self.by, at=self.at)
        if joined:
            self.race.put(commands.Joined(joined), by=self.by, at=self.at)
        presser = self.caller.seat
        is_for_table = isinstance(entry, Answer) and entry.seat == TABLE
        # The host may take it back anyway.
        if is_for_table and presser in self.race.seats and presser != self.race.host:
            assert presser is not None
            self.race.put(commands.Pressed(presser), by=self.by, at=self.at)
        return self.follow([*events, *clock.stop(self.race, entry, self.at)])

    def follow(self, events: Events) -> Outcome:
        """Events, with those of early gears that are asked for now."""
        return Outcome([*events, *answer_early(self.race, self.at), *thrown(self.race, self.at)])
