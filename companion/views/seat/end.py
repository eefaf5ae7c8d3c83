"""A race that stands still or is over: the pause, the classification, the refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.views.facts import name_of
from companion.views.lobby.options import car_word
from companion.views.model import Pause, SetUp
from companion.views.seat.core import (
    HOME,
    Choice,
    Screen,
    Talk,
    any_button,
    at,
    make_key,
    to_page,
)
from companion.views.words import LINE_COLUMNS, fit, wrap
from companion.views.words.refusals import told_refusal

JSON = Mapping[str, Any]
LINES = 4


def paused_page(talk: Talk) -> Screen:
    """The race waits; anybody may go on."""
    return Screen(
        title=talk.say("Paused"),
        lines=(talk.say("The race is kept."),),
        choices=at({1: Choice(make_key(talk.say("resume")), (Pause(False),))}),
    )


def result_page(talk: Talk) -> Screen:
    """The classification and the teams, four a page, then what now; any button turns."""
    pages = _result_pages(talk)
    page = talk.dialog.number
    if page >= len(pages):
        return after_page(talk)
    title, lines = pages[page]
    onward = talk.turn_to("result", number=page + 1)
    return Screen(title, lines, any_button(onward))


def _result_pages(talk: Talk) -> list[tuple[str, tuple[str, ...]]]:
    """Titles and lines; the teams have a page of their own (FD-TEAM-1)."""
    state = talk.scene.state or {}
    rows = [_row(talk, row) for row in state.get("classification", ())]
    count = max(1, -(-len(rows) // LINES))
    pages = [
        (
            talk.say("Result {page}/{pages}", page=page + 1, pages=count),
            tuple(rows[page * LINES : (page + 1) * LINES]),
        )
        for page in range(count)
    ]
    ranked = [team for team in state.get("teams", ()) if team.get("place")]
    teams = [_team_row(talk, team) for team in sorted(ranked, key=lambda team: team["place"])]
    of_teams = [tuple(teams[n : n + LINES]) for n in range(0, len(teams), LINES)]
    return pages + [(talk.say("Teams"), lines) for lines in of_teams]


def after_page(talk: Talk) -> Screen:
    """The race is over: look again, the same people again, or a new race."""
    say = talk.say
    return Screen(
        title=say("The race is over"),
        choices=at(
            {
                1: to_page(say("result"), HOME, "back"),
                3: Choice(make_key(say("again"), say("new race")), (SetUp("same"),)),
                5: Choice(make_key(say("new"), say("people")), (SetUp("join"),)),
            }
        ),
    )


def _row(talk: Talk, row: JSON) -> str:
    """One line of the classification: the points, or that it went out, behind the name."""
    points = row.get("points")
    tail = f" {points}" if points else ""
    if row["status"] == "out":
        tail = f" {talk.say('out')}"
    head = f"{row['place']}. "
    name = fit(name_of(talk.scene, row["seat"]), LINE_COLUMNS - len(head) - len(tail))
    return head + name + tail


def _team_row(talk: Talk, team: JSON) -> str:
    """One team: its place, its color, its points."""
    head, tail = f"{team['place']}. ", f" {team['points']}"
    name = car_word(talk.say, "team", team["team"])
    return head + fit(name, LINE_COLUMNS - len(head) - len(tail)) + tail


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
