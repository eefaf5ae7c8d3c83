"""What the league refuses, each a sentence that says what would be accepted."""

from __future__ import annotations

import re

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


class BrokenFile(LeagueError):
    """A file of the league's own cannot be read or written; the message names it."""


class NoStore(LeagueError):
    """The database cannot be opened; the message says what it needs, in the driver's words too."""

    @property
    def public(self) -> str:
        """That it is away: what its driver says has names of hosts and users in it."""
        return "the league's database does not answer"


class Missing(LeagueError):
    """A part of the program that is not installed; the message says how it is."""
