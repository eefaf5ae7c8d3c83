"""A neighbour's seat that cannot be reached: the code to take it over, and why it is so."""

from __future__ import annotations

from companion.views.games import views_of
from companion.views.model import SeatInfo
from companion.views.seat.core import Screen, Talk, any_button, spoken
from companion.views.words import fit, wrap
from companion.views.words.troubles import DEAD, TITLES, trouble_text

QR_COLUMNS = 10
QR_LINES = 3
"""The room beside a QR code, under its title of up to two lines."""
WHY_LINES = 4


def dead_seat(talk: Talk) -> SeatInfo | None:
    """A seat beside this one that cannot be reached, and that a phone can take over."""
    seats = talk.scene.seats
    places = {info.seat: place for place, info in enumerate(seats)}
    if talk.seat not in places:
        return None
    beside = {(places[talk.seat] + step) % len(seats) for step in (-1, 1)}
    return next((seats[n] for n in sorted(beside) if not seats[n].alive and seats[n].link), None)


def scan_me(talk: Talk) -> tuple[str, ...]:
    """The words beside a QR code."""
    return wrap(talk.say("Scan it with a phone"), QR_LINES, QR_COLUMNS)


def dead_page(talk: Talk) -> Screen:
    """A neighbour's seat has died: its number and the code to take it over on a phone."""
    dead = dead_seat(talk)
    assert dead is not None, "the page is shown only where there is one"
    part = dead.ailing.part if dead.ailing else ""
    return Screen(
        talk.say(TITLES.get(part, DEAD), n=dead.seat),
        scan_me(talk),
        any_button(talk.turn_to("why" if dead.ailing else "car")),
        qr=dead.link,
    )


def why_page(talk: Talk) -> Screen:
    """Why that seat cannot be reached, in a sentence. Any button: the seat's own car."""
    dead = dead_seat(talk)
    if dead is None or dead.ailing is None:  # it is back
        return views_of(talk.scene).anywhere["car"](talk)
    return Screen(
        fit(f"{dead.seat} {dead.name}"),
        **spoken(trouble_text(dead.ailing, talk.say), WHY_LINES),
        choices=any_button(talk.turn_to("car")),
    )
