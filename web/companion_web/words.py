"""Languages of the pages, and the words that they are made of.

Templates take their words from `page_words`; what a script says is handed to it as JSON in
the page, so that a page loads no catalogue. Names in braces are filled in by whoever speaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from flask import Request

from companion.rules.games import NAMES, room_of
from companion.views.formula.car import TIRES
from companion.views.formula.gear import DICE
from companion.views.games import questions
from companion.views.words import LANGUAGES, keyed, phrase, words
from companion.views.words.colors import COLOR_WORDS
from companion.views.words.wear import WEAR
from companion_web import words_downforce

LABELS = {
    **keyed(
        "live | Paused | Fine | Rain | the table | Circuit | Classification | League | Place | "
        "Points | Gear"
    ),
    "title": phrase("Race companion"),
    "lost-title": phrase("There is nothing here"),
    "lost-how": phrase("The address may be mistyped. From here it goes on:"),
    "skip": phrase("To the standings"),
    "help": phrase("Help"),
    "skip-help": phrase("To the text"),
    "help-only-english": phrase("This page is not in your language yet: here it is in English."),
    "lost": phrase("Connection lost. Trying again …"),
    "back": phrase("Connected again."),
    "sending": phrase("Sending …"),
    "lap": phrase("Lap {lap} of {laps}"),
    "lap-short": phrase("lap {lap}"),
    "round": phrase("Round {round}"),
    "variable": phrase("Variable, dry"),
    "variable-rain": phrase("Variable, it rains"),
    "turn": phrase("{name} plays"),
    "several": phrase("Roll the black die"),
    "several-answer": phrase("Answer on your screens"),
    "nobody": phrase("Nobody is asked for anything."),
    "finished": phrase("The race is over"),
    "wins": phrase("{name} wins!"),
    "nobody-home": phrase("Nobody comes home"),
    "order": phrase("Running order"),
    "corner-n": phrase("Corner {n}"),
    "sign-noise": phrase("noise zone"),
    "sign-dark": phrase("dark space: debris"),
    "sign-police": phrase("police station"),
    "sign-tunnel": phrase("tunnel"),
    "follow": phrase("Zoom in"),
    "whole": phrase("Whole circuit"),
    "story": phrase("What happened"),
    "story-empty": phrase("Nothing has happened yet."),
    "asked": phrase("Who is asked what"),
    "ask-throw": phrase("{name}: tap to throw the die"),
    "minutes-left": phrase("some {n} min left"),
    "odds": phrase("The odds"),
    "no-odds": phrase("There are no odds for this board."),
    "pace-next": phrase("Next: {name}"),
    "in-league": phrase("This race in the league"),
    "trial": phrase("trial: {result}"),
    "stops": phrase("stop {made} of {needed}"),
    "tires-lap": phrase("lap {n} on them"),
    "hard": TIRES["hard"],
    "soft": TIRES["soft"],
    "rain-tires": TIRES["rain"],
    "noted": phrase("police noted {speed}"),
    "left-of": phrase("{name}: {left} of {full}"),
    "unreachable": phrase("cannot be reached"),
    "seen": phrase("Seen"),
    "dead-scan": phrase("Scan the code to go on with this seat on a phone."),
    "dead-pin": phrase("Its neighbours' screens have the code to go on with it on a phone."),
}

STATUS = {
    **keyed("racing | stalled | spun | finished | out"),
    "grid": phrase("on the grid"),
    "pit": phrase("in the pit"),
}

BY = {
    "seat": phrase("by the seat"),
    "phone": phrase("by phone"),
    "bot": phrase("by the bot"),
    "host": phrase("by the host"),
    "referee": phrase("by the referee"),
    "companion": phrase("by the companion"),
}

TELEVISION = {
    **keyed("Full screen"),
    "tv": phrase("Television"),
    "sound": phrase("Sounds"),
    "tires-letters": phrase("H S R"),  # hard, soft, rain
    "tv-next": phrase("then plays"),
    "name-colon": phrase("{name}:"),
    "call-roll": phrase("roll the {die} die ({faces})"),
    "call-throw": phrase("throw the {die} die ({faces})"),
    "last-die": phrase("The last die, {name}: {n}"),
    "wins-bare": phrase("wins!"),
    "moment-fastest": phrase("{name}: fastest lap, {n} turns"),
    "moment-pass": phrase("{name} passes {other}"),
    "moment-out": phrase("{name} is out"),
    "moment-home": phrase("{name} is home"),
    "moment-rain": phrase("It rains!"),
    "moment-dry": phrase("It is dry again"),
    "moment-go": phrase("Go!"),
}

JOIN = {
    "coming-in": phrase("Who plays?"),
    "join-scan": phrase("Scan this with your phone: it takes the next free seat."),
    "wifi": phrase("Network {name}, password {password}"),
    "wifi-scan": phrase("First scan this: it takes your phone into the network."),
    "join-how": phrase("To join, scan the code on the television or type the PIN here."),
    "join-none": phrase("Nobody has joined yet."),
    "join-title": phrase("Take a seat"),
    "join-name": phrase("Your name"),
    "join-known": phrase("Or are you one of these?"),
    "join-color": phrase("Your car"),
    "join-sit": phrase("Take a seat"),
    "join-back": phrase("Back to my seat ({name})"),
    "join-no-key": phrase("Scan the code on the television, or type the PIN, to take a seat."),
    "join-late": phrase("A race is on. Come in when it is over."),
    "join-from-next": phrase("A race is on: you start at the back, in the next round."),
    "join-code": phrase("The code to scan"),
    "name-of": phrase("Name"),
    "come-late": phrase("Somebody comes late"),
    "come-in": phrase("Come in"),
    "come-in-at": phrase("{name} starts at the back, in the next round: seat {seat}."),
    "join-taken": phrase("{color}: taken"),
}

FINISH = {
    "fastest-lap": phrase("fastest lap, {n} turns"),
    "last-one": phrase("{name} is the last one running. End the race as it stands?"),
    "last-seat": phrase("Its seat has the key: menu, end."),
    "points-n": phrase("{n} pts"),
    "points-1": phrase("1 pt"),
    "as-it-stood": phrase("classified as it stood"),
    "waits": phrase("Who waited for whom"),
    "waits-kept": phrase("kept others waiting"),
    "waits-own": phrase("waited for others"),
    "rematch": phrase("Rematch"),
    "replay": phrase("Replay"),
    "share": phrase("Share the picture"),
    "new-people": phrase("Other people"),
}

LOBBY = {
    "step-race": phrase("What is raced?"),
    "step-start": phrase("Off we go"),
    "plain-game": phrase("Plain game"),
    "game-with": phrase("With {rules}"),
    **keyed("Name | Track | Laps | Game | Settings"),
    "lobby": phrase("A new race"),
    "lobby-how": phrase("Press any button of a seat to join, or set everything up here."),
    "seat": phrase("Seat {seat}"),
    "seat-short": phrase("Seat"),
    "rules": phrase("Optional rules"),
    "pack": phrase("Rules pack"),
    "pack-none": phrase("none"),
    "pack-name": phrase("Name of a pack"),
    "pack-save": phrase("Save as a pack"),
    "pack-over": phrase("Replace that pack"),
    "pack-save-how": phrase("Keeps laps and rules as they are here, for other races."),
    "rules-none": phrase("none: the plain game"),
    "car-team": phrase("Team"),
    "car-driver": phrase("Driver"),
    "car-tires": phrase("Tires at the start"),
    "car-box": phrase("Pit box"),
    "car-color": phrase("Color of the car"),
    "car-open": phrase("any color"),
    "missing-team": phrase("{name} has no team yet."),
    "missing-driver": phrase("{name} has no driver yet."),
    "add-seat": phrase("Add a player"),
    "crew": phrase("Crew"),
    "crew-how": phrase("Several drivers of one car, with commas: the race counts for each"),
    "crew-entered": phrase("From the entry list"),
    "learn": phrase("Learn to race: eight positions"),
    "watch-race": phrase("Watch a race"),
    "add-bot": phrase("Add a bot"),
    "bots-need": phrase("A bot needs it so."),
    "bot-learner": phrase("Bot: learner"),
    "bot-amateur": phrase("Bot: amateur"),
    "bot-racer": phrase("Bot: racer"),
    "bot-champion": phrase("Bot: champion"),
    "remove": phrase("Remove {name}"),
    "waiting": phrase("Races that wait"),
    "waiting-more": phrase("Older races"),
    "same": phrase("Same as last time"),
    "start": phrase("Start the race"),
    "join-here": phrase("Scan to sit at seat {seat}"),
    "links": phrase("A code for each seat"),
    "links-how": phrase("Scan a seat's code with the phone that plays it."),
    "pin-needed": phrase("With the referee's PIN this page sets up the race and shows the codes."),
}

REFEREE = {
    **keyed(
        "Referee | PIN | Unlock | Close | Lock | Answer | seconds | Undo | Preview | Amend | "
        "Instead of: | Retire | Figure | Value | Reason | space | Pause | Resume | Note | "
        "Cancel | Done. | none | spins | yes | no"
    ),
    "wrong-pin": phrase("This is not the PIN."),
    "machine": phrase("The computer"),
    "look-at-it": phrase("Look at it"),
    "live-test": phrase("Test the seats"),
    "power-update": phrase("Update it"),
    "power-off": phrase("Switch off"),
    "power-restart": phrase("Restart it"),
    "sure": phrase("{what}: really?"),
    "answer-for": phrase("Answer for a seat"),
    "throw": phrase("Tap to throw"),
    "points-left": phrase("points left: {n}"),
    "stop-tires": phrase("new tires, and the black die"),
    "stop-technical": phrase("a repair, out at the next turn"),
    "by-soft": phrase("soft tires"),
    "by-nitro": phrase("nitro"),
    "by-drift": phrase("drift"),
    "by-engine": phrase("engine"),
    "by-top": phrase("Top"),
    "elsewhere": phrase("The car stands elsewhere"),
    "elsewhere-at": phrase("{name}: {place}?"),
    "undo-how": phrase("Answers to take back"),
    "do-undo": phrase("Take {n} back"),
    "preview-of": phrase("After taking {n} back: {who}"),
    "replay-why": phrase("Lever and die disagree"),
    "replay-how": phrase("The lever counts: all that came of the roll is undone, points too."),
    "replay-do": phrase("Roll again"),
    "amend-how": phrase("Amend an answer"),
    "amend-none": phrase("Nothing has been answered yet."),
    "amend-kept": phrase("Later answers that stay: {n}."),
    "amend-lost": phrase("Answers that no longer hold: {n}."),
    "amend-then": phrase("Asked then: {who}"),
    "referees-line": phrase("a line of the referee's"),
    "not-json": phrase("This is not JSON."),
    "return": phrase("Bring back"),
    "flags": phrase("Flags"),
    "flag-time": phrase("Too slow"),
    "flag-error": phrase("A mistake"),
    "flag-placing": phrase("Wrong space in the trial"),
    "flag-black": phrase("Black flag"),
    "flag-bell": phrase("Ring the bell"),
    "correct": phrase("Correct a figure"),
    "note-add": phrase("Add the note"),
    "end": phrase("End the race now"),
    "end-sure": phrase("End the race? Running cars are classified as they stand."),
    "no-answer": phrase("The table does not answer."),
    "brakes-n": phrase("brakes {n}"),
    "blocked-n": phrase("blocked {n}"),
    "goes-out": phrase("out"),
}

PACE = {
    "pace": phrase("Clock of the turn"),
    "pace-bank": phrase("bank {time}"),
    "pace-bell": phrase("bell in {time}"),
    "pace-last-lap": phrase("last lap"),
}

SEAT = {
    "hint-gear": phrase("Your first turn: a gear chooses the die. One up at most."),
    "hint-throw": phrase("No die in the hand: tap, and the companion throws."),
    "hint-roll": phrase("Roll that die on the table, then touch what it shows."),
    "hint-move": phrase("Move your car on the board, then touch where it stands."),
    **PACE,
    "button": phrase("button {n}"),
    "buttons": phrase("Six buttons in the gear gate"),
    "no-token": phrase("To play here, scan the QR code of this seat."),
    "bad-token": phrase("This link does not open this seat any more. Scan its QR code again."),
    "to-table": phrase("The table"),
    "road": phrase("The road ahead"),
    "wear": phrase("Wear points"),
    "code": phrase("The small screen of this seat, with a code to scan"),
    "take-back": phrase("Undo"),
    "menu": phrase("Menu"),
    "confirm": phrase("Here"),
    "hold-here": phrase("(hold the space: at once)"),
    "ask-table": phrase("Ask the table"),
    "your-name": phrase("Your name"),
    "next-corner": phrase("Next corner"),
    "save": phrase("Save"),
}
SEAT_TOO = (
    "title",
    "seat",
    "lost",
    "back",
    "live",
    "sending",
    "no-answer",
    "close",
    "cancel",
    "gear",
    "left-of",
    "lap",
    "classification",
    "points-n",
    "points-1",
    "rematch",
    "league",
    "new-people",
)
"""The words of the other pages that a phone says as well."""

EDITOR = {
    "edit-corners": phrase("Edit corners"),
    "edit-title": phrase("{board}: corners"),
    "edit-how": phrase(
        "Touch a space, then the space that its arrow leads to. The same again takes it away."
    ),
    "edit-how-beside": phrase(
        "Touch two spaces that lie side by side without an arrow. The same again takes it away."
    ),
    "edit-corner": phrase("Corner"),
    "edit-arrows": phrase("Arrows"),
    "edit-beside": phrase("Side by side"),
    "edit-spaces": phrase("Spaces"),
    "edit-lane": phrase("Lane {lane}"),
    "edit-fewer": phrase("Lane {lane}: a space less"),
    "edit-more": phrase("Lane {lane}: a space more"),
    "edit-counts": phrase("Another count lays the corner's arrows out anew."),
    "edit-ways": phrase("Ways through: {shortest} to {longest} spaces"),
    "edit-ways-none": phrase("No board can be made of this."),
    "edit-printed": phrase("printed: {shortest} to {longest}"),
    "edit-unprinted": phrase("none printed"),
    "edit-check": phrase("What the check says"),
    "edit-sound": phrase("Nothing is wrong with this board."),
    "edit-undo": phrase("Step back"),
    "edit-layout": phrase("Lay out anew"),
    "edit-save": phrase("Keep as {file}"),
    "edit-shipped": phrase(
        "The board that came with the companion stays as it is: {file} will be a board of its own."
    ),
    "edit-saved": phrase("Kept as {file}. The table can race on it."),
    "edit-key": phrase("PIN of the referee"),
    "edit-key-why": phrase("Checking and keeping needs the PIN, or the host's phone."),
    "edit-picked": phrase("From {space} to …"),
    "edit-stops": phrase("stops: {n}"),
    "edit-first": phrase("Keep this corner first, or step back."),
    "edit-unsaved": phrase("not kept yet"),
}

ROOMS = [
    import_module(f"companion_web.words_{room}") for room in dict.fromkeys(map(room_of, NAMES))
]
"""The words of the page in single games."""
ALL = [
    LABELS,
    TELEVISION,
    JOIN,
    FINISH,
    LOBBY,
    REFEREE,
    SEAT,
    EDITOR,
    *(room.WORDS for room in ROOMS),
]
GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "wear": {category: its.name for category, its in WEAR.items()},
    "status": STATUS,
    "color": COLOR_WORDS,
    "die": {str(gear): color for gear, color in DICE.items()},
    "ask": {**questions(), "other": phrase("{name}: {kind}?")},
    "by": BY,
}


def choose_language(request: Request) -> str:
    """The language of a page: the one asked for, else the one chosen before, else the browser's."""
    for chosen in (request.args.get("lang"), request.cookies.get("lang")):
        if chosen in LANGUAGES:
            return chosen
    primary = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in primary if tag in LANGUAGES), "en")


def seat_words(language: str) -> dict[str, str]:
    """The words of a phone as a seat, which is all the lighter."""
    say, known = words(language), LABELS | FINISH | LOBBY | REFEREE
    texts = SEAT | {key: known[key] for key in SEAT_TOO} | words_downforce.ON_PHONES
    return {key: say(text) for key, text in texts.items()}


def page_words(language: str) -> dict[str, str]:
    """Every word of the pages by its key; groups have their name before it (`wear.tires`)."""
    say = words(language)
    texts = {key: say(text) for table in ALL for key, text in table.items()}
    for group, table in GROUPS.items():
        texts |= {f"{group}.{key}": say(text) for key, text in table.items()}
    return texts
