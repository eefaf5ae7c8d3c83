"""What is changed in a league in one transaction: acts and records, carried out and kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from companion.league import database, errors, finished, keeping
from companion.league.acts import (
    Act,
    Amend,
    Done,
    EnterRace,
    Forget,
    Merge,
    PlaceRace,
    Receive,
    SetSeason,
    TakeRecord,
    Undo,
    format_act,
)
from companion.league.finished import PROGRAM
from companion.league.folding import Folded
from companion.league.forms import MOST_ROUNDS, UNSAID, retold
from companion.league.keeping import put_record
from companion.league.plain import COMPANION, Once
from companion.league.stand import Stand

MOST_TOLD: Final = 3
"""Races that a refusal names."""
YEAR: Final = re.compile(r"[12]\d{3}")
"""The key of a season that was made by itself."""


class Change:
    """What is changed in one transaction: acts and records, and the value that they make.

    Args:
        before: what stands.
        people: who is to be named, and how.
        now: the date and time, ISO 8601.
        refold: folds the acts anew as they are now; no act before the given number has changed.
    """

    def __init__(
        self,
        ask: database.Ask,
        before: Folded,
        people: keeping.People,
        now: Callable[[], str],
        refold: Callable[[database.Ask, int], Folded],
    ) -> None:
        self.ask, self._people, self._time, self._refold = ask, people, now, refold
        self.now = self._before = before
        self.records: dict[str, str] = {}
        self.undone: int | None = None
        self.first = self.now.head.n + 1
        self._fresh: list[str] = []

    @property
    def stand(self) -> Stand:
        """The league with what has been changed so far."""
        return self.now.stand

    def do(
        self, act: Act, by: str, once: Once | None = None, found: finished.Finished | None = None
    ) -> None:
        """Carry out an act, and keep it.

        Raises:
            BadAct: it has no sense.
        """
        people = self._people
        act = retold(act, people.presented, people.told)
        n, at, who = self.now.head.n + 1, self._time(), people.told(people.presented(by))
        body = json.dumps(format_act(act), ensure_ascii=False)
        once = once if n == self.first else None
        if self.now is self._before:
            self.now = self.now._replace(stand=self.stand.copied())
        if isinstance(act, Undo):
            self._undo(act, n)
        else:
            act.do(self.stand, Done(n, act, at, who, found))
            self.stand.memo.clear()
        self._refuse_one_in_two_cars(act)
        one = keeping.Kept(n, once.key if once else None, at, who, body)
        total = keeping.insert(self.ask, one, self.now.head.sum, once)
        self.now = self.now._replace(head=self.now.head._replace(n=n, sum=total))

    def _refuse_one_in_two_cars(self, act: Act) -> None:
        """See that what is done makes nobody one person who drove two cars of a race under two
        names. What was kept before this was looked at still holds, until somebody parts them.

        Raises:
            BadAct: it does; the names and the races are named.
        """
        before, now = self._before.stand, self.stand
        races = [act.race] if isinstance(act, EnterRace | Amend) else []
        if isinstance(act, Merge | Undo):  # what an undo brings back may be an entry or a merge
            races = list(now.told)
        found: dict[tuple[str, ...], list[str]] = {}
        for key in races:
            race = now.told[key].race
            title = " ".join(dict.fromkeys((race.name, race.date[:10])))
            for names in now.in_two_cars(key) - before.in_two_cars(key):
                found.setdefault(names, []).append(title)
        if found:
            names, told = min(found.items())
            two, hint = [*map(now.spelled, names)], "; part them first"
            if isinstance(act, Merge):  # as they were asked for: other spellings may be hidden
                two, hint = [act.name, act.into], ""
            more = f" and {len(told) - MOST_TOLD} more" if told[MOST_TOLD:] else ""
            raise errors.BadAct(
                f"{' and '.join(two)} cannot be one person: both drove in "
                f"{', '.join(told[:MOST_TOLD])}{more}{hint}"
            )

    def take(self, digest: str, content: bytes, came: finished.JSON, table: str | None) -> None:
        """Keep a record, and take its race in."""
        race = came["id"]
        if race not in self.stand.told:
            self._fresh.append(race)
        text = json.dumps(came, ensure_ascii=False)
        put_record(self.ask, digest, race, table, content, PROGRAM, text)
        by = table or COMPANION
        self.do(TakeRecord(race=race, record=digest), by, found=finished.from_json(came))
        if table is not None:
            self.do(Receive(race=race, table=table, provisional=self.stand.waits), by)
        self.records[digest] = race

    def content(self, digest: str) -> bytes:
        """The bytes of a record."""
        return bytes(self.ask.one("SELECT content FROM records WHERE digest = ?", digest))

    def place(self) -> None:
        """Put the races that came in as records, and of which nobody has said where they belong,
        into the season that is open; else into none. The first race makes the season of its year,
        and so does the first one of a later year where seasons are made so."""
        for race in self._fresh:
            if self.stand.told[race].placed:
                continue
            year = self.stand.told[race].race.date[:4]
            if self._begins(year):
                self.do(SetSeason(season=year, title=year, is_open=True), COMPANION)
            seasons = (one.season for one in self.stand.stages.values() if one.season.is_open)
            act, season = PlaceRace(race=race, season=None), next(seasons, None)
            if season is not None:
                # The number is written down: it shall not hang on which other races are there.
                n = season.current_round or next(self.stand.next_rounds(season.key))
                number = n if n <= MOST_ROUNDS else UNSAID
                act = PlaceRace(race=race, season=season.key, round=number)
            self.do(act, COMPANION)

    def _begins(self, year: str) -> bool:
        """Whether a season of a year is to be made: nobody has made one, or those that are there
        are called after earlier years."""
        stages = self.stand.stages
        now = next((key for key, one in stages.items() if one.season.is_open), "")
        is_later = YEAR.fullmatch(now) is not None and now < year and year not in stages
        return YEAR.fullmatch(year) is not None and (is_later or not stages)

    def _undo(self, act: Undo, n: int) -> None:
        """Fold without an act; of an undo itself, with the one that it took back."""
        rows = self.ask("SELECT body, undone FROM acts WHERE n = ?", act.number)
        told: finished.JSON = {"act": Forget.kind}
        if rows and rows[0][1] is None:
            told = json.loads(rows[0][0])
        if told["act"] == Forget.kind:
            raise errors.BadAct(f"there is no act {act.number} that could be undone")
        first = act.number
        if told["act"] == Undo.kind:
            first = int(told["number"])
            self.ask("UPDATE acts SET undone = NULL WHERE n = ?", first)
        self.ask("UPDATE acts SET undone = ? WHERE n = ?", n, act.number)
        self.now = self._refold(self.ask, first)
        self.undone = min(first, self.undone or first)
