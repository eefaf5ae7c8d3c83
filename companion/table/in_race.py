"""What comes of a command to the race on the table, the referee's among them: one function each.

`handlers` has the table of all, and says what a handler may do.
"""

from __future__ import annotations

from dataclasses import replace

from companion.rules.commands import Answer, End, Explain, InRace, Line, Retire, Undo
from companion.rules.errors import Refusal
from companion.table import clock, commands, undo
from companion.table.by_itself import with_face
from companion.table.commands import Note
from companion.table.context import NOTHING, Context, Outcome
from companion.table.entries import Drop, Proposal
from companion.table.race import Race
from companion.table.refusals import refused
from companion.views import model as view
from companion.views.words import LANGUAGES, words
from companion.views.words.places import place_name


def put(context: Context, command: InRace) -> Outcome:
    """An answer, or a referee's command of the engine protocol."""
    if context.race.paused and isinstance(command, Answer | Retire | End):
        raise refused("paused")
    face = with_face(context.race, command) if isinstance(command, Answer) else None
    return context.put(command) if face is None else replace(context, by="companion").put(face)


def keep(context: Context, command: Note | view.Pause) -> Outcome:
    """What changes nothing that anything follows from."""
    context.race.put(command, by=context.by, at=context.at)
    return NOTHING


def preset(context: Context, command: view.Preset) -> Outcome:
    """The gear of a seat whose turn is still to come."""
    race, seat = context.race, context.seat(command.seat)
    if "gear" not in race.kinds or seat in race.outline.bystanders:
        raise refused("not-running", seat=seat)  # it will not be asked for one
    return context.put(command)


def take_back(context: Context, command: view.TakeBack) -> Outcome:
    """The last answer of a seat, as long as nobody has acted on it."""
    if context.race.paused:
        raise refused("paused")
    seat = context.seat(command.seat)
    return context.follow(undo.take_back(context.race, seat, by=context.by, at=context.at))


def replay(context: Context, command: commands.Replay) -> Outcome:
    """A seat rolls again, by its lever."""
    return context.follow(undo.replay(context.race, command.seat, by=context.by, at=context.at))


def propose(context: Context, command: view.Propose) -> Outcome:
    """Kept until another seat agrees; one that could never be carried out is refused now."""
    race, seat, space = context.race, context.seat(command.seat), command.space
    meant = race.engine.elsewhere(seat, space)
    if isinstance(meant, Answer):
        return context.put(meant)
    proposer = context.caller.seat if command.proposer is None else command.proposer
    broken = _broken_rule(race, seat, space)
    context.table.trial().put(meant, by=context.by, at=context.at)
    return context.put(Proposal(seat, space, proposer, broken.as_json() if broken else None))


def explain(context: Context, command: Explain) -> Outcome:
    """Why an answer is, or is not, legal now: its rules, the sentence of its refusal, and the
    name of the space that it is about, in every language."""
    race, answer = context.race, command.answer
    caller = context.caller
    # What is legal for a secret tells of it: nobody asks for another seat.
    if caller.seat != answer.seat and not caller.referee and _tells_a_secret(race, answer.kind):
        raise refused("face-down", seat=answer.seat)
    found = race.engine.explain(answer)
    refusal = None if found.legal else race.engine.refusal_of(answer)
    why = refusal.as_json() if refusal else None
    return Outcome(more={"explain": found.as_json(), "why": why, "place": _place(race, answer)})


def _tells_a_secret(race: Race, kind: str) -> bool:
    asked = race.kinds.get(kind)
    return asked is not None and (asked.revealed_by is not None or asked.of_secret)


def _place(race: Race, answer: Answer) -> Line | None:
    track, value = race.engine.track, answer.value
    space = track.index.get(str(value.get("to"))) if track and isinstance(value, dict) else None
    if track is None or space is None:
        return None
    return {code: place_name(track, space, words(code)) for code in LANGUAGES}


def _broken_rule(race: Race, seat: int, space: str) -> Refusal | None:
    """Why the rules do not let the car end there; None: they do, or it is not moving."""
    for ask in race.engine.open:
        if ask.seat != seat or ask.kind not in clock.MOVES:
            continue
        if any(option and option["to"] == space for option in ask.data()["options"]):
            return None
        return race.engine.refusal_of(Answer(seat, ask.kind, {"to": space, "brakes": 0}))
    return None


def agree(context: Context, command: view.Agree) -> Outcome:
    """Another seat agrees to what was proposed, or drops it; the referee needs no other."""
    proposal = context.race.proposal
    if proposal is None:
        raise refused("no-proposal")
    if not command.yes:
        return context.put(Drop())
    if not context.caller.referee:
        for seat in (proposal.seat, proposal.proposer):
            if seat is not None and seat in (context.caller.seat, command.seat):
                raise refused("needs-another-seat", seat=seat)
    return context.put(context.race.engine.elsewhere(proposal.seat, proposal.space))


def preview_undo(context: Context, command: commands.PreviewUndo) -> Outcome:
    """What would be undone, and what would be asked."""
    trial = context.table.trial()
    given = [{"by": one.by, **trial.open_line(place)} for place, one in enumerate(trial.given)]
    trial.put(Undo(command.count), by=context.by, at=context.at)
    return Outcome(more={"asks": trial.asks, "undone": given[len(trial.given) :]})


def amend(context: Context, command: commands.Amend) -> Outcome:
    """Amend an answer, tried on a race of its own, to which the table goes over if it held.

    Answers are counted from the end: a line may be for one version alone.
    """
    race, now = context.race, context.race.engine.version
    if command.version not in (None, now):
        raise refused("stale", version=f"{command.version!s:.40}", since=now)
    trial = context.table.trial()
    if command.value is None:
        ask = undo.asked_then(trial, command.back, by=context.by, at=context.at)
        return Outcome(more={"asked": ask})
    (value,) = command.value
    amended = undo.amend(trial, command.back, value, by=context.by, at=context.at)
    more = {"kept": amended.kept, "dropped": amended.dropped}
    if command.preview:
        return Outcome(more={"asks": trial.asks, **more})
    clock.keep_start(race, trial, context.at)
    context.table.race = trial
    return Outcome(context.follow(amended.events).events, more)
