"""What is counted over all races: totals, careers, ratings, boards, titles.

It is worked out of the league as it stands and stored nowhere. Of each race it keeps what adding up
needs and no more; when the league has changed, what the changed races added is taken off and what
they add now is put on. Ratings alone hang on the order of the races: from the first one that has
changed they are worked out anew, which for a race that comes in last is itself; where it is far
back, in a thread beside whoever asks, who is told the ratings of before until then.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import accumulate
from math import isnan, nan
from sys import intern
from threading import Lock, Thread
from typing import Any, Final, NamedTuple, TypeVar

from companion.league.games import game_of
from companion.league.plain import Competition, Driver, Race, Season
from companion.league.ratings import START, Skill, after, gains, is_reckoned
from companion.league.stand import Stand, Told
from companion.league.standings import WON_ALONE, Holder, champions, is_over
from companion.league.tally import PODIUM, Brought, Tally, add, board_of, brought
from companion.system.frozen import dataclass

# -- what is told ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """All that a driver has done, added up: `tally` by the names of `tally.py`; `skill` is None
    where nobody reckons it."""

    driver: Driver
    rating: float
    skill: Skill | None = None
    tally: Mapping[str, float] = field(default_factory=dict)

    def of(self, name: str) -> int:
        """A count by its name; 0 where nothing was counted."""
        return round(self.tally.get(name, 0))

    def under(self, head: str) -> dict[str, int]:
        """The counts whose names begin so, by what is behind the dot, the greatest first."""
        own = {
            name.partition(".")[2]: round(number)
            for name, number in self.tally.items()
            if name.startswith(f"{head}.")
        }
        return dict(sorted(own.items(), key=lambda one: (-one[1], one[0])))

    @property
    def mean_place(self) -> float | None:
        """Over all cars; None without one."""
        cars = self.tally.get("cars", 0)
        return self.tally.get("places", 0) / cars if cars else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outing:
    """A race that a driver was in: the best car's place, and the rating after it."""

    race: str
    date: str
    game: str
    title: str
    place: int
    status: str
    rating: float | None = None
    season: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Somebody whom a driver has met: the driver was so often `ahead`, `behind`, or neither."""

    driver: str
    name: str
    races: int
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a driver has done in a season, or on a board: `key` is that of the season, or the board
    with its game. `best` is the best place of a car that came home; None: none did."""

    key: str
    title: str
    races: int
    wins: int
    podiums: int
    best: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Championship:
    """A title that a driver holds: of the season or the competition with a key, of which kind;
    `team` is the one whose title it is, None: the driver's own. `seasons` have decided it."""

    key: str
    title: str
    kind: str
    team: str | None = None
    seasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A driver's page: outings newest first, rivals met most first; `curve` is the rating after
    each race, `skills` what one surely has, and `luck` the spaces that the dice have given in all,
    all oldest first. `seasons` stand newest first, `boards` by how often they were driven."""

    totals: Totals
    outings: tuple[Outing, ...] = ()
    rivals: tuple[Meeting, ...] = ()
    curve: tuple[float, ...] = ()
    luck: tuple[float, ...] = ()
    seasons: tuple[Part, ...] = ()
    boards: tuple[Part, ...] = ()
    skills: tuple[float, ...] = ()
    championships: tuple[Championship, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A record of a board: so few rolls (or so many wins), whose, and in which race."""

    number: int
    driver: str
    name: str
    race: str | None = None
    date: str = ""
    season: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardBook:
    """The records of a board in a game; `race` by laps."""

    game: str
    title: str
    races: int
    lap: Held | None = None
    race: Mapping[int, Held] = field(default_factory=dict)
    wins: Held | None = None


# -- how it is counted ----------------------------------------------------------------------------

MOST_RIVALS: Final = 30
MOST_OUTINGS: Final = 20
MOST_CURVE: Final = 200
"""Races of a driver's curve, the latest."""
MOST_PARTS: Final = 30
"""Seasons, and boards."""
AT_ONCE: Final = 2000
"""So many races are rated while somebody waits."""
HOME: Final = ("finished", "running")
MadeT = TypeVar("MadeT")


class Best(NamedTuple):
    """What a car did that may be a record of the board; a win is one, too."""

    driver: str
    lap: int | None
    rolls: int | None
    won: bool


class Record(NamedTuple):
    """What somebody holds on a board, and in which race it was done."""

    number: int
    driver: str
    race: str


class Bests(NamedTuple):
    """The records of a board: a lap, whole races by their laps, and who has won most."""

    lap: Record | None
    rolls: dict[int, Record]
    winner: str | None
    wins: int


@dataclass(slots=True)
class Kept:
    """A race that counts; drivers, places and statuses side by side, the best place first.

    `luck` is not a number where nobody measured it.
    `rated`: of each driver rating, mu and sigma after it; empty where nobody was rated.
    """

    at: str
    race: str
    board: str | None
    drivers: tuple[str, ...]
    places: tuple[int, ...]
    statuses: tuple[str, ...]
    wins: tuple[bool, ...]
    best: tuple[Best, ...]
    luck: array[float]
    is_sprint: bool
    rated: array[float] = field(default_factory=lambda: array("d"))


class Rated(NamedTuple):
    """What a driver has after a race."""

    rating: float = START
    mu: float = nan
    sigma: float = nan

    @property
    def skill(self) -> Skill | None:
        return None if isnan(self.mu) else Skill(self.mu, self.sigma)


class Counts:
    """All that is counted of a league; asked of one value after another, it goes on."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._late: tuple[str, str] | None = None
        self._changes = 0
        self._stand = Stand()
        self._races: dict[str, Kept] = {}
        self._order: list[tuple[str, str]] = []
        self._drove: dict[str, list[tuple[str, str]]] = {}
        self._tallies: dict[str, Tally] = {}
        self._boards: dict[str, list[tuple[str, str]]] = {}
        self._best: dict[str, Bests] = {}
        self._now: dict[str, Rated] = {}
        self._rated_to = ("", "")
        self._gone: dict[str, Kept] = {}
        self._rows: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._made: dict[tuple[str, str], tuple[object, Any]] = {}

    def _of(self, stand: Stand) -> None:
        """Count what has changed since the value that was asked of last."""
        if stand is self._stand:
            return
        changed = self._changed(stand)
        self._changes += bool(changed)
        people = self._renamed(stand)
        for race, is_otherwise in changed.items():
            self._take_off(race, None if is_otherwise else people)
        for race, is_otherwise in changed.items():
            if race in stand.told:
                self._put_on(stand, stand.told[race], None if is_otherwise else people)
        self._stand = stand
        self._rate(min((one for race in changed for one in self._ats(race)), default=None))

    def _ats(self, race: str) -> Iterator[tuple[str, str]]:
        for kept in (self._gone.pop(race, None), self._races.get(race)):
            if kept is not None:
                yield kept.at, race

    # -- what has changed -------------------------------------------------------------------

    def _changed(self, stand: Stand) -> dict[str, bool]:
        """The races that may come to something else than before; else than that somebody in them
        is somebody else."""
        old = self._stand
        self._gone = {}
        found = {race for race, told in stand.told.items() if old.told.get(race) is not told}
        found |= old.told.keys() - stand.told.keys()
        for key, stage in stand.stages.items():
            was = old.stages.get(key)
            is_other = was is not stage and (was and was.season.kind) != stage.season.kind
            if is_other or self._judged_anew(stand, key):
                found |= stand.rounds.get(key, {}).keys()
        found.update(list(self._sprints_beside(stand, found)))
        renamed = {race for who in self._renamed(stand) for _, race in self._drove.get(who, ())}
        return {race: race in found for race in sorted(found | renamed)}

    def _sprints_beside(self, stand: Stand, races: set[str]) -> Iterator[str]:
        """The races with points of their own in the seasons of these: whether they are sprints
        hangs on what stands beside them."""
        told = (
            now.told[race].race for now in (self._stand, stand) for race in races & now.told.keys()
        )
        for key in {one.season for one in told if one.season is not None}:
            for race in stand.rounds.get(key, ()):
                if stand.told[race].race.scoring is not None:
                    yield race

    def _renamed(self, stand: Stand) -> set[str]:
        """Whose names are somebody else's now, and who these are."""
        old, new = self._stand.merged, stand.merged
        if old is new:
            return set()
        names = {name for name in {**old, **new} if old.get(name, name) != new.get(name, name)}
        return {*map(self._stand.who, names), *map(stand.who, names)}

    def _judged_anew(self, stand: Stand, key: str) -> bool:
        """Whether somebody is or was banned in a season, of which anything has changed."""
        old = self._stand
        if not (stand.has_bans(key) or (key in old.stages and old.has_bans(key))):
            return False
        return key not in old.stages or _token(stand, key, wide=True) != _token(old, key, wide=True)

    # -- adding up --------------------------------------------------------------------------

    def _take_off(self, race: str, people: Container[str] | None) -> None:
        """Take off what a race added; of what drivers have done all, or what these people have."""
        kept = self._races.pop(race, None)
        if kept is None:
            return
        self._gone[race] = kept
        at = kept.at, race
        del self._order[bisect_left(self._order, at)]
        for one in brought(self._stand.race(self._stand.told[race])):
            if people is None or one.driver in people:
                self._add(one, -1)
            own = self._drove[one.driver]
            del own[bisect_left(own, at)]
            if not own and (people is None or one.driver in people):
                del self._drove[one.driver], self._tallies[one.driver]
        if kept.board is not None:
            self._best.pop(kept.board, None)
            on = self._boards[kept.board]
            del on[bisect_left(on, at)]
            if not on:
                del self._boards[kept.board]

    def _put_on(self, stand: Stand, told: Told, people: Container[str] | None) -> None:
        race = stand.race(told)
        own = brought(race)
        if not own:
            return
        at = f"{race.date} {race.id}", race.id
        kept = Kept(
            at=at[0],
            race=race.id,
            board=_board_key(race),
            drivers=tuple(one.driver for one in own),
            places=self._same(one.place for one in own),
            statuses=self._same(one.status for one in own),
            wins=self._same(one.won for one in own),
            best=tuple(_best_of(own)),
            luck=array("d", (nan if one.luck is None else one.luck for one in own)),
            is_sprint=race.is_sprint,
        )
        self._races[race.id] = kept
        insort(self._order, at)
        for one in own:
            if people is None or one.driver in people:
                self._add(one, 1)
            insort(self._drove.setdefault(one.driver, []), at)
        if kept.board is not None:
            self._best.pop(kept.board, None)
            insort(self._boards.setdefault(kept.board, []), at)

    def _same(self, values: Iterable[MadeT]) -> tuple[MadeT, ...]:
        """A row that many races have: one for all."""
        row = tuple(values)
        return self._rows.setdefault(row, row)

    def _add(self, one: Brought, sign: int) -> None:
        add(self._tallies.setdefault(one.driver, {}), one.figures(), sign)

    def _rate(self, first: tuple[str, str] | None) -> None:
        """Ratings and skills from a race on: at once, or where there are many, beside this."""
        if first is None:
            return
        is_counting = self._late is not None
        if is_counting or len(self._order) - bisect_left(self._order, first) > AT_ONCE:
            self._late = min(first, self._late or first)
            if not is_counting:
                Thread(target=self._rate_late, name="ratings", daemon=True).start()
            return
        rest, now = self._before(first)
        for kept in rest:
            kept.rated = _rate_race(kept, now)
        self._now, self._rated_to = now, self._order[-1] if self._order else ("", "")

    def _before(self, first: tuple[str, str]) -> tuple[list[Kept], dict[str, Rated]]:
        """The races from one on, and what everybody has before it."""
        begin = bisect_left(self._order, first)
        rest = [self._races[race] for _, race in self._order[begin:]]
        if first > self._rated_to:
            return rest, self._now
        now: dict[str, Rated] = {}
        for _, race in self._order[:begin]:
            now.update(_rated_in(self._races[race]))
        return rest, now

    def _rate_late(self) -> None:
        """Rate as often as races have changed meanwhile."""
        while True:
            with self._lock:
                first, changes = self._late, self._changes
                assert first is not None  # this thread alone sets it so
                rest, now = self._before(first)
                now = dict(now)
            rated = [_rate_race(kept, now) for kept in rest]
            with self._lock:
                if changes == self._changes:
                    for kept, own in zip(rest, rated, strict=True):
                        kept.rated = own
                    self._now, self._late = now, None
                    self._rated_to = self._order[-1] if self._order else ("", "")
                    return

    @property
    def is_behind(self) -> bool:
        """Whether the ratings are those of before what has changed."""
        return self._late is not None

    # -- what is asked ----------------------------------------------------------------------

    def people(self, stand: Stand, unseen: Iterable[str] = ()) -> list[str]:
        """Those who have driven, the best rating first; without some."""
        with self._lock:
            self._of(stand)
            who = self._drove.keys() - {*unseen}
            return sorted(who, key=lambda one: (-self._rating(one).rating, one))

    def totals(self, stand: Stand, drivers: Iterable[str]) -> list[Totals]:
        """All that these drivers have done."""
        with self._lock:
            self._of(stand)
            return [self._totals(one) for one in drivers]

    def _rating(self, driver: str) -> Rated:
        return self._now.get(driver, Rated()) if driver in self._drove else Rated()

    def _totals(self, driver: str) -> Totals:
        now = self._rating(driver)
        return Totals(
            driver=self._stand.called(driver),
            rating=now.rating,
            skill=now.skill,
            tally=dict(self._tallies.get(driver, {})),
        )

    def career(self, stand: Stand, driver: str) -> Career | None:
        """What a driver has done; None: nobody of this key is known."""
        with self._lock:
            self._of(stand)
            if driver not in stand.names or stand.who(driver) != driver:
                return None
            own = [self._races[race] for _, race in self._drove.get(driver, ())]
            rated = [one for kept in own if (one := _own_rating(kept, driver)) is not None]
            rated = rated[-MOST_CURVE:]
            return Career(
                totals=self._totals(driver),
                outings=tuple(self._outing(kept, driver) for kept in own[: -MOST_OUTINGS - 1 : -1]),
                rivals=tuple(self._rivals(own, driver)),
                curve=tuple(one.rating for one in rated),
                skills=tuple(one.skill.sure for one in rated if one.skill is not None),
                luck=tuple(accumulate(_lucks(own[-MOST_CURVE:], driver))),
                seasons=tuple(self._seasons(own, driver)),
                boards=tuple(self._boards_of(own, driver)),
                championships=tuple(self._titles(own, driver)),
            )

    def _race(self, kept: Kept) -> Race:
        return self._stand.told[kept.race].race

    def _outing(self, kept: Kept, driver: str) -> Outing:
        race, n = self._race(kept), kept.drivers.index(driver)
        rated = _own_rating(kept, driver)
        return Outing(
            race=race.id,
            date=race.date,
            game=race.game,
            title=race.board or race.track or game_of(race.game).title,
            place=kept.places[n],
            status=kept.statuses[n],
            rating=None if rated is None else rated.rating,
            season=race.season,
        )

    def _rivals(self, own: Iterable[Kept], driver: str) -> Iterator[Meeting]:
        met: dict[str, list[int]] = {}
        for kept in own:
            mine = kept.places[kept.drivers.index(driver)]
            for other, place in zip(kept.drivers, kept.places, strict=True):
                if other != driver:
                    duel = met.setdefault(other, [0, 0, 0])
                    duel[0] += 1
                    duel[1] += mine < place
                    duel[2] += mine > place
        for who, (races, ahead, behind) in sorted(
            met.items(), key=lambda one: (-one[1][0], one[0])
        )[:MOST_RIVALS]:
            name = self._stand.called(who).name
            yield Meeting(driver=who, name=name, races=races, ahead=ahead, behind=behind)

    def _seasons(self, own: Iterable[Kept], driver: str) -> Iterator[Part]:
        by: dict[str, list[Kept]] = {}
        for kept in own:
            season = self._race(kept).season
            if season is not None:
                by.setdefault(season, []).append(kept)
        newest = [key for key in reversed(self._stand.stages) if key in by]
        for key in newest[:MOST_PARTS]:
            yield _part(key, self._stand.stages[key].season.title, by[key], driver)

    def _boards_of(self, own: Iterable[Kept], driver: str) -> Iterator[Part]:
        by: dict[str, list[Kept]] = {}
        for kept in own:
            if kept.board is not None:
                by.setdefault(kept.board, []).append(kept)
        for key in sorted(by, key=lambda key: (-len(by[key]), key))[:MOST_PARTS]:
            yield _part(key, self._title(key), by[key], driver)

    def _title(self, board: str) -> str:
        """What people call a board: as the last race on it does."""
        return board_of(self._stand.told[self._boards[board][-1][1]].race) or ""

    # -- boards -----------------------------------------------------------------------------

    def boards(self, stand: Stand) -> list[BoardBook]:
        """The boards by name, for each game."""
        with self._lock:
            self._of(stand)
            books = [self._board(key) for key in self._boards]
        return sorted(books, key=lambda one: (one.title.casefold(), one.game))

    def _board(self, key: str) -> BoardBook:
        bests = self._best.get(key) or self._bests(key)
        self._best[key] = bests
        last = self._boards[key][-1][1]
        won = None if bests.winner is None else self._stand.called(bests.winner).name
        return BoardBook(
            game=self._stand.told[last].race.game,
            title=self._title(key),
            races=len(self._boards[key]),
            lap=None if bests.lap is None else self._held(*bests.lap),
            race={number: self._held(*held) for number, held in sorted(bests.rolls.items())},
            wins=None
            if bests.winner is None or won is None
            else Held(number=bests.wins, driver=bests.winner, name=won),
        )

    def _bests(self, key: str) -> Bests:
        """The records of a board; of two who did the same, the first one holds it."""
        lap: Record | None = None
        rolls: dict[int, Record] = {}
        won: Counter[str] = Counter()
        for _, race in self._boards[key]:
            kept = self._races[race]
            laps = self._race(kept).laps if kept.best else None
            for one in kept.best:
                won[one.driver] += one.won
                if one.lap is not None and (lap is None or one.lap < lap.number):
                    lap = Record(one.lap, one.driver, race)
                held = rolls.get(laps or 0)
                if one.rolls is not None and laps and (held is None or one.rolls < held.number):
                    rolls[laps] = Record(one.rolls, one.driver, race)
        winner = min(+won, key=lambda one: (-won[one], one), default=None)
        return Bests(lap, rolls, winner, won[winner] if winner else 0)

    def _held(self, number: int, driver: str, race: str) -> Held:
        of = self._stand.told[race].race
        name = self._stand.called(driver).name
        return Held(
            number=number,
            driver=driver,
            name=name,
            race=race,
            date=of.date,
            season=of.season,
        )

    # -- titles -----------------------------------------------------------------------------

    def kept(
        self,
        stand: Stand,
        what: str,
        key: str,
        make: Callable[[Season, list[Race]], MadeT],
        of: object = None,
    ) -> MadeT:
        """What is worked out of a season and its races by round, and of what else it hangs on;
        kept as long as these stand."""
        token = (*_token(stand, key), of)
        return self._once(
            (what, key), token, lambda: make(stand.season(key), races_in(stand, [key]))
        )

    def _once(self, at: tuple[str, str], token: object, make: Callable[[], MadeT]) -> MadeT:
        """What was made of things that a token tells; once, as long as that is the same."""
        known = self._made.get(at)
        if known is None or known[0] != token:
            known = self._made[at] = token, make()
        found: MadeT = known[1]
        return found

    def _titles(self, own: Iterable[Kept], driver: str) -> Iterator[Championship]:
        """The titles of a driver: competitions, then seasons, the newest first."""
        stand = self._stand
        mine = {key for kept in own if (key := self._race(kept).season) is not None}
        cups = {stand.stages[key].season.competition for key in mine} - {None}
        for cup in reversed(stand.cups.values()):
            if cup.key in cups:
                keys = [k for k, one in stand.stages.items() if one.season.competition == cup.key]
                keys.sort(key=lambda key: stand.stages[key].season.step)
                if all(self._is_over(key) for key in keys):
                    won = self._won_overall(cup.key, keys)
                    yield from _held_by(won, driver, "competition", cup, keys)
        for key in reversed(stand.stages):
            season = stand.stages[key].season
            if key in mine and season.kind in WON_ALONE and self._is_over(key):
                won = self.kept(stand, "titles", key, champions)
                yield from _held_by(won, driver, season.kind, season, [key])

    def _is_over(self, key: str) -> bool:
        return self.kept(self._stand, "over", key, lambda *_: is_season_over(self._stand, key))

    def _won_overall(self, cup: str, keys: Sequence[str]) -> list[Holder]:
        from companion.league.federation.competitions import champions_overall

        stand = self._stand
        token = stand.cups[cup], *(_token(stand, key) for key in keys)
        stages = map(stand.season, keys)
        return self._once(
            ("cup", cup),
            token,
            lambda: champions_overall(stand.cups[cup], [*stages], races_in(stand, keys)),
        )


def _best_of(own: Sequence[Brought]) -> Iterator[Best]:
    """What of a race may be a record of its board: the best lap, the fewest rolls, who won."""
    lap = min((one.best_lap for one in own if one.best_lap is not None), default=None)
    rolls = min((one.rolls for one in own if one.rolls is not None), default=None)
    for one in own:
        mine = Best(
            one.driver,
            one.best_lap if one.best_lap == lap else None,
            one.rolls if one.rolls == rolls else None,
            one.won,
        )
        if one.won or (mine.lap, mine.rolls) != (None, None):
            yield mine


def races_in(stand: Stand, keys: Iterable[str], *, is_slim: bool = True) -> list[Race]:
    """The races of some seasons, season by season and by round."""
    found = []
    for key in keys:
        own = [stand.told[race] for race in stand.rounds.get(key, ())]
        own.sort(key=lambda one: (one.race.round or 0, one.race.date, one.race.id))
        found += [stand.race(one, is_slim=is_slim) for one in own]
    return found


def is_season_over(stand: Stand, key: str) -> bool:
    """Whether nothing more is to come of a season."""
    own = (stand.told[race].race for race in stand.rounds.get(key, ()))
    held = len({race.round for race in own if race.counts})
    return is_over(stand.season(key), held, is_closed=stand.stages[key].closed)


def _token(stand: Stand, key: str, *, wide: bool = False) -> tuple[object, ...]:
    """What differs whenever a season does, or a race in it; compared by what it is made of."""
    keys = stand.stages_in(key) if wide else [key]
    own = [(stand.stages[one], [stand.told[n] for n in stand.rounds.get(one, ())]) for one in keys]
    return stand.merged, *own


def _held_by(
    won: Iterable[Holder], driver: str, kind: str, of: Season | Competition, keys: Sequence[str]
) -> Iterator[Championship]:
    """A title once for the driver, and once for each team."""
    for team in sorted({one.team or "" for one in won if one.driver == driver}):
        about = {"key": of.key, "title": of.title, "kind": kind}
        yield Championship(**about, team=team or None, seasons=tuple(keys))


def _part(key: str, title: str, own: Sequence[Kept], driver: str) -> Part:
    cars = [(kept, kept.drivers.index(driver)) for kept in own]
    home = [kept.places[n] for kept, n in cars if kept.statuses[n] in HOME and not kept.is_sprint]
    return Part(
        key=key,
        title=title,
        races=len(own),
        wins=sum(kept.wins[n] for kept, n in cars),
        podiums=sum(place <= PODIUM for place in home),
        best=min(home, default=None),
    )


def _board_key(race: Race) -> str | None:
    """By which a board is known, in its game."""
    title = board_of(race)
    return None if title is None else intern(f"{race.game} {title.casefold()}")


def _rate_race(kept: Kept, now: dict[str, Rated]) -> array[float]:
    """What everybody has after a race, judged on what they had before it; `now` goes on."""
    rated = array("d")
    if len(kept.drivers) < 2:
        return rated
    places = dict(zip(kept.drivers, kept.places, strict=True))
    before = {driver: now.get(driver, Rated()) for driver in places}
    gained = gains(places, {driver: one.rating for driver, one in before.items()})
    skills: dict[str, Skill] = {}
    if is_reckoned():
        known = {driver: one.skill for driver, one in before.items() if one.skill is not None}
        skills = after(places, known)
    for driver, one in before.items():
        own = Rated(one.rating + gained[driver], *skills.get(driver, (nan, nan)))
        rated.extend(own)
        now[driver] = own
    return rated


def _rated_in(kept: Kept) -> Iterator[tuple[str, Rated]]:
    for n, driver in enumerate(kept.drivers if kept.rated else ()):
        yield driver, Rated(*kept.rated[3 * n : 3 * n + 3])


def _own_rating(kept: Kept, driver: str) -> Rated | None:
    if not kept.rated:
        return None
    n = kept.drivers.index(driver)
    return Rated(*kept.rated[3 * n : 3 * n + 3])


def _lucks(own: Iterable[Kept], driver: str) -> Iterator[float]:
    for kept in own:
        luck = kept.luck[kept.drivers.index(driver)]
        if not isnan(luck):
            yield luck
