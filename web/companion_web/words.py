"""Languages of the pages, and the words that they are made of.

Templates take their words from `page_words`; what a script says is handed to it as JSON in
the page, so that a page loads no catalogue. Names in braces are filled in by whoever speaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Request

from companion.views.formula.car import TIRES
from companion.views.games import questions
from companion.views.words import LANGUAGES, phrase, words
from companion.views.words.wear import WEAR
from companion_web.words_boardless import BOARDLESS, REPORT
from companion_web.words_downforce import DOWNFORCE
from companion_web.words_editor import EDITOR

LABELS: Final[Mapping[str, str]] = {
    "title": phrase("Race companion"),
    "skip": phrase("To the standings"),
    "live": phrase("live"),
    "lost": phrase("Connection lost. Trying again …"),
    "back": phrase("Connected again."),
    "lap": phrase("Lap {lap} of {laps}"),
    "lap-short": phrase("lap {lap}"),
    "round": phrase("Round {round}"),
    "paused": phrase("Paused"),
    "fine": phrase("Fine"),
    "variable": phrase("Variable, dry"),
    "variable-rain": phrase("Variable, it rains"),
    "rain": phrase("Rain"),
    "the-table": phrase("the table"),
    "turn": phrase("{name} plays"),
    "several": phrase("Everybody who is asked rolls"),
    "several-answer": phrase("Everybody who is asked answers"),
    "nobody": phrase("Nobody is asked for anything."),
    "finished": phrase("The race is over"),
    "wins": phrase("{name} wins!"),
    "nobody-home": phrase("Nobody comes home"),
    "order": phrase("Running order"),
    "circuit": phrase("Circuit"),
    "corner-n": phrase("Corner {n}"),
    "sign-noise": phrase("noise zone"),
    "sign-dark": phrase("dark space: debris"),
    "sign-police": phrase("police station"),
    "sign-tunnel": phrase("tunnel"),
    "follow": phrase("Closer"),
    "whole": phrase("Whole circuit"),
    "story": phrase("What happened"),
    "story-empty": phrase("Nothing has happened yet."),
    "asked": phrase("Who is asked what"),
    "classification": phrase("Classification"),
    "in-league": phrase("This race in the league"),
    "league": phrase("League"),
    "place": phrase("Place"),
    "points": phrase("Points"),
    "gear": phrase("Gear"),
    "trial": phrase("trial: {result}"),
    "stops": phrase("stop {made} of {needed}"),
    "tires-lap": phrase("lap {n} on them"),
    "hard": TIRES["hard"],
    "soft": TIRES["soft"],
    "rain-tires": TIRES["rain"],
    "noted": phrase("police noted {speed}"),
    "left-of": phrase("{name}: {left} of {full}"),
    "unreachable": phrase("cannot be reached"),
    "dead-scan": phrase("Scan the code to go on with this seat on a phone."),
    "dead-pin": phrase("Its neighbours' screens have the code to go on with it on a phone."),
}

STATUS: Final[Mapping[str, str]] = {
    "grid": phrase("on the grid"),
    "racing": phrase("racing"),
    "stalled": phrase("stalled"),
    "spun": phrase("spun"),
    "pit": phrase("in the pit"),
    "finished": phrase("finished"),
    "out": phrase("out"),
}

BY: Final[Mapping[str, str]] = {
    "seat": phrase("by the seat"),
    "phone": phrase("by phone"),
    "bot": phrase("by the bot"),
    "host": phrase("by the host"),
    "referee": phrase("by the referee"),
    "companion": phrase("by the companion"),
}

LOBBY: Final[Mapping[str, str]] = {
    "lobby": phrase("A new race"),
    "lobby-how": phrase("Press any button of a seat to join, or set everything up here."),
    "seat": phrase("Seat {seat}"),
    "seat-short": phrase("Seat"),
    "name": phrase("Name"),
    "track": phrase("Track"),
    "laps": phrase("Laps"),
    "game": phrase("Game"),
    "rules": phrase("Optional rules"),
    "settings": phrase("Settings"),
    "rules-none": phrase("none: the plain game"),
    "car-team": phrase("Team"),
    "car-driver": phrase("Driver"),
    "car-tires": phrase("Tires at the start"),
    "car-box": phrase("Pit box"),
    "car-open": phrase("open"),
    "missing-team": phrase("{name} has no team yet."),
    "missing-driver": phrase("{name} has no driver yet."),
    "add-seat": phrase("Add a player"),
    "remove": phrase("Remove {name}"),
    "waiting": phrase("Races that wait"),
    "same": phrase("Same as last time"),
    "start": phrase("Start the race"),
    "join-here": phrase("Scan to sit at seat {seat}"),
    "links": phrase("Phones"),
    "links-how": phrase("Scan a seat's code with the phone that plays it."),
    "pin-needed": phrase("With the referee's PIN this page sets up the race and shows the codes."),
}

REFEREE: Final[Mapping[str, str]] = {
    "referee": phrase("Referee"),
    "pin": phrase("PIN"),
    "unlock": phrase("Unlock"),
    "close": phrase("Close"),
    "lock": phrase("Lock"),
    "wrong-pin": phrase("This is not the PIN."),
    "answer-for": phrase("Answer for a seat"),
    "answer": phrase("Answer"),
    "points-left": phrase("points left: {n}"),
    "seconds": phrase("seconds"),
    "stop-tires": phrase("new tires, and the black die"),
    "stop-technical": phrase("a repair, out at the next turn"),
    "by-soft": phrase("soft tires"),
    "by-nitro": phrase("nitro"),
    "by-drift": phrase("drift"),
    "elsewhere": phrase("It stands elsewhere"),
    "elsewhere-at": phrase("{name}: {place}?"),
    "undo": phrase("Undo"),
    "undo-how": phrase("Answers to take back"),
    "preview": phrase("Preview"),
    "do-undo": phrase("Take {n} back"),
    "preview-of": phrase("After taking {n} back: {who}"),
    "amend": phrase("Amend"),
    "amend-how": phrase("Amend an answer"),
    "amend-none": phrase("Nothing has been answered yet."),
    "amend-kept": phrase("Later answers that stay: {n}."),
    "amend-lost": phrase("Answers that no longer hold: {n}."),
    "amend-then": phrase("Asked then: {who}"),
    "instead-of": phrase("Instead of:"),
    "referees-line": phrase("a line of the referee's"),
    "not-json": phrase("This is not JSON."),
    "retire": phrase("Retire"),
    "return": phrase("Bring back"),
    "correct": phrase("Correct a figure"),
    "figure": phrase("Figure"),
    "value": phrase("Value"),
    "reason": phrase("Reason"),
    "space": phrase("space"),
    "pause": phrase("Pause"),
    "resume": phrase("Resume"),
    "note": phrase("Note"),
    "note-add": phrase("Write it down"),
    "end": phrase("End the race now"),
    "end-sure": phrase("End the race? Running cars are classified as they stand."),
    "cancel": phrase("Cancel"),
    "done": phrase("Done."),
    "no-answer": phrase("The table does not answer."),
    "none": phrase("none"),
    "brakes-n": phrase("brakes {n}"),
    "blocked-n": phrase("blocked {n}"),
    "spins": phrase("spins"),
    "goes-out": phrase("out"),
    "yes": phrase("yes"),
    "no": phrase("no"),
}

SEAT: Final[Mapping[str, str]] = {
    "screen-of": phrase("Screen of seat {seat}"),
    "button": phrase("Button {n}"),
    "buttons": phrase("Six buttons in the gear gate"),
    "hold-1": phrase("hold: take back"),
    "hold-6": phrase("hold: menu"),
    "no-token": phrase("To play here, scan the QR code of this seat."),
    "bad-token": phrase("This link does not open this seat any more. Scan its QR code again."),
    "to-table": phrase("The table"),
}

ALL: Final = (LABELS, LOBBY, REFEREE, SEAT, EDITOR, BOARDLESS)
GROUPS: Final = {
    "wear": {category: its.name for category, its in WEAR.items()},
    "status": STATUS,
    "ask": {**questions(), "other": phrase("{name}: {kind}?")},
    "by": BY,
    "df": DOWNFORCE,
    "report": REPORT,
}


def choose_language(request: Request) -> str:
    """The language of a page: the one asked for, else the one chosen before, else the browser's."""
    for chosen in (request.args.get("lang"), request.cookies.get("lang")):
        if chosen in LANGUAGES:
            return chosen
    primary = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in primary if tag in LANGUAGES), "en")


def page_words(language: str) -> dict[str, str]:
    """Every word of the pages by its key; groups have their name before it (`wear.tires`)."""
    say = words(language)
    texts = {key: say(text) for table in ALL for key, text in table.items()}
    for group, table in GROUPS.items():
        texts |= {f"{group}.{key}": say(text) for key, text in table.items()}
    return texts
