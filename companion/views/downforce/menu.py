"""The seat's menu in Downforce, opened by holding 6."""

from __future__ import annotations

from companion.rules.commands import Retire
from companion.views.downforce import auction, race
from companion.views.downforce.facts import end_ask, player_of, powers_of, table_ask
from companion.views.games import Page
from companion.views.model import Pause
from companion.views.seat.core import Choice, Screen, Talk, at, back, make_key, more, to_page
from companion.views.seat.menu import may_steward
from companion.views.words import wrap

TABLE_PAGES: dict[str, Page] = {
    "pole": auction.pole_page,
    "lot": auction.lot_page,
    "award": auction.award_page,
    "end": race.end_page,
}
"""What the whole table is asked: on the host's screen by itself, on the others' by the menu."""


def menu_page(talk: Talk) -> Screen:
    """Money, power, language, pause; more: link, steward, leaving, the end, the table's asks."""
    say = talk.say
    label = say("resume") if talk.scene.paused else say("pause")
    powers = powers_of(player_of(talk.scene, talk.seat))
    return Screen(
        title=say("Menu"),
        choices=at(
            {
                1: to_page(say("money"), talk.turn_to("money")),
                2: to_page(say("power"), talk.turn_to("power")) if powers else None,
                3: to_page(say.language.upper(), talk.turn_to("language"), hint=say("language")),
                4: Choice(make_key(label), (Pause(not talk.scene.paused),)),
                5: more(talk, talk.turn_to("menu2")),
                6: back(talk),
            }
        ),
    )


def menu2_page(talk: Talk) -> Screen:
    """The rarer things."""
    say, player = talk.say, player_of(talk.scene, talk.seat)
    choices: dict[int, Choice | None] = {6: back(talk, talk.turn_to("menu"))}
    if talk.info.link:
        choices[1] = to_page(say("phone"), talk.turn_to("link"), hint=say("QR code"))
    if may_steward(talk) or player.get("left"):
        choices[2] = to_page(say("steward"), talk.turn_to("steward"))
    is_running = (talk.scene.state or {}).get("phase") != "finished"
    if is_running and player and not player.get("left"):
        choices[3] = to_page(say("leave"), talk.turn_to("retire"))
    if end_ask(talk.scene):
        choices[4] = to_page(say("end"), talk.turn_to("end"))
    if table_ask(talk.scene):
        choices[5] = to_page(say("table"), talk.turn_to("table"))
    return Screen(title=say("Menu"), choices=at(choices))


def table_page(talk: Talk) -> Screen:
    """What the table is asked, answered from any seat."""
    ask = table_ask(talk.scene)
    if not ask:
        return Screen(title=talk.say("Nobody is asked."), choices=at({6: back(talk)}))
    return TABLE_PAGES[ask["kind"]](talk)


def retire_page(talk: Talk) -> Screen:
    """Asked again before somebody leaves the table."""
    leave = Retire(talk.seat, "left from the seat")
    return Screen(
        title=talk.say("Really leave?"),
        lines=wrap(talk.say("Your hand is put aside, your cars race on."), 3),
        choices=at(
            {
                1: Choice(make_key(talk.say("leave"), "", "out"), (leave,)),
                6: back(talk, talk.turn_to("menu2")),
            }
        ),
    )
