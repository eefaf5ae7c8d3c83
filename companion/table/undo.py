"""Answers of a race taken back, and an answer that is amended.

Nothing is deleted: a line says that the last n answers count no more. A seat may take its last
answer back as long as nobody has acted on it. Other seats' answers to asks that were open at the
same time have not acted on it (six cars roll for the grid): they are taken back with it and given
again as they stand. A gear that was set early and answered by itself has not either; it is set
early again. The time that the stopwatch has answered goes with the move that crossed the line. A
die that the companion has thrown since stays: with an answer fewer before it, it would show
another face.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.race.engine import Events
from companion.rules.lines import Answer, Line, Refusal, Undo
from companion.system.frozen import dataclass
from companion.table.commands import Joined, Pressed
from companion.table.ports import By, refused
from companion.table.race import ROLL, Given, Race, has_acted_on, owners_of, with_face
from companion.views.model import Preset


def take_back(race: Race, seat: int, *, by: By, at: float) -> Events:
    """Take the last answer of a seat back, or all that its last touch gave; the events of it.

    Raises:
        Illegal: it has given none, somebody has acted on it, or it was secret and has come out:
            the seat has seen what the others have.
    """
    place = _last_of(race, seat)
    its, later = race.given[place], race.given[place + 1 :]
    if race.has_come_out(place):
        raise refused("turned-up")
    if any(has_acted_on(race, its, other) for other in later):
        raise refused("acted-on", seat=seat)
    events = race.put(Undo(len(later) + 1 + its.joined), by=by, at=at)
    _set_early_again(race, later, by=by, at=at)
    _again(race, [other for other in later if not other.is_by_itself], at=at)
    return events


def replay(race: Race, seat: int, *, by: By, at: float) -> Events:
    """Lever and die disagree: the lever counts, and the move is made again from the roll on.

    All that has come of the roll is taken back, points that were struck too (competition rules of
    2018, 6-3-1 to 6-3-3). A gear that the next player has set early stays set.

    Raises:
        Illegal: this seat has not rolled, or another one has rolled since.
    """
    rolls = [place for place, one in enumerate(race.given) if one.key and one.key[1] == ROLL]
    rollers = [key[0] for place in rolls if (key := race.given[place].key)]
    if seat not in rollers:
        raise refused("nothing-to-take-back", seat=seat)
    if rollers[-1] != seat:
        raise refused("rolled-since", seat=seat)
    later = race.given[rolls[-1] :]
    events = race.put(Undo(len(later)), by=by, at=at)
    _set_early_again(race, later, by=by, at=at)
    return events


def _set_early_again(race: Race, later: Sequence[Given], *, by: By, at: float) -> None:
    """Gears of these lines that the table has answered by itself."""
    for other in later:
        command = other.command
        if other.is_by_itself and isinstance(command, Answer) and command.kind == "gear":
            assert isinstance(command.value, int)
            race.put(Preset(command.value, command.seat), by=by, at=at)


def _again(race: Race, tail: Sequence[Given], *, at: float) -> int:
    """Give answers again as they stand, up to the first that no longer holds; how many held.

    Those that do not hold stay in `race.old`, to be offered when they are asked again. Nor does a
    throw of the companion's hold that would show another face now.
    """
    for count, given in enumerate(tail):
        if _falls_otherwise(race, given.command):
            return count
        try:
            race.put(given.command, by=given.by, at=at)
        except Refusal:
            return count
        if given.presser is not None:
            race.put(Pressed(given.presser), by=given.by, at=at)
        if given.joined:
            race.put(Joined(given.joined), by=given.by, at=at)
    return len(tail)


def _falls_otherwise(race: Race, command: object) -> bool:
    """Whether this answers for a die of the companion's that would show another face now."""
    if not isinstance(command, Answer):
        return False
    thrown = with_face(race, command)
    return thrown is not None and thrown.value != command.value


def _last_of(race: Race, seat: int) -> int:
    for place in range(len(race.given) - 1, -1, -1):
        given = race.given[place]
        is_time = given.is_by_itself and given.key is not None and given.key[1] == "time"
        if seat in owners_of(race, given) and not is_time:
            return place
    raise refused("nothing-to-take-back", seat=seat)


# -- amending an answer ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amended:
    """What came of an amendment: the events of the corrected answer, how many later answers
    still hold, and the others, oldest first, as `_shown` tells them."""

    events: Events
    kept: int
    dropped: list[Line]


def amend(trial: Race, back: object, value: object, *, by: By, at: float) -> Amended:
    """Amend an answer in `trial`, which is spoilt where that is refused.

    Args:
        back: how many answers ago, 1 for the last one.
        value: what the answer should have been.

    Raises:
        Refusal: there is no such answer, this is none, or it is a die that the companion threw.
    """
    its, count = _answer_at(trial, back)
    first = len(trial.given) - count + 1
    tail = trial.given[first:]
    # Before the undo, which takes these places away.
    later = [_shown(trial, place) for place in range(first, len(trial.given))]
    trial.put(Undo(count), by=by, at=at)
    amended = Answer(its.seat, its.kind, value)
    # After the undo: what a die shows depends on how many answers stand before it.
    if _falls_otherwise(trial, amended):
        raise refused("thrown-die")
    events = trial.put(amended, by=by, at=at)
    kept = _again(trial, tail, at=at)
    return Amended(events, kept, later[kept:])


def asked_then(trial: Race, back: object, *, by: By, at: float) -> Line | None:
    """The ask, with its options, that was answered so many answers ago; `trial` is spoilt.

    Raises:
        Refusal: there is no such answer.
    """
    its, count = _answer_at(trial, back)
    trial.put(Undo(count), by=by, at=at)
    asked = zip(trial.engine.open, trial.asks, strict=True)
    return next((data for ask, data in asked if (ask.seat, ask.kind) == (its.seat, its.kind)), None)


def last_answers(race: Race, most: int) -> list[Line]:
    """The lines that `amend` and `undo` count, newest first: the first is 1 back."""
    newest = len(race.given) - 1
    return [_shown(race, place) for place in range(newest, max(-1, newest - most), -1)]


def _shown(race: Race, place: int) -> Line:
    """The answer at a place of `given` as seat, kind, value and who gave it.

    A referee's line has no kind; of what is still a secret the value is null, and `secret` true.
    """
    given = race.given[place]
    if given.key is None:
        seat = given.line.get("seat", 0)
        return {"seat": seat, "kind": None, "value": given.line, "by": given.by}
    seat, kind = given.key
    value = race.open_line(place)[kind]
    answer = {"seat": seat, "kind": kind, "value": value, "by": given.by}
    return {**answer, "secret": True} if race.is_secret(place) else answer


def _answer_at(race: Race, back: object) -> tuple[Answer, int]:
    """The answer that was given so many answers ago, and how many.

    Raises:
        Malformed: there are not so many.
        Illegal: it is a referee's line.
    """
    # `True` is an int to Python.
    if isinstance(back, bool) or not isinstance(back, int) or not 1 <= back <= len(race.given):
        raise refused("no-such-answer", back=f"{back!r:.40}", given=len(race.given))
    its = race.given[-back].command
    if not isinstance(its, Answer):
        raise refused("not-an-answer")
    return its, back
