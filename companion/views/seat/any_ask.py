"""Any ask without a page of its own: a paged list, or a number.

The answers of games and rules still to come can be given from a seat before anybody has
made a page for them, so that no race can hang at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.views.seat.core import Choice, Screen, Talk, at, in_sight, make_key, paged
from companion.views.seat.parts import asked
from companion.views.words import phrase

OPTION_WORDS: Mapping[object, str] = {
    True: phrase("yes"),
    False: phrase("no"),
    None: phrase("nobody"),
}
STEPS = {1: 1, 2: -1, 3: 10, 4: -10, 6: 60}
"""What the buttons add to a number being entered; 5 sends it."""


def any_page(talk: Talk) -> Screen:
    """The page of an ask by the form that its options have in the engine protocol."""
    assert talk.ask is not None, "the page is shown for asks only"
    question, options = f"{talk.ask.kind}?", talk.ask.data().get("options")
    if isinstance(options, list | tuple):
        return list_page(talk, question, ((one, option_word(talk, one)) for one in options))
    return number_page(talk, question)


def list_page(
    talk: Talk, question: str, options: Iterable[tuple[object, str]], lines: tuple[str, ...] = ()
) -> Screen:
    """One key for each option: the answer, and its word."""
    choices = [talk.answers(word, value) for value, word in options]
    return Screen(asked(talk, question), lines, paged(talk, in_sight(choices)))


def option_word(talk: Talk, option: object) -> str:
    """An option on a key: its word, the first part of an object, or as it is."""
    if isinstance(option, Mapping):
        return str(option.get("spaces", next(iter(option.values()), "")))
    if option is None or isinstance(option, bool):
        return talk.say(OPTION_WORDS[option])
    return str(option)


def number_page(talk: Talk, question: str) -> Screen:
    """A free number, stepped up and down."""
    now = talk.dialog.number
    return stepped(talk, question, now, str(now))


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
    return Screen(asked(talk, question), choices=at(choices), big=big)
