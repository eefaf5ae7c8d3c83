"""What the pages of a seat's dialog are made of, and what a game brings to them.

A page is a function from a `Talk` (what is known, and how far the seat has come) to a `Screen`:
what is written and, for each of the six buttons, one `Choice`. A choice carries its key *and* what
pressing it does, so that what is shown and what is done cannot part. Nothing is remembered but the
`Dialog`, and that is tied to what was going on when its page was opened (`going_on`): a race that
goes on closes the page by itself.

Dialog, story and the table's view are the same for all games. What differs is one `GameViews` a
game, in `views/ROOM/views.py`, where ROOM is the folder that has its rules; it is fetched when the
game is first on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, Unpack, cast

from companion.rules.board.track import Track
from companion.rules.game import Ask, Outline
from companion.rules.games import ROOMS, fetch, kinds_of, room_of
from companion.rules.lines import Answer
from companion.rules.packs import Dice
from companion.system.frozen import dataclass
from companion.views.model import JSON, Intent, Key, Mark, Pace, Pip, Scene, SeatInfo
from companion.views.words import (
    HINT_COLUMNS,
    KEY_COLUMNS,
    LANGUAGES,
    LINE_COLUMNS,
    Words,
    fit,
    read_texts,
    words,
    wrap,
)

# -- a page ---------------------------------------------------------------------------------------


AskT = TypeVar("AskT", bound=Ask)
KEYS = 6
LINES = 4
ANY = 99
"""Columns of what has room for whole sentences, as a phone does."""
LEAST_OF_A_NAME = 4
"""Columns of a name in a title, however long the question is."""


class Spoken(TypedDict):
    """A sentence on a screen: broken into its lines, and whole."""

    lines: tuple[str, ...]
    tells: tuple[str, ...]


def spoken(text: str, lines: int) -> Spoken:
    """A sentence on so many lines of a small screen, and whole for one with room."""
    return {"lines": wrap(text, lines), "tells": (text,)}


class Parts(TypedDict, total=False):
    """What a page can have been turned to with, see `Dialog`."""

    number: int
    picked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialog:
    """How far a seat has come between two answers; the default is "nothing entered".

    `page` is "" where it follows from what is asked. `number` counts the pages of a list, or
    the spaces of a place being entered; `picked` are the parts entered so far; `target` is
    the seat that is answered for (0: the seat itself). `about` is what was going on when the
    page was opened: when that has changed the page has closed by itself.
    """

    page: str = ""
    number: int = 0
    picked: tuple[str, ...] = ()
    target: int = 0
    about: tuple[str, ...] = ()


HOME = Dialog()


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: what its key says, what a press sends, and the dialog after it.

    A `key` of None is for a page on which every button does the same and a line says so. `about`
    is what a phone draws it by: a gear, a die, a car.
    """

    key: Key | None
    does: tuple[Intent, ...] = ()
    then: Dialog = HOME
    about: JSON = field(default_factory=dict)


Choices = tuple[Choice | None, ...]


class Listed(tuple[Choice | None, ...]):
    """Six choices of a list that is longer; `whole` is the list, for a screen that has room."""

    whole: Choices = ()


Kind = Literal["scale", "faces", "lanes", "yes-no", "cars", "amount", "sum", "form", "list", "tell"]
"""What kind of choice a page is: keys lay all of them out alike, a phone each in its own way."""
NOTHING: Choices = (None,) * KEYS


class Title(str):
    """A title of one line of a small screen; `whole` is it for a screen that has room."""

    whole: str = ""


@dataclass(frozen=True, slots=True)
class Screen:
    """A page: the words of a `SeatView`, and the six choices that its keys come from.

    `face` is what others see of a page that holds a secret; its keys are never pressed. `asks`
    and `tells` are title and lines in full (see `SeatView`); `write` is the word to the table
    whose value may be typed here by whoever has letters; `go` is what any button does, in a word,
    where they all do the same ("": nothing that a screen with room need offer); `before` is where
    holding 1 goes back to in an answer of many presses (None: the page is left). `kind` is what
    kind of choice it is, None: what follows from the choices. `form` is what a phone fills in
    instead of turning pages (kinds `sum` and `form`), `row` what it lists in place of the keys.
    """

    title: str
    lines: tuple[str, ...] = ()
    choices: Choices = NOTHING
    pips: tuple[Pip, ...] = ()
    big: str = ""
    qr: str = ""
    blink: bool = False
    face: Screen | None = None
    asks: str = ""
    tells: tuple[str, ...] | None = None
    write: str = ""
    go: str | None = None
    row: Choices = ()
    before: Dialog | None = None
    kind: Kind | None = None
    form: JSON | None = None

    @property
    def whole(self) -> str:
        """What it asks, for a screen with room; "" where that is the title."""
        return self.asks or getattr(self.title, "whole", "")


@dataclass(frozen=True, slots=True)
class Talk:
    """A page's whole knowledge: the scene, whose screen it is, and the seat's own words.

    `for_table`: what it answers is asked of the whole table (seat 0), not of a seat.
    """

    scene: Scene
    seat: int
    dialog: Dialog = HOME
    say: Words = field(default_factory=lambda: words("en"))
    for_table: bool = False

    @property
    def who(self) -> int:
        """The seat that is answered for."""
        return 0 if self.for_table else self.dialog.target or self.seat

    @property
    def info(self) -> SeatInfo:
        """The seat whose screen it is."""
        return seat_info(self.scene, self.seat)

    @property
    def ask(self) -> Ask | None:
        """The ask at hand: the first open one to the seat that is answered for."""
        who = self.who
        return next((one.ask for one in self.scene.asks if one.seat == who), None)

    def the(self, kind: type[AskT]) -> AskT:
        """The ask at hand, for a page that is shown for asks of this class only."""
        ask = self.ask
        assert isinstance(ask, kind), f"{ask} is no {kind.__name__}"
        return ask

    @property
    def old(self) -> object:
        """The answer to this ask that was taken back, or None.

        Of a secret one only its own seat is told, not whoever answers for it.
        """
        kind = self.ask.kind if self.ask else ""
        if self.dialog.target and kind in secret_kinds(self.scene):
            return None
        return self.scene.old.get((self.who, kind))

    def name_of(self, seat: int) -> str:
        """What a seat's player goes by."""
        return name_of(self.scene, seat)

    def turn_to(self, page: str, **parts: Unpack[Parts]) -> Dialog:
        """The dialog on another page, open as long as nothing else is going on."""
        about = going_on(self.scene, self.seat, self.dialog.target)
        return Dialog(page=page, target=self.dialog.target, about=about, **parts)

    def home(self) -> Dialog:
        """The dialog after an answer: nothing entered, but in the same turn for the same seat."""
        # A steward stays with the seat that is answered for: a turn has several answers.
        if self.dialog.target and mover_of(self.scene):
            return Dialog(target=self.dialog.target, about=turn_of(self.scene))
        return HOME

    def answer(self, value: object) -> tuple[Intent, ...]:
        """The intent of answering the ask at hand."""
        assert self.ask is not None, "nothing is asked"
        return (Answer(self.who, self.ask.kind, value),)

    def answers(
        self, label: str, value: object, hint: str = "", mark: Mark = "", *, says: str = "",
        **about: object,
    ) -> Choice:  # fmt: skip
        """The key that answers the ask at hand; the answer that was taken back is marked."""
        # None is an answer too ("nobody"): without this it would be marked before anybody has
        # answered.
        is_old = self.old is not None and value == self.old
        key = as_old(make_key(label, hint, mark, says=says), is_old)
        return Choice(key, self.answer(value), self.home(), about)

    def more(self, then: Dialog, hint: str = "") -> Choice:
        """The key to what did not find room."""
        return to_page(self.say("more"), then, "more", hint)

    def back(self, then: Dialog = HOME) -> Choice:
        """The key back to the page before."""
        return to_page(self.say("back"), then, "back")

    def paged(
        self, choices: Sequence[Choice], *, first: Choice | None = None,
        leave: Choice | None = None,
    ) -> Choices:  # fmt: skip
        """A list of any length on six keys.

        Up to six choices stand side by side; of more, five a page and a key to the next page,
        after the last to the first again. `first` keeps button 1 of every page for itself, `leave`
        button 6, and the list has a key less.
        """
        before, after = ((one,) if one else () for one in (first, leave))
        room = KEYS - len(before) - len(after)
        if len(choices) <= room:
            return (*before, *choices, *(None,) * (room - len(choices)), *after)
        room -= 1
        pages = -(-len(choices) // room)
        page = self.dialog.number % pages
        shown: list[Choice | None] = list(choices[page * room : (page + 1) * room])
        shown += [None] * (room - len(shown))
        rest = choices[(page + 1) * room : (page + 2) * room] or choices[:room]
        # There is no page "list": a name that nobody knows shows the first page (`dialog._page`),
        # which has none itself to keep its number under.
        onward = self.turn_to(self.dialog.page or "list", number=(page + 1) % pages)
        turn = self.more(replace(onward, picked=self.dialog.picked), _span(rest))
        listed = Listed((*before, *shown, turn, *after))
        listed.whole = (*before, *choices, *after)
        return listed

    def four(
        self, title: str, rows: Sequence[Callable[[int], str]], page: str, after: Dialog
    ) -> Screen:
        """Four rows of a list, each told in a width, and any button on to the next four; behind
        the last `after`. What has room tells all of them."""
        number = self.dialog.number if self.dialog.page == page else 0
        is_last = (number + 1) * LINES >= len(rows)
        onward = after if is_last else self.turn_to(page, number=number + 1)
        lines = tuple(row(LINE_COLUMNS) for row in rows[number * LINES : (number + 1) * LINES])
        tells = tuple(row(ANY) for row in rows)
        return Screen(title, lines, any_button(onward), tells=tells)

    def asked(self, question: str, whole: str = "") -> Title:
        """A title: the question, and whose it is where a steward answers for another; `whole` is
        the question where there is room, if that is another.

        While the watch of a trial runs for the seat's car, it stands at the left.
        """
        title = fit(f"{running(self.scene, self.who)} {question}".lstrip())
        if self.dialog.target:
            room = max(LEAST_OF_A_NAME, LINE_COLUMNS - len(question) - 2)
            title = fit(f"{fit(self.name_of(self.who), room)}: {question}")
        asked = Title(title)
        asked.whole = self.in_full(whole or question)
        return asked

    def in_full(self, question: str) -> str:
        """The question as a screen with room asks it: names and all."""
        watch = running(self.scene, self.who)
        who = self.name_of(self.who) if self.dialog.target else watch
        return f"{who}: {question}" if who else question


def going_on(scene: Scene, seat: int, target: int = 0) -> tuple[str, ...]:
    """What a page must close for: a new ask to the seat, a turn passed, a pause, a proposal."""
    asked = [
        # A lot that somebody has entered leaves the others as they were: a page of one stays.
        f"{ask.seat} {ask.kind} {'' if ask.kind == 'lot' else ask.since}"
        for ask in scene.asks
        # The order is asked of the table but drafted on the host's screen: the draft must close
        # when somebody else answers.
        if ask.seat in (seat, target) or ask.kind == "order"
    ]
    outline = outline_of(scene)
    phase = outline.phase if outline else None
    # Whose turn it is counts for a steward alone: a seat's own page stays while others answer.
    rest = (str(phase), str(scene.paused), str((scene.proposal or {}).get("space")))
    return (*asked, *rest, *(turn_of(scene) if target else ()))


def turn_of(scene: Scene) -> tuple[str, ...]:
    """Whose turn of which round it is: for so long a seat answers for another."""
    outline = outline_of(scene)
    return (str(outline.round), str(outline.mover)) if outline else ()


def make_key(label: str, hint: str = "", mark: Mark = "", *, full: str = "", says: str = "") -> Key:
    """A key whose words are cut to its width; uncut where they are not given in full."""
    short, under = fit(label, KEY_COLUMNS), fit(hint, HINT_COLUMNS)
    full, says = full or (label if label != short else ""), says or (hint if hint != under else "")
    return Key(short, under, mark, full, says)


def as_old(key: Key, is_old: bool) -> Key:
    """A key marked as the answer that was taken back, if it is: it costs what it did, and a phone
    asks once more where it puts the car out."""
    return replace(key, mark="old", price=key.mark) if is_old else key


def to_page(label: str, then: Dialog, mark: Mark = "", hint: str = "", *, full: str = "") -> Choice:
    """A choice that sends nothing and goes to another page."""
    return Choice(make_key(label, hint, mark, full=full), then=then)


def at(places: Mapping[int, Choice | None]) -> Choices:
    """Six choices from a table of button numbers (1 to 6)."""
    return tuple(places.get(button) for button in range(1, KEYS + 1))


def any_button(then: Dialog, does: tuple[Intent, ...] = ()) -> Choices:
    """Every button does the same."""
    return (Choice(None, does, then),) * KEYS


def in_sight(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The choices such that the answer that was taken back is on the first page.

    It changes places with the first one; all others stay where they were learnt.
    """
    row = list(choices)
    marks = [choice.key.mark if choice.key else "" for choice in row]
    old = marks.index("old") if "old" in marks else 0
    # Up to six choices share one page; of more the first page has five.
    if len(row) > KEYS and old >= KEYS - 1:
        row[0], row[old] = row[old], row[0]
    return tuple(row)


def _span(choices: Sequence[Choice]) -> str:
    """What a list runs from and to, where both are numbers: "16–20"."""
    ends = [choice.key.label for choice in choices if choice.key]
    numbers = ends and ends[0].isdigit() and ends[-1].isdigit()
    return f"{ends[0]}–{ends[-1]}" if numbers else ""


# -- what is known of a scene, whatever the game --------------------------------------------------


T = TypeVar("T")
Lamp = Literal["off", "on", "blinks"]


def once(scene: Scene, work_out: Callable[[Scene], T]) -> T:
    """What a function makes of a scene, worked out once: each of six screens asks for it."""
    if work_out not in scene.known:
        scene.known[work_out] = work_out(scene)
    return cast(T, scene.known[work_out])


def outline_of(scene: Scene) -> Outline | None:
    """What is known of the state whatever the game; None while nobody races."""
    return None if scene.state is None else once(scene, _outline)


def _outline(scene: Scene) -> Outline:
    return fetch(game_of(scene)).outline(scene.state)


def mover_of(scene: Scene) -> int | None:
    """The seat on turn; None between turns and while nobody races."""
    outline = outline_of(scene)
    return outline.mover if outline else None


def alone_in(scene: Scene) -> int | None:
    """The seat that races on when all others are home or out; None: there is no such seat."""
    outline = outline_of(scene)
    return outline.alone if outline else None


def seat_info(scene: Scene, seat: int) -> SeatInfo:
    """What the table knows of a seat; a seat it does not know has a number only."""
    every = (*scene.seats, *scene.guests)
    return next((info for info in every if info.seat == seat), SeatInfo(seat, str(seat)))


def secret_kinds(scene: Scene) -> Collection[str]:
    """The kinds of answers that only the seat which gave them may see."""
    return [kind for kind, ask in kinds_of(game_of(scene)).items() if ask.revealed_by]


def is_thrown_for(scene: Scene, seat: int) -> bool:
    """Whether the companion throws the dice of this seat (0: those of the whole table)."""
    dice = (scene.header or {}).get("dice")
    return dice is not None and Dice(tuple(dice["seats"])).throws_for(seat)


def board_of(scene: Scene) -> Track | None:
    """What is known of the board: all of it, or its card."""
    return scene.track or scene.card


def lamp_of(scene: Scene, seat: int) -> Lamp:
    """Lit while the seat is asked something that it alone must answer.

    It blinks while the seat's last press stands refused, and is dark in a pause.
    """
    if seat in scene.refused:
        return "blinks"
    is_asked = any(ask.seat == seat for ask in scene.asks)
    return "on" if is_asked and not scene.paused else "off"


# -- the road before a car ------------------------------------------------------------------------


Price = Literal["free", "costly", "out"]


class Standing(NamedTuple):
    """A car in figures: its place, the lap it is in of how many, its gear (0: none yet)."""

    place: int | None = None
    lap: int | None = None
    laps: int | None = None
    gear: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """A space on which the move may end with so many brakes spent.

    `cost` names the categories that lose; `name` is the place and `says` the price, in words;
    `short` is the price in four columns. `button` ends the move there now, None: no key does.
    `roll` is the face that leads there, None: the die has been told. What is `dear` is asked once
    more.
    """

    to: int
    brakes: int
    button: int | None
    cost: Mapping[str, int]
    price: Price
    name: str
    says: str
    short: str
    dear: bool = False
    roll: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Road:
    """What lies before the car of `seat`, which stands at `at`; spaces are numbers of the board.

    `asked` is the kind of ask that the ends answer, "" where nothing may be touched. `ghost`
    is the space that is being talked of. `cars` are all others by seat; `rolled` is what the die
    has shown, "" before it is told.
    """

    track: Track
    seat: int
    at: int
    asked: str = ""
    ends: tuple[End, ...] = ()
    cars: Mapping[int, int]
    debris: tuple[int, ...] = ()
    ghost: int | None = None
    rolled: str = ""
    corners: Mapping[int, str]
    """The corners of the board by name."""


# -- what a game brings ---------------------------------------------------------------------------


Event = Mapping[str, Any]
"""An event as the engine protocol tells it to everybody."""
Outcomes = Mapping[str, Callable[[Event], str]]
"""What came of an event that has more than one sentence, by its name."""
Page = Callable[[Talk], Screen]
Pages = Mapping[tuple[str, str], Page]
"""Pages by what is going on, and by their name; "" is the first."""


@dataclass(frozen=True, slots=True)
class AskWords:
    """What is said to people of a kind of ask.

    `task` says in a sentence what somebody has to do, `key` the same in the width of a key
    ("": the kind itself), `question` what the referee's page asks.
    """

    task: str
    question: str
    key: str = ""


def words_of_asks(file: Path) -> dict[str, AskWords]:
    """What a file says of each kind of ask."""
    return {kind: AskWords(**texts) for kind, texts in read_texts(file).items()}


@dataclass(frozen=True, slots=True)
class Story:
    """How a game's events are told.

    `file` has the sentences, by the name of the event and, where `outcomes` has the event, what
    came of it behind that; None: nothing is told. `quiet` events have no place among the last
    sentences; `parts` are the places that the sentences may name. `books` are what the hands at the
    board have just done, and no news to anybody; `heard` what only an announcer says.
    """

    file: Path | None
    outcomes: Outcomes
    parts: Callable[[Event, Scene, Words], Mapping[str, object]]
    quiet: frozenset[str] = frozenset()
    books: frozenset[str] = frozenset()
    heard: frozenset[str] = frozenset()

    @property
    def sentences(self) -> Mapping[tuple[str, str], str]:
        """The sentence of an event, by its name and by what came of it."""
        return {} if self.file is None else _sentences(self.file)


@cache
def _sentences(file: Path) -> Mapping[tuple[str, str], str]:
    """The sentences of a file; read when something is told first."""
    found = {}
    for table in read_texts(file).values():
        for key, text in table.items():
            name, _, outcome = key.partition(" ")
            found[name, outcome] = text
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class GameViews:
    """A game as seats and page show it.

    `asks` are by kind; `pages` by what goes on, a kind of ask or another thing (`topic` finds what
    does, where the table itself has nothing more pressing), and name, "" for the first one; a kind
    without any is asked by a plain list, or a number (`pages.any_page`); `anywhere` those that do
    not depend on it, "car" the one for a seat that is asked nothing. `name` is what a seat's player
    goes by, `standing` its car in figures, `road` what lies before it where it may end somewhere.
    `around` is what a phone has room for of a page with the seat's car, `finish` the result as a
    phone shows it (None: the page says it); `throws` the die of the companion's that a tap throws
    now, `thrown` the last die that fell, `cards` what a phone draws of cards that are known.
    `of_seat` and `of_table` are what `/api/table` has of a seat and of the race beside what all
    games have in common, `odds` what it says of a seat's next roll; `summary` puts a state in a
    line, and each seat in a line by its number; `questions` is what the referee's page asks for
    some asks of a kind rather than for the kind; `paints` are the colors of the cars that a seat
    has, None: of its own; `takes_late`: somebody may come in while a race runs; `refusals` gives
    why this game alone refuses something, by the rules' key; `names` are words that pages show for
    its keys, by their group.
    """

    asks: Mapping[str, AskWords]
    pages: Pages
    anywhere: Mapping[str, Page]
    topic: Callable[[Talk], str]
    story: Story
    of_table: Callable[[Scene], Mapping[str, object]]
    summary: Callable[[object], tuple[str, Mapping[int, str]]]
    name: Callable[[Scene, int], str] = lambda scene, seat: seat_info(scene, seat).name
    standing: Callable[[Scene, int], Standing] = lambda scene, seat: Standing()
    road: Callable[[Talk, Choices], Road | None] = lambda talk, choices: None
    around: Callable[[Talk, Screen], JSON | None] = lambda talk, page: None
    finish: Callable[[Talk], JSON | None] = lambda talk: None
    throws: Callable[[Talk], JSON | None] = lambda talk: None
    thrown: Callable[[Scene], JSON | None] = lambda scene: None
    cards: Callable[[Talk], JSON | None] = lambda talk: None
    paints: Callable[[Scene, int], tuple[str, ...]] | None = None
    of_seat: Callable[[Scene, int], Mapping[str, object]] = lambda scene, seat: {}
    odds: Callable[[Scene, int], Mapping[str, object]] = lambda scene, seat: {"gears": {}}
    takes_late: bool = False
    questions: Mapping[str, str] = field(default_factory=dict)
    refusals: Callable[[], Mapping[str, str]] = dict
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def page(self, about: str, name: str) -> Page | None:
        """The page of this name in what is going on; None: it is not one of that."""
        return self.pages.get((about, name))

    def topic_of(self, kind: str) -> str:
        """What is going on where this is asked: the kind, "ask" for one without pages."""
        return kind if (kind, "") in self.pages else "ask"


@cache
def _fetch(room: str) -> GameViews:
    views: GameViews = import_module(f"companion.views.{room}.views").VIEWS
    return views


def _all() -> list[GameViews]:
    return [_fetch(room) for room in ROOMS]


_UNSAID = "next last die thrown fastest watch weather_table"
_UNSAID_OF_A_SEAT = "place gap corner team driver why_out trial"
BEFORE = GameViews(
    asks={},
    pages={},
    anywhere={},
    topic=lambda talk: "",
    story=Story(None, {}, lambda event, scene, say: {}),
    of_table=lambda scene: {
        **dict.fromkeys(_UNSAID.split()), "running": [], "flags": [], "driven": True
    },
    of_seat=lambda scene, seat: {
        **dict.fromkeys(_UNSAID_OF_A_SEAT.split()), "full": {}, "preset": False,
        "where": dict.fromkeys(LANGUAGES), "left": {code: [] for code in LANGUAGES},
    },
    summary=lambda state: ("", {}),
)  # fmt: skip
"""Nothing of any game: none is on the table, and none has to be imported. What pages and others'
programs read before a race is what the game that is named first says there."""


def game_of(scene: Scene) -> str:
    """The name of the game on the table, as a header has it; "" before a race."""
    return "" if scene.header is None else str(scene.header["game"])


def views_of(scene: Scene) -> GameViews:
    """The views of the game on the table; before a race there is nothing to show of one."""
    return views_of_game(game) if (game := game_of(scene)) else BEFORE


@cache
def views_of_game(name: str) -> GameViews:
    """The views of the game that a header names."""
    return _fetch(room_of(name))


def name_of(scene: Scene, seat: int) -> str:
    """What a seat's player goes by."""
    return views_of(scene).name(scene, seat)


def questions() -> Mapping[str, str]:
    """What the referee's page asks in any game: by kind, or by kind and a word behind it."""
    asked = {kind: words.question for one in _all() for kind, words in one.asks.items()}
    return asked | {key: text for one in _all() for key, text in one.questions.items()}


def names() -> Mapping[str, Mapping[str, str]]:
    """What pages call things of any game, by group and key."""
    return {group: names for one in _all() for group, names in one.names.items()}


def refusals() -> Mapping[str, str]:
    """Why a game refuses what no other game knows, by the rules' key."""
    return {key: text for one in _all() for key, text in one.refusals().items()}


def minutes(seconds: float) -> str:
    """Minutes and seconds, as a watch shows them.

    >>> minutes(83.9), minutes(3600)
    ('1:23', '60:00')
    """
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def running(scene: Scene, seat: int) -> str:
    """The watch that runs for a seat; "" where none does."""
    if scene.watch is None or scene.watch["seat"] != seat:
        return ""
    return minutes(scene.watch["seconds"])


# -- watches and clocks ---------------------------------------------------------------------------


def clock_of_table(scene: Scene) -> dict[str, object] | None:
    """The clocks for `/api/table`; None: the race has none.

    The page counts by itself, so a turn costs it one change and no event a second.
    `now`, `ends` and `bell` are seconds of one clock; of a turn whose clock does not run `left` is
    said instead. `bank` is what is left now.
    """
    pace = scene.pace
    if pace is None:
        return None
    bell = None if pace.race_left_s is None else round(pace.at + pace.race_left_s, 1)
    left = None if pace.running or pace.left_s is None else round(pace.left_s, 1)
    return {
        "seat": pace.seat,
        "now": round(pace.at, 1),
        "ends": pace.ends if pace.running else None,
        "left": left,
        "bank": None if pace.bank_s is None else round(pace.bank_s, 1),
        "late": pace.late,
        "flagged": pace.flagged,
        "bell": bell,
        "rung": pace.rung,
        "runs": not pace.paused,
    }


def clock_of_seat(scene: Scene, seat: int) -> dict[str, object] | None:
    """The same for a seat's page, with whose turn it is by name; `mine`: it is this seat's."""
    clock, pace = clock_of_table(scene), scene.pace
    if clock is None or pace is None:
        return None
    name = name_of(scene, pace.seat) if pace.seat else ""
    return {**clock, "mine": pace.seat == seat, "name": name}


def clock_text(scene: Scene, seat: int) -> str:
    """The clock of a seat's own turn in the corner of its screen: "17", "4:59", "+5" behind it.

    Only where the seat has real buttons: a phone counts by itself.
    """
    pace = scene.pace
    if pace is None or pace.seat != seat or pace.paused:
        return ""
    if not any(info.seat == seat and info.buttons for info in scene.seats):
        return ""
    left = _seconds_left(pace)
    return "" if left is None else _as_clock(left)


def _seconds_left(pace: Pace) -> float | None:
    """What a turn has left before something comes of it, in seconds; None: it has no clock."""
    if pace.left_s is None:
        return None
    if pace.bank_s is None or pace.left_s > 0:
        return pace.left_s
    return pace.bank_s


def _as_clock(seconds: float) -> str:
    """Seconds as a clock shows them; a second that is begun is still there.

    >>> _as_clock(16.2), _as_clock(59.9), _as_clock(61), _as_clock(-4.7)
    ('17', '1:00', '1:01', '+4')
    """
    whole = -int(-seconds // 1) if seconds > 0 else int(seconds)
    if whole <= 0:
        return f"+{-whole}" if whole else "0"
    return minutes(whole) if whole >= 60 else str(whole)
