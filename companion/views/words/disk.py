"""What is wrong with the disk, in a sentence for the page and the screens.

Files are for who mends it, and stand on stderr; players are told what is missing of their race.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.views.model import Trouble
from companion.views.words import Words, phrase

FAILING = {
    "storage": phrase("The disk does not serve: nothing is accepted."),
    "disk-full": phrase("The disk is full: nothing is accepted."),
}
"""While it lasts; a press says so on the seat's own screen."""
MISSING = {
    "answers-missing": phrase("{n} answers after {time} are missing."),
    "answer-missing": phrase("1 answer after {time} is missing."),
    "answer-torn": phrase("The last answer, after {time}, may be missing."),
    "race-lost": phrase("A race cannot be read any more."),
}
"""What somebody at the table must know before the race goes on."""
WARNINGS = {
    "answers-healed": phrase("The journal was damaged and is whole again. The disk may be dying."),
    "taken-away": phrase("The journal was taken away and is written anew."),
    "copy-fails": phrase("The second copy of the journal cannot be written."),
}
"""Nothing is missing, and the host should know."""


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
    words = {**FAILING, **MISSING, **WARNINGS}.get(key, FAILING["storage"])
    return say(words).format_map(args)
