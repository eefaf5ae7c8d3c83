"""What comes of a command: one function each, found by the command's type.

A handler puts entries into the race or the table's log and gives the events; what it refuses it
raises, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, get_args

from companion.advice.bots.levels import FIRST, USUAL
from companion.rules import lines
from companion.rules.lines import Illegal, Refusal
from companion.rules.packs import share_out
from companion.table import clock, commands, lobby
from companion.table.commands import Boards, Command, Drop, Note, Proposal
from companion.table.lobby import SEATS, header_of, pack_of, plain_name
from companion.table.ports import JSON, Caller, Reply, bad_value, not_kept, refused
from companion.table.race import Race, with_face
from companion.table.state import NOTHING, Context, Outcome, TableState, helpers, is_of_bots, speaks
from companion.table.undo import amend, asked_then, last_answers, replay, take_back
from companion.views import model as view
from companion.views import options
from companion.views.words import LANGUAGES, place_name, words


def reply_of(state: TableState, outcome: Outcome = NOTHING) -> Reply:
    """The reply of the engine protocol."""
    body = {"ok": True, "version": state.version, "events": outcome.events, "asks": state.asks}
    return Reply(HTTPStatus.OK, {**body, **outcome.more})


def carry_out(
    state: TableState, caller: Caller, command: Command, at: float, *, pressed: bool = False
) -> Outcome:
    """Carry a command out.

    Args:
        pressed: it was pressed on the caller's own screen, which offers some seats the others'
            asks; what is sent otherwise speaks for the caller's seat only.

    Raises:
        Refusal: it is not accepted, or not for this caller to give; nothing has changed.
    """
    others = helpers(state.race.outline, command) if pressed and state.race else ()
    by = speaks(caller, command, state.host, others)
    return HANDLERS[type(command)](Context(state, caller, by, at), command)


def time_passes(state: TableState, at: float) -> Outcome:
    """Say what time has brought: a flag for the seat on turn, the bell; what follows from it.

    What the rules do not accept they may accept later: it is tried again.
    """
    race = state.race
    if race is None or race.is_finished or not race.outline.timing.is_on:
        return NOTHING
    context = Context(state, Caller(), "companion", at)
    events: list[lines.Line] = []
    for command in clock.due(clock.look_at(race, lambda: at), race.outline):
        try:
            events += context.put(command).events
        except Refusal:
            continue
    return Outcome(events)


# -- to the race on the table ---------------------------------------------------------------------


def _put(context: Context, command: lines.InRace) -> Outcome:
    """An answer, or a referee's command of the engine protocol."""
    if context.race.paused and isinstance(command, lines.Answer | lines.Retire | lines.End):
        raise refused("paused")
    face = with_face(context.race, command) if isinstance(command, lines.Answer) else None
    # The companion threw it, whoever tapped.
    return context.put(command) if face is None else replace(context, by="companion").put(face)


def _touch(context: Context, command: commands.Touch) -> Outcome:
    """Several answers at once. A die of the companion's is none of them: nobody knows it before."""
    race, (first, *rest) = context.race, command.answers
    # What was read before the touch says nothing of what the touch itself opens.
    answers = (first, *(replace(one, version=None) for one in rest))
    if rest and any(with_face(race, one) is not None for one in answers):
        raise refused("thrown-die")
    refusal = race.engine.refusal_of(*answers) if rest else None
    if refusal is not None:
        raise refusal
    events = [*_put(context, first).events]
    for joined, answer in enumerate(answers[1:], 1):
        events += context.put(answer, joined).events
    return Outcome(events)


def _keep(context: Context, command: Note | view.Pause) -> Outcome:
    """A note, or a pause: nothing else follows from it."""
    context.race.put(command, by=context.by, at=context.at)
    return NOTHING


def _preset(context: Context, command: view.Preset) -> Outcome:
    """The gear of a seat whose turn is still to come."""
    race, seat = context.race, context.seat(command.seat)
    if "gear" not in race.kinds or seat in race.outline.bystanders:
        raise refused("not-running", seat=seat)  # it will not be asked for one
    return context.put(command)


def _take_back(context: Context, command: view.TakeBack) -> Outcome:
    """The last answer of a seat, as long as nobody has acted on it."""
    if context.race.paused:
        raise refused("paused")
    seat = context.seat(command.seat)
    return context.follow(take_back(context.race, seat, by=context.by, at=context.at))


def _replay(context: Context, command: commands.Replay) -> Outcome:
    """A seat rolls again, by its lever."""
    return context.follow(replay(context.race, command.seat, by=context.by, at=context.at))


def _propose(context: Context, command: view.Propose) -> Outcome:
    """Kept until another seat agrees; one that could never be carried out is refused now."""
    race, seat, space = context.race, context.seat(command.seat), command.space
    meant = race.engine.elsewhere(seat, space)
    if isinstance(meant, lines.Answer):
        return context.put(meant)
    proposer = context.caller.seat if command.proposer is None else command.proposer
    broken = _broken_rule(race, seat, space)
    # On a copy: all that matters now is whether the rules refuse it.
    context.table.trial().put(meant, by=context.by, at=context.at)
    return context.put(Proposal(seat, space, proposer, broken.as_json() if broken else None))


def _explain(context: Context, command: lines.Explain) -> Outcome:
    """Why an answer is, or is not, legal now.

    The reply has its rules, the sentence of its refusal, and the name of the space that it is
    about, in every language.
    """
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


def _place(race: Race, answer: lines.Answer) -> lines.Line | None:
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
        return race.engine.refusal_of(lines.Answer(seat, ask.kind, {"to": space, "brakes": 0}))
    return None


def _agree(context: Context, command: view.Agree) -> Outcome:
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


def _preview_undo(context: Context, command: commands.PreviewUndo) -> Outcome:
    """What would be undone, and what would be asked."""
    trial = context.table.trial()
    given = [{"by": one.by, **trial.open_line(place)} for place, one in enumerate(trial.given)]
    trial.put(lines.Undo(command.count), by=context.by, at=context.at)
    return Outcome(more={"asks": trial.asks, "undone": given[len(trial.given) :]})


def _amend(context: Context, command: commands.Amend) -> Outcome:
    """Amend an answer, tried on a race of its own, to which the table goes over if it held.

    Answers are counted from the end: a line may be for one version alone.
    """
    race, now = context.race, context.race.engine.version
    if command.version not in (None, now):
        raise refused("stale", version=f"{command.version!s:.40}", since=now)
    trial = context.table.trial()
    if command.value is None:
        ask = asked_then(trial, command.back, by=context.by, at=context.at)
        return Outcome(more={"asked": ask})
    (value,) = command.value
    amended = amend(trial, command.back, value, by=context.by, at=context.at)
    more = {"kept": amended.kept, "dropped": amended.dropped}
    if command.preview:
        return Outcome(more={"asks": trial.asks, **more})
    clock.keep_start(race, trial, context.at)
    # From here on `context.race` is the trial.
    context.table.race = trial
    return Outcome(context.follow(amended.events).events, more)


# -- to the table ---------------------------------------------------------------------------------


def _start(context: Context, command: view.Start) -> Outcome:
    """The race that the lobby has set up."""
    _check_no_race_runs(context.table)
    return _begin(context, header_of(context.table.lobby))


def _begin(context: Context, header: lines.Line) -> Outcome:
    """A race with this header; dice of the companion are thrown at once."""
    return context.follow(context.table.start(header))


def _set_up(context: Context, command: view.SetUp) -> Outcome:
    """A word to the lobby; a race that is over makes room for it.

    Into one that runs, a seat that is not in it may come late.
    """
    table, race = context.table, context.table.race
    if race is not None and _comes_late(race, command):
        name = command.value if isinstance(command.value, str) else None
        return context.put(lines.Join(_entry_of(race, name, seat=command.seat)))
    _check_no_race_runs(table)
    if table.race is not None:
        # Tried on a lobby first, so that a word that is refused does not clear the table.
        lobby.act(table.fresh_lobby(), command.word, command.seat, command.value)
        table.put_away(table.race)
    return _log(context, command)


def _comes_late(race: Race, command: view.SetUp) -> bool:
    is_free = command.word == "join" and command.seat not in race.seats
    return is_free and not race.is_finished and not is_of_bots(race.header)


def _rematch(context: Context, command: view.Rematch) -> Outcome:
    """The race on the table, which is over, once more: with everything that its header says."""
    race = context.race
    _check_no_race_runs(context.table)
    # A race that began in the middle is run again from its start.
    header = {key: value for key, value in race.header.items() if key != "position"}
    return _begin(context, header)


def _sit(context: Context, command: commands.Sit) -> Outcome:
    """The next free seat, under a name and with a color; all of it or nothing.

    While a race runs it is a seat of that race, from the next round.
    """
    table = context.table
    if table.race is not None and table.runs:
        entry = _entry_of(table.race, command.name, command.color)
        return replace(context.put(lines.Join(entry)), more={"seat": entry["seat"]})
    here = table.lobby if table.race is None else table.fresh_lobby()
    seat = lobby.free_seat(here, table.buttons)
    words = [view.SetUp("join", command.name, seat)]
    if command.color is not None and "color" in options.open_keys(here):
        words.append(view.SetUp("color", command.color, seat))
    # First on a copy: a color that is taken must not leave the name behind.
    for word in words:
        here = lobby.act(here, word.word, seat, word.value)
    for word in words:
        _set_up(context, word)
    return Outcome(more={"seat": seat})


def _check_no_race_runs(table: TableState) -> None:
    if table.runs:
        raise refused("race-runs")


DEMO_DRIVERS = ("Alma", "Boris", "Clara", "Dario")


def _demo(context: Context, command: commands.Demo) -> Outcome:
    """What anybody may do at a table that nobody uses; people's own race and lobby stay theirs."""
    table = context.table
    is_shown = table.race is not None and is_of_bots(table.race.header)
    if (table.race is not None and not is_shown) or table.lobby.joined:
        raise refused("people-here")
    if command.what == "watch":
        return _begin(context, _demonstration(table.lobby))
    if is_shown:
        table.put_away(context.race)
    if command.what == "end":
        return NOTHING
    seat = lobby.free_seat(table.lobby, table.buttons)
    words = [view.SetUp("join", None, seat)]
    others = (other for other in SEATS if other != seat and other not in table.buttons)
    words += [view.SetUp("bot", FIRST, next(others)) for _ in DEMO_DRIVERS[1:]]
    for word in words:
        table.put(word)
    return Outcome(more={"seat": seat})


def _demonstration(here: view.Lobby) -> lines.Line:
    """A race of bots by the rules of a first race, of which the companion throws all dice."""
    levels = USUAL, FIRST  # the better ones study the board before they start
    setting = lobby.act(here, "card", None, "first")
    bots = [levels[number % len(levels)] for number in range(len(DEMO_DRIVERS))]
    for seat, (name, level) in enumerate(zip(DEMO_DRIVERS, bots, strict=True), 1):
        setting = lobby.act(setting, "bot", seat, level)
        setting = lobby.act(setting, "name", seat, name)
    return header_of(setting)


def _open(context: Context, command: commands.Open) -> Outcome:
    context.table.resume(command.race)
    return NOTHING


def _close(context: Context, command: commands.Close) -> Outcome:
    context.table.put_away(context.race)
    return NOTHING


def _save_pack(context: Context, command: commands.SavePack) -> Outcome:
    """The lobby as a pack: on disk, offered, and played from now on."""
    table = context.table
    if table.race is not None:
        raise refused("race-runs")
    try:
        pack = table.packs.save(pack_of(table.lobby, command.name), over=command.over)
    except OSError as error:
        raise not_kept(command.name, error) from error
    table.put(Boards())
    table.put(view.SetUp("pack", pack.name, None))
    return NOTHING


def _language(context: Context, command: view.Language) -> Outcome:
    if command.seat not in lobby.SEATS:
        raise bad_value("seat", command.seat, "1 to 10")
    return _log(context, command)


def _log(context: Context, command: view.SetUp | view.Language | Boards) -> Outcome:
    context.table.put(command)
    return NOTHING


def _seen(context: Context, command: view.Seen) -> Outcome:
    if context.table.lost:
        context.table.put(command)
    return NOTHING


def _power(context: Context, command: view.Power) -> Outcome:
    """Who has its buttons in hand has its plug too; from elsewhere it takes the PIN."""
    switch = context.table.switch
    if switch is None or command.seat not in context.table.buttons:
        raise refused("not-switched")
    if switch(command.what):
        raise refused("not-switched")
    return NOTHING


def _waiting(context: Context, command: commands.Waiting) -> Outcome:
    races, pages = context.table.waiting_page(command.page)
    names = [{"id": race.id, "name": race.name} for race in races]
    return Outcome(more={"waiting": names, "page": command.page, "pages": pages})


# -- who comes in while a race runs ---------------------------------------------------------------


def _entry_of(
    race: Race, name: str | None = None, color: str | None = None, seat: int | None = None
) -> lines.Line:
    """The entry of a header's `seats` for whoever comes late.

    It has this seat, or the next that is free, this name (None: as a guest) and this color (None:
    any that is left).

    Raises:
        Illegal: there is none, or somebody has that name or color.
        Malformed: the name is none.
    """
    free = [seat for seat in SEATS if seat not in race.seats]
    if not free or (seat is not None and seat not in free):
        raise refused("no-free-seat")
    names = set(race.names.values())
    if name is None:
        name = next(guest for n in SEATS if (guest := f"guest {n}") not in names)
    name = plain_name("name", name)
    if name in names:
        raise refused("name-taken", name=name)
    seats: list[JSON] = race.header["seats"]
    chosen = {one["seat"]: one["color"] for one in seats if one.get("color")}
    if color is not None and color in share_out(race.seats, chosen).values():
        raise Illegal("car-taken", f"the color {color!r} is taken", args={"value": color})
    return {"seat": seat or free[0], "name": name, **({} if color is None else {"color": color})}


# -- the handlers by command ----------------------------------------------------------------------

HANDLERS: Mapping[type[Command], Callable[[Context, Any], Outcome]] = {
    **dict.fromkeys(get_args(lines.InRace), _put),
    commands.Touch: _touch,
    **dict.fromkeys((Note, view.Pause), _keep),
    view.Preset: _preset,
    view.TakeBack: _take_back,
    view.Propose: _propose,
    lines.Explain: _explain,
    view.Agree: _agree,
    commands.PreviewUndo: _preview_undo,
    commands.Replay: _replay,
    commands.Amend: _amend,
    commands.LastAnswers: lambda at, command: Outcome(
        more={"answers": last_answers(at.race, command.count)}
    ),
    lines.New: lambda at, command: _begin(at, command.header),
    view.Start: _start,
    view.Rematch: _rematch,
    view.Power: _power,
    commands.Sit: _sit,
    commands.Demo: _demo,
    view.SetUp: _set_up,
    commands.Open: _open,
    commands.Close: _close,
    view.Language: _language,
    Boards: _log,
    commands.SavePack: _save_pack,
    view.Seen: _seen,
    commands.Waiting: _waiting,
}
