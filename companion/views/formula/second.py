"""A roll that may be made once more: what a seat reads of it."""

from __future__ import annotations

from companion.rules.formula.asks import SecondRollAsk
from companion.views.games import AskWords, Outcomes
from companion.views.seat.any_ask import list_page, option_word
from companion.views.seat.core import Screen, Talk
from companion.views.words import phrase, range_text


def second_page(talk: Talk) -> Screen:
    """Whether the die is rolled again, and what it shows."""
    roll = talk.the(SecondRollAsk).roll
    shown = str(roll) if isinstance(roll, int) else range_text(roll)
    both = [(one, option_word(talk, one)) for one in (True, False)]
    return list_page(talk, talk.say("Roll again?"), both, (talk.say("The die: {sky}", sky=shown),))


ASKS = {
    SecondRollAsk.kind: AskWords(
        "{name} may roll once more", "{name}: roll once more?", "reroll", second_page
    )
}
SENTENCES = {
    ("RollHeld", ""): phrase("{name} has rolled {roll}, and may roll once more."),
    ("SecondRollChosen", "again"): phrase("{name} rolls once more, for the only time."),
    ("SecondRollChosen", "kept"): phrase("{name} lets the roll be."),
}
OUTCOMES: Outcomes = {
    "SecondRollChosen": lambda event: "again" if event.get("again") else "kept",
}
