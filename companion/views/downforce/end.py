"""The end of a game: one's own score sheet, then everybody's total (DF-PAY-3)."""

from __future__ import annotations

from companion.views.downforce.facts import player_of
from companion.views.facts import name_of
from companion.views.seat.core import Choices, Screen, Talk, any_button
from companion.views.seat.end import after_page
from companion.views.words import LINE_COLUMNS

LINES = 4


def result_page(talk: Talk) -> Screen:
    """The seat's sheet; then the totals, four a page; then what now. Any button turns."""
    rows = list((talk.scene.state or {}).get("classification", ()))
    pages = 1 + -(-len(rows) // LINES)
    page = talk.dialog.number
    if page >= pages:
        return after_page(talk)
    onward = any_button(talk.turn_to("result", number=page + 1))
    if page == 0:
        return sheet_page(talk, onward)
    shown = rows[(page - 1) * LINES : page * LINES]
    return Screen(
        title=talk.say("Totals in M$"),
        lines=tuple(
            talk.say.fitting(
                "{place}. {name} {total}",
                LINE_COLUMNS,
                place=row["place"],
                name=name_of(talk.scene, row["seat"]),
                total=signed(row["points"]),
            )
            for row in shown
        ),
        choices=onward,
    )


def sheet_page(talk: Talk, onward: Choices) -> Screen:
    """Race, bets and auction as on the sheet of paper, total above, place beside."""
    player, say = player_of(talk.scene, talk.seat), talk.say
    rows = (talk.scene.state or {}).get("classification", ())
    place = next((row["place"] for row in rows if row["seat"] == talk.seat), "–")
    return Screen(
        title=say("Your total: {n} M$", n=signed(player["total"])),
        lines=(
            say("race {n}", n=signed(player["race"])),
            say("bets {n}", n=signed(player["bets_won"])),
            say("auction {n}", n=signed(-player["spent"])),
        ),
        big=say("P{place}", place=place),
        choices=onward,
    )


def signed(money: int) -> str:
    """Millions as they stand on a sheet, with a true minus.

    >>> signed(-9), signed(11)
    ('−9', '11')
    """
    return str(money).replace("-", "−")
