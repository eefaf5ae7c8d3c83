"""What pages of every game share: the title of an ask, the watch, and the rows of a list."""

from __future__ import annotations

from companion.views.games import name_of
from companion.views.model import Scene
from companion.views.seat.core import Choices, Dialog, Talk, any_button
from companion.views.words import LINE_COLUMNS, fit

LEAST_OF_A_NAME = 4
"""Columns of a name in a title, however long the question is."""
LINES = 4


def minutes(seconds: float) -> str:
    """Minutes and seconds, as a watch shows them.

    >>> minutes(83.9), minutes(3600)
    ('1:23', '60:00')
    """
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def running(scene: Scene, seat: int) -> str:
    """The watch that runs for a seat; "" where none does."""
    if scene.watch is None or scene.watch["seat"] != seat:
        return ""
    return minutes(scene.watch["seconds"])


def asked(talk: Talk, question: str) -> str:
    """A title: the question, and whose it is where a steward answers for another.

    While the watch of a trial runs for the seat's car, it stands at the left.
    """
    if not talk.dialog.target:
        return fit(f"{running(talk.scene, talk.who)} {question}".lstrip())
    room = max(LEAST_OF_A_NAME, LINE_COLUMNS - len(question) - 2)
    return fit(f"{fit(name_of(talk.scene, talk.who), room)}: {question}")


def in_full(talk: Talk, question: str) -> str:
    """The question as a screen with room asks it: names and all."""
    watch = running(talk.scene, talk.who)
    who = name_of(talk.scene, talk.who) if talk.dialog.target else watch
    return f"{who}: {question}" if who else question


def four(talk: Talk, rows: list[str], page: str, after: Dialog) -> tuple[tuple[str, ...], Choices]:
    """Four rows of a list, and any button on to the next four; behind the last what is after."""
    number = talk.dialog.number if talk.dialog.page == page else 0
    is_last = (number + 1) * LINES >= len(rows)
    onward = after if is_last else talk.turn_to(page, number=number + 1)
    return tuple(map(fit, rows[number * LINES : (number + 1) * LINES])), any_button(onward)
