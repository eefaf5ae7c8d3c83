"""Entering those who go on into other stages, and drawing tables: the acts; pure.

Who sits at which table on a tournament day, and where on its grid: pure, the chance is given.

Tables are as even as can be. By lot, everybody goes to one of the emptiest tables, to one with
the fewest of the team; by number or by placing, the first ones sit at the first table, as after
time trials. A grid is drawn in the same way: by lot, or the first ones in front. Who comes late
goes to one of the emptiest tables, to the end of its grid.

What a league works out for its stages and writes down as acts: who goes on, who sits where.

The calendar of a stage: what comes next, and a file of it for the calendars of others; pure.

The file is an iCalendar (RFC 5545): lines end with CR LF, are folded at 75 octets, and commas,
semicolons and line ends in texts are escaped. A round without a date is not in it; one with a date
alone takes that whole day, one with a time is told without a zone, as the hour on the clock of
whoever reads it.

What stands against the drivers of a stage: bans, licence points, places on the next grid; pure.

One place decides it, for entries, draws, grids, scores and pages. A ban of so many rounds holds for
the rounds that are driven after the one it was given in, one ban after another; points on the
licence that reach the season's bound (or a multiple of it) are a ban of one round. Places on the
grid are served by the driver's next race. In a competition what was given in a stage holds in the
later ones. A penalty of a season without a round holds in all of it, until it is lifted.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from itertools import count
from operator import itemgetter
from random import Random
from typing import NamedTuple

from companion.league.acts import MOST_ROUNDS, UNSAID, Act, Enter
from companion.league.errors import BadAct
from companion.league.plain import Draw, Entrant, Penalty, Planned, Race, Season, drivers_in
from companion.league.ports import LeagueQueries
from companion.league.standings import Qualified, qualified, rounds_of, standings
from companion.system.frozen import dataclass

# -- qualifying -----------------------------------------------------------------------------------


def qualify_acts(queries: LeagueQueries, key: str) -> tuple[list[Qualified], list[Act]]:
    """Who goes from a stage into which other, and the acts that enter them.

    Number, color and team come along: the team is the one that they last scored for. Of those who
    are on the list they go to already, nothing is changed.

    Raises:
        BadAct: there is no such stage, or a place at the border of a way is shared.
    """
    stage = _stage(queries, key)
    races = rounds_of(stage, queries.races(season=stage.key, is_slim=True))
    names = queries.names(drivers_in(races))
    going = qualified(stage, races, names)
    entered = {
        (season.key, one.driver)
        for into in {one.into for one in going}
        for season in queries.seasons(into)
        for one in season.entrants
    }
    teams = {line.key: line.team for line in standings(stage, races, names)}
    known = {one.driver: one for one in stage.entrants}
    acts: list[Act] = []
    for one in going:
        if (one.into, one.driver) in entered:
            continue
        entrant = known.get(one.driver)
        number = None if entrant is None else entrant.number
        color = None if entrant is None else entrant.color
        acts.append(
            Enter(
                season=one.into,
                driver=one.name,
                number=UNSAID if number is None else number,
                color=color or UNSAID,
                team=teams.get(one.driver) or UNSAID,
                via=stage.key,
            )
        )
    return going, acts


@dataclass(frozen=True, slots=True)
class Draws:
    """The acts that tell entrants their tables; `banned` have none."""

    acts: tuple[Enter, ...]
    banned: tuple[Banned, ...]

    @property
    def names(self) -> list[str]:
        """Who was drawn."""
        return [act.driver for act in self.acts if act.table is not None]


def draw_acts(
    queries: LeagueQueries,
    key: str,
    tables: int,
    how: Draw,
    dice: Random,
    *,
    with_grid: bool = False,
) -> Draws:
    """The acts that tell the entrants of a stage their tables, and their places on the grids.

    Raises:
        BadAct: there is no such stage, or as many do not fit at as many tables.
    """
    stage = _stage(queries, key)
    may, banned = _drivers(queries, stage)
    if how == "placing":
        ranks = _placings(queries, stage)
        may.sort(key=lambda one: ranks.get(one.driver, len(ranks) + 1))  # stable: by number
    seated = draw_tables(stage, may, tables, how, dice)
    drawn = draw_grids(seated, how, dice) if with_grid else [Drawn(*one) for one in seated]
    drawn_of = {one.entrant.driver for one in drawn}
    gone = [
        Enter(season=key, driver=one.name, table=None, grid=None)
        for one in stage.entrants
        if one.table is not None and one.driver not in drawn_of
    ]
    return Draws((*map(partial(_seat, key), drawn), *gone), tuple(banned))


def late_acts(queries: LeagueQueries, key: str) -> Draws:
    """The acts that give a table to those of a stage who have come late.

    Raises:
        BadAct: there is no such stage, no table is drawn yet, or nobody is without one.
    """
    stage = _stage(queries, key)
    may, banned = _drivers(queries, stage)
    drawn = seat_late(stage, [one for one in may if one.table is None])
    return Draws(tuple(map(partial(_seat, key), drawn)), tuple(banned))


def late_names(queries: LeagueQueries, stage: Season) -> list[str]:
    """Who may drive and has no table while others have; nobody before a draw."""
    if all(one.table is None for one in stage.entrants):
        return []
    return [one.name for one in _drivers(queries, stage)[0] if one.table is None]


def _seat(key: str, one: Drawn) -> Enter:
    return Enter(season=key, driver=one.entrant.name, table=one.table, grid=one.grid)


def _drivers(queries: LeagueQueries, stage: Season) -> tuple[list[Entrant], list[Banned]]:
    """The entrants whose cars may drive the next round; why others may not."""
    rounds = rounds_of(stage, queries.races(season=stage.key, is_slim=True))
    number = next_number(stage, rounds)
    conduct = conduct_of(queries, stage, rounds)
    names = queries.names({one.driver for one in stage.stand_ins})
    may, banned = [], []
    for one, drives in driving(stage, number, names):
        ban = conduct.ban_of(drives, number)
        if ban is None:
            may.append(one)
        else:
            banned.append(Banned(drives.name, number, ban.reason))
    return may, banned


def _placings(queries: LeagueQueries, stage: Season) -> dict[str, int]:
    """Places in the stages that led here, else in this one, by driver."""
    led = dict.fromkeys(one.via for one in stage.entrants if one.via is not None) or [stage.key]
    places: dict[str, int] = {}
    for key in led:
        earlier = _stage(queries, key)
        for line in standings(earlier, queries.races(season=key, is_slim=True)):
            places[line.key] = min(line.place, places.get(line.key, line.place))
    return places


def _stage(queries: LeagueQueries, key: str) -> Season:
    found = next(iter(queries.seasons(key)), None)
    if found is None:
        raise BadAct(f"there is no season {key!r}")
    return found


# -- draws ----------------------------------------------------------------------------------------


MOST_AT_A_TABLE = 20


@dataclass(frozen=True, slots=True)
class Drawn:
    """A driver and the table, which is called 1, 2, 3 …; `grid` is the place there, None without
    a grid."""

    entrant: Entrant
    table: str
    grid: int | None = None


def driving(
    stage: Season, number: int, names: Mapping[str, str]
) -> Iterator[tuple[Entrant, Entrant]]:
    """The lines of the entry list that have a car in a round, and who drives it then.

    Whoever stands in for somebody drives that one's car, and none of his own. Who said that he does
    not come, or is entered for earlier rounds only, has none.

    Args:
        names: of those who stand in, by key.
    """
    instead = {one.absent: one.driver for one in stage.stand_ins if one.round == number}
    planned = next((one for one in stage.calendar if one.round == number), None)
    away = {*instead.values(), *(() if planned is None else planned.absent)}
    for one in stage.entrants:
        driver = instead.get(one.driver)
        if driver is not None:
            yield one, replace(one, driver=driver, name=names.get(driver, driver), crew=())
        elif one.role == "regular" and one.driver not in away and number <= (one.until or number):
            yield one, one


def draw_tables(
    stage: Season, drivers: Sequence[Entrant], tables: int, how: Draw, dice: Random
) -> list[tuple[Entrant, str]]:
    """Drivers of a stage and their tables.

    Args:
        drivers: in the order by which they are seated, where it is not by lot.

    Raises:
        BadAct: there are fewer drivers than tables, or more than fit.
    """
    if not 1 <= tables <= len(drivers) <= tables * MOST_AT_A_TABLE:
        raise BadAct(
            f"{len(drivers)} drivers are entered: they sit at 1 to {len(drivers)} tables of at "
            f"most {MOST_AT_A_TABLE}, not at {tables}"
        )
    if how != "lot":
        places = _blocks(len(drivers), tables)
        return [(one, f"{n + 1}") for one, n in zip(drivers, places, strict=True)]
    return _dealt(stage, drivers, tables, dice)


def draw_grids(seated: Sequence[tuple[Entrant, str]], how: Draw, dice: Random) -> list[Drawn]:
    """The same with their places on the grids of their tables: by lot, or as they stand here."""
    order = dice.sample(seated, len(seated)) if how == "lot" else seated
    taken: Counter[str] = Counter()
    found = []
    for one, table in order:
        taken[table] += 1
        found.append(Drawn(one, table, taken[table]))
    return found


def seat_late(stage: Season, late: Sequence[Entrant]) -> list[Drawn]:
    """Tables for those who come when the others have theirs.

    Raises:
        BadAct: nobody has a table yet, or nobody comes late.
    """
    there = [one for one in stage.entrants if one.table is not None]
    if not there:
        raise BadAct("no tables are drawn yet: who comes now is drawn with the others")
    if not late:
        raise BadAct("everybody who may drive has a table")
    sizes = Counter(one.table or "" for one in there)
    mates = Counter((one.table or "", _team(stage, one)) for one in there)
    ends = {table: _end(there, table) for table in sizes}
    found = []
    for one in late:
        ranks = {table: (sizes[table], mates[table, _team(stage, one)], table) for table in sizes}
        table = min(ranks, key=ranks.__getitem__)
        if sizes[table] >= MOST_AT_A_TABLE:
            raise BadAct(f"there is no room for {one.name}: every table has {MOST_AT_A_TABLE}")
        sizes[table] += 1
        mates[table, _team(stage, one)] += 1
        end = ends[table]
        ends[table] = None if end is None else end + 1
        found.append(Drawn(one, table, ends[table]))
    return found


def _end(there: Iterable[Entrant], table: str) -> int | None:
    """The last place on the grid of a table; None where none was drawn."""
    return max((one.grid for one in there if one.table == table and one.grid), default=None)


def _team(stage: Season, one: Entrant) -> str:
    return stage.team_of(one.driver, 1, None) or one.driver


def _blocks(drivers: int, tables: int) -> Iterable[int]:
    size, more = divmod(drivers, tables)
    return (n for n in range(tables) for _ in range(size + (n < more)))


def _dealt(
    stage: Season, drivers: Sequence[Entrant], tables: int, dice: Random
) -> list[tuple[Entrant, str]]:
    sizes: Counter[int] = Counter()
    mates: Counter[tuple[int, str]] = Counter()
    found = []
    # Team by team: whoever comes behind a team-mate finds another table among the emptiest ones.
    teams: Mapping[str, str] = {one.driver: _team(stage, one) for one in drivers}
    lots = {team: dice.random() for team in dict.fromkeys(teams.values())}
    order = sorted(drivers, key=lambda one: (lots[teams[one.driver]], dice.random()))
    for one in order:
        team = teams[one.driver]
        ranks = {n: (sizes[n], mates[n, team], dice.random()) for n in range(tables)}
        at = min(ranks, key=ranks.__getitem__)
        sizes[at] += 1
        mates[at, team] += 1
        found.append((one, f"{at + 1}"))
    return found


# -- staging --------------------------------------------------------------------------------------


class Staging(ABC):
    """The part of a league that asks and does, and knows nothing of how it is kept."""

    @abstractmethod
    def do(self, *acts: Act, by: str) -> int:
        """Carry out acts."""

    @abstractmethod
    def known(self) -> LeagueQueries:
        """All that is known, hidden drivers too."""

    def qualify(self, season: str, *, by: str) -> list[str]:
        """Enter those whom the ways out of a stage take; their names.

        Raises:
            BadAct: there is no such stage, nobody goes on, or a place at a border is shared.
        """
        going, acts = qualify_acts(self.known(), season)
        if not acts:
            raise BadAct("nobody goes on from here who is not entered already")
        self.do(*acts, by=by)
        return [one.name for one in going]

    def draw(
        self,
        season: str,
        tables: int,
        how: Draw,
        dice: Random,
        *,
        by: str,
        with_grid: bool = False,
    ) -> Draws:
        """Draw the tables of a stage, and their grids; who was drawn, and who is banned.

        Raises:
            BadAct: there is no such stage, or as many do not fit at as many tables.
        """
        drawn = draw_acts(self.known(), season, tables, how, dice, with_grid=with_grid)
        self.do(*drawn.acts, by=by)
        return drawn

    def seat_late(self, season: str, *, by: str) -> Draws:
        """Give a table to those of a stage who have come late.

        Raises:
            BadAct: there is no such stage, no table is drawn yet, or nobody is without one.
        """
        drawn = late_acts(self.known(), season)
        self.do(*drawn.acts, by=by)
        return drawn


# -- dates ----------------------------------------------------------------------------------------


LONGEST_LINE = 75


def coming(season: Season, rounds: Iterable[Race]) -> Planned | None:
    """The round of the calendar that is to be driven next; None: nobody knows of one."""
    last = max((race.round or 0 for race in rounds), default=0)
    return next((one for one in season.calendar if one.round > last and not one.cancelled), None)


def next_number(season: Season, rounds: Iterable[Race]) -> int:
    """The number of the round that is driven next, or of the one that all races come into."""
    if season.current_round is not None:
        return season.current_round
    off = {one.round for one in season.calendar if one.cancelled}
    last = max((race.round or 0 for race in rounds), default=0)
    return next(number for number in count(last + 1) if number not in off)


def planned(season: Season) -> int | None:
    """How many rounds a season is to have: what it says, else those of its calendar."""
    calendar = [(one.round, one.cancelled is not None) for one in season.calendar]
    return expected(season.planned, calendar)


def expected(said: int | None, calendar: Collection[tuple[int, bool]]) -> int | None:
    """How many rounds are to be driven; one that is cancelled is not waited for, unless there is
    another one in its place.

    Args:
        said: what the season says itself.
        calendar: the number of each of its rounds, and whether it is cancelled.

    >>> expected(2, [(2, True)]), expected(2, [(1, False), (2, True), (3, False)])
    (1, 2)
    """
    on = sum(not is_off for _, is_off in calendar)
    if said is None:
        return on or None
    off = sum(is_off and number <= said for number, is_off in calendar)
    return max(said - off, min(said, on))


def write(queries: LeagueQueries, key: str) -> bytes:
    """The calendar of a season as a file.

    Raises:
        BadAct: there is no such season.
    """
    for season in queries.seasons(key):
        return write_calendar(season)
    raise BadAct(f"there is no season {key!r}")


def write_calendar(season: Season) -> bytes:
    """The file of a season's calendar."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//race-companion//league//EN"]
    lines.append(f"X-WR-CALNAME:{escape(season.title)}")
    for one in season.calendar:
        if one.date is not None:
            lines += _event(season, one, one.date)
    lines.append("END:VCALENDAR")
    return "".join(f"{fold(line)}\r\n" for line in lines).encode()


def _event(season: Season, one: Planned, day: str) -> Iterator[str]:
    number = hashlib.sha256(f"{season.key} {one.round}".encode()).hexdigest()[:24]
    yield "BEGIN:VEVENT"
    yield f"UID:{number}@race-companion"
    yield f"DTSTAMP:{_digits(day[:10])}T000000Z"
    yield from _when(day)
    yield f"SUMMARY:{escape(summary(season, one))}"
    if one.board:
        yield f"LOCATION:{escape(one.board)}"
    more = [text for text in (one.pack, one.cancelled) if text]
    if more:
        yield "DESCRIPTION:" + escape("\n".join(more))
    yield f"STATUS:{'CANCELLED' if one.cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"


def _when(day: str) -> Sequence[str]:
    time = re.fullmatch(r".{10}[T ](\d\d):(\d\d)(?::(\d\d))?.*", day)
    if time is not None:
        hours, minutes, seconds = (one or "00" for one in time.groups())
        return [f"DTSTART:{_digits(day[:10])}T{hours}{minutes}{seconds}"]
    first = date.fromisoformat(day)
    last = first + timedelta(days=1)
    return [f"DTSTART;VALUE=DATE:{first:%Y%m%d}", f"DTEND;VALUE=DATE:{last:%Y%m%d}"]


def summary(season: Season, one: Planned) -> str:
    """What a round is called in a calendar."""
    where = one.title or one.board
    return f"{season.title} {one.round}" + (f": {where}" if where else "")


def _digits(text: str) -> str:
    return text.replace("-", "")


def escape(text: str) -> str:
    r"""A text as the form has it.

    >>> escape("Monza, dry; two laps")
    'Monza\\, dry\\; two laps'
    """
    text = re.sub(r"([\\;,])", r"\\\1", text)
    return text.replace("\r\n", "\n").replace("\n", "\\n").replace("\r", "")


def fold(line: str) -> str:
    """A line, broken so that none has more than 75 octets; what goes on begins with a space."""
    parts, now = [], b""
    for letter in line:
        octets = letter.encode()
        if len(now) + len(octets) > LONGEST_LINE:
            parts.append(now)
            now = b" "
        now += octets
    return b"\r\n".join([*parts, now]).decode()


# -- conduct --------------------------------------------------------------------------------------


When = tuple[int, int]
"""The step of a stage and a round of it."""
Stage = tuple[Season, Sequence[Race]]
"""A stage and its races."""
ALWAYS = 10**6
"""Rounds of a ban that holds until it is lifted."""


class Banned(NamedTuple):
    """Who is banned from a round, and why; as a sentence in English."""

    name: str
    round: int
    reason: str

    def __str__(self) -> str:
        return f"{self.name} is banned from round {self.round}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Record:
    """What stands against a driver before a round.

    Args:
        licence: points on the licence in this stage.
        grid: places lost on the next grid. `ban`: rounds of it that are still to come.
    """

    driver: str
    licence: int
    grid: int
    ban: int


def conduct_of(queries: LeagueQueries, season: Season, races: Iterable[Race]) -> Conduct:
    """What stands against the drivers of a stage with these races."""
    if season.competition is None:
        return Conduct(season, races)
    earlier = [one for one in queries.stages(season.competition) if one.step < season.step]
    own = queries.races(stages=[one.key for one in earlier], is_slim=True) if earlier else []
    of = [(one, [race for race in own if race.season == one.key]) for one in earlier]
    return Conduct(season, races, of)


@dataclass(slots=True)
class _Ban:
    penalty: Penalty
    given: When
    left: int


class Conduct:
    """What stands against the drivers of a stage.

    Args:
        races: those of the stage; `before`: the stages of earlier steps, with theirs.
    """

    def __init__(self, season: Season, races: Iterable[Race], before: Iterable[Stage] = ()) -> None:
        self._season = season
        stages = [*before, (season, list(races))]
        self._given = sorted(_given(stages), key=lambda one: (one[0], one[1].id))
        self._held: set[When] = set()
        self._drove: dict[str, list[When]] = {}
        for stage, own in stages:
            for race in own:
                if race.counts:
                    self._note(race, (stage.step, race.round or 0))

    def _note(self, race: Race, when: When) -> None:
        self._held.add(when)
        for entry in race.entries:
            for driver in {entry.driver, *entry.people}:
                self._drove.setdefault(driver, []).append(when)

    def ban(self, driver: str, number: int) -> Penalty | None:
        """By what a driver is not to drive a round; None: he may."""
        return self._bans(driver, number)[0]

    def ban_of(self, entrant: Entrant, number: int) -> Penalty | None:
        """The same of a car on the entry list: whoever of its crew is banned bans it."""
        bans = (self.ban(driver, number) for driver in (entrant.driver, *entrant.crew))
        return next((ban for ban in bans if ban is not None), None)

    def grid(self, driver: str, number: int) -> int:
        """Places lost on the grid of a round."""
        now = (self._season.step, number)
        return sum(
            one.grid
            for when, one in self._of(driver)
            if when < now and (_holds_always(when) or not self._has_driven(driver, when, now))
        )

    def grid_of(self, entrant: Entrant, number: int) -> int:
        """The same of a car on the entry list: what any of its crew has lost."""
        return sum(self.grid(one, number) for one in {entrant.driver, *entrant.crew})

    def records(self, number: int) -> list[Record]:
        """Against whom anything stands before a round, most licence points first."""
        drivers = dict.fromkeys(one.driver for _, one in self._given if one.driver)
        lines = [
            Record(one, self._licence(one), self.grid(one, number), self._bans(one, number)[1])
            for one in drivers
        ]
        found = [line for line in lines if line.licence or line.grid or line.ban]
        return sorted(found, key=lambda line: (-line.licence, -line.ban, line.driver))

    def _of(self, driver: str) -> list[tuple[When, Penalty]]:
        return [(when, one) for when, one in self._given if one.driver == driver]

    def _licence(self, driver: str) -> int:
        own = self._of(driver)
        return sum(one.licence for when, one in own if when[0] == self._season.step)

    def _has_driven(self, driver: str, given: When, now: When) -> bool:
        return any(given < when < now for when in self._drove.get(driver, ()))

    def _rounds_before(self, now: When) -> set[When]:
        """The rounds that were driven, and those that are to be driven, before one."""
        step, number = now
        held = {when for when in self._held if when < now}
        last = max((when[1] for when in held if when[0] == step), default=0)
        off = {one.round for one in self._season.calendar if one.cancelled}
        return held | {(step, n) for n in range(last + 1, number) if n not in off}

    def _bans(self, driver: str, number: int) -> tuple[Penalty | None, int]:
        """By what a driver is banned from a round, and how many rounds are still to come."""
        bans = list(_bans_in(self._of(driver), self._season.licence, self._season.step))
        now = (self._season.step, number)
        for when in sorted(self._rounds_before(now)) if bans else ():
            served = next((one for one in bans if one.left and one.given < when), None)
            if served is not None:
                served.left -= 1
        coming = [one for one in bans if one.left and one.given < now]
        left = sum(one.penalty.ban if one.left > MOST_ROUNDS else one.left for one in coming)
        return (coming[0].penalty if coming else None), left


def _holds_always(given: When) -> bool:
    """Whether a penalty was given for a season, and not after a round of it."""
    return given[1] == 0


def _given(stages: Iterable[Stage]) -> Iterable[tuple[When, Penalty]]:
    """The penalties that hold, each with when it was given."""
    for season, races in stages:
        for one in season.penalties:
            if one.lifted is None:
                yield (season.step, one.round or 0), one
        for race in races:
            for one in race.penalties:
                if one.lifted is None and not one.banned and race.struck is None:
                    yield (season.step, race.round or 0), one


def _bans_in(given: Iterable[tuple[When, Penalty]], bound: int | None, step: int) -> Iterable[_Ban]:
    points = 0
    for when, one in given:
        if one.ban:
            yield _Ban(one, when, ALWAYS if _holds_always(when) else one.ban)
        if bound and one.licence and when[0] == step:
            reached = (points + one.licence) // bound - points // bound
            points += one.licence
            if reached:
                yield _Ban(one, when, reached)


def places_after(order: Sequence[str], lost: Mapping[str, int]) -> list[str]:
    """A grid with the places that some lose on it; who loses some stands behind the car there.

    >>> places_after(["ana", "bea", "cai", "dot"], {"ana": 2})
    ['bea', 'cai', 'ana', 'dot']
    """
    ranks = [
        (place + lost[who] + 0.5 if lost.get(who) else place, who)
        for place, who in enumerate(order, 1)
    ]
    return [who for _, who in sorted(ranks, key=itemgetter(0))]
