"""The words of the tutorial's page."""

from __future__ import annotations

from companion.views.words import phrase, words

LEARN = {
    "title": phrase("Learn to race"),
    "to-table": phrase("The table"),
    "step": phrase("Position {n} of {all}"),
    "circuit": phrase("Circuit"),
    "choices": phrase("What do you do?"),
    "next": phrase("Next position"),
    "before": phrase("Position before"),
    "play": phrase("That was all of them. Off to the table!"),
    "seat": phrase("Seat {seat}"),
    "follow": phrase("Zoom in"),
    "whole": phrase("Whole circuit"),
    "close": phrase("Close"),
    "no-answer": phrase("The table does not answer."),
}


def learn_words(language: str) -> dict[str, str]:
    """The words of the page by their keys."""
    say = words(language)
    return {key: say(text) for key, text in LEARN.items()}
