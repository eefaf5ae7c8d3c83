"""One race on the table: the engine, and what the table remembers beside it.

Everything that happens is an entry, and `fold` is the only thing that changes a race. Live, an
entry is put in once (`put`) and its line waits in `lines` to be written; after a restart the
same lines are folded again and give the same race. Nothing in here knows a disk, a thread or a
clock.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields, replace
from enum import Enum
from functools import cache, partial
from importlib import import_module
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, cast

from companion.race.boards import TrackLibrary
from companion.race.engine import TABLE, Engine, Events
from companion.race.record import RecordError, header_of, name_in, throw, tracks_of
from companion.race.times import Pauses, Stretch, Times, Turn
from companion.rules.game import Ask, Outline
from companion.rules.games import kinds_of
from companion.rules.lines import WORDS, Answer, InRace, Join, Line, New, Refusal, Timely, Undo
from companion.rules.packs import part
from companion.system.frozen import dataclass
from companion.table import commands
from companion.table.commands import Joined, Pressed
from companion.table.ports import JSON, By, refused
from companion.views.model import Pause, Preset

LOG_LENGTH = 120
"""Events kept for the story; a page tells the last thirty that are worth a sentence."""

Key = tuple[int, str]
"""Seat and kind of an answer."""


class BrokenRace(Exception):
    """A race of the journal that today's rules do not accept; the message names line and rule."""


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
        self._take_seats()
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

    def _take_seats(self) -> None:
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
            self._take_seats()
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
        self._take_seats()
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


Engines = Callable[[TrackLibrary, int], Engine]
"""Makes an engine with these boards whose version goes on from a number."""
Kept = tuple[int, bytes]
"""After how many lines of a race, what `memory_of` made of it."""


def open_race(engines: Engines, lines: Sequence[JSON], base: int, kept: Kept | None = None) -> Race:
    """The race that these lines of a journal tell, as it stood after the last of them.

    Args:
        base: the version that the engine goes on from.
        kept: spares all lines but those behind it; where it is of no use it changes nothing.

    Raises:
        BrokenRace: a line is refused that was accepted once, or there is none.
    """
    if kept is not None:
        # Whatever is wrong with it, the lines are all there.
        with suppress(Exception):
            return _opened(engines, lines, base, kept)
    return _opened(engines, lines, base, None)


def _opened(engines: Engines, lines: Sequence[JSON], base: int, kept: Kept | None) -> Race:
    if not lines:
        raise BrokenRace("the journal has no line of this race that can be read")
    number, known = 0, 1
    try:
        race = Race(engines(tracks_of(lines[0]), base), lines[0])
        if kept is not None:
            known = kept[0]
            _recall(race, base, lines[1:known], kept[1])
        for number, line in enumerate(lines):
            if number >= known and (entry := commands.race_entry(line)) is not None:
                race.fold(entry, line.get("by", "companion"), line.get("at", 0.0))
    except Refusal as refusal:
        fault = RecordError(number + 1, refusal.message, rule=refusal.rule)
        name = lines[0]["name"]
        raise BrokenRace(f"race {name!r} does not hold any more: {fault}") from refusal
    race.lines = list(lines)
    race.saved = len(lines)
    return race


# -- what a race has come to ----------------------------------------------------------------------

# So that a start need not play a race again from its first answer. The log alone is the truth: what
# is kept here is only ever what the lines of the log make of the race, and whoever loses it or
# cannot use it reads them.

REMEMBERED = ("old", "preset", "preset_by", "proposal", "seed", "watch_from")
"""What a race has beside its engine, its lines, its story and what it knows of each answer."""
OF_ANSWER = attrgetter("version", "since", "reveals", "noted", "presser", "joined")
OF_STRETCH = attrgetter("at", "round", "mover", "asked", "playing")
OF_TURN = attrgetter("seat", "round", "used_s", "flagged")
"""What the rules have made of each answer. What was said, by whom and when is the log's."""
RECORDS = re.compile(r"companion\.(rules\..*|race\.times|table\.commands)")
"""The modules whose records may be kept."""
NO_COMMANDS = {"table", "note", "result", "seed"}
"""A line with one of these is none of the engine's."""
ANSWER = ("at", "by", "seat", "its kind")
"""The keys of an answer's line."""
MADE_OF: dict[str, Callable[[list[Any]], object]] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset,
    "dict": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
}  # fmt: skip


def _given_by_header(engine: Engine) -> dict[str, object]:
    """Board, ground, edition, house: what the states of a race hold on to from its beginning. It is
    not kept, but had of the header, and checked, at every start."""
    begun, setup = engine.begun, getattr(engine.begun, "setup", None)
    found = {f"{one.name} of {type(owner).__name__}": getattr(owner, one.name)
             for owner in (begun, setup) if owner for one in fields(owner)}  # fmt: skip
    plain = (int, float, str, tuple, frozenset, dict, type(None))
    return {name: one for name, one in found.items() if not isinstance(one, plain)}


def _told(one: Any, names: Mapping[int, str]) -> Any:
    """A value as JSON: what is no number, word or None as a list, of its kind and its parts."""
    kind = type(one)
    if one is None or kind in (bool, int, float, str):
        return one
    if id(one) in names:
        return ["given", names[id(one)]]
    name, parts = f"{kind.__module__}:{kind.__name__}", one
    if kind.__name__ in MADE_OF:
        name, parts = kind.__name__, chain.from_iterable(one.items()) if kind is dict else one
    elif isinstance(one, Enum):
        parts = [one.name]
    elif not isinstance(one, tuple):
        parts = [getattr(one, its.name) for its in fields(one)]
    return [name, *(_told(its, names) for its in parts)]


def _read(one: Any, named: Mapping[str, object]) -> Any:
    """A value of which `_told` was kept; whoever wrote it gets fresh records of it, no more."""
    if type(one) is not list:
        return one
    name, *parts = one
    if name == "given":
        return named[parts[0]]
    return (MADE_OF.get(name) or _made_of(name))([_read(its, named) for its in parts])


@cache
def _made_of(name: str) -> Callable[[list[Any]], object]:
    """What makes a record of its parts."""
    module, _, own = name.partition(":")
    kind: Any = getattr(import_module(module), own) if RECORDS.fullmatch(module) else None
    if not isinstance(kind, type) or kind.__module__ != module:  # not what it imports
        raise ValueError(f"{name} is no kind of record")
    if issubclass(kind, Enum):
        return lambda parts: kind[parts[0]]
    if issubclass(kind, tuple):
        return partial(tuple.__new__, kind)
    names = [one.name for one in fields(cast(Any, kind))]

    def record(parts: list[Any]) -> object:
        made: Any = object.__new__(kind)
        for name, its in zip(names, parts, strict=True):
            object.__setattr__(made, name, its)  # as it is frozen
        return made

    return record


def _columns(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Rows as JSON: each column by its different values, of which there are few."""
    told = []
    for column in zip(*rows, strict=True):
        found: dict[Any, int] = {}
        places = [found.setdefault(one, len(found)) for one in column]
        told.append([[_told(one, {}) for one in found], places])
    return told


def _read_columns(told: list[Any]) -> list[Iterator[Any]]:
    return [map([_read(one, {}) for one in found].__getitem__, at) for found, at in told]


def memory_of(race: Race, base: int) -> Callable[[], bytes]:
    """What `open_race` can begin with instead of the lines so far; another thread may make it."""
    engine, given, times = race.engine, [*race.given], deepcopy(race.times.memory)
    stretches, turns = [*race.times.stretches], [*race.times.over]
    own = {name: deepcopy(getattr(race, name)) for name in REMEMBERED}
    parts = [engine.memory, own, times, [*race.log]]

    def make() -> bytes:
        names = {id(one): name for name, one in _given_by_header(engine).items()}
        rows = map(OF_ANSWER, given), map(OF_STRETCH, stretches), map(OF_TURN, turns)
        told = [base, _told(parts, names), *map(_columns, rows)]
        return json.dumps(told, separators=(",", ":")).encode()

    return make


def _recall(race: Race, base: int, lines: Sequence[JSON], kept: bytes) -> None:
    """Let a race that has just begun be the one of which this was kept after these lines.

    Raises:
        Exception: of any kind: it is none of this version's.
    """
    then, parts, *columns = json.loads(kept)
    if then != base:
        raise ValueError("it was kept of another start")
    memory, own, times, log = _read(parts, _given_by_header(race.engine))
    answers, stretches, turns = map(_read_columns, columns)
    stand, kinds = _standing(lines), race.kinds.keys() - WORDS
    said = [_said(line, kinds) for line in stand]
    by, at = ([line.get(*one) for line in stand] for one in (("by", "companion"), ("at", 0.0)))
    race.given = [*map(Given, said, by, *answers[:3], at, *answers[3:])]
    began = [*map(Stretch, *stretches, [None, *said])]
    if not len(began) == len(race.given) + 1 == len(said) + 1:
        raise ValueError("it was kept of other lines")
    race.times.recall(times, began, [Turn(*one) for one in zip(*turns, strict=True)])
    vars(race).update({name: own[name] for name in REMEMBERED})
    race.log = deque(log, maxlen=LOG_LENGTH)
    race.engine.recall(memory, said)
    race._take_seats()
    # What every picture reads: what of it is of another kind is found here.
    race.times.turns(race.last_at)
    if race.paused not in (True, False) or not all(type(one) is dict for one in race.log):
        raise ValueError("it was kept of another program")


def _standing(lines: Iterable[JSON]) -> list[JSON]:
    """The lines that the engine was given and that were not taken back."""
    stand: list[JSON] = []
    for line in lines:
        if "undo" in line:
            del stand[-line["undo"] :]
        elif NO_COMMANDS.isdisjoint(line):
            stand.append(line)
    return stand


def _said(line: JSON, kinds: Container[str]) -> InRace:
    """The command of a line; of an answer, as nearly all are, without looking at its form again."""
    *_, word = line
    if word in kinds and len(line) == len(ANSWER):
        return Answer(line["seat"], word, line[word])
    return cast(InRace, commands.race_entry(line))


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


# -- what may be taken back -----------------------------------------------------------------------

# Nothing is deleted: a line says that the last n answers count no more. A seat may take its last
# answer back as long as nobody has acted on it. Other seats' answers to asks that were open at the
# same time have not acted on it (six cars roll for the grid): they are taken back with it and given
# again as they stand. A gear that was set early and answered by itself has not either; it is set
# early again. The time that the stopwatch has answered goes with the move that crossed the line. A
# die that the companion has thrown since stays: with an answer fewer before it, it would show
# another face.


def take_back(race: Race, seat: int, *, by: By, at: float) -> Events:
    """Take the last answer of a seat back, or all that its last touch gave; the events of it.

    Raises:
        Illegal: it has given none, somebody has acted on it, or it was secret and has come out:
            the seat has seen what the others have.
    """
    place = _last_of(race, seat)
    its, later = race.given[place], race.given[place + 1 :]
    if race.has_come_out(place):
        raise refused("turned-up")
    if any(_acted_on(race, its, other) for other in later):
        raise refused("acted-on", seat=seat)
    events = race.put(Undo(len(later) + 1 + its.joined), by=by, at=at)
    _set_early_again(race, later, by=by, at=at)
    _again(race, [other for other in later if not other.is_by_itself], at=at)
    return events


ROLL = "roll"
"""The ask of a gear's die."""


def replay(race: Race, seat: int, *, by: By, at: float) -> Events:
    """Lever and die disagree: the lever counts, and the move is made again from the roll on.

    All that has come of the roll is taken back, points that were struck too (competition rules of
    2018, 6-3-1 to 6-3-3). A gear that the next player has set early stays set.

    Raises:
        Illegal: this seat has not rolled, or another one has rolled since.
    """
    rolls = [place for place, one in enumerate(race.given) if one.key and one.key[1] == ROLL]
    rollers = [key[0] for place in rolls if (key := race.given[place].key)]
    if seat not in rollers:
        raise refused("nothing-to-take-back", seat=seat)
    if rollers[-1] != seat:
        raise refused("rolled-since", seat=seat)
    later = race.given[rolls[-1] :]
    events = race.put(Undo(len(later)), by=by, at=at)
    _set_early_again(race, later, by=by, at=at)
    return events


def _set_early_again(race: Race, later: Sequence[Given], *, by: By, at: float) -> None:
    """Gears of these lines that the table has answered by itself."""
    for other in later:
        command = other.command
        if other.is_by_itself and isinstance(command, Answer) and command.kind == "gear":
            assert isinstance(command.value, int)
            race.put(Preset(command.value, command.seat), by=by, at=at)


LOOKED_BACK = 24
"""How many answers back are looked through for one that may still be taken back."""


def undoable(race: Race) -> frozenset[int]:
    """The seats whose last answer nobody has acted on, as far as it is not long ago."""
    found: set[int] = set()
    seen: set[int] = set()
    first = max(0, len(race.given) - LOOKED_BACK)
    for place in range(len(race.given) - 1, first - 1, -1):
        given = race.given[place]
        owners = _owners(race, given) - seen
        if not owners or given.is_by_itself:
            continue
        seen |= owners
        later = race.given[place + 1 :]
        if not race.has_come_out(place) and not any(
            _acted_on(race, given, other) for other in later
        ):
            found |= owners
    return frozenset(found)


def _again(race: Race, tail: Sequence[Given], *, at: float) -> int:
    """Give answers again as they stand, up to the first that no longer holds; how many held.

    Those that do not hold stay in `race.old`, to be offered when they are asked again. Nor does a
    throw of the companion's hold that would show another face now.
    """
    for count, given in enumerate(tail):
        if _falls_otherwise(race, given.command):
            return count
        try:
            race.put(given.command, by=given.by, at=at)
        except Refusal:
            return count
        if given.presser is not None:
            race.put(Pressed(given.presser), by=given.by, at=at)
        if given.joined:
            race.put(Joined(given.joined), by=given.by, at=at)
    return len(tail)


def _falls_otherwise(race: Race, command: object) -> bool:
    """Whether this answers for a die of the companion's that would show another face now."""
    if not isinstance(command, Answer):
        return False
    thrown = with_face(race, command)
    return thrown is not None and thrown.value != command.value


def _owners(race: Race, given: Given) -> set[int]:
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


def _last_of(race: Race, seat: int) -> int:
    for place in range(len(race.given) - 1, -1, -1):
        given = race.given[place]
        is_time = given.is_by_itself and given.key is not None and given.key[1] == "time"
        if seat in _owners(race, given) and not is_time:
            return place
    raise refused("nothing-to-take-back", seat=seat)


def _acted_on(race: Race, its: Given, later: Given) -> bool:
    """Whether a later line was a consequence of this answer, or a throw of the companion's."""
    if later.is_by_itself or later.is_of_time:
        return False
    # A referee's line has no ask and may rest on anything. An ask that was open before this
    # answer cannot have come of it; one that opened afterwards may have.
    return later.since is None or later.since > its.version or _is_thrown(race, later)


DICE = (ROLL, "black")
"""The asks of dice."""


def _is_thrown(race: Race, given: Given) -> bool:
    dice, key = race.beside.dice, given.key
    return dice is not None and key is not None and key[1] in DICE and dice.throws_for(key[0])


# -- amending an answer ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amended:
    """What came of an amendment: the events of the corrected answer, how many later answers
    still hold, and the others, oldest first, as `_shown` tells them."""

    events: Events
    kept: int
    dropped: list[Line]


def amend(trial: Race, back: object, value: object, *, by: By, at: float) -> Amended:
    """Amend an answer in `trial`, which is spoilt where that is refused.

    Args:
        back: how many answers ago, 1 for the last one.
        value: what the answer should have been.

    Raises:
        Refusal: there is no such answer, this is none, or it is a die that the companion threw.
    """
    its, count = _answer_at(trial, back)
    first = len(trial.given) - count + 1
    tail = trial.given[first:]
    # Before the undo, which takes these places away.
    later = [_shown(trial, place) for place in range(first, len(trial.given))]
    trial.put(Undo(count), by=by, at=at)
    amended = Answer(its.seat, its.kind, value)
    # After the undo: what a die shows depends on how many answers stand before it.
    if _falls_otherwise(trial, amended):
        raise refused("thrown-die")
    events = trial.put(amended, by=by, at=at)
    kept = _again(trial, tail, at=at)
    return Amended(events, kept, later[kept:])


def asked_then(trial: Race, back: object, *, by: By, at: float) -> Line | None:
    """The ask, with its options, that was answered so many answers ago; `trial` is spoilt.

    Raises:
        Refusal: there is no such answer.
    """
    its, count = _answer_at(trial, back)
    trial.put(Undo(count), by=by, at=at)
    asked = zip(trial.engine.open, trial.asks, strict=True)
    return next((data for ask, data in asked if (ask.seat, ask.kind) == (its.seat, its.kind)), None)


def last_answers(race: Race, most: int) -> list[Line]:
    """The lines that `amend` and `undo` count, newest first: the first is 1 back."""
    newest = len(race.given) - 1
    return [_shown(race, place) for place in range(newest, max(-1, newest - most), -1)]


def _shown(race: Race, place: int) -> Line:
    """The answer at a place of `given` as seat, kind, value and who gave it.

    A referee's line has no kind; of what is still a secret the value is null, and `secret` true.
    """
    given = race.given[place]
    if given.key is None:
        seat = given.line.get("seat", 0)
        return {"seat": seat, "kind": None, "value": given.line, "by": given.by}
    seat, kind = given.key
    value = race.open_line(place)[kind]
    answer = {"seat": seat, "kind": kind, "value": value, "by": given.by}
    return {**answer, "secret": True} if race.is_secret(place) else answer


def _answer_at(race: Race, back: object) -> tuple[Answer, int]:
    """The answer that was given so many answers ago, and how many.

    Raises:
        Malformed: there are not so many.
        Illegal: it is a referee's line.
    """
    # `True` is an int to Python.
    if isinstance(back, bool) or not isinstance(back, int) or not 1 <= back <= len(race.given):
        raise refused("no-such-answer", back=f"{back!r:.40}", given=len(race.given))
    its = race.given[-back].command
    if not isinstance(its, Answer):
        raise refused("not-an-answer")
    return its, back
