"""The end of a Formula race: the classification and the teams (FD-END-2, FD-TEAM-1)."""

from __future__ import annotations

from companion.rules.formula.car import Car, Status
from companion.rules.formula.order import classification
from companion.rules.formula.teams import TeamRow, points_for, rank_teams
from companion.views.formula.facts import the_race
from companion.views.lobby.options import car_word
from companion.views.seat.core import Screen, Talk, any_button
from companion.views.seat.end import after_page
from companion.views.seat.parts import LINES
from companion.views.words import LINE_COLUMNS, fit


def result_page(talk: Talk) -> Screen:
    """The classification and the teams, four a page, then what now; any button turns."""
    pages, page = _result_pages(talk), talk.dialog.number
    if page >= len(pages):
        return after_page(talk)
    title, lines = pages[page]
    told = tuple(line for _, rows in pages for line in rows)
    onward = any_button(talk.turn_to("result", number=page + 1))
    return Screen(title, lines, onward, asks=_headline(talk), tells=told, go="")


def _headline(talk: Talk) -> str:
    """Who has won."""
    first = classification(the_race(talk.scene))[0]
    if first.status is Status.OUT:
        return talk.say("Nobody comes home")
    return talk.say("{name} wins!", name=first.name)


def _result_pages(talk: Talk) -> list[tuple[str, tuple[str, ...]]]:
    """Titles and lines; the teams have a page of their own (FD-TEAM-1)."""
    race = the_race(talk.scene)
    rows = [_row(talk, place, car) for place, car in enumerate(classification(race), 1)]
    count = max(1, -(-len(rows) // LINES))
    pages = [
        (
            talk.say("Result {page}/{pages}", page=page + 1, pages=count),
            tuple(rows[page * LINES : (page + 1) * LINES]),
        )
        for page in range(count)
    ]
    with_teams = any(car.team for car in race.cars.values())
    teams = [_team_row(talk, team) for team in rank_teams(race)] if with_teams else []
    of_teams = [tuple(teams[n : n + LINES]) for n in range(0, len(teams), LINES)]
    return pages + [(talk.say("Teams"), lines) for lines in of_teams]


def _row(talk: Talk, place: int, car: Car) -> str:
    """One line of the classification: the points, or that it went out for none, behind the name."""
    points = points_for(the_race(talk.scene), place, car)
    tail = f" {points}" if points else ""
    if car.status is Status.OUT and not points:
        tail = f" {talk.say('out')}"
    head = f"{place}. "
    return head + fit(car.name, LINE_COLUMNS - len(head) - len(tail)) + tail


def _team_row(talk: Talk, team: TeamRow) -> str:
    head, tail = f"{team.place}. ", f" {team.points}"
    name = car_word(talk.say, "team", team.team)
    return head + fit(name, LINE_COLUMNS - len(head) - len(tail)) + tail
