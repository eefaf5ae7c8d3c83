"""The engine protocol: one line in, one reply out (what UCI is to chess).

The engine holds one race. It knows games only through `companion.rules.game.Game`; what it
adds is what every program outside relies on: versions, the version at which an ask opened,
stale answers, undo, and refusals that change nothing.

`handle` takes lines and gives replies; programs in this process give commands to `carry_out`.
States are immutable, so undo is to go on from the state before; the stack of states costs
about a kilobyte an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.rules import codec
from companion.rules.board.track import Track
from companion.rules.codec import Context, Fielded
from companion.rules.game import Ask, Explanation, Left, OpenAsk, Outline, refusal_by
from companion.rules.games import KINDS, AnyGame, fetch, name_in
from companion.rules.lines import (
    BEFORE_A_RACE,
    Answer,
    Command,
    Correct,
    Explain,
    Illegal,
    InRace,
    Line,
    Malformed,
    New,
    NoRace,
    Referee,
    Refusal,
    ShowState,
    Stale,
    Undo,
    line_of,
    read_as,
    word_of,
)
from companion.rules.packs import part

TABLE = 0
"""The seat of what the whole table is asked."""
Events = Sequence[Line]
"""As the engine protocol tells them to everybody."""


class Tracks(Protocol):
    """Where tracks come from."""

    def load(self, name: str) -> Track:
        """The track of this name.

        Raises:
            Malformed: there is none, naming those that there are.
        """


class Engine:
    """Takes lines of the engine protocol. `handle` never raises.

    `track` is the board of the race; where only a card of it is known, that is `card`.
    `accepted` are the commands that undo counts, `events` what came of the last of them (or of the
    header) in the game's own types; `open` the open asks, `open_asks` the same, each with the
    version at which it opened.
    """

    def __init__(self, tracks: Tracks) -> None:
        self._tracks = tracks
        self._game: AnyGame
        self._states: list[object] = []
        self.version = 0
        self.header: Line | None = None
        self.track: Track | None = None
        self.card: Track | None = None
        self.accepted: list[InRace] = []
        self.events: Sequence[Any] = ()
        self.open: tuple[Ask, ...] = ()
        self._outline: Outline | None = None
        self.open_asks: tuple[OpenAsk, ...] = ()

    def asks(self) -> list[Line]:
        """The open asks, each with `since`."""
        return [ask.line for ask in self.open_asks]

    @property
    def lines(self) -> list[Line]:
        """The accepted lines that stand."""
        return [command.line for command in self.accepted]

    def state(self) -> Line | None:
        """STATE, or None where no race has been started."""
        return self._game.tell(self._states[-1]) if self._states else None

    def secrets(self, seat: int) -> Line:
        """What only this seat may see: for its own screen, and for nothing else."""
        own = self.own(seat) if self._states else None
        return {} if own is None else codec.tell(own, Context())

    def own(self, seat: int) -> Fielded | None:
        """The same as a record of the game's.

        Raises:
            NoRace: none has been started.
        """
        return self._game.own(self.moment, seat)

    @property
    def visible(self) -> object | None:
        """The state itself as everybody may see it; None where no race has been started."""
        return self._game.visible(self._states[-1]) if self._states else None

    def outline(self) -> Outline:
        """What a table has to know of the state, whatever the game.

        Raises:
            NoRace: none has been started.
        """
        if self._outline is None:
            self._outline = self._game.outline(self.moment)
        return self._outline

    @property
    def playing(self) -> frozenset[int]:
        """The seats whose people still have a part to play.

        Raises:
            NoRace: none has been started.
        """
        seats = frozenset(self._game.seats(self.moment))
        return seats - self.outline().bystanders - {TABLE}

    def elsewhere(self, seat: int, space: str) -> Answer | Correct:
        """The command by which what a seat moves stands at this space, whatever the state says.

        Raises:
            Refusal: it cannot, or none has been started.
        """
        return self._game.elsewhere(self.moment, self.open, seat, space)

    @property
    def moment(self) -> Any:
        """The state itself with all its secrets, for programs in this process that look ahead.

        Raises:
            NoRace: none has been started.
        """
        self._need_race()
        return self._states[-1]

    @property
    def begun(self) -> Any:
        """The state that the race was opened with.

        Raises:
            NoRace: none has been started.
        """
        self._need_race()
        return self._states[0]

    def turns_left(self, had: Mapping[int, int]) -> Left | None:
        """The turns that are left after so many of each seat; None: who knows.

        Raises:
            NoRace: none has been started.
        """
        return self._game.turns_left(self.moment, self._states[0], had)

    @property
    def memory(self) -> tuple[object, ...]:
        """What another engine with the same header needs to stand where this one does."""
        since = {(one.seat, one.kind): one.since for one in self.open_asks}
        return self.version, self.events, since, self._states[-1]

    def recall(self, memory: tuple[Any, ...], accepted: Sequence[InRace]) -> None:
        """Stand where one stood that had accepted these; the states before are worked out again
        when somebody takes back so much."""
        self.version, self.events, since, state = memory
        self.accepted, self._outline = [*accepted], None
        self._states[1:] = [*[None] * (len(accepted) - 1), state]
        self.open = tuple(self._game.asks(state))
        self.open_asks = tuple(OpenAsk(ask, since[ask.seat, ask.kind]) for ask in self.open)

    def handle(self, line: object) -> dict[str, Any]:
        """The reply to one line; a refused line changes nothing."""
        try:
            given = line_of(line)
            word = word_of(given, KINDS)
            if word not in BEFORE_A_RACE:
                self._need_race()
            command = read_as(word, given)
            if isinstance(command, Explain):
                data = self.explain(command.answer).as_json()
                return {"ok": True, "version": self.version, "explain": data, "asks": self.asks()}
            events = self.carry_out(command)
        except Refusal as refusal:
            return {"ok": False, "error": refusal.as_json(), "asks": self.asks()}
        reply = {"ok": True, "version": self.version, "events": events, "asks": self.asks()}
        if isinstance(command, ShowState):
            reply["state"] = self.state()
        return reply

    def explain(self, answer: Answer) -> Explanation:
        """Why an answer is, or is not, legal now.

        Raises:
            NoRace: none has been started.
        """
        moment = self.moment
        # A stranger breaks no rule of the game: the refusal names none either.
        is_stranger = refusal_by(lambda: self._refuse_stranger(answer)) is not None
        return Explanation(False) if is_stranger else self._game.explain(moment, answer, self.open)

    def refusal_of(self, *answers: Answer) -> Refusal | None:
        """How the first of these answers in a row that is refused would be; None: all of them
        would be accepted. Nothing changes.

        Raises:
            NoRace: none has been started.
        """
        moment, asks = self.moment, self.open

        def decide() -> None:
            state, open_asks = moment, asks
            for number, answer in enumerate(answers, 1):
                self._refuse_stranger(answer)
                state = self._game.decide(state, answer, open_asks).state
                open_asks = tuple(self._game.asks(state)) if number < len(answers) else ()

        return refusal_by(decide)

    def carry_out(self, command: Command) -> Events:
        """The events of one command; a refused one changes nothing.

        Raises:
            Refusal: it is not accepted.
        """
        match command:
            case New(header):
                return self._new(header)
            case Undo(count):
                return self._undo(count)
            case Answer():
                return self._answer(command)
            case _ if isinstance(command, Referee):
                self._need_race()
                decision = self._game.referee(self._states[-1], command)
                return self._accept(command, decision.state, decision.events, None)
        return []

    def _need_race(self) -> None:
        if not self._states:
            raise NoRace("no-race", 'there is no race yet; start one with {"new": HEADER}')

    def _new(self, header: Line) -> Events:
        # Whatever may refuse the header comes first, so that the race that runs stays as it is.
        game = fetch(name_in(header))
        track = self._load(game, header)
        decision = game.begin(part(header)[0], track)
        self.version += 1
        self._game = game
        blank = track is not None and track.is_blank
        self.track, self.card = (None, track) if blank else (track, None)
        self.header, self.accepted = header, []
        # No ask of the last race may lend its `since` to one of this race.
        self._states, self.open_asks = [decision.state], ()
        self._open_asks(None)
        self.events = decision.events
        return game.public(decision.events)

    def _load(self, game: AnyGame, header: Line) -> Track | None:
        name = header.get("track")
        if not game.needs_track:
            if name is not None:
                message = f"{game.name} is played without a track file: null, not {name!r:.40}"
                raise Malformed("track-not-used", message)
            return None
        if name is None and "track" in header and game.plays_boardless:
            return None
        if not isinstance(name, str):
            raise Malformed("track-form", f"track is the name of a track, not {name!r:.40}")
        return self._tracks.load(name)

    def _answer(self, answer: Answer) -> Events:
        self._need_race()
        self._refuse_stranger(answer)
        self._refuse_stale(answer)
        decision = self._game.decide(self._states[-1], answer, self.open)
        answered = (answer.seat, answer.kind)
        return self._accept(answer, decision.state, decision.events, answered)

    def _refuse_stranger(self, answer: Answer) -> None:
        """Refuse a seat that the race has not; 0 is the table, if it is asked."""
        seats = self._game.seats(self._states[-1])
        if answer.seat not in seats and all(ask.seat != answer.seat for ask in self.open):
            message = f"this race has seats {sorted(seats)}, not {answer.seat}"
            raise Illegal("no-such-seat", message, args={"seat": answer.seat})

    def _refuse_stale(self, answer: Answer) -> None:
        since, version = self.since(answer.seat, answer.kind), answer.version
        if since is not None and version is not None and version < since:
            raise Stale(
                "stale",
                f"this ask opened at version {since}, the answer is from {version}",
                args={"since": since, "version": version},
            )

    def since(self, seat: int, kind: str) -> int | None:
        """The version at which the ask of this kind opened; None: this seat is not asked it."""
        asked = (ask for ask in self.open_asks if (ask.seat, ask.kind) == (seat, kind))
        return next((ask.since for ask in asked), None)

    def _accept(
        self,
        command: InRace,
        state: object,
        events: Sequence[object],
        answered: tuple[int, str] | None,
    ) -> Events:
        self.version += 1
        self.accepted.append(command)
        self._states.append(state)
        self._open_asks(answered)
        self.events = events
        return self._game.public(events)

    def _undo(self, count: int) -> Events:
        self._need_race()
        taken = len(self.accepted)
        if count > taken:
            raise Illegal(
                "undo-too-many",
                f"there are {taken} answers to take back, not {count}",
                args={"count": count, "taken": taken},
            )
        stand, states = self.accepted[:-count], self._states[:-count]
        if states[-1] is None:
            # Whatever fails here has changed nothing.
            again = Engine(self._tracks)
            for command in (New(self.header or {}), *stand):
                again.carry_out(command)
            states = again._states
        # Whose answers they were, and to what: the first of them first.
        gone = (one for one in self.accepted[-count:] if isinstance(one, Answer))
        whose = [[one.seat, one.kind] for one in gone]
        self.version, self.accepted, self._states = self.version + 1, stand, states
        self._open_asks(None)
        told = {"event": "TakenBack", "seat": 0, "rule": None, "answers": count}
        return [{**told, "taken": whose}]

    def _open_asks(self, answered: tuple[int, str] | None) -> None:
        """List the asks of the latest state; those that have stayed open keep their `since`."""
        kept = {(one.seat, one.kind): one for one in self.open_asks}
        if answered is not None:
            # The seat may be asked the same again at once, and that is another ask.
            kept.pop(answered, None)
        self._outline = None
        self.open = tuple(self._game.asks(self._states[-1]))
        self.open_asks = tuple(
            _opened(ask, self.version, kept.get((ask.seat, ask.kind))) for ask in self.open
        )


def _opened(ask: Ask, version: int, kept: OpenAsk | None) -> OpenAsk:
    """An ask with its version; one that reads as before has stayed open."""
    # Comparing records is cheap. Different ones may still read the same to everybody outside,
    # and then the ask has stayed open.
    if kept is not None and kept.ask == ask:
        return kept
    opened = OpenAsk(ask, version)
    if kept is not None and kept.line == {**opened.line, "since": kept.since}:
        return OpenAsk(ask, kept.since)
    return opened
