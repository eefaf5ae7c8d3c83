"""The words of the cabinet's page."""

from __future__ import annotations

from companion.views.words import phrase, words

CABINET = {
    "title": phrase("The cabinet"),
    "about": phrase(
        "Simulated seats under the real drivers, the pods with their real firmware. Press with the "
        "mouse; keep the button down to hold."
    ),
    "seat": phrase("Seat {n}"),
    "wired": phrase("wired, simulated"),
    "pod": phrase("pod, simulated"),
    "lamp": phrase("lamp"),
    "cable": phrase("Pull the cable"),
    "noise": phrase("Noise on the wires"),
    "dead": phrase("Dead line"),
    "gone": phrase("The table does not answer."),
    "shut": phrase("The cabinet is open on the machine that the table runs on."),
}


def cabinet_words(language: str) -> dict[str, str]:
    """Every word of the page by its key."""
    say = words(language)
    return {key: say(text) for key, text in CABINET.items()}
