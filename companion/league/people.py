"""Who is behind the keys that records and acts carry: names lie apart, so that they can go.

A club's records and acts are kept for good and are judged by their bytes; a person's name must be
able to go. So where a name stands they carry a key, `~K.S`: K is a keyed digest of the name as
`names.key_of` has it (the same for all its spellings), S one of its spelling. `names.jsonl` has
the name of each key, `secret` what the digests are keyed with. To forget somebody is to erase the
lines of K and to put K into `forgotten.jsonl`: from then on the key is shown as "Driver 3fa81c", a
record that is sent once more comes to the same bytes as before and is known, and a name that comes
in any other way, in a text too, becomes its key again and nothing else.

What this is not: whoever has `secret` and guesses a name can see whether its key occurs.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from companion.league.errors import key_of
from companion.league.storage import PEOPLE, Storage

FILES = SECRET, NAMES, FORGOTTEN = (
    f"{PEOPLE}/secret",
    f"{PEOPLE}/names.jsonl",
    f"{PEOPLE}/forgotten.jsonl",
)
MARK = re.compile(r"~([0-9a-f]{12})\.[0-9a-f]{6}")
MOST_WORDS = 5
"""Of a name that is looked for in a text."""
TEXTS = ("note", "reason", "text")
"""What people wrote freely in a line of a record."""
_WORD = re.compile(r"\w+")
Rename = Callable[[str], str]


class People:
    """The names of a league, in three files.

    Whoever writes holds the league's lock; reading is safe from any thread.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._names: dict[str, str] = {}
        self._forgotten: frozenset[str] = frozenset()
        self._known: set[str] = set()
        self._secret = b""
        self._seen: object = None
        self._digest = lru_cache(65536)(self._make_digest)

    # -- keys ------------------------------------------------------------------------------

    def mark(self, name: str) -> str:
        """The key that stands for a name, spelled as it is."""
        if MARK.fullmatch(name):
            return name
        self._ready()
        return f"~{self.person(key_of(name))}.{self._digest('spelling', name)[:6]}"

    def person(self, key: str) -> str:
        """The part of the key that all spellings of a name share; `key` is `names.key_of`."""
        return self._digest("person", key)[:12]

    def alias(self, key: str) -> str:
        """What somebody is called who is not to be named; `key` is `names.key_of`."""
        self._ready()
        return f"Driver {self.person(key)[:6]}"

    def shown(self, text: str) -> str:
        """A text with names instead of their keys."""
        return MARK.sub(self._name_of, text) if "~" in text else text

    def scrubbed(self, text: str) -> str:
        """A text in which whoever was forgotten is a key."""
        if not self._forgotten:
            return text
        return "".join(self._scrub(text))

    def is_forgotten(self, name: str) -> bool:
        """Whether a person of this name is not to be named again."""
        return bool(self._forgotten) and self.person(key_of(name)) in self._forgotten

    def is_known(self, name: str) -> bool:
        """Whether somebody of this name has driven here, or was forgotten."""
        return bool(self._secret) and self.person(key_of(name)) in self._known

    def told(self, text: str) -> str:
        """A text for people to read: names, but nobody's who was forgotten."""
        return self.shown(self.scrubbed(text))

    def presented(self, name: str) -> str:
        """A name as it is shown."""
        return self.shown(self.mark(name)) if self.is_forgotten(name) else name

    def shown_in(self, value: Any, show: Rename | None = None) -> Any:
        """JSON with names instead of their keys; `show` does more to each text than that."""
        show = show or self.shown
        if isinstance(value, str):
            return show(value)
        if isinstance(value, list | tuple):
            return [self.shown_in(one, show) for one in value]
        if isinstance(value, Mapping):
            return {key: self.shown_in(one, show) for key, one in value.items()}
        return value

    # -- records ---------------------------------------------------------------------------

    def veil_record(self, content: bytes) -> tuple[bytes, set[str]]:
        """A record with keys in it, and the names that they stand for.

        What is no record is given back as it is: whoever examines it says what is wrong.
        """
        head, end, rest = content.partition(b"\n")
        try:
            first = json.loads(head)
            seats = first["seats"]
            both = [*seats, *_late(rest)]
            names = {seat[word] for seat in both for word in ("name", "player") if word in seat}
            names |= {name for seat in both for name in seat.get("crew") or ()}
            if not all(isinstance(name, str) for name in names):
                return content, set()
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return content, set()
        people = {name for name in names if name and not MARK.fullmatch(name)}
        if not people and not self._forgotten:
            return content, set()
        first["seats"] = [self._veil_seat(seat) for seat in seats]
        if isinstance(first.get("name"), str):
            first["name"] = self.scrubbed(first["name"])
        lines = [self._veil_line(line) for line in rest.splitlines(keepends=True)]
        text = json.dumps(first, ensure_ascii=False)
        return text.encode("utf-8", "surrogatepass") + end + b"".join(lines), people

    def _veil_seat(self, seat: Mapping[str, Any]) -> Mapping[str, Any]:
        own: dict[str, Any] = {w: self.mark(seat[w]) for w in ("name", "player") if seat.get(w)}
        if seat.get("crew"):
            own["crew"] = [self.mark(name) for name in seat["crew"]]
        team = seat.get("team")
        if isinstance(team, str):
            own["team"] = self.scrubbed(team)
        return {**seat, **own}

    def _veil_line(self, line: bytes) -> bytes:
        if late := _late(line):
            data = {**json.loads(line), "join": self._veil_seat(late[0])}
            return json.dumps(data, ensure_ascii=False).encode() + b"\n"
        if not self._forgotten or not any(f'"{word}"'.encode() in line for word in TEXTS):
            return line
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return line
        texts = {w: self.scrubbed(data[w]) for w in TEXTS if isinstance(data.get(w), str)}
        if all(data[word] == text for word, text in texts.items()):
            return line
        return json.dumps({**data, **texts}, ensure_ascii=False).encode() + b"\n"

    # -- files -----------------------------------------------------------------------------

    def looks(self) -> object:
        """What changes whenever a name comes or goes, and is known without opening a file."""
        return self._storage.looks(*FILES)

    @property
    def who_is_forgotten(self) -> str:
        """What changes whenever somebody is forgotten."""
        return hashlib.sha256(" ".join(sorted(self._forgotten)).encode()).hexdigest()

    def all_forgotten(self) -> frozenset[str]:
        """The persons (`person`) who are not to be named again, as the files have them."""
        self.look()
        return self._forgotten

    def all_names(self) -> list[str]:
        """The names that are not forgotten, in all spellings, as the files have them."""
        self.look()
        return list(self._names.values())

    def look(self) -> None:
        """Read what other processes have written since."""
        seen = self.looks()
        if seen == self._seen:
            return
        secret = (self._storage.read(SECRET) or b"").strip()
        if secret != self._secret:
            self._secret = secret
            self._digest.cache_clear()
        forgotten = frozenset(one["person"] for one in self._lines(FORGOTTEN))
        named = {one["key"]: one["name"] for one in self._lines(NAMES)}
        people = {key: key[1:13] for key in named}
        self._names = {key: name for key, name in named.items() if people[key] not in forgotten}
        self._forgotten = forgotten
        self._known = {*people.values(), *forgotten}
        self._seen = seen

    def keep(self, names: Iterable[str]) -> None:
        """Write down names that are new; on disk when this returns.

        Raises:
            BrokenFile: it could not be written.
        """
        names = list(names)
        if not names:
            return
        marks = {self.mark(name): name for name in names if not self.is_forgotten(name)}
        new = {key: name for key, name in marks.items() if key not in self._names}
        if new:
            self._append(NAMES, [{"key": key, "name": name} for key, name in new.items()])

    def forget(self, people: Iterable[str]) -> None:
        """Erase the names of these persons (`person`), for good."""
        gone = set(people)
        self._append(FORGOTTEN, [{"person": one} for one in sorted(gone - self._forgotten)])
        kept = [
            {"key": key, "name": name} for key, name in self._names.items() if key[1:13] not in gone
        ]
        self._storage.write(NAMES, "".join(map(_line, kept)).encode())
        self.look()

    def _ready(self) -> None:
        """There is a secret; made once."""
        if not self._secret:
            self.look()
        if not self._secret:
            self._storage.write_once(SECRET, f"{secrets.token_hex(32)}\n".encode())
            self.look()

    def _append(self, name: str, lines: Iterable[Mapping[str, str]]) -> None:
        # A line that the plug cut short must not swallow the first of these.
        self._storage.append(name, b"\n" + "".join(map(_line, lines)).encode())
        self.look()

    def _lines(self, name: str) -> Iterator[dict[str, str]]:
        """The lines of a file; one that the plug cut short says nothing."""
        for line in (self._storage.read(name) or b"").splitlines():
            try:
                data = json.loads(line) if line else None
            except ValueError:
                continue
            if isinstance(data, dict):
                yield data

    def _make_digest(self, what: str, text: str) -> str:
        word = f"{what}:{text}".encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, word, hashlib.sha256).hexdigest()

    def _name_of(self, mark: re.Match[str]) -> str:
        return self._names.get(mark[0]) or f"Driver {mark[1][:6]}"

    def _scrub(self, text: str) -> Iterator[str]:
        """The text in pieces; of the names that begin at a word the longest one counts."""
        words = list(_WORD.finditer(text))
        done = 0
        for n, word in enumerate(words):
            if word.start() < done:
                continue
            for last in reversed(words[n : n + MOST_WORDS]):
                name = text[word.start() : last.end()]
                if self.is_forgotten(name):
                    yield text[done : word.start()]
                    yield self.mark(name)
                    done = last.end()
                    break
        yield text[done:]


def _late(lines: bytes) -> list[Mapping[str, Any]]:
    """The seats of who came late, in lines of a record."""
    found: list[Mapping[str, Any]] = []
    for line in lines.splitlines():
        try:
            entry = json.loads(line).get("join") if b'"join"' in line else None
        except (ValueError, RecursionError, AttributeError):
            continue
        if isinstance(entry, dict):
            found.append(entry)
    return found


def _line(data: Mapping[str, str]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"
