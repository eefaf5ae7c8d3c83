"""What the pages of a seat's dialog are made of.

A page is a function from a `Talk` (what is known, and how far the seat has come) to a
`Screen`: what is written and, for each of the six buttons, one `Choice`. A choice carries
its key *and* what pressing it does, so that what is shown and what is done cannot part.
`show` (dialog.py) takes the keys of the choices, `press` what they do.

Nothing is remembered but the `Dialog`, and that is tied to what was going on when its page was
opened (`going_on`): a race that goes on closes the page by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TypedDict, TypeVar, Unpack

from companion.frozen import dataclass
from companion.rules.commands import Answer
from companion.rules.game import Ask
from companion.views.facts import mover_of, outline_of, seat_info, secret_kinds
from companion.views.model import Intent, Key, Mark, Pip, Scene, SeatInfo
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS, Words, fit, words, wrap

AskT = TypeVar("AskT", bound=Ask)
KEYS = 6


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

    A `key` of None is for a page on which every button does the same and a line says so.
    """

    key: Key | None
    does: tuple[Intent, ...] = ()
    then: Dialog = HOME


Choices = tuple[Choice | None, ...]
NOTHING: Choices = (None,) * KEYS


@dataclass(frozen=True, slots=True)
class Screen:
    """A page: the words of a `SeatView`, and the six choices that its keys come from.

    `face` is what others see of a page that holds a secret; its keys are never pressed. `asks`
    and `tells` are title and lines in full (see `SeatView`); `write` is the word to the table
    whose value may be typed here by whoever has letters; `go` is what any button does, in a word,
    where they all do the same ("": nothing that a screen with room need offer); `row` are all
    answers of a list that is longer than six keys; `before` is where holding 1 goes back to in an
    answer of many presses (None: the page is left).
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
    row: tuple[Choice, ...] = ()
    before: Dialog | None = None


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

    def turn_to(self, page: str, **parts: Unpack[Parts]) -> Dialog:
        """The dialog on another page, open as long as nothing else is going on."""
        about = going_on(self.scene, self.seat, self.dialog.target)
        return Dialog(page=page, target=self.dialog.target, about=about, **parts)

    def home(self) -> Dialog:
        """The dialog after an answer: nothing entered, but in the same turn for the same seat."""
        if self.dialog.target and mover_of(self.scene):
            return Dialog(target=self.dialog.target, about=turn_of(self.scene))
        return HOME

    def answer(self, value: object) -> tuple[Intent, ...]:
        """The intent of answering the ask at hand."""
        assert self.ask is not None, "nothing is asked"
        return (Answer(self.who, self.ask.kind, value),)

    def answers(
        self, label: str, value: object, hint: str = "", mark: Mark = "", *, says: str = ""
    ) -> Choice:
        """The key that answers the ask at hand; the answer that was taken back is marked."""
        is_old = self.old is not None and value == self.old
        key = make_key(label, hint, "old" if is_old else mark, says=says)
        return Choice(key, self.answer(value), self.home())


def going_on(scene: Scene, seat: int, target: int = 0) -> tuple[str, ...]:
    """What a page must close for: a new ask to the seat, a turn passed, a pause, a proposal."""
    asked = [
        f"{ask.seat} {ask.kind} {ask.since}"
        for ask in scene.asks
        if ask.seat in (seat, target) or ask.kind == "order"
    ]
    outline = outline_of(scene)
    phase = outline.phase if outline else None
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


def to_page(label: str, then: Dialog, mark: Mark = "", hint: str = "") -> Choice:
    """A choice that sends nothing and goes to another page."""
    return Choice(make_key(label, hint, mark), then=then)


def more(talk: Talk, then: Dialog, hint: str = "") -> Choice:
    """The key to what did not find room."""
    return to_page(talk.say("more"), then, "more", hint)


def back(talk: Talk, then: Dialog = HOME) -> Choice:
    """The key back to the page before."""
    return to_page(talk.say("back"), then, "back")


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
    if len(row) > KEYS and old >= KEYS - 1:
        row[0], row[old] = row[old], row[0]
    return tuple(row)


def paged(
    talk: Talk, choices: Sequence[Choice], *, first: Choice | None = None,
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
    page = talk.dialog.number % pages
    shown: list[Choice | None] = list(choices[page * room : (page + 1) * room])
    shown += [None] * (room - len(shown))
    rest = choices[(page + 1) * room : (page + 2) * room] or choices[:room]
    onward = talk.turn_to(talk.dialog.page or "list", number=(page + 1) % pages)
    turn = more(talk, replace(onward, picked=talk.dialog.picked), span(rest))
    return (*before, *shown, turn, *after)


def span(choices: Sequence[Choice]) -> str:
    """What a list runs from and to, where both are numbers: "16–20"."""
    ends = [choice.key.label for choice in choices if choice.key]
    numbers = ends and ends[0].isdigit() and ends[-1].isdigit()
    return f"{ends[0]}–{ends[-1]}" if numbers else ""
