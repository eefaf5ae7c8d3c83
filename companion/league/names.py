"""Names of people, teams and seasons, and the keys that they are known by."""

from __future__ import annotations

import re
import unicodedata
import zlib

from companion.league.errors import BadAct
from companion.rules.reading import NAME_LENGTH

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
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadAct(f"{what} is a line of 1 to {LONGEST_NAME} characters, not {text!r:.80}")
    return name


def key_of(name: str) -> str:
    """The key of a name: the same for all the ways to write it, fit for an address.

    Letters keep their accents (José and Jose may be two people: merge them if not).

    >>> key_of("Ana  MARIA"), key_of("ana-maria"), key_of("Łukasz 2")
    ('ana-maria', 'ana-maria', 'łukasz-2')
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
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
