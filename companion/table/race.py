"""One race on the table: the engine, and what the table remembers beside it.

Everything that happens is an entry, and `fold` is the only thing that changes a race. Live, an
entry is put in once (`put`) and its line waits in `lines` to be written; after a restart the
same lines are folded again and give the same race. Nothing in here knows a disk, a thread or a
clock.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from companion.race.engine import TABLE, Engine, Events
from companion.race.record import header_of, name_in, throw
from companion.race.times import Pauses, Times
from companion.rules.game import Ask, Outline
from companion.rules.games import kinds_of
from companion.rules.lines import Answer, InRace, Join, Line, New, Refusal, Timely, Undo
from companion.rules.packs import part
from companion.table import commands
from companion.table.commands import Joined, Pressed
from companion.table.ports import JSON, By, refused
from companion.views.model import Pause, Preset

LOG_LENGTH = 120
"""Events kept for the story; a page tells the last thirty that are worth a sentence."""

Key = tuple[int, str]
"""Seat and kind of an answer."""


class Given(NamedTuple):
    """An accepted command that `undo` counts.

    `version` is the one before it; `since` the version at which the ask opened that it answers,
    None for a referee's; `reveals` are the kinds of secret answers that came out with it.
    `presser` is the seat that answered for the whole table, where that was not the host's;
    `joined` counts the answers before it that came of the same touch.
    """

    command: InRace
    by: By
    version: int
    since: int | None
    reveals: frozenset[str] = frozenset()
    at: float = 0.0
    noted: tuple[Noted, ...] = ()
    presser: int | None = None
    joined: int = 0

    @property
    def key(self) -> Key | None:
        """Seat and kind of an answer; None for a referee's command."""
        command = self.command
        return (command.seat, command.kind) if isinstance(command, Answer) else None

    @property
    def line(self) -> Line:
        """The line of the engine protocol."""
        return self.command.line

    @property
    def is_of_time(self) -> bool:
        """Whether time has brought it: a flag, or the bell."""
        return isinstance(self.command, Timely)

    @property
    def is_by_itself(self) -> bool:
        """Whether the table gave it: an early gear, or the time of a trial."""
        return self.by == "companion" and self.key is not None and self.key[1] in ("gear", "time")


class Race:
    """A race under way; made by `open_race`. `opening` are the events that open it.

    `saved` counts the lines that are known to be on disk; `words` are refusals for seats
    whose early gear came to nothing; `watch_from` is when watches really began whose first answer
    was given again; `old` are the values of answers that were taken back. `seats` stand in the
    order of the header, the first is the host's; `header` is HEADER of the engine protocol, with
    who came late, `kinds` what the game asks, `secret_kinds` those of which the answers are secret,
    with the event that reveals them; `seed` is what the companion throws from, None where it throws
    nothing, `beside` what no rule plays with.

    Raises:
        Refusal: the header is none.
    """

    def __init__(self, engine: Engine, first: JSON) -> None:
        self.engine = engine
        self.lines: list[Line] = [first]
        self.id = str(first["id"])
        self.name = str(first["name"])
        self.given: list[Given] = []
        self.header: JSON = header_of(first)
        # `header` grows with whoever comes late; taking a join back starts again from this one.
        self._begun: JSON = self.header
        # Before anything else is read of it: what the rules refuse may have any form.
        self.opening = engine.carry_out(New(self._begun))
        self.take_seats()
        self.kinds = kinds_of(self.header.get("game"))
        self.secret_kinds = {
            kind: ask.revealed_by for kind, ask in self.kinds.items() if ask.revealed_by
        }
        self.saved = 0
        self.old: dict[Key, list[object]] = {}
        self.preset: dict[int, int] = {}
        self.preset_by: dict[int, By] = {}
        self.proposal: commands.Proposal | None = None
        self.seed: str | None = None
        self.beside = part(self._begun)[1]
        self.watch_from: dict[int, float] = {}
        self.times = Times()
        self.times.begin(engine)
        self.log: deque[Line] = deque(maxlen=LOG_LENGTH)
        self._logged(self.opening)
        self.words: dict[int, Refusal] = {}

    def take_seats(self) -> None:
        """The seats of the header, then those that came late, which the header then has too."""
        late = [dict(one.command.entry) for one in self.given if isinstance(one.command, Join)]
        entries: list[JSON] = [*self._begun["seats"], *late]
        self.seats: tuple[int, ...] = tuple(entry["seat"] for entry in entries)
        self.names = {entry["seat"]: name_in(entry) for entry in entries}
        grid = self._begun.get("grid")
        more = {"grid": [*grid, *(entry["seat"] for entry in late)]} if grid else {}
        self.header = {**self._begun, **more, "seats": entries}

    @property
    def host(self) -> int:
        """The first seat that is no bot's; of a race of bots alone the first."""
        return next((seat for seat in self.seats if seat not in self.beside.bots), self.seats[0])

    @property
    def asks(self) -> list[Line]:
        """The open asks in the form of the engine protocol."""
        return self.engine.asks()

    @property
    def state(self) -> Line:
        """STATE of the engine protocol."""
        return self.engine.state() or {}

    @property
    def outline(self) -> Outline:
        """What a table has to know of the state of the race."""
        return self.engine.outline()

    @property
    def fastest(self) -> FastestLap | None:
        """The fastest lap of the race so far."""
        return fastest(noted for given in self.given for noted in given.noted)

    @property
    def pauses(self) -> Pauses:
        """When it rested."""
        return self.times.pauses

    @property
    def paused(self) -> bool:
        """Whether it rests now."""
        return self.times.rests

    @property
    def is_finished(self) -> bool:
        """Whether the rules have come to a result."""
        return self.outline.is_over

    @property
    def has_result(self) -> bool:
        """Whether that result has been recorded, and nothing was undone since."""
        return "result" in self.lines[-1]

    @property
    def last_at(self) -> float:
        """The time of its last line, on the table's clock."""
        times = (line.get("at", 0.0) for line in self.lines)
        # The highest, as the result and the seed before it have no time.
        return max(at for at in times if isinstance(at, float | int))

    @property
    def unsaved(self) -> list[Line]:
        """The lines that are not yet known to be on disk."""
        return self.lines[self.saved :]

    def put(self, entry: commands.RaceEntry, *, by: By, at: float) -> Events:
        """Fold an entry and keep its line to be written; the events of it.

        Raises:
            Refusal: the rules do not accept it; nothing has changed.
        """
        events = self.fold(entry, by, at)
        self.lines.append({"at": at, "by": by, **entry.line})
        return events

    def fold(self, entry: commands.RaceEntry, by: By, at: float) -> Events:
        """Let an entry take effect; the events of it.

        Raises:
            Refusal: the rules do not accept it; nothing has changed.
        """
        match entry:
            case commands.Note():
                pass
            case Pause(on):
                self.times.pause(on, at)
            case Preset(gear, seat) if seat is not None:
                self._preset(seat, gear, by)
            case commands.Watch(seat, since):
                self.watch_from[seat] = since
            case commands.Proposal():
                self.proposal = entry
            case commands.Drop():
                self.proposal = None
            case commands.Seed(value):
                self.seed = value
            case commands.Pressed() | commands.Joined():
                self._add_to_last(entry)
            case _ if isinstance(entry, InRace):
                return self._play(entry, by, at)
        return []

    def _play(self, command: InRace, by: By, at: float) -> Events:
        before = self.engine.version
        since = None
        if isinstance(command, Answer):
            # Asked first: the answer closes its ask.
            since = self.engine.since(command.seat, command.kind)
        events = self._logged(self.engine.carry_out(command))
        if isinstance(command, Undo):
            self._forget(command.count)
            self.times.take_back(command.count, at, by)
            return events
        names = {event["event"] for event in events}
        reveals = frozenset(kind for kind, event in self.secret_kinds.items() if event in names)
        self._remember(Given(command, by, before, since, reveals, at, _note(events)))
        self.times.add(at, by, command, self.engine)
        return events

    def _remember(self, given: Given) -> None:
        self.given.append(given)
        if given.key is None:
            # It may concern the very car that was talked about; a flag or the bell moves none.
            self.proposal = self.proposal if given.is_of_time else None
            # It may have been a join.
            self.take_seats()
            return
        seat, kind = given.key
        if self.proposal and self.proposal.seat == seat:
            self.proposal = None
        if seat in self.preset and (
            kind == "gear" or (kind == "move" and self._was_without_a_gear(seat))
        ):
            del self.preset[seat]
        if given.key in self.old:
            del self.old[given.key][0]
            if not self.old[given.key]:
                del self.old[given.key]

    def _was_without_a_gear(self, seat: int) -> bool:
        """Whether the move just made ended a turn for which no gear was chosen (a great start): a
        gear that was set early was meant for that turn, not for the next."""
        own = (one.key[1] for one in reversed(self.given) if one.key and one.key[0] == seat)
        next(own)  # the move itself
        return next((kind for kind in own if kind in ("gear", "move")), "move") == "move"

    def _forget(self, count: int) -> None:
        """Answers taken back are offered again, the oldest of a kind first."""
        self.proposal = None
        for given in reversed(self.given[-count:]):
            if isinstance(given.command, Answer) and given.key is not None:
                self.old.setdefault(given.key, []).insert(0, given.command.value)
        del self.given[-count:]
        # A join may be among what was taken back.
        self.take_seats()
        # A watch whose first gear was taken back begins again with the next one.
        driven = {given.key[0] for given in self.given if given.key and given.key[1] == "gear"}
        self.watch_from = {s: at for s, at in self.watch_from.items() if s in driven}

    def _add_to_last(self, entry: Pressed | Joined) -> None:
        """What the table knows of the last answer beside its line."""
        last = self.given[-1]
        if isinstance(entry, Pressed):
            self.given[-1] = last._replace(presser=entry.seat)
        else:
            self.given[-1] = last._replace(joined=entry.count)

    def _preset(self, seat: int, gear: int | None, by: By) -> None:
        self.preset.pop(seat, None)
        if gear is not None:
            self.preset[seat] = gear
            self.preset_by[seat] = by

    def _logged(self, events: Events) -> Events:
        version = self.engine.version
        self.log.extend({"version": version, **event} for event in events)
        return events

    # -- secrets -------------------------------------------------------------------------------
    # A kind of ask says whether its answers are secret and which event turns them up. An answer of
    # such a kind is secret from being given until that event comes, with an answer after it or with
    # itself; undone, the event has not been. Whoever tells answers asks here first.

    def is_secret(self, place: int) -> bool:
        """Whether the answer at this place of `given` may be seen by its seat alone."""
        key = self.given[place].key
        if key is None or key[1] not in self.secret_kinds:
            return False
        return not any(key[1] in later.reveals for later in self.given[place:])

    def has_come_out(self, place: int) -> bool:
        """Whether the answer at this place of `given` was secret and no longer is."""
        key = self.given[place].key
        return key is not None and key[1] in self.secret_kinds and not self.is_secret(place)

    def open_line(self, place: int) -> Line:
        """The line at this place of `given` for everybody to see: with null for a secret."""
        given = self.given[place]
        if given.key is None or not self.is_secret(place):
            return given.line
        return {**given.line, given.key[1]: None}


# -- the fastest lap ------------------------------------------------------------------------------

DIE_ROLLED = "DieRolled"
BEGINS = (0, 0)
"""The first round: trials before it are no laps of the race (FD-TRIAL-1)."""
LAP_BEGINS = ("LineCrossed", "PitStopBegan", "PitTurnBegan")
"""Events with the lap that begins: at the line, or in the box (FD-PIT-5)."""
Noted = tuple[int, int]
"""A seat with the lap that it begins; 0: it has rolled its gear die."""


class FastestLap(NamedTuple):
    """The lap driven with the fewest rolls of the dice: whose, which, and with how many.

    A lap goes from line to line (or box): what comes before a car's first crossing is none
    (FD-END-2). Of equal laps the one driven first is the fastest.
    """

    seat: int
    lap: int
    turns: int


def _note(events: Iterable[Mapping[str, Any]]) -> tuple[Noted, ...]:
    """What an answer has done to laps; it goes with the answer when that is taken back."""
    noted = []
    for event in events:
        if event["event"] == DIE_ROLLED and event.get("gear"):
            noted.append((event["seat"], 0))
        elif event["event"] == "RoundBegan" and event.get("round") == 1:
            noted.append(BEGINS)
        elif event["event"] in LAP_BEGINS and event.get("lap"):
            noted.append((event["seat"], event["lap"]))
    return tuple(noted)


def fastest(notes: Iterable[Noted]) -> FastestLap | None:
    """The fastest of all whole laps; None while there is none."""
    rolls: defaultdict[int, int] = defaultdict(int)
    lap_of: dict[int, int] = {}
    best: FastestLap | None = None
    for seat, lap in notes:
        if (seat, lap) == BEGINS:
            rolls.clear()
            lap_of.clear()
        elif not lap:
            rolls[seat] += 1
        elif lap > lap_of.get(seat, 0):
            is_whole = lap_of.get(seat) == lap - 1
            if is_whole and rolls[seat] and (best is None or rolls[seat] < best.turns):
                best = FastestLap(seat, lap - 1, rolls[seat])
            lap_of[seat], rolls[seat] = lap, 0
    return best


# -- what the table answers by itself -------------------------------------------------------------


def answer_early(race: Race, at: float) -> Events:
    """Answer what was set early, as far as it is asked now; the events of it.

    Not in time trials: the first gear starts a watch, which is for the driver to press.
    """
    if not race.preset or race.outline.on_trial:
        return []
    events: list[Line] = []
    for ask in race.engine.open:
        gear = race.preset.get(ask.seat)
        if ask.kind == "gear" and gear is not None:
            events += _answer(race, ask.seat, gear, at, puts_out=ask.puts_out(gear))
    return events


def thrown(race: Race, at: float) -> Events:
    """Throw the bots' dice, as far as the companion throws them and they are asked for now.

    Where nobody but bots races, the dice of the whole table are thrown too. A gear that was set
    early is answered in between. Returns the events of all of it.
    """
    events: list[Line] = []
    bots = race.beside.bots
    nobody = {0, *race.seats} if len(bots) == len(race.seats) else set(bots)
    # Looked for anew after every throw, which opens and closes asks.
    while due := next(
        filter(None, (_throw(race, a) for a in race.engine.open if a.seat in nobody)), None
    ):
        events += race.put(due, by="companion", at=at)
        events += answer_early(race, at)
    return events


def with_face(race: Race, answer: Answer) -> Answer | None:
    """A person's tap with the face that falls, where the companion throws the die that it is for.

    What the answer says itself counts for nothing. None: the die is not the companion's.
    """
    for ask in race.engine.open:
        if (ask.seat, ask.kind) == (answer.seat, answer.kind):
            due = _throw(race, ask)
            return None if due is None else replace(answer, value=due.value)
    return None


def _throw(race: Race, ask: Ask) -> Answer | None:
    """The answer that the seed throws; None: the ask is no die of the companion's."""
    dice, seed, sides = race.beside.dice, race.seed, ask.sides
    if dice is None or seed is None or sides is None or not dice.throws_for(ask.seat):
        return None
    return Answer(ask.seat, ask.kind, throw(seed, len(race.engine.accepted), ask, sides))


def _answer(race: Race, seat: int, gear: int, at: float, *, puts_out: bool) -> Events:
    try:
        if puts_out:
            # It was set before the others moved; nobody is put out without being asked again.
            raise refused("gear-puts-out", gear=gear)
        return race.put(Answer(seat, "gear", gear), by="companion", at=at)
    except Refusal as refusal:
        # Cleared, or the same gear would be tried and refused again after every answer.
        race.put(Preset(None, seat), by="companion", at=at)
        race.words[seat] = refusal
        return []


# -- which answers may be taken back --------------------------------------------------------------

ROLL = "roll"
"""The ask of a gear's die."""
DICE = (ROLL, "black")
"""The asks of dice."""
LOOKED_BACK = 24
"""How many answers back are looked through for one that may still be taken back."""


def undoable(race: Race) -> frozenset[int]:
    """The seats whose last answer nobody has acted on, as far as it is not long ago."""
    found: set[int] = set()
    seen: set[int] = set()
    first = max(0, len(race.given) - LOOKED_BACK)
    for place in range(len(race.given) - 1, first - 1, -1):
        given = race.given[place]
        owners = owners_of(race, given) - seen
        if not owners or given.is_by_itself:
            continue
        seen |= owners
        later = race.given[place + 1 :]
        if not race.has_come_out(place) and not any(
            has_acted_on(race, given, other) for other in later
        ):
            found |= owners
    return frozenset(found)


def owners_of(race: Race, given: Given) -> set[int]:
    """Who may take an answer back: its own seat; for one of the whole table the host and whoever
    pressed it; for what a person did in a bot's place the host."""
    if given.key is None:
        return set()
    seat, kind = given.key
    if seat in race.beside.bots and race.kinds[kind].by_hand:
        return {race.host}
    if seat != TABLE:
        return {seat}
    return {race.host} | ({given.presser} if given.presser is not None else set())


def has_acted_on(race: Race, its: Given, later: Given) -> bool:
    """Whether a later line was a consequence of this answer, or a throw of the companion's."""
    if later.is_by_itself or later.is_of_time:
        return False
    # A referee's line has no ask and may rest on anything. An ask that was open before this
    # answer cannot have come of it; one that opened afterwards may have.
    return later.since is None or later.since > its.version or _is_thrown(race, later)


def _is_thrown(race: Race, given: Given) -> bool:
    dice, key = race.beside.dice, given.key
    return dice is not None and key is not None and key[1] in DICE and dice.throws_for(key[0])
