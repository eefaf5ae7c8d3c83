"""What the disk has lost, on every screen until somebody has read it."""

from __future__ import annotations

from companion.views.model import Seen
from companion.views.seat.core import HOME, Screen, Talk, any_button
from companion.views.words import wrap
from companion.views.words.disk import MISSING, disk_text

LINES = 4


def is_lost(talk: Talk) -> bool:
    """Whether there is something that the table must know before it goes on."""
    return any(trouble.key in MISSING for trouble in talk.scene.disk)


def lost_page(talk: Talk) -> Screen:
    """What is missing; any button: it has been read, and no screen shows it any more."""
    missing = [trouble for trouble in talk.scene.disk if trouble.key in MISSING]
    lines = wrap(disk_text(missing, talk.say), LINES - 1)
    read = talk.say("Any button: seen")
    return Screen(talk.say("Look at your race"), (*lines, read), any_button(HOME, (Seen(),)))
