"""What goes between the running table, the dialog of a seat and its drawing: plain records.

`Scene` is everything that a view may depend on: the game's own state and asks, and what the table
knows beside them. `SeatView` is what stands on one 128×64 screen, in words. `Intent` is what a
press means: a command. `GameOptions` is what a game lets a table choose before a race; it may name
rules that this version does not play yet, since `options.offer` takes those that it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from companion.rules.board.track import Track
from companion.rules.game import OpenAsk
from companion.rules.lines import Answer, End, Line, Retire
from companion.system.frozen import dataclass

if TYPE_CHECKING:
    from fractions import Fraction

JSON = Mapping[str, Any]
NO_BOARD = ""
"""The track of a lobby whose race is on a board that nobody has put in."""
Mark = Literal["", "free", "old", "costs", "out", "more", "back"]


@dataclass(frozen=True, slots=True)
class Key:
    """What one button does now: at most 7 columns of label, and a second line for its cost.

    `full` and `says` are label and hint uncut, for a screen that has room; "" where nothing is
    cut. `price` is the mark of an answer that is marked as the one that was taken back.
    """

    label: str
    hint: str = ""
    mark: Mark = ""
    full: str = ""
    says: str = ""
    price: Mark = ""


@dataclass(frozen=True, slots=True)
class Pip:
    """Wear of one category: `left` of `full` points. `short` is its name in five columns,
    `word` the whole of it."""

    name: str
    left: int
    full: int
    short: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One screen: a title (21 columns), up to three lines, six keys.

    `keys[0]` is button 1; None leaves a button without meaning. Buttons stand like a gear
    gate, 1 3 5 above and 2 4 6 below. Without any key the whole height is free for four lines.
    With pips and a figure or keys it is a driver's screen: the title is large up to 18 columns,
    the first line stands under it, and two further ones at the foot where there are no keys.
    `big` is a figure to be read across the table (a gear, a place).
    `qr` is a text to be shown as a QR code beside the lines. `face` is what everybody else sees
    of a screen that holds a secret; None: the same. For a screen that has room `asks` is the
    title in full and `tells` are the lines; "" and None: as they are. `clock` is what is left of
    the seat's turn, at the right of the title.
    """

    title: str
    lines: tuple[str, ...] = ()
    keys: tuple[Key | None, ...] = (None,) * 6
    pips: tuple[Pip, ...] = ()
    big: str = ""
    qr: str = ""
    blink: bool = False
    face: SeatView | None = None
    asks: str = ""
    tells: tuple[str, ...] | None = None
    clock: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a part of a seat fails: `key` and `args` are what a catalogue translates.

    `message` is for the log: English, with ports and files, and what mends it.
    """

    key: str
    message: str = ""
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message or self.key


@dataclass(frozen=True, slots=True)
class Ailing:
    """What is the matter with a seat that cannot be reached.

    `part` is what fails (`pod`, `screen`, `buttons`, `driver`), `since` the round in which that
    began, 0 before the race.
    """

    part: str
    trouble: Trouble
    since: int = 0


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat of the table: who sits there, in which language, and whether it can be reached.

    `ailing` says why a seat that is not `alive` cannot be reached, where that is known. `buttons`:
    it has real ones, on which everybody sees a finger. `power`: they may switch the computer.
    """

    seat: int
    name: str
    language: str = "en"
    alive: bool = True
    host: bool = False
    link: str = ""
    ailing: Ailing | None = None
    buttons: bool = False
    power: bool = False


class Chances(Protocol):
    """What may come of a gear; all chances together are 1.

    `overshoot` is by the spaces beyond the limit. `turns` are those expected to the finish, None
    where nobody knows.
    """

    @property
    def overshoot(self) -> Mapping[int, Fraction]: ...
    @property
    def spin(self) -> Fraction: ...
    @property
    def out(self) -> Fraction: ...
    @property
    def turns(self) -> float | None: ...


Advise = Callable[[object, int], Mapping[int, Chances]]
"""The chances of the gears that a seat may roll with next, by gear, as a state stands."""


# -- what there is to choose before a race --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """An optional rule, as a header names it; `says` fits three lines of a seat's screen.

    `wants` is what every seat must say where it is on, `opens` what a seat may say; it is not
    played together with those it `excludes`, and only by so many `players` (None: by any
    number).
    """

    name: str
    title: str
    says: str
    wants: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    players: int | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """One choice of a switch."""

    name: str
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting with a few values, of which the first is the default.

    `house` tells a house switch of the rules from what else a header settles; it is there
    only with the optional rule `needs`, and not together with the rule `unless`. `free` is the
    sentence of any other name, "" where only these values are taken. `with_bots` is the
    value that it has while a bot plays, "": the one that is set. `asks` is what it settles, as a
    person asks it, in `group` of those in which a page shows them; `rule` is the one that it
    changes.
    """

    name: str
    title: str
    values: tuple[Value, ...]
    house: bool = True
    needs: str = ""
    unless: str = ""
    free: str = ""
    with_bots: str = ""
    asks: str = ""
    group: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver of urban races; `needs` is an optional rule without which nobody takes him."""

    name: str
    says: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All that one game lets a table choose; `short` is its name on a key.

    `rules` are on until the table says otherwise. `laps` are the fewest, the most, and the usual,
    `short_laps` the usual where one of those rules is on; `players` the fewest and the most.
    `house` gives house switches that come after `switches`. What a seat may say of its car:
    `drivers`, `teams` of `team_size` cars and `tires` by their names (`tires_give`: what each of
    them does), `boxes` by their numbers. A table has powers of its own where `own_powers`, and a
    car may have a crew where `has_crews`.
    """

    name: str
    title: str
    short: str
    options: tuple[Option, ...] = ()
    rules: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()
    house: Callable[[], tuple[Switch, ...]] = tuple
    laps: tuple[int, int, int] = (1, 1, 1)
    players: tuple[int, int] = (1, 10)
    has_track: bool = True
    short_laps: Mapping[str, int] = field(default_factory=dict)
    drivers: tuple[Driver, ...] = ()
    teams: Mapping[str, str] = field(default_factory=dict)
    team_size: int = 1
    tires: Mapping[str, str] = field(default_factory=dict)
    tires_give: Mapping[str, str] = field(default_factory=dict)
    boxes: range = range(0)
    own_powers: bool = False
    has_crews: bool = True


@dataclass(frozen=True, slots=True)
class Lobby:
    """Before a race: who has joined, in order, and what is set for the race.

    `track` is `NO_BOARD` for a race without one; `titles` are what people call the tracks,
    `cards` those of which only a card is known; `games` those that the table
    plays. `rules` are the optional rules that are on, `switches` the settings that are not at
    their default, `chosen` what seats have said of their cars (`team`, `driver`, `tires`,
    `box`). `levels` are those that a bot can have, by game, `bots` those of the bots' seats.
    `laps` is None for as many as is usual. What all of it means: `views.options`. `packs`
    are the texts of the rules packs that may be played, by name; `pack` is the one that is, in
    the form of a header, and what is set beside it wins over it. `powers` are those of the
    table's own, as a header has them, `circuits` the names of boards in earlier races. `crews` are
    those who drive the car of a seat, where they are several.
    """

    names: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    joined: Mapping[int, str] = field(default_factory=dict)
    track: str = "monaco"
    tracks: tuple[str, ...] = ("monaco",)
    cards: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    laps: int | None = None
    last: JSON | None = None
    game: str = "formula-d"
    games: tuple[str, ...] = ("formula-d",)
    rules: tuple[str, ...] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    chosen: Mapping[int, Mapping[str, str | int]] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bots: Mapping[int, str] = field(default_factory=dict)
    packs: Mapping[str, str] = field(default_factory=dict)
    pack: Mapping[str, str] | None = None
    powers: tuple[Mapping[str, str], ...] = ()
    circuits: tuple[str, ...] = ()
    crews: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


# -- the race as a view sees it -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pace:
    """The clocks of a race at the moment `at` of the table's clock, which everybody may see.

    `seat` is on turn, and has `left_s` of it (below 0: it takes too long) and `bank_s` beside; None
    where turns have no clock, or nobody is on turn. `late` is what comes of a turn that takes too
    long (`game.Timing`), `flagged` whether it has. `running` tells the clock of the turn from one
    that waits for others. `race_left_s` is the time until the bell, None without one, or once it
    has `rung`.
    """

    seat: int | None
    at: float
    left_s: float | None
    bank_s: float | None
    late: str
    flagged: bool
    running: bool
    race_left_s: float | None
    rung: bool
    paused: bool

    @property
    def ends(self) -> float | None:
        """When the turn's time is over, on the table's clock."""
        # While the clock runs the sum stays the same; rounding takes off the noise of floats, so
        # that no page is sent a change.
        return None if self.left_s is None else round(self.at + self.left_s, 1)


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a view is a function of.

    `track` is the board, None where nobody has put it in; `card` the little that is known of
    it then. `state` is the state of the race as everybody may see it, of the game's own class,
    which the views of that game know; `asks` are the open asks; `old` holds answers that were
    taken back, by (seat, kind), to be offered as a first key; `log` the last events of the engine
    protocol with their version, oldest first; `refused` the last refusal of a seat (an `error`
    object); `proposal` a correction that waits for another seat's agreement (`seat`, `space`,
    `from`: who says so, `error`: the rule broken, where it is known); `preset` gears set early by
    seats that are not yet on turn; `own` what only one seat may see, by seat: for its own screen
    and for nothing else; `watch` the stopwatch of a trial (`seat`, `seconds`, `running`), None
    where none was started; `pace` the clocks of the turn and the race, None without;
    `minutes_left` a forecast of the race's end, from the second round on, and `minutes_span` from
    how many to how many minutes it may take, four times of five; `waits`, once it is over,
    how many seconds each seat kept the others waiting and how many it waited; `race` the id of the
    race, which its record goes by; `disk` what is wrong with the disk, the most pressing first.
    `known` is where views keep what they have worked out of this scene (`screen.once`); it is no
    part of it. `guests` are seats with buttons that are not in the race and may come in late,
    `fastest` is who has driven the fastest lap, which lap and in how many turns.
    `undoable` are the seats that may take their last answer back. `advise` works out odds for
    whoever asks; None: this race is without advice.
    """

    version: int
    seats: tuple[SeatInfo, ...]
    header: JSON | None = None
    track: Track | None = None
    state: object | None = None
    asks: tuple[OpenAsk, ...] = ()
    lobby: Lobby | None = None
    old: Mapping[tuple[int, str], object] = field(default_factory=dict)
    log: tuple[JSON, ...] = ()
    refused: Mapping[int, JSON] = field(default_factory=dict)
    proposal: JSON | None = None
    preset: Mapping[int, int] = field(default_factory=dict)
    own: Mapping[int, object] = field(default_factory=dict)
    watch: Mapping[str, int] | None = None
    pace: Pace | None = None
    minutes_left: int | None = None
    minutes_span: tuple[int, int] | None = None
    waits: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    card: Track | None = None
    paused: bool = False
    race: str | None = None
    disk: tuple[Trouble, ...] = ()
    undoable: frozenset[int] = frozenset()
    guests: tuple[SeatInfo, ...] = ()
    fastest: tuple[int, int, int] | None = None
    advise: Advise | None = field(default=None, compare=False)
    known: dict[object, object] = field(default_factory=dict, init=False, compare=False, repr=False)


# -- what a press means ---------------------------------------------------------------------------

# A command is carried out by the table, never by the dialog. One without a seat is about the seat
# whose button was pressed.


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take this seat's last answer back, if nobody has acted on it."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """Set the gear for this seat's coming turn; None forgets it."""

    gear: int | None
    seat: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"table": "preset", "seat": self.seat, "gear": self.gear}


@dataclass(frozen=True, slots=True)
class Propose:
    """`seat` stands at `space` whatever the companion thinks; another seat must agree.

    `proposer` is the seat that says so, None: the caller's.
    """

    seat: int
    space: str
    proposer: int | None = None


@dataclass(frozen=True, slots=True)
class Agree:
    """Agree (or not) to the open proposal."""

    yes: bool
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """The race rests, or (not `on`) goes on."""

    on: bool
    seat: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"table": "pause" if self.on else "resume"}


@dataclass(frozen=True, slots=True)
class Language:
    """The language of a seat's screen."""

    code: str
    seat: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"table": "language", "seat": self.seat, "value": self.code}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the disk has lost has been read; no screen needs to show it any more."""

    seat: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"table": "seen"}


@dataclass(frozen=True, slots=True)
class Start:
    """The race that the lobby has set up begins."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Rematch:
    """The race that is over once more: the same header, the same seats, the same phones."""

    seat: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"table": "rematch"}


@dataclass(frozen=True, slots=True)
class Power:
    """The computer goes "off", or does a "restart"; the race is kept."""

    what: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SetUp:
    """A word about the race to be or who takes part in it; which there are the lobby knows.

    `same` sets up again as last time; `join` may have a value, and all that name a setting have.
    """

    word: str
    value: object = None
    seat: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"table": self.word, "seat": self.seat, "value": self.value}


InRace = Answer | Retire | End | TakeBack | Preset | Propose | Agree | Pause
Intent = InRace | Language | Seen | Start | Rematch | Power | SetUp
