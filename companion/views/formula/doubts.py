"""What is doubted of a report, and what is told of one, in sentences."""

from __future__ import annotations

from companion.views.formula.facts import name_of
from companion.views.games import Outcomes
from companion.views.seat.core import Talk
from companion.views.words import phrase
from companion.views.words.places import corner_name

DOUBTS = {
    "still": phrase("{corner} is {n} long at least: {name} is still in it, and the stop counts."),
    "gone": phrase("{corner} is {n} long at most: {name} has left it a stop short. Overshot?"),
    "short": phrase("{name} has a stop missing in {corner}: still in it, or overshot?"),
    "done": phrase("{name} has all stops of {corner}: was another corner overshot?"),
    "missing": phrase("Stops of {name} missing in {corner} by the card: {n}."),
    "through": phrase("{corner} is {n} long at least: this move of {name} cannot pass it."),
    "beyond": phrase("{name} can be {n} beyond {corner} at most."),
    "round": phrase("{name} over the line? {corner} comes first."),
    "home": phrase("Behind {corner} the race of {name} is over: was that the line?"),
}
SENTENCES = {
    ("Reported", ""): phrase("{name} moves {spaces}."),
    ("Reported", "braked"): phrase("{name} brakes {brakes} of {spaces}."),
    ("LineFollowed", ""): phrase("{name} is in a corner: the line is behind."),
    ("Doubted", ""): phrase("The report of {name} is doubted."),
    **{("Doubted", about): text for about, text in DOUBTS.items()},
}
OUTCOMES: Outcomes = {
    "Reported": lambda event: "braked" if event.get("brakes") else "",
    "Doubted": lambda event: str(event.get("about")),
}


def doubt_of(talk: Talk) -> str:
    """What is doubted of the last report of this seat, in a sentence; "" where nothing is."""
    if talk.scene.track is not None:
        return ""  # on a board nobody reports, and the log is long
    said = ""
    for event in reversed(talk.scene.log):
        if event.get("seat") != talk.seat:
            continue
        if event["event"] == "Reported":
            return said
        if event["event"] in ("Doubted", "LineFollowed"):
            told = SENTENCES[event["event"], OUTCOMES["Doubted"](event) if "about" in event else ""]
            named = _named_corner(talk, str(event.get("corner", "")))
            name = name_of(talk.scene, talk.seat)
            said = talk.say(told, name=name, corner=named, n=event.get("n"))
    return ""


def _named_corner(talk: Talk, label: str) -> str:
    card = talk.scene.card
    labels = [corner.label for corner in card.corners] if card else []
    return corner_name(card, labels.index(label), talk.say) if card and label in labels else label
