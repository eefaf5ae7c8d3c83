"""What went wrong, in the language of a seat: refusals, and what fails of a seat or the disk.

The rules give a key and its arguments; the sentence here is short enough for three lines of a
seat's screen. A sentence of the rules that is marked as one stands in the catalogues as it is; a
key that nobody has put into words is told in English. Ports, files and commands are for who mends
it, and stand in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from companion.rules.board.plan import Fault
from companion.rules.board.track import Track
from companion.views.model import Ailing, Trouble
from companion.views.screen import refusals
from companion.views.words import Words, phrase, place_name, read_texts

TEXTS = read_texts(Path(__file__).with_name("refusals.toml"))
"""What is said, by its key, in tables. Read at once: it tells also that the disk does not serve."""


@cache
def all_refusals() -> Mapping[str, str]:
    """The sentences of all keys, those of single games too."""
    return {**TEXTS["refusals"], **refusals()}


def refusal_text(error: Mapping[str, object], say: Words) -> str:
    """The sentence of an `error` object of the engine protocol."""
    message, known = str(error.get("message", "")), all_refusals()
    # Why a move cannot end somewhere the rules say in such a sentence themselves.
    if message in known.values():
        return say(message)
    key, given = str(error.get("key")), error.get("args")
    args = given if isinstance(given, Mapping) else {}
    # A key may have another sentence for one name, as "not-boardless trials" has.
    template = known.get(f"{key} {args.get('name')}", known.get(key))
    if template is None:
        return message
    try:
        return say(template).format_map(args)
    except (KeyError, IndexError):  # a key of this name without the arguments it should have
        return message


# -- what is wrong with a track file --------------------------------------------------------------


IN_LANE = phrase("{section}, lane {lane}")


def fault_text(fault: Fault, say: Words) -> str:
    """A fault in one line; what cannot come of drawing a corner keeps the rules' own English.

    >>> from companion.views.words import words
    >>> crossing = {"one": "T1.l1>T1.m2", "other": "T1.l2>T1.m1"}
    >>> fault_text(Fault("T1 East", "they cross", "cross", crossing), words("en"))
    'T1 East: T1.l1>T1.m2 and T1.l2>T1.m1 cross'
    """
    section, _, lane = fault.where.partition(", lane ")
    where = say(IN_LANE, section=section, lane=lane) if lane else section
    faults = TEXTS["faults"]
    what = say(faults[fault.key], **fault.args) if fault.key in faults else fault.what
    return f"{where}: {what}"


def answer_text(value: Any, track: Track, say: Words) -> str:
    """An answer of the engine protocol: a gear, an end, a length, no slipstream.

    What it does not know stays as it stands.
    """
    match value:
        case None:
            return say("no slipstream")
        case {"to": str(to), "brakes": int(brakes)} if to in track.index:
            place = place_name(track, track.index[to], say)
            braked = say.many("{n} space braked", "{n} spaces braked", brakes)
            return f"{place}, {braked}" if brakes else place
        case {"spaces": int(spaces)}:
            return say.many("{n} space", "{n} spaces", spaces)
        case int():
            return say.nth(value)
    return str(value)


# -- a seat that cannot be reached ----------------------------------------------------------------


DEAD = phrase("Seat {n} is dead")


def title_of(part: str) -> str:
    """The title of the code to take a seat over, by the part that fails."""
    return TEXTS["titles"].get(part, DEAD)


def trouble_text(ailing: Ailing, say: Words) -> str:
    """Which part fails, why, and since which round.

    >>> from companion.views.words import words
    >>> trouble_text(Ailing("pod", Trouble("silent"), since=3), words("en"))
    'pod: no answer, since round 3'
    """
    parts = TEXTS["parts"]
    part = say(parts.get(ailing.part, parts["driver"]))
    what = _what(ailing.trouble, say)
    if ailing.since:
        return say("{part}: {what}, since round {n}", part=part, what=what, n=ailing.since)
    return say("{part}: {what}", part=part, what=what)


def _what(trouble: Trouble, say: Words) -> str:
    troubles = TEXTS["troubles"]
    try:
        return say(troubles.get(trouble.key, troubles["failed"])).format_map(trouble.args)
    except KeyError:  # a key of this name without the arguments it should have
        return say(troubles["failed"])


# -- what is wrong with the disk ------------------------------------------------------------------


def is_missing(trouble: Trouble) -> bool:
    """Whether the disk has lost what somebody at the table must know before the race goes on."""
    return trouble.key in TEXTS["missing"]


def disk_text(troubles: Sequence[Trouble], say: Words) -> str:
    """All that is wrong, a sentence each.

    >>> from companion.views.words import words
    >>> disk_text([Trouble("answers-missing", args={"n": 19, "time": "21:04"})], words("en"))
    '19 answers after 21:04 are missing.'
    """
    return " ".join(dict.fromkeys(_sentence(one, say) for one in troubles))


def _sentence(trouble: Trouble, say: Words) -> str:
    key, args = trouble.key, trouble.args
    if key == "answers-missing" and args.get("n") == 1:
        key = "answer-missing"
    failing = TEXTS["failing"]
    words = {**failing, **TEXTS["missing"], **TEXTS["warnings"]}.get(key, failing["storage"])
    return say(words).format_map(args)
