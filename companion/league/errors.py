"""What the league refuses, each a sentence that says what would be accepted.

Names of people, teams and seasons, and the keys that they are known by.

Where a league keeps its files, all of them in the folder of the table's data.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from companion.rules.lines import NAME_LENGTH, is_unseen, is_written
from companion.system.frozen import dataclass

# -- errors ---------------------------------------------------------------------------------------


_FOLDER = re.compile(r"/[^\s:']*/")


class LeagueError(Exception):
    """The league cannot do this; nothing has changed. The message is for people."""

    @property
    def public(self) -> str:
        """The message for whoever reads the pages: without folders of this computer."""
        return _FOLDER.sub("", str(self))


class BadAct(LeagueError):
    """What somebody wanted to do to the league has no sense: a name, a place, a key unknown."""


class BadRecord(LeagueError):
    """A record that is not taken in.

    `line` counts from 1 and is the first line that is wrong.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class NobodyDrove(BadRecord):
    """A record of a demonstration, or of bots among themselves."""


class BrokenFile(LeagueError):
    """A file of the league's own cannot be read or written; the message names it."""


class NoStore(LeagueError):
    """The database cannot be opened; the message says what it needs, in the driver's words too."""

    @property
    def public(self) -> str:
        """That it is away: what its driver says has names of hosts and users in it."""
        return "the league's database does not answer"


class OldLeague(LeagueError):
    """A folder has the league of an older version, and none of today; the message says the way."""


class KeyReused(LeagueError):
    """The key of a request was there already, with another body."""


class Missing(LeagueError):
    """A part of the program that is not installed; the message says how it is."""


# -- names ----------------------------------------------------------------------------------------


LONGEST_NAME = NAME_LENGTH
"""Characters, as many as in the header of a race."""

_NO_WORD = re.compile(r"[^\w]+")


def parse_name(text: object, *, what: str = "a name") -> str:
    """A name as it is written: one line, no spaces around it or doubled in it.

    >>> parse_name("  Ana   Maria ")
    'Ana Maria'

    Raises:
        BadAct: it is no text, empty, or longer than `LONGEST_NAME`.
    """
    name = " ".join(text.split()) if isinstance(text, str) else ""
    if not name or len(name) > LONGEST_NAME or not is_written(name):
        raise BadAct(f"{what} is a line of 1 to {LONGEST_NAME} characters, not {text!r:.80}")
    return name


@lru_cache(16384)
def key_of(name: str) -> str:
    """The key of a name: the same for all the ways to write it, fit for an address.

    Letters keep their accents (José and Jose may be two people: merge them if not); joiners and
    marks of direction, which nobody sees, make no other name.

    >>> key_of("Ana  MARIA"), key_of("ana-maria"), key_of("Łukasz 2")
    ('ana-maria', 'ana-maria', 'łukasz-2')
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    if not folded.isprintable():
        folded = "".join(sign for sign in folded if not is_unseen(sign)) or folded
    words = _NO_WORD.sub("-", folded).strip("-")
    # A name of signs alone has no word in it; its own letters must do then.
    return words or "-".join(f"{ord(sign):x}" for sign in folded)


# Letters that are no letter with a mark: what people write who have no such key.
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"})
_NOT_ASCII = re.compile(r"[^a-z0-9]+")


def ascii_of(key: str) -> str:
    """A key in letters that every program knows; two keys may come to the same.

    >>> ascii_of("le-manège"), ascii_of("łukasz-2"), ascii_of("東京")
    ('le-manege', 'lukasz-2', '6771-4eac')
    """
    if key.isascii():
        return key
    bare = unicodedata.normalize("NFKD", key.casefold().translate(_PLAIN))
    kept = "".join(sign for sign in bare if not unicodedata.combining(sign))
    return _NOT_ASCII.sub("-", kept).strip("-") or "-".join(f"{ord(sign):x}" for sign in key)


def ascii_person(key: str) -> str:
    """A person's key likewise, but José does not become Jose, who may be somebody else.

    >>> ascii_person("jose"), ascii_person("josé")
    ('jose', 'jose-366c')
    """
    if key.isascii():
        return key
    return f"{ascii_of(key)}-{zlib.crc32(key.encode()) & 0xFFFF:04x}"


def over_texts(value: Any, tell: Callable[[str], str]) -> Any:
    """JSON with all its texts told otherwise.

    >>> over_texts({"a": ["b", 1]}, str.upper)
    {'a': ['B', 1]}
    """
    if isinstance(value, str):
        return tell(value)
    if isinstance(value, list | tuple):
        return [over_texts(one, tell) for one in value]
    if isinstance(value, Mapping):
        return {key: over_texts(one, tell) for key, one in value.items()}
    return value


# -- folder ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeagueFolder:
    """The files of the league in a data folder.

    `database` has all of it, where no other is named; what was sent to a club (`sent`, by which a
    record is not offered twice) can be made again.
    """

    data: Path

    @property
    def records(self) -> Path:
        """The race records, a file a race."""
        return self.data / "records"

    @property
    def acts(self) -> Path:
        """The folder of the league's own files."""
        return self.data / "league"

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.acts / "league.db"

    @property
    def lines(self) -> Path:
        """What a club kept in PostgreSQL, as a backup brings it."""
        return self.acts / "league.jsonl"

    @property
    def old_acts(self) -> Path:
        """The journal of a league of before `takeover`."""
        return self.acts / "acts.jsonl"

    @property
    def sent(self) -> Path:
        """What a club has taken or refused."""
        return self.acts / "sent.jsonl"


# -- what a club says ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the club says to a record that a table sent.

    `status`: `taken` (new, or longer than what was there), `known` (had it already), or
    `refused`, with `message` naming the line.
    """

    status: Literal["taken", "known", "refused"]
    race: str | None
    message: str = ""
