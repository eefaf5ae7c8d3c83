"""The black die: a key for each outcome that matters, the list "who rolled a 1?", the weather.

All that may be rolled together is asked together. Each seat has its own keys; and the mover (the
host while a race is set up) has one list with everybody who still has to roll, so that one press
settles the usual case, that nobody was hurt. The weather nobody's car rolls: every screen that is
asked nothing else has its keys, and anybody may press.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.rules.formula import book
from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.order import trials_to_come
from companion.rules.lines import Answer
from companion.views import screen
from companion.views.formula.options import SKIES
from companion.views.formula.parts import RollWords, car_screen, the_race
from companion.views.formula.turn import is_thrown, throw_page
from companion.views.model import Mark, Scene
from companion.views.options import color_of
from companion.views.words import (
    LINE_COLUMNS,
    Words,
    cost_words,
    phrase,
    range_text,
    read_texts,
    wear_loss,
)

ROLLS = {
    reason: RollWords(**texts)
    for reason, texts in read_texts(Path(__file__).with_name("rolls.toml")).items()
}
"""What is said of a roll, by its reason."""
FAST = f"{book.Reason.ENGINE} {book.BASIC}"
"""FD-BASIC-11: in the basic game no engine is tested, all that are so fast roll."""
STARTS = {"stalled": phrase("stalls"), "normal": phrase("normal")}
"""FD-START-2, FD-START-3; any other start is a great one (FD-START-4, DE-START-1)."""


def roll_words(scene: Scene, reason: book.Reason) -> RollWords:
    """What the black die is rolled for in this race."""
    fast = reason is book.Reason.ENGINE and the_race(scene).setup.edition.one_pool
    return ROLLS[FAST if fast else reason]


def _meaning_text(meaning: book.Meaning, say: Words, edition: book.Edition) -> str:
    """What an outcome does, in a key's width."""
    match meaning:
        case book.Unhurt():
            return say("nothing")
        case book.Loses(category):
            return wear_loss(edition.category(category), 1, say)
        case book.Starts(how):
            return say(STARTS.get(how, phrase("great!")))
        case book.LeavesPit(0):
            return say("stays")
        case book.LeavesPit(spaces):
            return say.many("{n} space", "{n} spaces", spaces)
        case book.Sky(line):
            return say(SKIES[line])
    return ""


def _title(talk: screen.Talk, ask: BlackAsk) -> str:
    """What the black die is rolled for; in a word behind the name of who is answered for."""
    words, other = roll_words(talk.scene, ask.reason), _other(talk, ask)
    short = talk.say.fitting(words.title, LINE_COLUMNS, name=other)
    question = talk.say(words.word) if talk.dialog.target else short
    if not talk.dialog.target and (tie := _tie(talk, ask)):
        return talk.asked(talk.say("Equal: roll again?"), tie)
    return talk.asked(question, talk.say(words.asks, name=other))


def _tie(talk: screen.Talk, ask: BlackAsk) -> str:
    """With whom it was a tie for the grid (FD-GRID-2), or the touch before seems to be lost."""
    if ask.reason is not book.Reason.GRID:
        return ""
    told = (one for one in reversed(talk.scene.log) if one["event"] == "GridTied")
    seats = next((one["seats"] for one in told if talk.who in one["seats"]), ())
    sentence = screen.views_of(talk.scene).story.sentences["GridTied", ""]
    names = ", ".join(map(talk.name_of, seats))
    return talk.say(sentence, names=names) if seats else ""


def _other(talk: screen.Talk, ask: BlackAsk) -> str:
    return "" if ask.against is None else talk.name_of(ask.against)


def black_page(talk: screen.Talk) -> screen.Screen:
    """The outcomes of a roll; twenty of one in five groups of four."""
    ask = talk.the(BlackAsk)
    if is_thrown(talk):
        return throw_page(talk, _title(talk, ask))
    every = tuple(_outcome(talk, ask, outcome) for outcome in ask.outcomes)
    choices = talk.paged(every)
    if len(every) > screen.KEYS:
        choices = screen.at(dict(enumerate(_groups(talk, ask), 1)))
    page = car_screen(talk, talk.who, _title(talk, ask), choices)
    return replace(page, kind="yes-no" if len(every) == HALVES else "faces", row=every)


def _is_old(talk: screen.Talk, low: int, high: int) -> bool:
    """Whether the answer that was taken back lies in this range."""
    old = talk.old
    if isinstance(old, int):
        return low <= old <= high
    return isinstance(old, list | tuple) and list(old) == [low, high]


def _can_hurt(ask: BlackAsk) -> bool:
    """Whether it is a roll that ends in "hurt" or "nothing"."""
    return ask.reason in (book.Reason.COLLISION, book.Reason.ENGINE, book.Reason.DEBRIS)


def _outcome(talk: screen.Talk, ask: BlackAsk, outcome: book.Outcome) -> screen.Choice:
    mark: Mark = "costs" if _can_hurt(ask) and isinstance(outcome.meaning, book.Loses) else ""
    if _is_old(talk, outcome.low, outcome.high):
        mark = "old"
    edition = the_race(talk.scene).setup.edition
    hint, says = _meaning_text(outcome.meaning, talk.say, edition), ""
    if isinstance(outcome.meaning, book.Loses):
        says = cost_words({edition.category(outcome.meaning.category): 1}, talk.say)
    key = screen.make_key(range_text((outcome.low, outcome.high)), hint, mark, says=says)
    return screen.Choice(key, talk.answer(_answer_of(outcome)), talk.home(), {"die": 0})


HALVES = 2
"""So many outcomes are the two halves of a phone."""
GROUP = 4
"""Single numbers a page of keys, so that five groups hold a d20."""


def _groups(talk: screen.Talk, ask: BlackAsk) -> list[screen.Choice]:
    """Single numbers in groups, each with a page: two presses for any of twenty."""
    numbers = [outcome.low for outcome in ask.outcomes]
    groups = [numbers[n : n + GROUP] for n in range(0, len(numbers), GROUP)]
    return [
        screen.to_page(
            range_text((group[0], group[-1])),
            talk.turn_to("group", number=number),
            "old" if _is_old(talk, group[0], group[-1]) else "",
        )
        for number, group in enumerate(groups)
    ]


def group_page(talk: screen.Talk) -> screen.Screen:
    """The numbers of one group."""
    ask, first = talk.the(BlackAsk), talk.dialog.number * GROUP
    numbers = [_outcome(talk, ask, one) for one in ask.outcomes[first : first + GROUP]]
    choices = talk.paged(numbers, leave=talk.back(talk.home()))
    return car_screen(talk, talk.who, _title(talk, ask), choices)


def _answer_of(outcome: book.Outcome) -> int | list[int]:
    """The answer that an outcome is: its number, or the range."""
    low, high = outcome.low, outcome.high
    return low if low == high else [low, high]


# -- who was hurt? --------------------------------------------------------------------------------


def _hurt_asks(talk: screen.Talk) -> list[BlackAsk]:
    """The open rolls of people's own dice that end in "hurt" or "nothing", the seat's own first."""
    asks = [one.ask for one in talk.scene.asks if not screen.is_thrown_for(talk.scene, one.seat)]
    rolls = [ask for ask in asks if isinstance(ask, BlackAsk) and _can_hurt(ask)]
    return sorted(rolls, key=lambda ask: ask.seat != talk.seat)


def has_list(talk: screen.Talk) -> bool:
    """Whether this screen shows the list "who rolled a 1?": the mover's, for more than one roll."""
    rolls = _hurt_asks(talk) if screen.mover_of(talk.scene) == talk.seat else []
    return any(ask.seat != talk.seat or ask.times > 1 for ask in rolls)


def list_page(talk: screen.Talk) -> screen.Screen:
    """Who was hurt? A name each, and one key for "nobody (else)".

    That key answers the mover's further rolls of the same collision too: they are asked one
    after another, but thrown together.
    """
    rolls = _hurt_asks(talk)
    hurt = [
        screen.Choice(
            screen.make_key(_who_rolls(talk, ask.seat), _low(ask), "costs"),
            (Answer(ask.seat, ask.kind, _answer_of(ask.outcomes[0])),),
            about={"paint": color_of(talk.scene, ask.seat), "car": ask.seat},
        )
        for ask in rolls
    ]
    spared = tuple(
        Answer(ask.seat, ask.kind, _answer_of(ask.outcomes[1]))
        for ask in rolls
        for _ in range(ask.times)
    )
    nobody = screen.Choice(screen.make_key(talk.say("nobody")), spared)
    ranges = {_low(ask) for ask in rolls}
    # Not everybody need be hurt by the same numbers.
    numbers = ranges.pop() if len(ranges) == 1 else talk.say("low")
    page = car_screen(
        talk,
        talk.seat,
        talk.say("Who rolled {numbers}?", numbers=numbers),
        talk.paged(hurt, leave=nobody),
    )
    reason = talk.say(roll_words(talk.scene, rolls[0].reason).word)
    asks = talk.say("{reason}: who rolled {numbers} with the black die?", reason=reason,
                    numbers=numbers)  # fmt: skip
    return replace(page, lines=(reason,), asks=asks)


def _low(ask: BlackAsk) -> str:
    return range_text(ask.outcomes[0][:2])


def _who_rolls(talk: screen.Talk, seat: int) -> str:
    """The name on a key of the list; one's own roll is "you"."""
    return talk.say("you") if seat == talk.seat else talk.name_of(seat)


# -- the weather ----------------------------------------------------------------------------------


def is_asked(talk: screen.Talk) -> bool:
    """Whether the table is asked for a die."""
    return any(one.seat == 0 and isinstance(one.ask, BlackAsk) for one in talk.scene.asks)


def weather_page(talk: screen.Talk) -> screen.Screen:
    """Three keys: the lines of the board's weather table (FD-WEATHER-1, FD-WEATHER-2)."""
    page = black_page(replace(talk, for_table=True))
    before_trials = trials_to_come(the_race(talk.scene))
    title = phrase("Weather for trials?") if before_trials else phrase("Weather, black die?")
    # The first line is the standing of a car, and the weather has none.
    lines = () if any(choice and choice.key for choice in page.choices) else page.lines[1:]
    trials = talk.say("The weather for the trials: what does the black die show?")
    return screen.Screen(
        talk.say(title), lines, choices=page.choices, go=page.go, row=page.row, kind=page.kind,
        asks=trials if before_trials else page.whole,
    )  # fmt: skip


PAGES: screen.Pages = {
    (BlackAsk.kind, ""): black_page,
    (BlackAsk.kind, "group"): group_page,
}
QUESTIONS = {
    f"{BlackAsk.kind}-{reason.replace(' ', '-')}": words.question for reason, words in ROLLS.items()
}


def _hurt(event: screen.Event) -> str:
    return "hurt" if event.get("hurt") else "unhurt"


def _tested(event: screen.Event) -> str:
    """In the basic game no engine suffers (FD-BASIC-11)."""
    fast = str(event.get("rule")).startswith("FD-BASIC")
    return f"fast {_hurt(event)}" if fast else _hurt(event)


OUTCOMES: screen.Outcomes = {
    **dict.fromkeys(("DebrisRolled", "CollisionRolled"), _hurt),
    "EngineTested": _tested,
    "EngineBlown": lambda event: "home" if event.get("home") else "once",
    "WeatherRolled": lambda event: str(event.get("weather", "variable")),
}
