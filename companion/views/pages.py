"""The pages that every game has: an ask without a page of its own, pause and end, the menu,
what others are asked, a neighbour's seat that is out of reach, what the disk has lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.rules.lines import Retire
from companion.views.model import Language, Pause, Power, Rematch, SeatInfo, Seen, SetUp
from companion.views.screen import (
    HOME,
    LINES,
    Choice,
    Dialog,
    Screen,
    Talk,
    any_button,
    at,
    in_sight,
    make_key,
    mover_of,
    outline_of,
    spoken,
    to_page,
    turn_of,
    views_of,
)
from companion.views.words import LANGUAGES, fit, phrase, refusals, wrap

# -- an ask without a page of its own -------------------------------------------------------------


def any_page(talk: Talk) -> Screen:
    """The page of an ask by the form that its options have in the engine protocol.

    So what a game still to come asks can be answered before anybody has made a page for it, and
    no race can hang at the table.
    """
    assert talk.ask is not None, "the page is shown for asks only"
    question, options = f"{talk.ask.kind}?", talk.ask.data().get("options")
    if isinstance(options, list | tuple):
        return list_page(talk, question, ((one, option_word(talk, one)) for one in options))
    now = talk.dialog.number
    return stepped(talk, question, now, str(now))


def list_page(
    talk: Talk, question: str, options: Iterable[tuple[object, str]], lines: tuple[str, ...] = ()
) -> Screen:
    """One key for each option: the answer, and its word."""
    choices = [talk.answers(word, value) for value, word in options]
    return Screen(talk.asked(question), lines, talk.paged(in_sight(choices)))


OPTION_WORDS: Mapping[object, str] = {
    True: phrase("yes"),
    False: phrase("no"),
    None: phrase("nobody"),
}


def option_word(talk: Talk, option: object) -> str:
    """An option on a key: its word, the first part of an object, or as it is."""
    if isinstance(option, Mapping):
        return str(option.get("spaces", next(iter(option.values()), "")))
    if option is None or isinstance(option, bool):
        return talk.say(OPTION_WORDS[option])
    return str(option)


STEPS = {1: 1, 2: -1, 3: 10, 4: -10, 6: 60}
"""What the buttons add to a number being entered; 5 sends it."""


def stepped(
    talk: Talk, question: str, now: int, big: str, *, page: str = "list", least: int = 0,
    unit: str = "",
) -> Screen:  # fmt: skip
    """A number that six keys step and send, at `least` so much; `big` shows it."""
    choices: dict[int, Choice | None] = {
        button: Choice(
            make_key(f"{step:+d}{unit}"), then=talk.turn_to(page, number=max(least, now + step))
        )
        for button, step in STEPS.items()
    }
    ok = make_key(talk.say("ok"), "" if unit else str(now))
    choices[5] = Choice(ok, talk.answer(max(least, now)), talk.home())
    assert talk.ask is not None, "the number is an answer"
    form = {"of": talk.ask.kind, "start": now, "least": least, "unit": unit}
    return Screen(talk.asked(question), choices=at(choices), big=big, kind="amount", form=form)


# -- a race that waits, is over, or is on without this seat ---------------------------------------


def paused_page(talk: Talk) -> Screen:
    """The race waits; anybody may go on."""
    return Screen(
        talk.say("Paused"),
        (talk.say("The race is kept."),),
        at({1: Choice(make_key(talk.say("resume")), (Pause(False),)), **power_keys(talk, 3, 5)}),
    )


def power_keys(talk: Talk, off: int, restart: int) -> dict[int, Choice | None]:
    """The keys to the computer's power, for a seat that may: none while a race goes on."""
    if not talk.info.power:
        return {}
    return {
        off: to_page(
            talk.say("go off"),
            talk.turn_to("off"),
            hint=talk.say("computer"),
            full=talk.say("Switch off"),
        ),
        restart: to_page(
            talk.say("reboot"),
            talk.turn_to("restart"),
            hint=talk.say("computer"),
            full=talk.say("Start again"),
        ),
    }


def off_page(talk: Talk) -> Screen:
    """Asked again before the computer goes off."""
    text = talk.say("The computer goes off. All is kept.")
    return _sure(talk, talk.say("Switch off?"), text, talk.say("go off"), "off")


def restart_page(talk: Talk) -> Screen:
    """Asked again before the computer restarts."""
    text = talk.say("The computer starts again. All is kept.")
    return _sure(talk, talk.say("Restart?"), text, talk.say("reboot"), "restart")


def _sure(talk: Talk, title: str, text: str, label: str, what: str) -> Screen:
    keys = {1: Choice(make_key(label, "", "out"), (Power(what),)), 6: talk.back()}
    return Screen(title, **spoken(text, 3), choices=at(keys))


def after_page(talk: Talk) -> Screen:
    """The race is over: look again, the same again, the same but for some of it, or a new race."""
    say = talk.say
    return Screen(
        say("The race is over"),
        choices=at(
            {
                1: to_page(say("result"), HOME, "back"),
                2: Choice(make_key(say("edit"), say("race")), (SetUp("same"),)),
                3: Choice(make_key(say("rematch"), say("as is")), (Rematch(),)),
                5: to_page(say("new"), talk.turn_to("new-people"), hint=say("people")),
                **power_keys(talk, 4, 6),
            }
        ),
    )


def new_people_page(talk: Talk) -> Screen:
    """Asked again before all names go; whoever presses keeps the own one."""
    text = talk.say("A new race for other people: all other names go.")
    keys = {
        1: Choice(
            make_key(talk.say("new"), talk.say("people"), "out"),
            (SetUp("join", talk.name_of(talk.seat)),),
        ),
        6: talk.back(),
    }
    return Screen(talk.say("Other people?"), **spoken(text, 3), choices=at(keys))


def guest_page(talk: Talk) -> Screen:
    """A race is on without this seat. Any button: whether it shall come in."""
    text = talk.say("A race is on. Press any button to come in.")
    onward = any_button(talk.turn_to("come-in"))
    return Screen(talk.say("Seat {n}", n=talk.seat), **spoken(text, 3), choices=onward)


def come_in_page(talk: Talk) -> Screen:
    """Asked again: whoever leans on an empty seat is not in the race."""
    text = talk.say("You start at the back, in the next round.")
    join = Choice(make_key(talk.say("Come in")), (SetUp("join", None, talk.seat),))
    keys = at({1: join, 6: talk.back()})
    return Screen(talk.say("Come in late?"), **spoken(text, 3), choices=keys)


def with_refusal(talk: Talk, screen: Screen) -> Screen:
    """The page with the reason why the last press was refused, and the rule, above its keys."""
    error = talk.scene.refused.get(talk.seat)
    if not error:
        return screen
    rule, why = error.get("rule") or "", refusals.refusal_text(error, talk.say)
    return replace(
        screen,
        # Wear and figures make room for the reason; the keys stay, since one of them is pressed
        # next.
        title=fit(rule or talk.say("Not now")),
        lines=wrap(why, 3),
        asks=talk.say("Not now"),
        tells=(f"{why} {rule}".strip(),),
        pips=(),
        big="",
        qr="",
        blink=True,
    )


# -- the menu -------------------------------------------------------------------------------------


def menu_screen(
    talk: Talk, first: Choice, second: Choice | None, third: Choice | None = None
) -> Screen:
    """The game's own keys, language where it has no third one, pause; more: what is seldom wanted.

    With a third one the language is among what is seldom wanted.
    """
    say = talk.say
    label = say("resume") if talk.scene.paused else say("pause")
    pause = Choice(make_key(label), (Pause(not talk.scene.paused),))
    return Screen(
        say("Menu"),
        choices=at(
            {
                1: first,
                2: second,
                3: third or to_language(talk),
                4: pause if talk.scene.state else None,
                5: talk.more(talk.turn_to("menu2")),
                6: talk.back(),
            }
        ),
    )


def to_language(talk: Talk) -> Choice:
    """The key to the languages."""
    code = talk.say.language.upper()
    return to_page(code, talk.turn_to("language"), hint=talk.say("language"))


def menu2_screen(talk: Talk, keys: Mapping[int, Choice]) -> Screen:
    """Phone and steward on 1 and 2, and the game's own rarer keys."""
    say = talk.say
    choices: dict[int, Choice | None] = {**keys, 6: talk.back(talk.turn_to("menu"))}
    if talk.info.link:
        choices[1] = to_page(say("phone"), talk.turn_to("link"), hint=say("QR code"))
    if _may_steward(talk):
        choices[2] = to_page(say("steward"), talk.turn_to("steward"))
    return Screen(say("Menu"), choices=at(choices))


def leave_screen(talk: Talk, title: str, text: str, label: str, reason: str) -> Screen:
    """Asked again before somebody goes: on 1, for good."""
    leave = Choice(
        make_key(label, "", "out", full=talk.say("Leave the race")), (Retire(talk.seat, reason),)
    )
    stay = talk.back(talk.turn_to("menu2"))
    return Screen(title, **spoken(text, 3), choices=at({1: leave, 6: stay}))


def _may_steward(talk: Talk) -> bool:
    """The host, and whoever has no part in the race any more, may answer for others."""
    outline = outline_of(talk.scene)
    return talk.info.host or (outline is not None and talk.seat in outline.bystanders)


def language_page(talk: Talk) -> Screen:
    """The languages, each by its own name."""
    choices = [
        Choice(make_key(code.upper(), name), (Language(code),)) for code, name in LANGUAGES.items()
    ]
    return Screen(
        talk.say("Language"), choices=talk.paged(choices, leave=talk.back(talk.turn_to("menu")))
    )


def link_page(talk: Talk) -> Screen:
    """This seat on a phone."""
    return Screen(
        talk.say("Seat {n}", n=talk.seat), _scan_me(talk), any_button(HOME), qr=talk.info.link
    )


QR_COLUMNS = 10
QR_LINES = 3
"""The room beside a QR code, under its title of up to two lines."""


def _scan_me(talk: Talk) -> tuple[str, ...]:
    """The words beside a QR code."""
    return wrap(talk.say("Scan it with a phone"), QR_LINES, QR_COLUMNS)


def steward_page(talk: Talk) -> Screen:
    """Answer for whom? The seats that are asked something."""
    # Seat 0 is the whole table, whose asks have pages of their own.
    asked = dict.fromkeys(ask.seat for ask in talk.scene.asks if ask.seat not in (0, talk.seat))
    choices = [_answer_key(talk, seat) for seat in asked]
    return Screen(
        talk.say("Answer for whom?"),
        () if choices else (talk.say("Nobody is asked."),),
        talk.paged(choices, leave=talk.back()),
    )


def _answer_key(talk: Talk, seat: int) -> Choice:
    """The key to answering for another seat, until its turn has passed; below what it is asked."""
    kind = next((ask.kind for ask in talk.scene.asks if ask.seat == seat), "")
    known = views_of(talk.scene).asks
    hint = talk.say(known[kind].key) if kind in known and known[kind].key else kind
    then = Dialog(target=seat, about=turn_of(talk.scene))
    return to_page(talk.name_of(seat), then, hint=hint)


# -- a neighbour's seat that is out of reach ------------------------------------------------------


def dead_seat(talk: Talk) -> SeatInfo | None:
    """A seat beside this one that cannot be reached, and that a phone can take over."""
    seats = talk.scene.seats
    places = {info.seat: place for place, info in enumerate(seats)}
    if talk.seat not in places:
        return None
    # A set, since of two seats both neighbours are the same one.
    beside = {(places[talk.seat] + step) % len(seats) for step in (-1, 1)}
    return next((seats[n] for n in sorted(beside) if not seats[n].alive and seats[n].link), None)


def dead_page(talk: Talk) -> Screen:
    """A neighbour's seat has died: its number and the code to take it over on a phone."""
    dead = dead_seat(talk)
    assert dead is not None, "the page is shown only where there is one"
    part = dead.ailing.part if dead.ailing else ""
    return Screen(
        talk.say(refusals.title_of(part), n=dead.seat),
        _scan_me(talk),
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
        **spoken(refusals.trouble_text(dead.ailing, talk.say), LINES),
        choices=any_button(talk.turn_to("car")),
    )


# -- what others are asked ------------------------------------------------------------------------


def _others(talk: Talk) -> list[int]:
    return sorted({ask.seat for ask in talk.scene.asks} - {talk.seat, 0})


def waits(talk: Talk) -> bool:
    """Whether this screen lists who is still asked.

    The mover's does, as they have to answer because of the move; while a race is set up, or the
    whole table is asked, the host's.
    """
    mover = mover_of(talk.scene)
    may_see = mover == talk.seat or (mover is None and talk.info.host)
    return may_see and bool(_others(talk))


def others_page(talk: Talk) -> Screen:
    """Who is still asked; one who may answer for others has a key for each."""
    seats = _others(talk)
    names = ", ".join(talk.name_of(seat) for seat in seats)
    title = talk.say("Still to answer:")
    if not _may_steward(talk):
        return Screen(title, **spoken(names, 3), choices=any_button(talk.turn_to("car")))
    keys = talk.paged([_answer_key(talk, seat) for seat in seats])
    return Screen(title, **spoken(names, 3), choices=keys)


# -- what the disk has lost -----------------------------------------------------------------------


def is_lost(talk: Talk) -> bool:
    """Whether there is something that the table must know before it goes on."""
    return any(map(refusals.is_missing, talk.scene.disk))


def lost_page(talk: Talk) -> Screen:
    """What is missing; any button: it has been read, and no screen shows it any more."""
    missing = list(filter(refusals.is_missing, talk.scene.disk))
    lines = wrap(refusals.disk_text(missing, talk.say), LINES - 1)
    read = talk.say("Any button: seen")
    return Screen(talk.say("Look at your race"), (*lines, read), any_button(HOME, (Seen(),)))
