"""Which forms there are, by name; a form's module is imported when it is used.

A writer is `write(queries, key) -> bytes`: a whole file about a season or a race, by its key.
A reader is `read(content) -> [act, …]`: acts (`acts.py`) that make the same season, races and
penalties in another league; whoever imports carries them out one by one. Both raise
`LeagueError` with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal

from companion.league.ports import LeagueQueries

Writer = Callable[[LeagueQueries, str], bytes]
Reader = Callable[[bytes], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of the league's data.

    Args:
        about: a line for the help.
        of: what one file is about.
        suffix: of its files, with the dot.
        module: where `write` is, and `read` where `is_read`.
    """

    about: str
    of: Literal["season", "race"]
    suffix: str
    module: str
    is_read: bool = False

    def writer(self) -> Writer:
        """The function that writes it."""
        write: Writer = import_module(self.module).write
        return write

    def reader(self) -> Reader:
        """The function that reads it; only where `is_read`."""
        read: Reader = import_module(self.module).read
        return read


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "acts": Form(
            about="what makes the season again in another league",
            of="season",
            suffix=".json",
            module="companion.league.exchange.acts",
            is_read=True,
        ),
    }
)
"""By the name that the command line has for it."""
