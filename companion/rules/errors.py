"""The one tree of errors that an answer can meet.

Three things are kept apart because a table treats them differently: what cannot be
understood (`Malformed`), what the rules do not allow now (`Illegal`), and what was
meant for a moment that has passed (`Stale`). Whichever is raised, nothing has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class Refusal(Exception):
    """A line that was not accepted.

    `key` and `args` are what a catalogue translates; `message` is English and says what
    would be accepted; `rule` is the id of the rule that decides, or None.
    """

    code: ClassVar[str] = "illegal"

    def __init__(
        self, key: str, message: str, *, rule: str | None = None, args: Mapping[str, object] = {}
    ) -> None:
        super().__init__(message)
        self.key = key
        self.message = message
        self.rule = rule
        self.arguments = dict(args)

    def as_json(self) -> dict[str, object]:
        """The `error` object of the engine protocol."""
        return {
            "code": self.code,
            "rule": self.rule,
            "key": self.key,
            "args": self.arguments,
            "message": self.message,
        }


class Illegal(Refusal):
    """Understood, but the rules do not allow it now."""

    code = "illegal"


class Malformed(Refusal):
    """Not understood, or a header or position that contradicts itself."""

    code = "malformed"


class Stale(Refusal):
    """An answer to an ask that has closed since the picture it was read from."""

    code = "stale"


class NoRace(Refusal):
    """A line that needs a race, and none has been started."""

    code = "no-race"


def no_such_space(space: object) -> Malformed:
    """A place that the board does not have."""
    return Malformed(
        "no-such-space", f"the board has no space {space!r:.40}", args={"space": f"{space!s:.40}"}
    )


SENTENCES: set[str] = set()
"""Messages that people read as they are; the catalogues have them in other languages."""


def sentence(text: str) -> str:
    """Mark a message of a refusal as one of these."""
    SENTENCES.add(text)
    return text
