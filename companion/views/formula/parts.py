"""What several pages share: the form of a turn's pages, a car's place, its corner, its wear."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.rules.board.track import Corner
from companion.rules.formula.car import Status
from companion.views.facts import board_of
from companion.views.formula.facts import (
    car_of,
    full_wear,
    lap_now,
    name_of,
    neighbours,
    next_corner,
    place_of,
    the_race,
    wear_of,
)
from companion.views.model import Pip, Scene
from companion.views.seat.core import Choices, Screen, Talk
from companion.views.words import LINE_COLUMNS, Words, fit, phrase
from companion.views.words.places import before_corner, corner_name
from companion.views.words.wear import WEAR, wear_brief, wear_key, wear_word

NO_GEAR = "–"
SHORTEST_NAME = 3
"""Columns below which the name of a corner tells nothing."""
GONE = {Status.FINISHED: phrase("You have finished."), Status.OUT: phrase("You are out.")}


class RollWords(NamedTuple):
    """What the black die is rolled for: as a title, in a word behind a name, on the page."""

    title: str
    word: str
    question: str


def car_screen(
    talk: Talk, seat: int, title: str, choices: Choices, lines: tuple[str, ...] = (),
    big: str = "", asks: str = "",
) -> Screen:  # fmt: skip
    """A page with a car in its steady form: its standing, its wear and its gear stay where they
    are from page to page, only the title and the keys (or lines) change. `big` for the gear."""
    car = car_of(talk.scene, seat)
    return Screen(
        title,
        (standing(talk, seat), *lines),
        choices,
        pips=car_pips(talk.scene, seat, talk.say),
        big=big or str((car and car.gear) or NO_GEAR),
        asks=asks,
        tells=around(talk, seat),
    )


def around(talk: Talk, seat: int) -> tuple[str, ...]:
    """The next corner and the neighbours in sentences, for a screen that has room."""
    return tuple(filter(None, (corner_sentence(talk, seat), *gap_sentences(talk, seat))))


def corner_sentence(talk: Talk, seat: int) -> str:
    """The corner that matters now: stops made and needed, how far and how long it is."""
    corner, car, track = next_corner(talk.scene, seat), car_of(talk.scene, seat), talk.scene.track
    if corner is None or car is None or track is None or car.space is None:
        return ""
    printed, name = track.corners[corner.corner], corner_name(track, corner.corner, talk.say)
    if corner.inside:
        stops = talk.say("stop {made} of {needed}", made=corner.made, needed=corner.needed)
        return talk.say("In {corner}: {stops}", corner=name, stops=stops)
    stops = talk.say.many("{n} stop", "{n} stops", corner.needed)
    return talk.say(
        "{corner}: {stops}, {away} before it, {shortest} to {longest} long",
        corner=name, stops=stops, away=before_corner(track, car.space),
        shortest=printed.shortest, longest=printed.longest,
    )  # fmt: skip


def gap_sentences(talk: Talk, seat: int) -> tuple[str, ...]:
    """Who is how many spaces ahead, and behind."""
    ahead, behind = neighbours(talk.scene, seat)
    patterns = ((ahead, phrase("{name}: {gap} ahead")), (behind, phrase("{name}: {gap} behind")))
    return tuple(
        talk.say(pattern, name=name_of(talk.scene, one.seat), gap=abs(one.gap))
        for one, pattern in patterns
        if one is not None
    )


def laps_of(talk: Talk) -> int:
    """How many laps the race has."""
    return the_race(talk.scene).setup.laps


def standing(talk: Talk, seat: int) -> str:
    """A car in a line: "P3 lap 1/2 Loews 1/3", or how its race has ended."""
    car = car_of(talk.scene, seat)
    if car is None:
        return ""
    if car.status in GONE:
        return talk.say(GONE[car.status])
    place, laps = place_of(talk.scene, seat), laps_of(talk)
    if place is None:  # not on the road yet
        return ""
    lap = lap_now(talk.scene, car)
    head = (
        talk.say("P{place} lap {lap}/{laps}", place=place, lap=lap, laps=laps)
        if laps > 1  # of a single lap the room is the corner's
        else talk.say("P{place}", place=place)
    )
    if talk.scene.card is not None:
        brief = talk.say("P{place} lap {lap}", place=place, lap=lap)
        line = f"{brief} {corner_line(talk)}"
        if len(head) < len(line) <= LINE_COLUMNS:  # the card's figures rather than the laps in all
            return line
    return f"{head} {corner_line(talk, LINE_COLUMNS - len(head) - 1)}".rstrip()


def car_pips(scene: Scene, seat: int, say: Words) -> tuple[Pip, ...]:
    """The wear of a car, by category in the order of the card."""
    car = car_of(scene, seat)
    left = wear_of(scene, car.wear) if car else {}
    return _pips(tuple(left.items()), tuple(full_wear(scene, seat).items()), say)


@lru_cache(maxsize=128)
def _pips(
    left: tuple[tuple[str, int], ...], full: tuple[tuple[str, int], ...], say: Words
) -> tuple[Pip, ...]:
    """Kept, as most presses wear one car or none and every screen has its pips."""
    now, most = dict(left), dict(full)
    return tuple(
        Pip(wear_key(name, say), now[name], most[name], wear_brief(name, say), wear_word(name, say))
        for name in WEAR
        if name in most
    )


def corner_line(talk: Talk, columns: int = LINE_COLUMNS) -> str:
    """The corner that matters now, stops made and needed: "Loews 1/3"; "" in the pit."""
    corner = next_corner(talk.scene, talk.who)
    track = board_of(talk.scene)
    if corner is None or track is None:
        return ""
    stops = f" {corner.made}/{corner.needed}"
    if track.is_blank:
        return _card_line(track.corners[corner.corner], stops, columns)
    if columns < len(stops) + SHORTEST_NAME:
        return stops.strip() if columns >= len(stops) else ""
    return fit(corner_name(track, corner.corner, talk.say), columns - len(stops)) + stops


def _card_line(corner: Corner, stops: str, columns: int) -> str:
    """A corner of a card with its shortest and longest way: "T3 0/2 6–12", or less of it."""
    ways = f"{stops} {corner.shortest}–{corner.longest}"
    lines = (f"{corner.label}{ways}", ways.strip(), stops.strip())
    return next((line for line in lines if len(line) <= columns), "")
