"""Who was forgotten, and how a name is told that is not to be named: pure but for the secret.

Of a person who was forgotten nothing is kept but a keyed hash of each name, as `errors.key_of` has
it (the same for all its spellings). By it the name is known where it comes once more, in a push, an
import or a backup, and told as "Driver 3fa81c" before anything is kept: so a record that is sent
again comes to the same bytes, and is known.

What this is not: whoever has the secret and guesses a name can see whether it was forgotten.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from companion.league.errors import key_of

MOST_WORDS: Final = 5
"""Of a name that is looked for in a text."""
TEXTS: Final = ("note", "reason", "text")
"""What people wrote freely in a line of a record."""
_WORD = re.compile(r"\w+")


class People:
    """Who is not to be named in a league with this secret."""

    def __init__(self, secret: bytes, forgotten: Iterable[str] = ()) -> None:
        self.secret, self.forgotten = secret, frozenset(forgotten)
        self.person = lru_cache(65536)(self._person)

    def _person(self, key: str) -> str:
        """What is kept of a name that was forgotten; `key` is `errors.key_of`."""
        word = f"person:{key}".encode("utf-8", "surrogatepass")
        return hmac.new(self.secret, word, hashlib.sha256).hexdigest()[:12]

    def key_for(self, text: str) -> str:
        """A key that nobody can guess, or find the text of, who has not the secret."""
        told = hmac.new(self.secret, f"key:{text}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(told[:24]).decode()

    def alias(self, key: str) -> str:
        """What somebody is called who is not to be named; `key` is `errors.key_of`."""
        return f"Driver {self.person(key)[:6]}"

    def is_forgotten(self, name: str) -> bool:
        """Whether a person of this name is not to be named again."""
        return bool(self.forgotten) and self.person(key_of(name)) in self.forgotten

    def presented(self, name: str) -> str:
        """A name as it is kept and shown."""
        return self.alias(key_of(name)) if self.is_forgotten(name) else name

    def told(self, text: str) -> str:
        """A text with nobody in it who was forgotten."""
        return "".join(self._scrub(text)) if self.forgotten else text

    def told_in(self, value: Any) -> Any:
        """JSON likewise; a text that is a name is one."""
        if isinstance(value, str):
            return self.told(self.presented(value))
        if isinstance(value, list | tuple):
            return [self.told_in(one) for one in value]
        if isinstance(value, Mapping):
            return {key: self.told_in(one) for key, one in value.items()}
        return value

    def told_lines(self, content: bytes) -> bytes:
        """JSON Lines likewise; a line that is no JSON is a text."""
        lines = content.splitlines(keepends=True)
        return b"".join(map(self._told_line, lines)) if self.forgotten else content

    def _told_line(self, line: bytes) -> bytes:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return self.told(line.decode("utf-8", "surrogateescape")).encode(
                errors="surrogateescape"
            )
        told = self.told_in(data)
        return line if told == data else json.dumps(told, ensure_ascii=False).encode() + b"\n"

    # -- records ----------------------------------------------------------------------------

    def veil_record(self, content: bytes) -> bytes:
        """A record in which nobody is named who was forgotten.

        What is no record is given back as it is: whoever examines it says what is wrong.
        """
        head, end, rest = content.partition(b"\n")
        if not self.forgotten:
            return content
        try:
            first = json.loads(head)
            seats = [self._veil_seat(seat) for seat in first["seats"]]
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return content
        veiled = {**first, "seats": seats}
        if isinstance(first.get("name"), str):
            veiled["name"] = self.told(first["name"])
        lines = [self._veil_line(line) for line in rest.splitlines(keepends=True)]
        return (head if veiled == first else _line(veiled)) + end + b"".join(lines)

    def _veil_seat(self, seat: Mapping[str, Any]) -> Mapping[str, Any]:
        own: dict[str, Any] = {
            word: self.presented(seat[word]) for word in ("name", "player") if seat.get(word)
        }
        if seat.get("crew"):
            own["crew"] = [self.presented(name) for name in seat["crew"]]
        if isinstance(seat.get("team"), str):
            own["team"] = self.told(seat["team"])
        return {**seat, **own}

    def _veil_line(self, line: bytes) -> bytes:
        if not any(f'"{word}"'.encode() in line for word in (*TEXTS, "join")):
            return line
        try:
            data = json.loads(line)
            texts = (word for word in TEXTS if isinstance(data.get(word), str))
            own: dict[str, Any] = {word: self.told(data[word]) for word in texts}
            if isinstance(data.get("join"), dict):
                own["join"] = self._veil_seat(data["join"])
        except (ValueError, RecursionError, TypeError, AttributeError):
            return line
        veiled = {**data, **own}
        return line if veiled == data else _line(veiled) + b"\n"

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
                    yield self.presented(name)
                    done = last.end()
                    break
        yield text[done:]


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")
