"""The engine protocol: one line in, one reply out (what UCI is to chess).

The engine holds one race. It knows games only through `companion.rules.game.Game`; what it
adds is what every program outside relies on: versions, the version at which an ask opened,
stale answers, undo, and refusals that change nothing.

States are immutable, so undo is to go on from the state before; the stack of states costs
about a kilobyte an answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.rules.board.track import Track
from companion.rules.errors import Illegal, Malformed, NoRace, Refusal, Stale
from companion.rules.game import JSON, Answer, Ask
from companion.rules.shelf import NAMES, AnyGame, fetch, game_of

# The kinds of asks of all games; a line's kind is the one of these keys that it has.
KINDS = (
    *("gear", "roll", "black", "length", "move", "slipstream", "pit", "tires", "repair"),
    *("recover", "build", "radio", "trail", "reroll", "time", "report", "order"),
    *("pole", "lot", "bid", "award", "keep", "played", "bet"),
)
REFEREE = ("correct", "retire", "return", "end")
COMMANDS = ("new", "undo", *REFEREE, "state", "quit", *KINDS)
DEEPEST = 60


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
    """

    def __init__(self, tracks: Tracks) -> None:
        self._tracks = tracks
        self._game: AnyGame = fetch(NAMES[0])
        self._states: list[Any] = []
        self._asks: list[JSON] = []
        self._open: Sequence[Ask] = ()
        self.version = 0
        self.header: JSON | None = None
        self.track: Track | None = None
        self.card: Track | None = None
        self.lines: list[JSON] = []

    def asks(self) -> list[JSON]:
        """The open asks, each with `since`."""
        return list(self._asks)

    def state(self) -> dict[str, Any] | None:
        """STATE, or None where no race has been started."""
        return self._game.tell(self._states[-1]) if self._states else None

    def secrets(self, seat: int) -> dict[str, Any]:
        """What only this seat may see: for its own screen, and for nothing else."""
        return self._game.secrets(self._states[-1], seat) if self._states else {}

    @property
    def moment(self) -> Any:
        """The state itself with all its secrets, for programs in this process that look ahead.

        Raises:
            NoRace: none has been started.
        """
        if not self._states:
            raise NoRace("no-race", "there is no race yet")
        return self._states[-1]

    def handle(self, line: Any) -> dict[str, Any]:
        """The reply to one line; a refused line changes nothing."""
        try:
            events = self._carry_out(line)
        except Refusal as refusal:
            return {"ok": False, "error": refusal.as_json(), "asks": self.asks()}
        reply: dict[str, Any] = {
            "ok": True,
            "version": self.version,
            "events": events,
            "asks": self.asks(),
        }
        if "state" in line:
            reply["state"] = self.state()
        return reply

    def _carry_out(self, line: Any) -> list[dict[str, Any]]:
        word = command_of(line)
        if word == "new":
            return self._new(line)
        if word == "quit":
            _is_true(line, word)
            return []
        if not self._states:
            raise NoRace("no-race", 'there is no race yet; start one with {"new": HEADER}')
        if word == "state":
            _is_true(line, word)
            return []
        if word == "undo":
            return self._undo(line)
        return self._accept(line, word)

    def _new(self, line: JSON) -> list[dict[str, Any]]:
        header = line["new"]
        if set(line) != {"new"} or not isinstance(header, dict):
            raise Malformed("new-form", f'new is {{"new": HEADER}}, not {line!r:.60}')
        game = game_of(header)
        track = self._load(game, header)
        opened = game.begin(header, track)
        self.version += 1
        self._game = game
        blank = track is not None and track.is_blank
        self.track, self.card = (None, track) if blank else (track, None)
        self.header, self.lines = header, []
        self._states, self._asks = [opened.state], []
        self._open_asks(None)
        return self._game.public(opened.events)

    def _load(self, game: AnyGame, header: JSON) -> Track | None:
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

    def _accept(self, line: JSON, word: str) -> list[dict[str, Any]]:
        state = self._states[-1]
        # `end` is the referee's; from seat 0 it answers the ask of that name.
        if word in KINDS or (word == "end" and line.get("seat") == 0):
            answer = self._answer(line, word)
            decision = self._game.decide(state, answer, self._open)
            answered = (answer.seat, answer.kind)
        else:
            if "seat" in line:
                _is_whole(line["seat"], "seat")
            elif word in ("retire", "return"):
                raise Malformed("seat-missing", f"{word} names a seat")
            decision = self._game.referee(state, line)
            answered = None
        self.version += 1
        self.lines.append(line)
        self._states.append(decision.state)
        self._open_asks(answered)
        return self._game.public(decision.events)

    def _answer(self, line: JSON, kind: str) -> Answer:
        unknown = sorted(set(line) - {"seat", kind, "version"})
        if unknown:
            raise Malformed(
                "unknown-key",
                f"an answer has seat, {kind} and version, not {unknown[0]!r:.40}",
                args={"what": "answer", "name": unknown[0][:40]},
            )
        if "seat" not in line:
            raise Malformed("seat-missing", f"{kind} is answered by a seat")
        seat = _is_whole(line["seat"], "seat")
        seats = sorted(self._game.seats(self._states[-1]))
        asked = {ask["seat"] for ask in self._asks}
        if seat not in seats and seat not in asked:  # seat 0 is the table, where it is asked
            message = f"this race has seats {seats}, not {seat}"
            raise Illegal("no-such-seat", message, args={"seat": seat})
        self._refuse_stale(line, seat, kind)
        return Answer(seat, kind, line[kind])

    def _refuse_stale(self, line: JSON, seat: int, kind: str) -> None:
        if "version" not in line:
            return
        version = _is_whole(line["version"], "version")
        for ask in self._asks:
            if (ask["seat"], ask["kind"]) == (seat, kind) and version < ask["since"]:
                raise Stale(
                    "stale",
                    f"this ask opened at version {ask['since']}, the answer is from {version}",
                    args={"since": ask["since"], "version": version},
                )

    def _undo(self, line: JSON) -> list[dict[str, Any]]:
        if set(line) != {"undo"}:
            raise Malformed("undo-form", f'undo is {{"undo": n}}, not {line!r:.60}')
        count = _is_whole(line["undo"], "undo")
        taken = len(self.lines)
        if count < 1:
            raise Malformed("undo-form", f"undo takes back 1 answer or more, not {count}")
        if count > taken:
            raise Illegal(
                "undo-too-many",
                f"there are {taken} answers to take back, not {count}",
                args={"count": count, "taken": taken},
            )
        self.version += 1
        del self.lines[-count:]
        del self._states[-count:]
        self._open_asks(None)
        return [{"event": "TakenBack", "seat": 0, "rule": None, "answers": count}]

    def _open_asks(self, answered: tuple[int, str] | None) -> None:
        """List the asks of the latest state; those that have stayed open keep their `since`."""
        kept = {
            (ask["seat"], ask["kind"]): ask
            for ask in self._asks
            if (ask["seat"], ask["kind"]) != answered
        }
        self._asks = []
        self._open = self._game.asks(self._states[-1])
        for ask in self._open:
            told = ask.as_json()
            old = kept.get((ask.seat, ask.kind))
            same = old is not None and {**told, "since": old["since"]} == old
            told["since"] = old["since"] if old is not None and same else self.version
            self._asks.append(told)


def command_of(line: Any) -> str:
    """Which command a line is.

    Raises:
        Malformed: none, or several at once.
    """
    if not isinstance(line, dict):
        raise Malformed("not-an-object", f"a line is one JSON object, not {line!r:.60}")
    words = [word for word in COMMANDS if word in line]
    if len(words) != 1:
        found = " and ".join(words) or ", ".join(sorted(map(repr, line)))[:60] or "nothing"
        raise Malformed(
            "no-command",
            f"a line has exactly one of {', '.join(COMMANDS)}; this one has {found}",
            args={"found": found},
        )
    return words[0]


def parse_line(raw: bytes) -> Any:
    """The JSON of one line.

    Raises:
        Malformed: not JSON in UTF-8, or nested deeper than anything here is.
    """
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise Malformed("not-utf8", f"the line is not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise Malformed("too-deep", f"the line is nested deeper than {DEEPEST} levels") from None
    except ValueError as error:
        raise Malformed("not-json", f"the line is not JSON: {str(error)[:80]}") from None
    if _depth(value) > DEEPEST:
        raise Malformed("too-deep", f"the line is nested deeper than {DEEPEST} levels")
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _depth(value: Any) -> int:
    """How deep lists and objects are nested; no recursion, as the value is not trusted."""
    depth, level = 0, [value]
    while level and depth <= DEEPEST:
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inner += one.values()
            elif isinstance(one, list):
                inner += one
        depth, level = depth + 1, inner
    return depth


def _is_whole(value: Any, what: str) -> int:
    if type(value) is not int:
        raise Malformed(
            "not-a-number", f"{what} is a whole number, not {value!r:.60}", args={"kind": what}
        )
    return value


def _is_true(line: Mapping[str, Any], word: str) -> None:
    if line[word] is not True or len(line) != 1:
        raise Malformed("not-true", f'{word} is {{"{word}": true}}, not {line!r:.60}')
