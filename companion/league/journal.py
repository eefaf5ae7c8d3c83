"""The journal of the acts: JSON Lines, append only, one sync for what is done at once.

Every line has its number as `n`, so that a line that was lost or put in between is seen. A
last line without its line end was never acknowledged (the plug was pulled while it was
written) and is cut off by the next one. Writers take turns by the lock of the storage.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.league.acts import Done, format_act, names_in, parse_act, retold
from companion.league.errors import BrokenFile
from companion.league.people import People
from companion.league.plain import Line
from companion.league.storage import ACTS, Storage

OWN_KEYS = ("n", "at", "by")
"""What a line has besides its act."""
SAID = "said"
"""What an act says under one of these: `by` of a way is not who opened it."""


class ReadTo(NamedTuple):
    """How far a journal was read: so many acts, in so many bytes, which come to this digest.

    The digest is a chain, each line's made of the one before: to go on costs the new lines alone.
    """

    acts: int
    size: int
    chain: str


EMPTY = ReadTo(0, 0, "-")


def parse_done(line: Line, people: People) -> Done:
    """The act in a line, with the names of its people.

    Raises:
        BadAct: it is none that this program knows.
    """
    own = {key: value for key, value in line.items() if key not in (*OWN_KEYS, SAID)}
    said = line.get(SAID)
    own |= said if isinstance(said, dict) else {}
    act = retold(parse_act(people.shown_in(own)), people.presented, people.told)
    n = line["n"]
    assert isinstance(n, int)  # the journal has seen to it
    return Done(n, act, str(line.get("at", "")), people.told(str(line.get("by", ""))))


def format_done(done: Done, people: People) -> Line:
    """The line that says it, with keys instead of names; these are written down before it is."""
    act = retold(done.act, people.mark, people.scrubbed)
    is_known = people.is_known(done.by)
    by = people.mark(done.by) if is_known else people.scrubbed(done.by)
    people.keep([*names_in(done.act), *([done.by] if is_known else [])])
    told = format_act(act)
    said = {key: told[key] for key in OWN_KEYS if key in told}
    return {"n": done.n, **told, "at": done.at, "by": by, **({SAID: said} if said else {})}


def _gone_on(read: ReadTo, lines: Sequence[bytes]) -> ReadTo:
    acts, size, chain = read
    for line in lines:
        chain = hashlib.sha256(chain.encode() + line).hexdigest()
        size += len(line) + 1
    return ReadTo(acts + len(lines), size, chain)


class ActJournal:
    """`acts.jsonl`, which is made when the first act comes.

    Args:
        name: of the file in the storage.
    """

    def __init__(self, storage: Storage, name: str = ACTS) -> None:
        self._storage, self._name = storage, name

    def read(self) -> list[Line]:
        """All acts.

        Raises:
            BrokenFile: it cannot be read; or a line is no act or not in its place, which is named.
        """
        return self.since(EMPTY)[0]

    def since(self, read: ReadTo) -> tuple[list[Line], ReadTo]:
        """The acts behind those that were read, and how far it is read then.

        Raises:
            BrokenFile: as `read`.
        """
        content = self._storage.read(self._name, read.size) or b""
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        acts = [self._parse(number, line) for number, line in enumerate(lines, read.acts + 1)]
        return acts, _gone_on(read, lines)

    def begins_with(self, read: ReadTo) -> bool:
        """Whether what was read of it still stands there; all of that is looked at."""
        content = self._storage.read(self._name, 0, read.size) or b""
        return len(content) == read.size and _gone_on(EMPTY, content.splitlines()) == read

    def looks(self) -> str:
        """What changes with every change of the file, and is known without opening it."""
        return self._storage.looks(self._name)[0]

    def append(self, *acts: Line, after: ReadTo | None = None) -> ReadTo:
        """Add lines; on disk when this returns. How far it is read then.

        Args:
            after: what stands there, where the caller has read it; behind it is only what the
                plug cut short.

        Raises:
            BrokenFile: it could not be written; what was there is as it was.
        """
        after = after or self.since(EMPTY)[1]
        lines = [json.dumps(act, ensure_ascii=False).encode() for act in acts]
        self._storage.append(self._name, b"".join(line + b"\n" for line in lines), after.size)
        return _gone_on(after, lines)

    def replace(self, acts: Iterable[Line]) -> None:
        """Write all of it anew, where a name has to go out of it; the caller holds the lock.

        Raises:
            BrokenFile: it could not be written; it is as it was.
        """
        text = "".join(json.dumps(act, ensure_ascii=False) + "\n" for act in acts)
        self._storage.write(self._name, text.encode())

    def _parse(self, number: int, line: bytes) -> Line:
        place = self._storage.place(self._name)
        try:
            act = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BrokenFile(f"{place} line {number} is no JSON: {error}") from error
        if not isinstance(act, dict) or act.get("n") != number:
            raise BrokenFile(f"{place} line {number} is no act with number {number}")
        return act
