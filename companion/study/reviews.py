"""Reviews of records: made when a page asks, kept as files, and made ahead while nothing else is.

A review takes seconds, and minutes where its board has to be solved first, so a page never waits
for one: it asks, gets None, and asks again later. A thread takes one race after the other; the work
is done by a process of its own, so that whoever serves pages does not grow by it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from logging import getLogger
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final, Protocol

from companion.advice.alone import BySky
from companion.advice.bots.by_room import play
from companion.advice.bots.levels import level_kind
from companion.advice.review import Course, moment_of, review
from companion.journal.journal import FolderLock
from companion.race.record import JSON, RecordError, engine_line, header_of, replay, tracks_of
from companion.rules.board.ways import keep_roads
from companion.rules.formula.book import refuse_unknown_to_advice
from companion.rules.formula.car import Car
from companion.rules.formula.game import Formula
from companion.rules.formula.state import State
from companion.rules.games import KINDS, fetch, name_in
from companion.rules.lines import Answer, Malformed, Referee, Undo, read
from companion.rules.packs import part, refuse_without
from companion.study.solved import CannotSolve, Progress, SolvedBoards
from companion.system.host import Closing, make_way, write_whole
from companion.table.ports import StorageError


def review_record(
    lines: Sequence[JSON], solved: SolvedBoards, progress: Progress = lambda share: None
) -> Mapping[int, Course]:
    """The course of each car of a record.

    Raises:
        RecordError: it cannot be replayed.
        Malformed: the race was not run on a board, is none of the Formula games, was run without
            advice, or is played by a house switch that advice does not know.
        CannotSolve, OSError: its board cannot be solved here.
    """
    header = header_of(lines[0])
    game = fetch(name_in(header))
    if not isinstance(game, Formula):
        raise Malformed("no-review", f"reviews are of formula-d and formule-de, not {game.name}")
    rest, beside = part(header)
    refuse_without(beside)
    end: State = replay(lines).moment
    if end.setup.boardless:
        raise Malformed("board-blank", "a race without a board has no review")
    refuse_unknown_to_advice(end.setup.house, end.setup.edition.name)
    wears = [car.full for car in end.cars.values()]
    begun = game.begin(rest, tracks_of(lines[0]).load(header["track"])).state
    setup = begun.setup
    figures = BySky(setup, lambda sky: solved.solved(setup, wears, progress, sky=sky))
    return review(game, figures, begun, commands_of(lines))


def commands_of(lines: Sequence[JSON]) -> list[tuple[int, Answer | Referee]]:
    """The commands that count, each with the number of its line, from 1; those undone are gone."""
    kept: list[tuple[int, Answer | Referee]] = []
    for number, line in enumerate(lines[1:], 2):
        given = engine_line(line)
        command = None if given is None else read(given, KINDS)
        if isinstance(command, Undo):
            del kept[-command.count :]
        elif isinstance(command, Answer | Referee):
            kept.append((number, command))
    return kept


def review_as_json(lines: Sequence[JSON], courses: Mapping[int, Course]) -> dict[str, Any]:
    """A review as it is kept and shown: of each car its figures, its mistakes, its curve.

    `curve` has by round what its result was expected to be, `chances` its chance to win; `moment`
    decided the race, or is None. Seats are named by their numbers, nobody by a name.
    """
    result = next(line["result"] for line in reversed(lines) if "result" in line)
    home = [row["seat"] for row in result if row["status"] == "finished"]
    cars = {str(seat): _car(course) for seat, course in courses.items()}
    found = moment_of(courses, home)
    return {
        "cars": cars,
        "moment": None if found is None else found._asdict(),
    }


def _car(course: Course) -> dict[str, Any]:
    figures = course.as_json()
    del figures["decisions"], figures["rolls"]
    rolls = sorted(course.rolls, key=lambda roll: roll.luck)
    return {
        **figures,
        "mistakes": [one.as_json() for one in course.mistakes],
        # The luckiest and the unluckiest; positive is bad luck.
        "rolls": [roll.as_json() for roll in (*rolls[:1], *rolls[1:][-1:])],
        "curve": {str(step.at.round): step.turns for step in course.history},
        "chances": {str(number): round(wins, 3) for number, wins in course.chances.items()},
    }


# -- reviews that are kept ------------------------------------------------------------------------


FORM = 5
"""Goes up with every change of what is kept: an older review is made again."""
LONGEST_S = 600
_log = getLogger(__name__)


class KeptReviews(Closing):
    """The reviews of a data folder.

    Args:
        folder: of the solved boards; reviews are in `reviews` there.
    """

    def __init__(self, folder: Path) -> None:
        self._solved, self._folder = folder, folder / "reviews"
        self._waiting: SimpleQueue[tuple[Path, Callable[..., None], Sequence[Any]] | None]
        self._waiting = SimpleQueue()
        self._asked: set[Path] = set()
        self._failed: set[Path] = set()
        self._lock = Lock()
        self._thread: Thread | None = None

    def close(self) -> None:
        """Stop after the race at hand. May be called twice."""
        self._waiting.put(None)

    def known(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race as it was made last; None: there is none."""
        return _made(self._kept(self._path(race)))

    def _kept(self, path: Path) -> Mapping[str, Any] | None:
        """What came of reviewing a race: the review, or why there is none (`none`)."""
        try:
            data: Any = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) and data.get("form") == FORM else None

    @property
    def is_busy(self) -> bool:
        """Whether a race is being reviewed, or waits for it."""
        return bool(self._asked)

    def review(
        self, race: str, lines: Sequence[JSON], *, gently: bool = False
    ) -> Mapping[str, Any] | None:
        """The review of a record; None: it is being made, or (`why_none`) cannot be had.

        `gently`: made with what nobody else wants of the processor.
        """
        path = self._path(race)
        given = self._solved, path, list(lines), gently
        return _made(self._had(path, lines, make_review, given))

    def what_if(
        self, race: str, lines: Sequence[JSON], line: int, answers: Sequence[object]
    ) -> Mapping[str, Any] | None:
        """What bots make of a race after each of some answers at a line of its record.

        None: it is being driven. Nothing is told of a race that cannot be (`ways` is empty).
        """
        path = self._path(race, f"-{line}")
        given = path, list(lines), line, list(answers)
        kept = self._had(path, lines, make_what_if, given)
        return {"ways": []} if kept is None and path in self._failed else kept

    def _had(
        self, path: Path, lines: Sequence[JSON], make: Callable[..., None], given: Sequence[Any]
    ) -> Mapping[str, Any] | None:
        """What is kept of this record; None: it is being made, or cannot be."""
        kept = self._kept(path)
        if kept is not None and kept["digest"] == digest(lines):
            return kept
        if path in self._failed:  # until the next start: it would fail again
            return None
        with self._lock:
            if path not in self._asked:
                self._asked.add(path)
                self._waiting.put((path, make, given))
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="reviews", daemon=True)
                self._thread.start()
        return None

    def why_none(self, race: str, lines: Sequence[JSON]) -> str | None:
        """Why no review of a record can be had, in a sentence; None: there is one, or will be."""
        path = self._path(race)
        kept = self._kept(path)
        if kept is not None and kept["digest"] == digest(lines):
            return kept.get("none")
        return "it could not be made on this computer" if path in self._failed else None

    def _serve(self) -> None:
        while (asked := self._waiting.get()) is not None:
            path, make, given = asked
            # Not forked: another thread of this process may hold a lock at that moment.
            process = get_context("spawn").Process(target=make, args=given, daemon=True)
            process.start()
            process.join(LONGEST_S)
            # Whatever takes longer is ended; its status is then not 0, so it has failed.
            process.kill()
            process.join()
            if process.exitcode:
                _log.warning("a race could not be reviewed (see above): %s", path.name)
                self._failed.add(path)
            self._asked.discard(path)

    def _path(self, race: str, of: str = "") -> Path:
        return self._folder / f"{hashlib.sha256(race.encode()).hexdigest()[:24]}{of}.json"


def _made(kept: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return None if kept is None or "none" in kept else kept


def digest(lines: Sequence[JSON]) -> str:
    """The hash by which a record is known again, whatever people are called in it."""
    kept = [{**lines[0], "seats": None, "name": None}, *lines[1:]]
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


_LOWEST = 19
"""The priority of what only fills the gaps."""


def make_review(solved: Path, path: Path, lines: Sequence[JSON], gently: bool = False) -> None:
    """Review a record, and keep what came of it; in a process of its own."""
    if gently:
        make_way(_LOWEST)
    try:
        courses = review_record(lines, SolvedBoards(solved))
        found: dict[str, Any] = review_as_json(lines, courses)
    except (RecordError, Malformed, CannotSolve) as error:
        found = {"none": str(error)}
    _keep(path, lines, found)


def _keep(path: Path, lines: Sequence[JSON], found: Mapping[str, Any]) -> None:
    data = {"form": FORM, "digest": digest(lines), **found}
    write_whole(path, json.dumps(data).encode())


# -- what if --------------------------------------------------------------------------------------


RACES: Final = 100
"""That are driven after each of the two answers, as far as `WAIT_S` reaches."""
WAIT_S: Final = 9.0


def make_what_if(path: Path, lines: Sequence[JSON], line: int, answers: Sequence[object]) -> None:
    """Drive the rest of a race after each of some answers, and keep what came of it.

    In a process of its own, since the roads of the board stay in it (`keep_roads`).
    """
    until = monotonic() + WAIT_S
    keep_roads()
    _keep(path, lines, {"ways": what_if(lines, line, answers, lambda: monotonic() < until)})


def what_if(
    lines: Sequence[JSON], line: int, answers: Sequence[object], goes_on: Callable[[], bool]
) -> list[dict[str, float]]:
    """How a car does after each of some answers at a line of a record, as amateurs drive on.

    `place` is the mean, `wins` and `out` are counted. After each answer the dice fall the same.
    """
    engine, asked = replay(lines[: line - 1]), read(engine_line(lines[line - 1]) or {}, KINDS)
    game, state = fetch(name_in(header_of(lines[0]))), engine.moment
    assert isinstance(asked, Answer)
    assert isinstance(game, Formula)
    given = [Answer(asked.seat, asked.kind, answer) for answer in answers]
    begun = [game.decide(state, one, game.asks(state)).state for one in given]
    drivers = dict.fromkeys(state.cars, level_kind("amateur").make(None))
    ends: list[list[Car]] = [[] for _ in begun]
    for number in range(RACES):
        if number and not goes_on():
            break
        for found, after in zip(ends, begun, strict=True):
            found.append(play(after, drivers, Random(number)).cars[asked.seat])
    return [_driven(cars) for cars in ends]


def _driven(cars: Sequence[Car]) -> dict[str, float]:
    return {
        "races": len(cars),
        "place": sum(car.place or 0 for car in cars) / len(cars),
        "wins": sum(car.place == 1 for car in cars),
        "out": sum(car.out is not None for car in cars),
    }


# -- reviews that nobody has asked for yet --------------------------------------------------------


PAUSE_S = 20.0
"""Between two looks; a race that somebody asks about comes first."""


class Races(Protocol):
    """Who has the races and their records (`League.public`)."""

    def races(self) -> Sequence[Any]:
        """All of them."""

    def record(self, race: str) -> Sequence[JSON] | None:
        """The lines of a race; None: there are none to be seen."""


class Catching(Protocol):
    """Who takes in races that have come since (`League`)."""

    @property
    def public(self) -> Races:
        """What may be seen of it."""

    def catch_up(self, *, wait: bool) -> object:
        """Take them in; if somebody else does, leave it to them."""


class IdleReviews(Closing):
    """Looks every so often for a race without a review, so that a season's tables are whole.

    One race at a time, the newest first, with a pause between two, at the lowest priority. Of
    several processes that serve a club one does it: whoever holds the folder.

    Args:
        folder: of the solved boards and reviews.
    """

    def __init__(
        self, league: Catching, reviews: KeptReviews, folder: Path, pause_s: float = PAUSE_S
    ) -> None:
        self._league, self._reviews, self._folder = league, reviews, folder / "reviews"
        self._pause_s, self._closing = pause_s, Event()
        self._lock: FolderLock | None = None
        self._done: set[str] = set()
        self._thread = Thread(target=self._serve, name="idle reviews", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called twice."""
        self._closing.set()
        self._thread.join(timeout=1)  # it may be reading all races
        if self._lock is not None:
            self._lock.close()

    def _serve(self) -> None:
        while not self._closing.wait(self._pause_s):
            try:
                self.step()
            except Exception as error:  # whatever the races' store raises: this thread goes on
                _log.warning("no review in the background: %s", error)

    def step(self) -> str | None:
        """Have one race reviewed, if nothing else is; its name."""
        if self._reviews.is_busy or not self._holds():
            return None
        self._league.catch_up(wait=False)
        for race in sorted(self._league.public.races(), key=lambda one: one.date, reverse=True):
            if race.id in self._done or race.source != "record" or race.remark is not None:
                continue
            # Before it is tried: what cannot be reviewed is not tried again at every look.
            self._done.add(race.id)
            lines = self._league.public.record(race.id)
            if lines is not None and self._wants(race.id, lines):
                self._reviews.review(race.id, lines, gently=True)
                return str(race.id)
        return None

    def _wants(self, race: str, lines: Sequence[JSON]) -> bool:
        known, why_none = self._reviews.known(race), self._reviews.why_none(race, lines)
        return known is None and why_none is None

    def _holds(self) -> bool:
        """Whether it is this process that does it."""
        if self._lock is None:
            try:
                self._lock = FolderLock(self._folder)
            except StorageError:
                return False
        return True
