"""`companion pack …`: how clubs play, as packs of house rules."""

from __future__ import annotations

from companion.cli.tools import Group

PACK = Group(
    __name__,
    {
        "list": ("packs", "the packs that a race may be played by"),
        "show": ("packs", "one pack: what it says of the race"),
        "check": ("packs", "what is wrong with the file of a pack"),
    },
    "List, show and check rules packs.",
)
