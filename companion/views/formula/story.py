"""The story of a Formula race: the sentences of all its chapters, and what they may name."""

from __future__ import annotations

from companion.rules.formula.elsewhere import parse_agreed
from companion.rules.formula.state import Phase
from companion.views.facts import board_of
from companion.views.formula import (
    build,
    die,
    doubts,
    gear,
    menu,
    pit,
    second,
    street,
    trial,
    way,
    weather,
)
from companion.views.formula.facts import name_of, race_of
from companion.views.games import Event, Outcomes, Story
from companion.views.model import Scene
from companion.views.words import Words, phrase, range_text
from companion.views.words.places import corner_name, place_name
from companion.views.words.wear import wear_word

QUIET = frozenset({"TurnBegan", "TurnEnded", "RoundEnded"})
"""Events that have a sentence but no place among the last ones: the next says it all."""

CHAPTERS = (gear, way, die, second, pit, build, trial, weather, street, doubts)
SENTENCES: dict[tuple[str, str], str] = {
    **{key: text for chapter in CHAPTERS for key, text in chapter.SENTENCES.items()},
    ("RaceSet", ""): phrase("The race begins."),
    ("RaceSet", "pack"): phrase("The race begins. This table plays {pack}."),
    ("RoundBegan", ""): phrase("Round {round}: {names}."),
    ("TurnBegan", ""): phrase("{name} is on turn."),
    ("RoundEnded", ""): phrase("Round {round} is over."),
    ("Eliminated", ""): phrase("{name} is out: {why}."),
    ("WreckLeft", ""): phrase("The car of {name} stands in the way until its next turn."),
    ("WreckLifted", ""): phrase("The car of {name} is taken away."),
    ("Finished", ""): phrase("{name} finishes, place {position}."),
    ("DebrisLaid", ""): phrase("Debris lies here: {place}."),
    ("DebrisLaid", "somewhere"): phrase("Lay debris where {name} stands."),
    ("DebrisTaken", ""): phrase("Debris is taken away here: {place}."),
    ("TurnEnded", ""): phrase("The turn of {name} is over."),
    ("RaceEnded", ""): phrase("The race is over: {names}."),
    ("Corrected", ""): phrase("Corrected by the table: {reason}."),
    ("Corrected", "agreed"): phrase("Corrected, as the table agreed. The car stands: {place}."),
    ("Retired", ""): phrase("{name} retires: {reason}."),
    ("Flagged", ""): phrase("{name} takes too long: flag {count}."),
    ("Flagged", "error"): phrase("{name} makes a mistake: flag {count}."),
    ("Flagged", "out"): phrase("Flag {count} for {name}, who loses a turn."),
    ("Lapped", ""): phrase("{name} is lapped and loses this turn."),
    ("Unlapped", ""): phrase("{name} has the lap back and plays once more."),
    ("TurnLost", ""): phrase("{name} sits a turn out."),
    ("TrialPenalized", ""): phrase("{name} has put the car on a wrong space, and pays in rolls."),
    ("BellRung", ""): phrase("The bell: lap {laps} is the last."),
    ("Returned", ""): phrase("{name} is back in the race: {place}."),
    ("Returned", "somewhere"): phrase("{name} is back in the race."),
    ("Joined", ""): phrase("{name} comes in late: {place}."),
    ("Joined", "somewhere"): phrase("{name} comes in late, behind everybody."),
    ("TakenBack", ""): phrase("Answers undone: {answers}."),
}


def _space(event: Event) -> str:
    return "" if event.get("space") else "somewhere"


def _agreed(event: Event) -> str:
    return "agreed" if parse_agreed(str(event.get("reason"))) else ""


def _pack(event: Event) -> str:
    return "pack" if event.get("pack") else ""


def _flag(event: Event) -> str:
    if event.get("out"):
        return "out"
    return "error" if event.get("why") == "error" else ""


OUTCOMES: Outcomes = {
    **gear.OUTCOMES, **way.OUTCOMES, **die.OUTCOMES, **pit.OUTCOMES, **weather.OUTCOMES,
    **street.OUTCOMES, **second.OUTCOMES, **doubts.OUTCOMES,
    "Corrected": _agreed,
    "DebrisLaid": _space,
    "RaceSet": _pack,
    "Returned": _space,
    "Joined": _space,
    "Flagged": _flag,
}  # fmt: skip

WHY_OUT = {
    "corner": phrase("too few stops in the corner"),
    "tires": phrase("no tires left"),
    "blocked": phrase("blocked"),
    "body": phrase("no body left"),
    "engine": phrase("no engine left"),
    "handling": phrase("no handling left"),
    "retired": phrase("retired"),
}

OUR_REASONS = (menu.RETIRED, phrase("too slow"))
"""Reasons that the companion itself writes into a record, where they are English."""


def _parts(event: Event, scene: Scene, say: Words) -> dict[str, object]:
    def name(seat: int) -> str:
        return name_of(scene, seat) if seat else say("the table")

    why, reason = str(event.get("why", "")), str(event.get("reason") or "")
    space = event.get("to") or event.get("space") or parse_agreed(reason) or ""
    return {key: value for key, value in event.items() if key != "seat"} | {
        "name": name(event.get("seat") or 0),
        "other": name(event.get("against") or event.get("behind") or 0),
        "names": ", ".join(map(name, event.get("order") or event.get("seats") or ())),
        "roll": _roll(event),
        "place": _place(scene, space, say),
        "reason": say(reason) if reason in OUR_REASONS else reason,
        "position": event.get("place"),
        "corner": _corner(scene, event.get("corner", ""), say),
        "cost": _points(event, "cost", "−", say),
        "gain": _points(event, "gain", "+", say),
        "lap_told": _lap(event, scene, say),
        "why": say(WHY_OUT[why]) if why in WHY_OUT else why,
    }


def _lap(event: Event, scene: Scene, say: Words) -> str:
    """The lap that begins at the line: none behind the last one, nor in a trial."""
    race, lap = race_of(scene), int(event.get("lap") or 0)
    laps = race.setup.laps if race else lap
    if race is None or lap > laps or race.phase is Phase.TRIALS:
        return ""
    return say(": lap {lap} of {laps}", lap=max(lap, 1), laps=laps)


def _roll(event: Event) -> str:
    roll = event.get("roll")
    return range_text(roll) if isinstance(roll, list | tuple) else str(roll)


def _place(scene: Scene, space: str, say: Words) -> str:
    track = scene.track
    known = track is not None and space in track.index
    return place_name(track, track.index[space], say) if track and known else space


def _corner(scene: Scene, corner: str, say: Words) -> str:
    """A corner by the name that people know: an event may have its label, T5."""
    track = board_of(scene)
    labels = [each.label for each in track.corners] if track else []
    if track is None or corner not in labels:
        return corner
    return corner_name(track, labels.index(corner), say)


def _points(event: Event, key: str, sign: str, say: Words) -> str:
    points = event.get(key) or {}
    text = ", ".join(f"{wear_word(name, say)} {sign}{n}" for name, n in points.items() if n)
    return f" ({text})" if text else ""


STORY = Story(SENTENCES, OUTCOMES, _parts, QUIET)
