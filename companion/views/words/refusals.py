"""What went wrong, in the language of a seat: refusals, and what fails of a seat or the disk.

The rules give a key and its arguments; the sentence here is short enough for three lines of a
seat's screen. A sentence of the rules that is marked as one stands in the catalogues as it is; a
key that nobody has put into words is told in English. Ports, files and commands are for who mends
it, and stand in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from companion.rules.board.plan import Fault
from companion.rules.board.track import Track
from companion.rules.lines import SENTENCES
from companion.views.model import Ailing, Trouble
from companion.views.screen import refusals
from companion.views.words import Words, phrase, place_name

REFUSALS: Mapping[str, str] = {
    # the engine and the rules
    "not-asked": phrase("Nobody asks seat {seat} for that now."),
    "not-a-number": phrase("A whole number is wanted."),
    **dict.fromkeys(("black-out-of-range", "black-form"), phrase("The black die shows 1 to 20.")),
    "range-not-offered": phrase("These numbers are not asked for."),
    "no-such-gear": phrase("There is no gear {gear}."),
    "after-spin": phrase("After a spin a car starts in 1st."),
    "after-stall": phrase("A stalled car starts in 1st."),
    "first-gear-first": phrase("The first gear is 1st."),
    "no-first-in-pit": phrase("No 1st from the stop to the end of the pit lane."),
    "leave-box": phrase("A car leaves its box in 4th or lower."),
    "gear-too-high": phrase("From {from} one gear up at most, not {gear}."),
    "gear-too-low": phrase("From {from} down to {gear} is impossible."),
    "laps-car-home": phrase("A car is home: no lap is added."),
    "coasts-down": phrase("Coasting a car shifts down."),
    "no-gearbox": phrase("No gearbox points: only one gear down."),
    "no-fuel": phrase("No fuel points: only one gear down."),
    "over-rev-unaffordable": phrase("Too few wear points for {from} down to {gear}."),
    "gear-puts-out": phrase("Gear {gear} would put you out. Choose again."),
    "face-out-of-range": phrase("The die of gear {gear} shows {low} to {high}."),
    "build-form": phrase("A car is built of six categories."),
    "build-limits": phrase("That category has {low} to {high} points."),
    "build-points": phrase("A car is built of {points} points, not {given}."),
    **dict.fromkeys(("tires-form", "no-such-tires"), phrase("Tires are hard, soft or rain.")),
    **dict.fromkeys(("length-form", "no-such-length"), phrase("That length is not on offer.")),
    **dict.fromkeys(("stop-form", "no-such-stop"), phrase("A stop is for tires or technical.")),
    "repair-form": phrase("A repair is points by category."),
    "repair-too-much": phrase("Only {room} points can go back there."),
    "recover-too-much": phrase("Only {room} points can go back there."),
    "repair-too-many": phrase("This stop gives {points} points, not {given}."),
    "recover-form": phrase("What comes back is points by category."),
    "recover-too-many": phrase("There are {points} points to give, not {given}."),
    "yes-or-no": phrase("Yes or no is wanted."),
    "time-form": phrase("A time is a number of seconds."),
    "time-out-of-range": phrase("That is no time of a lap."),
    "no-such-space": phrase("The board has no such space."),
    "no-such-move": phrase("The move cannot end there."),
    "report-form": phrase("A report tells of a move."),
    "report-value": phrase("That is no report of a move."),
    "report-bounds": phrase("The move cannot have been like that."),
    "report-contradiction": phrase("Not all of that can be true."),
    "order-form": phrase("The order names every running car once."),
    "order-names-all": phrase("The order names every running car once."),
    "not-boardless": phrase("{name} needs a board for ways and zones: leave it out."),
    "not-boardless trials": phrase("Trials need a board: how far each came. Leave them out."),
    "not-boardless urban": phrase("Streets need a board: zones, tunnel, police, drivers."),
    "move-form": phrase("A move has a space and brakes."),
    "no-such-seat": phrase("There is no seat {seat} in this race."),
    "undo-too-many": phrase("Only {taken} answers can be taken back."),
    "stale": phrase("Too late: the race has gone on."),
    "no-race": phrase("There is no race."),
    "no-late-join": phrase("Nobody can come in now."),
    "seat-taken": phrase("Seat {seat} is taken."),
    "no-room": phrase("There is no room for another car: {room} race."),
    "nowhere-to-return": phrase("There is no free space to return to."),
    "not-running": phrase("The car of seat {seat} does not run."),
    "not-out": phrase("The car of seat {seat} is not out."),
    "no-flags": phrase("At this table no such flag falls."),
    "no-bell": phrase("This race has no bell now."),
    "flag-form": phrase("A flag falls for time or for an error."),
    "no-clock": phrase("This game is played without a clock."),
    "race-over": phrase("The race is over."),
    # what a header can have wrong, told before the race begins
    "team-missing": phrase("Every seat needs a team."),
    "team-too-big": phrase("A team has two cars at most."),
    "no-weather-table": phrase("This board has no weather table."),
    "too-many-seats": phrase("The grid has room for {room} cars."),
    "box-twice": phrase("Two cars want box {box}."),
    "no-such-box": phrase("The board has boxes 1 to {boxes} only."),
    "box-not-free": phrase("That box is not free."),
    "box-by-grid": phrase("Boxes are chosen in the order of the grid."),
    "pit-gear-short": phrase("That gear cannot reach the box."),
    "no-trial": phrase("This car does not drive its trial now."),
    "switches-clash": phrase("{one} and {other} contradict each other."),
    "pack-game": phrase("This pack is for another game."),
    "pack-ships": phrase("{name} ships with the companion. Choose another name."),
    "pack-there": phrase("There is a pack {name} already."),
    "powers-form": phrase("Up to 24 powers, each with a name and a reminder."),
    "power-twice": phrase("Two powers have one name."),
    "text-form": phrase("A reminder has up to 200 letters that can be shown."),
    "name-form": phrase("A name has 1 to 40 letters that can be shown."),
    **dict.fromkeys(("pack-form", "pack-name"), phrase("The rules pack has a fault.")),
    "two-players": phrase("That game is for two players."),
    "no-pay lines": phrase("Bets are paid for {count} lines, not for more or fewer."),
    "no-pay cars": phrase("Places are paid for {count} cars, not for more or fewer."),
    "player-count": phrase("It is for {low} to {high}, not for {players}."),
    "so-many-play": phrase("It is for {low} to {high}, not for {players}."),
    "driver-missing": phrase("Every seat needs a driver."),
    "driver-twice": phrase("Two seats want {name}."),
    "driver-needs-weather": phrase("{name} needs weather."),
    "not-with-urban": phrase("In a city there is no {name}."),
    "not-with-basic": phrase("The first race has no {name}."),
    "no-debris": phrase("The first race has no debris."),
    "nobody-spins": phrase("In the first race nobody spins."),
    "rule-not-yet": phrase("This version does not play {name}."),
    # the table
    "not-on-board": phrase("Seat {seat} has no car on the board."),
    "space-taken": phrase("The car of seat {seat} stands there."),
    "other-seat": phrase("Only seat {seat}, the host or the referee may."),
    "not-referee": phrase("Only the referee may do that."),
    "not-host": phrase("Only the host or the referee may."),
    "not-switched": phrase("The computer does not let itself be switched."),
    "paused": phrase("The race is paused."),
    "people-here": phrase("People are at this table already."),
    "race-runs": phrase("A race is on the table already."),
    "nothing-to-take-back": phrase("You have no answer to take back."),
    "rolled-since": phrase("Somebody has rolled since."),
    "turned-up": phrase("It has been turned up. Only the referee can undo it."),
    "face-down": phrase("What that seat holds lies face down."),
    "acted-on": phrase("Others have gone on. Only the referee can undo it."),
    "no-such-answer": phrase("There is no such answer to amend."),
    "thrown-die": phrase("The companion threw that die. It stands."),
    "not-an-answer": phrase("That was the referee. Undo it instead."),
    "needs-another-seat": phrase("Another seat must agree."),
    "no-proposal": phrase("Nothing waits for agreement."),
    "no-such-race": phrase("No such race waits."),
    "broken-race": phrase("This race cannot be read any more."),
    "bad-value": phrase("That cannot be chosen."),
    "no-such-track": phrase("There is no such track."),
    "track-faulty": phrase("The track has a fault: companion track check."),
    "track-too-large": phrase("The file of the track is too large."),
    "track-unreadable": phrase("The file of the track cannot be read."),
    "storage": phrase("The disk does not take it. Nothing was done."),
    "disk-full": phrase("The disk is full. Nothing was done."),
    "stale-picture": phrase("The key has changed. Look again."),
    "not-at-the-table": phrase("The table plays {names} only."),
    "nobody-joined": phrase("Nobody has joined yet."),
    "no-bots": phrase("No bot plays this game, or without a board."),
    "bots-need": phrase("A bot needs it so."),
    "no-seat-yet": phrase("Take a seat first."),
    "no-free-seat": phrase("All ten seats are taken."),
    "not-joined": phrase("Seat {seat} has not joined."),
    "no-last-race": phrase("There was no race before."),
    "lacks-team": phrase("{name} has no team yet."),
    "lacks-driver": phrase("{name} has no driver yet."),
    "not-open": phrase("No rule that is on asks for that."),
    "car-taken": phrase("Another seat has that."),
    "name-taken": phrase("{name} sits here already."),
    "crew-form": phrase("A crew is one to eight names."),
    "unknown-word": phrase("The table does not know this word."),
    "unknown-key": phrase("The table does not know {name}."),
    "header-form": phrase("A race needs a header."),
    "fault": phrase("The companion has a fault. Nothing was done."),
    "reason-form": phrase("The reason is too long."),
    "correct-form": phrase("That cannot be corrected so."),
    # the page
    "too-many": phrase("Too many at once. Wait a second."),
    "asks-already": phrase("Another phone asks for that seat already."),
    "not-let-in": phrase("Nobody has let that phone in."),
    "wrong-letters": phrase("Not these four letters. Look at the television."),
    "no-key": phrase("That needs a seat's code or the PIN."),
    "no-seat": phrase("There is no seat {seat}."),
}


@cache
def all_refusals() -> Mapping[str, str]:
    """The sentences of all keys, those of single games too."""
    return {**REFUSALS, **refusals()}


def refusal_text(error: Mapping[str, object], say: Words) -> str:
    """The sentence of an `error` object of the engine protocol."""
    message = str(error.get("message", ""))
    if message in SENTENCES:
        return say(message)
    key, given = str(error.get("key")), error.get("args")
    args = given if isinstance(given, Mapping) else {}
    known = all_refusals()
    # A key may have another sentence for one name, as "not-boardless trials" has.
    template = known.get(f"{key} {args.get('name')}", known.get(key))
    if template is None:
        return message
    try:
        return say(template).format_map(args)
    except (KeyError, IndexError):  # a key of this name without the arguments it should have
        return message


# -- what is wrong with a track file --------------------------------------------------------------


FAULTS: dict[str, str] = {
    "no-space": phrase("there is no space {space}; the lane has {count}"),
    "circle": phrase("{way} leads in a circle"),
    "below-shortest": phrase("{count} spaces are below the printed shortest way of {printed}"),
    "above-longest": phrase("{count} spaces are above the printed longest way of {printed}"),
    "ways-differ": phrase(
        "its ways through have {shortest} to {longest} spaces; printed are {low} to {high}"
    ),
    "cross": phrase("{one} and {other} cross"),
    "merge": phrase("{one} and {other} both change to {space}"),
    "not-reached": phrase("nothing leads to {space}"),
    "leads-nowhere": phrase("{space} leads nowhere"),
    "lonely": phrase("{space} lies beside nothing of lane {lane}"),
}
IN_LANE = phrase("{section}, lane {lane}")


def fault_text(fault: Fault, say: Words) -> str:
    """A fault in one line; what cannot come of drawing a corner keeps the rules' own English.

    >>> from companion.views.words import words
    >>> crossing = {"one": "T1.l1>T1.m2", "other": "T1.l2>T1.m1"}
    >>> fault_text(Fault("T1 East", "they cross", "cross", crossing), words("en"))
    'T1 East: T1.l1>T1.m2 and T1.l2>T1.m1 cross'
    """
    section, _, lane = fault.where.partition(", lane ")
    where = say(IN_LANE, section=section, lane=lane) if lane else section
    what = say(FAULTS[fault.key], **fault.args) if fault.key in FAULTS else fault.what
    return f"{where}: {what}"


def answer_text(value: Any, track: Track, say: Words) -> str:
    """An answer of the engine protocol: a gear, an end, a length, no slipstream.

    What it does not know stays as it stands.
    """
    match value:
        case None:
            return say("no slipstream")
        case {"to": str(to), "brakes": int(brakes)} if to in track.index:
            place = place_name(track, track.index[to], say)
            braked = say.many("{n} space braked", "{n} spaces braked", brakes)
            return f"{place}, {braked}" if brakes else place
        case {"spaces": int(spaces)}:
            return say.many("{n} space", "{n} spaces", spaces)
        case int():
            return say.nth(value)
    return str(value)


# -- a seat that cannot be reached ----------------------------------------------------------------


PARTS = {
    "driver": phrase("seat"),
    "pod": phrase("pod"),
    "buttons": phrase("buttons"),
    "screen": phrase("screen"),
}
TITLES = {
    "pod": phrase("Seat {n}: no pod"),
    "buttons": phrase("Seat {n}: no buttons"),
    "screen": phrase("Seat {n}: no screen"),
}
"""The title of the code to take a seat over, by the part that fails; two lines of ten columns."""
DEAD = phrase("Seat {n} is dead")

TROUBLES = {
    "failed": phrase("has failed"),
    "driver-failed": phrase("did not start"),
    "no-library": phrase("needs the library {name}"),
    "no-simulator": phrase("the simulator does not run"),
    "silent": phrase("no answer"),
    "button-unread": phrase("button {n} cannot be read"),
    "no-pod": phrase("on no cable"),
    "pod-elsewhere": phrase("press on pod {n}, it has no seat"),
    "pod-twice": phrase("two pods are {n}: press on the other"),
    "no-port": phrase("the cable is out"),
    "unplugged": phrase("the cable was pulled out"),
    "ports-unseen": phrase("the ports cannot be looked at"),
    "port-shut": phrase("the port may not be opened"),
    "port-busy": phrase("another program has the port"),
    "port-lost": phrase("the port does not serve"),
    "old-firmware": phrase("old firmware {has}, needs {needs}"),
    "new-firmware": phrase("newer firmware {has} than {needs}"),
}
"""The words of each trouble, after the name of the part."""


def trouble_text(ailing: Ailing, say: Words) -> str:
    """Which part fails, why, and since which round.

    >>> from companion.views.words import words
    >>> trouble_text(Ailing("pod", Trouble("silent"), since=3), words("en"))
    'pod: no answer, since round 3'
    """
    part = say(PARTS.get(ailing.part, PARTS["driver"]))
    what = _what(ailing.trouble, say)
    if ailing.since:
        return say("{part}: {what}, since round {n}", part=part, what=what, n=ailing.since)
    return say("{part}: {what}", part=part, what=what)


def _what(trouble: Trouble, say: Words) -> str:
    template = TROUBLES.get(trouble.key, TROUBLES["failed"])
    try:
        return say(template).format_map(trouble.args)
    except KeyError:  # a key of this name without the arguments it should have
        return say(TROUBLES["failed"])


# -- what is wrong with the disk ------------------------------------------------------------------


FAILING = {
    "storage": phrase("The disk does not serve: nothing is accepted."),
    "disk-full": phrase("The disk is full: nothing is accepted."),
}
"""While it lasts; a press says so on the seat's own screen."""
MISSING = {
    "answers-missing": phrase("{n} answers after {time} are missing."),
    "answer-missing": phrase("1 answer after {time} is missing."),
    "answer-torn": phrase("The last answer, after {time}, may be missing."),
    "race-lost": phrase("The race {race} cannot be read any more."),
    "race-unread": phrase("The race {race} cannot be read; it is left as it is."),
    "race-shut": phrase("The race that lay on the table cannot be opened."),
    "table-lost": phrase("The table's own log is lost: look for your race among those that wait."),
    "table-gap": phrase("The table's own log was damaged: another race may have been on it."),
    "keys-lost": phrase("The keys are lost: PIN and links are new, scan your codes again."),
    "keys-old": phrase("The keys were damaged: PIN and links may be older ones."),
}
"""What somebody at the table must know before the race goes on."""
WARNINGS = {
    "answers-healed": phrase(
        "The journal was damaged. As far as can be seen nothing is missing; the disk may be dying."
    ),
    "not-followed": phrase("companion.toml cannot be followed: the table is open without it."),
    "taken-away": phrase("The journal was taken away and is written anew."),
    "copy-fails": phrase("The second copy of the journal cannot be written."),
}
"""Nothing is missing, and the host should know."""


def disk_text(troubles: Sequence[Trouble], say: Words) -> str:
    """All that is wrong, a sentence each.

    >>> from companion.views.words import words
    >>> disk_text([Trouble("answers-missing", args={"n": 19, "time": "21:04"})], words("en"))
    '19 answers after 21:04 are missing.'
    """
    return " ".join(dict.fromkeys(_sentence(one, say) for one in troubles))


def _sentence(trouble: Trouble, say: Words) -> str:
    key, args = trouble.key, trouble.args
    if key == "answers-missing" and args.get("n") == 1:
        key = "answer-missing"
    words = {**FAILING, **MISSING, **WARNINGS}.get(key, FAILING["storage"])
    return say(words).format_map(args)
