"""What may be said to the table, and what the journal keeps of it: commands and entries as types.

Whatever comes in is a `Command` from here on. A press at a seat means one already (`views.model`);
a line that is posted is read here, once. What can be judged without the table is judged here, the
rest by the handlers.

The line of an entry on disk is its `line`; a race's have `at` and `by` beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.rules import lines
from companion.rules.games import KINDS
from companion.rules.lines import Malformed, no_such_space, read_name
from companion.rules.packs import read_color
from companion.system.frozen import dataclass
from companion.table.ports import JSON, bad_value, refused
from companion.views import model as view
from companion.views.words import LANGUAGES


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence of the referee or the host, for the record."""

    text: str

    @property
    def line(self) -> lines.Line:
        """The line that says it."""
        return {"note": self.text}


@dataclass(frozen=True, slots=True)
class PreviewUndo:
    """What `Undo` would undo, and what would be asked then."""

    count: int


@dataclass(frozen=True, slots=True)
class Amend:
    """The answer `back` answers ago (1: the last) should have been `value[0]`.

    `preview`: only what comes of it; then without a value what was asked. With a `version` it is
    for that version alone. The race judges `back` and `version`.
    """

    back: object
    value: tuple[object] | None
    version: object = None
    preview: bool = False


@dataclass(frozen=True, slots=True)
class Replay:
    """Lever and die of a seat disagree: it rolls again, by its lever."""

    seat: int


@dataclass(frozen=True, slots=True)
class LastAnswers:
    """The answers that count, newest first, at most so many."""

    count: int


@dataclass(frozen=True, slots=True)
class Open:
    """A waiting race, by its name or id, comes back on the table."""

    race: str


@dataclass(frozen=True, slots=True)
class Close:
    """The race on the table is put away, to wait."""


@dataclass(frozen=True, slots=True)
class Boards:
    """A board was kept: the lobby looks again, also while a race runs."""

    @property
    def line(self) -> lines.Line:
        """The line that says it."""
        return {"table": "boards"}


@dataclass(frozen=True, slots=True)
class SavePack:
    """What the lobby is set to becomes a rules pack of the host's own; `over` one of that name."""

    name: str
    over: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page of the races that wait, the newest on page 1."""

    page: int


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody comes in by the table's one code and takes the next seat that is free.

    `name` None: as a guest; `color` None: that of the seat.
    """

    name: str | None
    color: str | None

    @property
    def line(self) -> lines.Line:
        """The line that says it."""
        return {"table": "sit", "value": {"name": self.name, "color": self.color}}


@dataclass(frozen=True, slots=True)
class Touch:
    """Answers of one seat that one touch gives: all of them, or none."""

    answers: tuple[lines.Answer, ...]

    @property
    def seat(self) -> int:
        """The seat that they are of."""
        return self.answers[0].seat


FromHost = lines.New | lines.End | Note | Open | Close | Boards | SavePack | Waiting
FromReferee = (
    lines.Undo
    | PreviewUndo
    | Amend
    | Replay
    | LastAnswers
    | lines.Correct
    | lines.Return
    | lines.Join
    | lines.Flag
    | lines.Bell
)
Command = view.Intent | Touch | lines.Explain | FromHost | FromReferee | Sit


def pressed(intent: view.Intent, seat: int) -> Command:
    """The command of an intent that came from the buttons of a seat.

    >>> pressed(view.Preset(3), 2)
    Preset(gear=3, seat=2)
    >>> pressed(lines.Answer(4, "black", 7), 2)
    Answer(seat=4, kind='black', value=7, version=None)
    """
    if isinstance(intent, lines.Answer | lines.Retire | lines.End):
        return intent
    if isinstance(intent, view.Propose):
        return replace(intent, proposer=seat)
    return replace(intent, seat=seat)


OURS_ONLY = ("at", "by", "result", "record", "quit", "state")
"""Keys that a line from outside must not have: the table writes them itself, or never."""


def command_of(line: lines.Line) -> Command:
    """The command in a line from outside.

    Raises:
        Malformed: it has none, or is not of its form.
        Illegal: a gear that no car has.
    """
    for key in OURS_ONLY:
        if key in line:
            raise refused("unknown-key", name=key)
    return _word(line) if "table" in line else _beside_engine(line) or _in_race(line)


def _in_race(line: lines.Line) -> lines.InRace:
    """The command in a line for the engine.

    Raises:
        Malformed: it has none, or is not of its form.
    """
    command = lines.read(line, KINDS)
    assert isinstance(command, lines.InRace)  # all others have been read before, or are ours only
    return command


MOST_SHOWN = 100


def _beside_engine(line: lines.Line) -> Command | None:
    """A line that says more than the engine knows; None: it does not."""
    preview = line.get("preview") is True
    match line:
        case {"new": dict() as header}:
            return lines.New(header)
        case {"new": header}:
            raise Malformed("header-form", f"a header is an object, not {header!r:.40}")
        case {"explain": _}:
            asked = lines.read(line, KINDS)
            assert isinstance(asked, lines.Explain), "the word says so"
            return asked
        case {"note": note}:
            return Note(_text("note", note))
        case {"undo": count}:
            # Without `preview`, which the engine does not know.
            undo = _in_race({"undo": count})
            return PreviewUndo(undo.count) if preview and isinstance(undo, lines.Undo) else undo
        case {"amend": back}:
            # In a tuple, since null may be the value that is right.
            value = None if preview and "value" not in line else (line.get("value"),)
            return Amend(back, value, line.get("version"), preview)
        case {"replay": True, "seat": int() as seat}:
            return Replay(seat)
        case {"answers": count}:
            if type(count) is not int or not 1 <= count <= MOST_SHOWN:
                raise bad_value("answers", count, f"1 to {MOST_SHOWN}")
            return LastAnswers(count)
    return None


NOTE_LENGTH = 500


def _text(word: str, value: object) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= NOTE_LENGTH:
        raise bad_value(word, value, f"1 to {NOTE_LENGTH} letters")
    return value


# -- words to the table ---------------------------------------------------------------------------


def _word(line: lines.Line) -> Command:
    """A word to the table. The page, which is no seat, names the seat within its value."""
    word, seat, value = line["table"], line.get("seat"), line.get("value")
    if isinstance(value, dict) and "seat" in value:
        seat, value = value["seat"], value.get("value")
    if not isinstance(word, str):
        raise refused("unknown-word", word=word)
    if seat is not None and type(seat) is not int:
        raise bad_value("seat", seat, "1 to 10")
    match word:
        case "preset":
            return view.Preset(_gear(line.get("gear")), seat)
        case "propose":
            return _propose(seat, line.get("space"), line.get("from"))
        case "agree":
            return view.Agree(line.get("yes") is True, seat)
    return PLAIN[word](seat) if word in PLAIN else _with_value(word, value, seat)


def _with_value(word: str, value: object, seat: int | None) -> Command:
    match word:
        case "open" if isinstance(value, str):
            return Open(value)
        case "open":
            raise refused("no-such-race", race=value)
        case "sit":
            return _sit(value)
        case "touch":
            return _touch(value)
        case "save-pack":
            return _save_pack(value)
        case "waiting":
            if type(value) is not int or value < 1:
                raise bad_value("waiting", value, "the number of a page, from 1")
            return Waiting(value)
        case "language" if isinstance(value, str) and value in LANGUAGES:
            return view.Language(value, seat)
        case "language":
            raise bad_value("language", value, "one of " + ", ".join(LANGUAGES))
    return view.SetUp(word, value, seat)


def _sit(value: object) -> Sit:
    given = value if isinstance(value, dict) else {}
    name, color = given.get("name"), given.get("color")
    if name is not None and not isinstance(name, str):
        raise bad_value("name", name, "1 to 40 letters")
    return Sit(name or None, read_color(color))


MOST_AT_A_TOUCH = 4


def _touch(value: object) -> Touch:
    given = value if isinstance(value, list) and len(value) <= MOST_AT_A_TOUCH else []
    read = [_in_race(line) for line in given if isinstance(line, dict)]
    answers = tuple(one for one in read if isinstance(one, lines.Answer))
    if not answers or len(answers) < len(given) or len({one.seat for one in answers}) > 1:
        raise bad_value("touch", value, f"1 to {MOST_AT_A_TOUCH} answers of one seat")
    return Touch(answers)


def _save_pack(value: object) -> SavePack:
    given = value if isinstance(value, dict) else {}
    name, over = given.get("name"), given.get("over", False)
    if not isinstance(over, bool) or not given.keys() <= {"name", "over"}:
        raise bad_value("save-pack", value, '{"name": …, "over": true or false}')
    name = read_name(name.strip() if isinstance(name, str) else name, "the name of a rules pack")
    return SavePack(name, over)


PLAIN: Mapping[str, Callable[[int | None], Command]] = {
    "pause": lambda seat: view.Pause(True, seat),
    "resume": lambda seat: view.Pause(False, seat),
    "take-back": view.TakeBack,
    "start": view.Start,
    "rematch": view.Rematch,
    "close": lambda seat: Close(),
    "boards": lambda seat: Boards(),
    "seen": view.Seen,
}
"""Words that say nothing but themselves, and for which seat."""


GEARS = range(1, 7)


def _gear(gear: object) -> int | None:
    # `True` is an int to Python, and would be first gear.
    if gear is None or (isinstance(gear, int) and gear is not True and gear in GEARS):
        return gear
    raise refused("no-such-gear", gear=gear)


def _propose(seat: int | None, space: object, proposer: object) -> Command:
    if not isinstance(space, str):
        raise no_such_space(space)
    if seat is None:
        raise bad_value("seat", seat, "1 to 10")
    return view.Propose(seat, space, proposer if type(proposer) is int else None)


# -- what the journal keeps -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Watch:
    """The watch of this seat really began at `since`; its first answer was given again."""

    seat: int
    since: float

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        return {"table": "watch", "seat": self.seat, "from": self.since}


@dataclass(frozen=True, slots=True)
class Proposal:
    """The car of `seat` stands at `space`, `proposer` says; another seat has to agree.

    `error` is the refusal that the rules have for such a move, None where they have none.
    """

    seat: int
    space: str
    proposer: int | None
    error: lines.Line | None = None

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        error = {} if self.error is None else {"error": self.error}
        part = {"seat": self.seat, "space": self.space, "from": self.proposer, **error}
        return {"table": "propose", **part}


@dataclass(frozen=True, slots=True)
class Drop:
    """The open proposal came to nothing."""

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        return {"table": "drop"}


@dataclass(frozen=True, slots=True)
class Seed:
    """The secret from which the companion throws; the record has it at the end."""

    value: str

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        return {"table": "seed", "value": self.value}


@dataclass(frozen=True, slots=True)
class Pressed:
    """What was answered last for the whole table this seat has pressed: it may take it back."""

    seat: int

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        return {"table": "pressed", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Joined:
    """The last answer and the `count` before it came of one touch: all of it is taken back."""

    count: int

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        return {"table": "joined", "answers": self.count}


FromTable = Watch | Proposal | Drop | Seed | Pressed | Joined
RaceEntry = lines.InRace | Note | view.Pause | view.Preset | FromTable


def race_entry(line: JSON) -> RaceEntry | None:
    """The entry of a race's line; None for a result and the seed before it.

    Raises:
        Refusal: it is none of ours.
    """
    if "result" in line or "seed" in line:
        return None
    # From outside these two are refused; on disk the table has put them there itself.
    line = {key: value for key, value in line.items() if key not in ("at", "by")}
    match line.get("table"):
        case "watch":
            return Watch(line["seat"], line["from"])
        case "propose":
            return Proposal(line["seat"], line["space"], line["from"], line.get("error"))
        case "drop":
            return Drop()
        case "pressed":
            return Pressed(line["seat"])
        case "joined":
            return Joined(line["answers"])
        case "seed":
            return Seed(line["value"])
    entry = command_of(line)
    assert isinstance(entry, RaceEntry)
    return entry


@dataclass(frozen=True, slots=True)
class Boot:
    """The table was started for the `count`th time."""

    count: int

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        return {"boot": self.count}


@dataclass(frozen=True, slots=True)
class Laid:
    """This race lies on the table, or (not `on`) was put away; versions go on from `base`."""

    race: str
    base: int
    on: bool = True

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        return {"open" if self.on else "close": self.race, "base": self.base}


@dataclass(frozen=True, slots=True)
class Lost:
    """The disk has lost or changed something; shown until somebody has seen it."""

    trouble: view.Trouble

    @property
    def line(self) -> lines.Line:
        """The line on disk."""
        args = dict(self.trouble.args)
        return {"table": "lost", "key": self.trouble.key, "args": args}


TableEntry = Boot | Laid | view.Language | Boards | view.SetUp | Lost | view.Seen


def table_entry(line: JSON) -> TableEntry:
    """The entry of a line that is about no race."""
    if "boot" in line:
        return Boot(line["boot"])
    if "base" in line:
        return Laid(line.get("open", line.get("close")), line["base"], "open" in line)
    match line["table"]:
        case "boards":
            return Boards()
        case "language":
            return view.Language(line["value"], line["seat"])
        case "lost":
            return Lost(view.Trouble(line["key"], args=line["args"]))
        case "seen":
            return view.Seen()
        case word:
            return view.SetUp(word, line["value"], line["seat"])
