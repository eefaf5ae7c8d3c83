"""A race that stands still or is over: the pause, the classification, the refusal."""

from __future__ import annotations

from dataclasses import replace

from companion.views.dialog_core import (
    HOME,
    Choice,
    Screen,
    Talk,
    any_button,
    at,
    make_key,
    to_page,
)
from companion.views.facts import name_of
from companion.views.model import Table
from companion.views.refusals import told_refusal
from companion.views.words import LINE_COLUMNS, fit, wrap

LINES = 4


def paused_page(talk: Talk) -> Screen:
    """The race waits; anybody may go on."""
    return Screen(
        title=talk.say("Paused"),
        lines=(talk.say("The race is kept."),),
        choices=at({1: Choice(make_key(talk.say("resume")), (Table("resume"),))}),
    )


def result_page(talk: Talk) -> Screen:
    """The classification, four a page, then what now; any button turns."""
    rows = (talk.scene.state or {}).get("classification", ())
    lines = [_row(talk, row["place"], row["seat"], row["status"]) for row in rows]
    pages = max(1, -(-len(lines) // LINES))
    page = talk.dialog.number
    if page >= pages:
        return after_page(talk)
    onward = talk.turn_to("result", number=page + 1)
    return Screen(
        title=talk.say("Result {page}/{pages}", page=page + 1, pages=pages),
        lines=tuple(lines[page * LINES : (page + 1) * LINES]),
        choices=any_button(onward),
    )


def after_page(talk: Talk) -> Screen:
    """The race is over: look again, the same people again, or a new race."""
    say = talk.say
    return Screen(
        title=say("The race is over"),
        choices=at(
            {
                1: to_page(say("result"), HOME, "back"),
                3: Choice(make_key(say("again"), say("new race")), (Table("same"),)),
                5: Choice(make_key(say("new"), say("people")), (Table("join"),)),
            }
        ),
    )


def _row(talk: Talk, place: int, seat: int, status: str) -> str:
    """One line of the classification; who went out says so behind the name."""
    out = f" {talk.say('out')}" if status == "out" else ""
    head = f"{place}. "
    return head + fit(name_of(talk.scene, seat), LINE_COLUMNS - len(head) - len(out)) + out


def with_refusal(talk: Talk, screen: Screen) -> Screen:
    """The page with the reason why the last press was refused, and the rule, above its keys."""
    error = talk.scene.refused.get(talk.seat)
    if not error:
        return screen
    return replace(
        screen,
        title=fit(error.get("rule") or talk.say("Not now")),
        lines=wrap(told_refusal(error, talk.say), 3),
        pips=(),
        big="",
        qr="",
        blink=True,
    )
