"""What comes of a command: one function each, found by the command's type.

A handler puts entries into the race or the table's log and gives the events; what it refuses it
raises, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from companion.rules.commands import (
    Answer,
    Bell,
    Correct,
    End,
    Explain,
    Flag,
    Join,
    Line,
    New,
    Retire,
    Return,
    Undo,
)
from companion.rules.errors import Refusal
from companion.table import access, commands, in_race, late, lobby, pace, undo
from companion.table.commands import Boards, Command, Note
from companion.table.context import NOTHING, Context, Outcome
from companion.table.lobby_race import header_of, pack_of
from companion.table.ports import Caller, Reply
from companion.table.race import Race
from companion.table.refusals import bad_value, not_kept, refused
from companion.table.state import TableState
from companion.views import model as view
from companion.views.lobby import options


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
    others = access.helpers(state.race.outline, command) if pressed and state.race else ()
    by = access.speaks(caller, command, state.host, others)
    return HANDLERS[type(command)](Context(state, caller, by, at), command)


def time_passes(state: TableState, at: float) -> Outcome:
    """Say what time has brought: a flag for the seat on turn, the bell; what follows from it.

    What the rules do not accept they may accept later: it is tried again.
    """
    race = state.race
    if race is None or race.is_finished or not race.outline.timing.is_on:
        return NOTHING
    context = Context(state, Caller(), "companion", at)
    events: list[Line] = []
    for command in pace.due(pace.look_at(race, lambda: at), race.outline):
        try:
            events += context.put(command).events
        except Refusal:
            continue
    return Outcome(events)


# -- the table -------------------------------------------------------------------------------


def _start(context: Context, command: view.Start) -> Outcome:
    """The race that the lobby has set up."""
    _check_no_race_runs(context.table)
    return _begin(context, header_of(context.table.lobby))


def _begin(context: Context, header: Line) -> Outcome:
    """A race with this header; dice of the companion are thrown at once."""
    return context.follow(context.table.start(header))


def _set_up(context: Context, command: view.SetUp) -> Outcome:
    """A word to the lobby; a race that is over makes room for it. Into one that runs a seat that is
    not in it may come late."""
    table, race = context.table, context.table.race
    if race is not None and _comes_late(race, command):
        name = command.value if isinstance(command.value, str) else None
        return context.put(Join(late.entry_of(race, name, seat=command.seat)))
    _check_no_race_runs(table)
    if table.race is not None:
        lobby.act(table.fresh_lobby(), command.word, command.seat, command.value)
        table.put_away(table.race)
    return _log(context, command)


def _comes_late(race: Race, command: view.SetUp) -> bool:
    return command.word == "join" and not race.is_finished and command.seat not in race.seats


def _rematch(context: Context, command: view.Rematch) -> Outcome:
    """The race on the table, which is over, once more: with everything that its header says."""
    race = context.race
    _check_no_race_runs(context.table)
    header = {key: value for key, value in race.header.items() if key != "position"}
    return _begin(context, header)


def _sit(context: Context, command: commands.Sit) -> Outcome:
    """The next free seat, under a name and with a color; all of it or nothing.

    While a race runs it is a seat of that race, from the next round.
    """
    table = context.table
    if table.race is not None and not table.race.is_finished:
        entry = late.entry_of(table.race, command.name, command.color)
        return replace(context.put(Join(entry)), more={"seat": entry["seat"]})
    here = table.lobby if table.race is None else table.fresh_lobby()
    seat = lobby.free_seat(here, table.buttons)
    words = [view.SetUp("join", command.name, seat)]
    if command.color is not None and "color" in options.open_keys(here):
        words.append(view.SetUp("color", command.color, seat))
    for word in words:
        here = lobby.act(here, word.word, seat, word.value)
    for word in words:
        _set_up(context, word)
    return Outcome(more={"seat": seat})


def _check_no_race_runs(table: TableState) -> None:
    if table.race is not None and not table.race.is_finished:
        raise refused("race-runs")


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
    told = [{"id": race.id, "name": race.name} for race in races]
    return Outcome(more={"waiting": told, "page": command.page, "pages": pages})


HANDLERS: Mapping[type[Command], Callable[[Context, Any], Outcome]] = {
    **dict.fromkeys((Answer, Undo, Correct, Retire, Return, Join, End), in_race.put),
    **dict.fromkeys((Flag, Bell), in_race.put),
    **dict.fromkeys((Note, view.Pause), in_race.keep),
    view.Preset: in_race.preset,
    view.TakeBack: in_race.take_back,
    view.Propose: in_race.propose,
    Explain: in_race.explain,
    view.Agree: in_race.agree,
    commands.PreviewUndo: in_race.preview_undo,
    commands.Replay: in_race.replay,
    commands.Amend: in_race.amend,
    commands.LastAnswers: lambda at, command: Outcome(
        more={"answers": undo.last_answers(at.race, command.count)}
    ),
    New: lambda at, command: _begin(at, command.header),
    view.Start: _start,
    view.Rematch: _rematch,
    view.Power: _power,
    commands.Sit: _sit,
    view.SetUp: _set_up,
    commands.Open: _open,
    commands.Close: _close,
    view.Language: _language,
    Boards: _log,
    commands.SavePack: _save_pack,
    view.Seen: _seen,
    commands.Waiting: _waiting,
}
