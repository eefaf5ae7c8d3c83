"""The table as its neighbours see it: protocols of at most four methods each, and its refusals.

Seats, the page and the journal know these and not one another. What the table refuses on its own
account, before or beside the rules of the game, has its sentence in refusals.toml; key and
arguments are translated where all are (`views.words`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from errno import EDQUOT, ENOSPC
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, Protocol

from companion.rules.lines import Illegal, Malformed, NoRace, Refusal, Stale
from companion.rules.lines import Line as Line
from companion.system.frozen import dataclass
from companion.views.model import Trouble as Trouble
from companion.views.screen import Lamp as Lamp
from companion.views.words import Words

JSON = Mapping[str, Any]
"""As it comes in by a door, or goes out; inside, a line is a `Line`."""
TABLE_LOG, ACCESS_LOG = "table", "access"
"""The logs of what happens outside of races (starts, the lobby, which race is open), and of keys;
all others are races."""
By = Literal["seat", "phone", "bot", "host", "referee", "companion"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A 128×64 picture: 1024 bytes in SSD1306 page order (8 pages of 128 columns, bit 0 on top).

    `number` counts the pictures of this seat and goes up whenever a key changes its meaning.
    `lamp` is for seats that have one.
    """

    number: int
    bitmap: bytes
    lamp: Lamp = "off"


# No slots: `cached_property` keeps what it made in `__dict__`.
@dataclass(frozen=True)
class Snapshot:
    """What the table has published: immutable, complete, on disk before it is published.

    `private` and `public` are the pictures by seat, with and without the seat's secrets;
    `host` is the host's seat; `log` holds the events of the race with their versions.
    `ticked`: since the one before only a clock has gone on, and whoever has that one needs the
    pictures alone. The body is made when somebody reads it: the screens of the seats come first,
    and whoever sends it encodes it in its own thread, while the table takes the next press. What
    it is made of is immutable, so it does not matter when, nor whether two threads do it at once.
    `tell_seat` is made so too: a seat's page as a phone shows it, by seat and whether it is for
    that seat alone; `tell_odds`, by seat, None where the race is without advice; and `tell_book`,
    the rules in force, in a language.
    """

    version: int
    make_body: Callable[[], bytes]
    private: Mapping[int, Picture] = field(default_factory=dict)
    public: Mapping[int, Picture] = field(default_factory=dict)
    host: int | None = None
    log: tuple[JSON, ...] = ()
    ticked: bool = False
    tell_seat: Callable[[int, bool], JSON] = lambda seat, own: {}
    tell_odds: Callable[[int], Mapping[str, object] | None] = lambda seat: None
    tell_book: Callable[[Words], JSON] = lambda say: {"chapters": ()}

    @cached_property
    def body(self) -> bytes:
        """`/api/table`, UTF-8."""
        return self.make_body()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who speaks: a seat (by its token), the host (the first seat), or the referee (by PIN)."""

    seat: int | None = None
    host: bool = False
    referee: bool = False
    by: By = "phone"


@dataclass(frozen=True, slots=True)
class Reply:
    """The table's word on a request: `status` as HTTP knows it, `body` of the engine protocol."""

    status: int
    body: JSON


class TablePort(Protocol):
    """The running table. Every call is safe from any thread and returns once it is durable."""

    def snapshot(self) -> Snapshot:
        """The latest published snapshot; never waits."""

    def press(
        self, caller: Caller, seat: int, button: int, hold: bool, picture: int | None
    ) -> Reply:
        """A button of a seat (1 to 6) was released; `picture` is the number it was read from."""

    def submit(self, caller: Caller, line: Line) -> Reply:
        """A line of the engine protocol, or a word to the table (`{"table": "pause"}`)."""

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` in the table's thread with each snapshot; returns how to stop.

        The listener must not block.
        """


class AccessPort(Protocol):
    """Who holds which key."""

    def who(self, bearer: str) -> Caller | None:
        """The caller that this token or PIN belongs to; None: nobody. Constant time."""

    def holder(self, token: str) -> Caller | None:
        """The seat that this token belongs to; None: none, or it is the PIN. Constant time."""

    def link(self, seat: int) -> str:
        """The link of a seat with its token, as it stands in the QR code; of seat 0, the table,
        that of the one code for coming in."""


class StorageError(Exception):
    """The disk does not do what it should; the message tells a person what to do.

    `key` is what a catalogue has words for: `storage`, or `disk-full`.
    """

    def __init__(self, message: str, key: str = "storage") -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, slots=True)
class LoggedRace:
    """A race that a journal knows; `header` is the first line of its record."""

    id: str
    name: str
    header: JSON
    is_finished: bool


class JournalPort(Protocol):
    """The durable log of a running table: append only, a log a race.

    Every method raises `StorageError`.
    """

    def append(self, race: str, *lines: Line) -> int:
        """Write lines in one commit (one sync); return the last one's number in its log."""

    def lines(self, race: str) -> list[JSON]:
        """All lines of a race, oldest first."""

    def keep(self, race: str, lines: int, make: Callable[[], bytes]) -> None:
        """Keep, at leisure, what a race has come to after so many lines; of one race, the last.
        Never waits, never fails."""

    def kept(self, race: str) -> tuple[int, bytes] | None:
        """What was kept of a race, and after how many of its lines; None: nothing of use."""

    def races(self, *, older: bool = False) -> list[LoggedRace]:
        """The newest races, newest first; else those before them, which `lines` brings back."""

    def close(self) -> None:
        """May be called twice."""


class SeatDriver(Protocol):
    """A seat's hardware or its stand-in."""

    def show(self, seat: int, picture: Picture) -> None:
        """Show this picture; the latest wins; must not block."""

    def close(self) -> None:
        """May be called twice."""


class SeatListener(Protocol):
    """The table as a seat's driver speaks to it, from any thread of the driver's own."""

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        """A button of a seat was released; returns once it is durable.

        `picture` is the number of the picture on the seat's screen when it was pressed.
        """

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        """A part of a seat (`screen`, `buttons`, `pod`) has failed; None: it serves again.

        A seat is out of reach while any part of it is in trouble.
        """


# -- what the table refuses on its own account ----------------------------------------------------

STATUS_OF_CODE: Mapping[str, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "illegal": HTTPStatus.CONFLICT,
    "stale": HTTPStatus.CONFLICT,
    "no-race": HTTPStatus.CONFLICT,
}
LONGEST = 80
"""Letters of a text from outside that a refusal repeats."""


class Forbidden(Illegal):
    """Understood and perhaps legal, but not for this caller to say."""


class NotKept(Illegal):
    """Legal, but the disk did not take it; nothing has changed, and the table goes on."""


_KINDS = {kind.__name__: kind for kind in (Forbidden, Illegal, Malformed, NoRace, Stale)}
# Read at once: the disk may serve no longer when something is refused.
_SENTENCES: Mapping[str, tuple[type[Refusal], str]] = {
    key: (_KINDS[kind], sentence)
    for kind, sentences in tomllib.loads(
        Path(__file__).with_name("refusals.toml").read_text("utf-8")
    ).items()
    for key, sentence in sentences.items()
}


def refused(key: str, /, **args: object) -> Refusal:
    """The refusal of this key, to be raised; long texts among its arguments are cut."""
    kind, sentence = _SENTENCES[key]
    return kind(key, sentence.format(**args), args={name: _cut(one) for name, one in args.items()})


def disk_fails(trouble: Trouble) -> Refusal:
    """What every seat reads while the disk does not serve."""
    return Illegal(trouble.key, str(trouble))


def not_kept(name: str, error: OSError) -> NotKept:
    """A file of this name could not be written."""
    is_full = error.errno in (ENOSPC, EDQUOT)
    why = "the disk is full" if is_full else f"the disk does not serve ({error.strerror or error})"
    message = f"{why}: {name!r:.60} was not kept; make room on it and try again"
    return NotKept("disk-full" if is_full else "storage", message)


def bad_value(word: str, value: object, accepted: str) -> Refusal:
    """A word that the table knows, with a value that it does not take."""
    message = f"{word} must be {accepted}, not {value!r:.80}"
    return Malformed("bad-value", message, args={"word": word, "value": f"{value!s:.80}"})


def _cut(value: object) -> object:
    return value if isinstance(value, int) else f"{value!s:.{LONGEST}}"


def _status_of(error: Refusal) -> HTTPStatus:
    """The status that HTTP knows a refusal by."""
    if isinstance(error, NotKept):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.FORBIDDEN if isinstance(error, Forbidden) else STATUS_OF_CODE[error.code]


def reply(error: Refusal, asks: Sequence[Line]) -> Reply:
    """A refusal as a reply of the engine protocol."""
    return Reply(_status_of(error), {"ok": False, "error": error.as_json(), "asks": asks})


def out_of_order(trouble: StorageError) -> Reply:
    """The disk failed: nothing has been accepted, and the sentence says what to do."""
    return _failed(HTTPStatus.SERVICE_UNAVAILABLE, trouble.key, str(trouble))


def our_fault() -> Reply:
    """The program failed; its log says where."""
    sentence = "the companion has a fault of its own there; nothing was accepted"
    return _failed(HTTPStatus.INTERNAL_SERVER_ERROR, "fault", sentence)


def _failed(status: HTTPStatus, key: str, trouble: str) -> Reply:
    args = {"trouble": trouble}
    error = {"code": "illegal", "rule": None, "key": key, "args": args, "message": trouble}
    return Reply(status, {"ok": False, "error": error, "asks": []})
