"""The forms of plugins (the group `exports`), and the league as they see it: JSON alone.

docs/plugins.md has what they may rely on: `LeagueSeen`, and no record of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from logging import getLogger
from typing import Any, TypeVar

from companion.league.acts import Act, format_act, parse_act
from companion.league.errors import BadAct, LeagueError, ascii_person
from companion.league.exchange import registry
from companion.league.exchange.acts import acts_of, measured
from companion.league.games import game_of
from companion.league.plain import Race, Season, format_points
from companion.league.results import EARNERS, Score
from companion.league.standings import Standing, rounds_of, standings, team_standings
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.system.plugins import Plugin, PluginError, plugins

ADDRESS = re.compile(r"(ergast|league/at)/[a-z0-9-]+")
"""Below which an export may answer: other programs have the one built in, all else is the other."""
LONGEST_S = 30.0
"""How long a file may take to be made, or read."""
OF = ("season", "race", "either")
Doc = dict[str, Any]
MadeT = TypeVar("MadeT")
_log = getLogger(__name__)


# -- the league as an export sees it --------------------------------------------------------------


class LeagueSeen:
    """The league as `view` shows it; from any thread. `name` is the plugin's, whose answers are
    kept apart from those of others."""

    def __init__(self, view: View, name: str) -> None:
        self._view, self._name = view, name
        self._sheets: dict[str, registry.Sheet] = {}

    def seasons(self) -> list[Doc]:
        """All seasons, the newest first, without what is in them."""
        years = self._view.years()
        every = self._view.seasons(is_slim=True)
        return [_season(one, years.get(one.key)) for one in every]

    def season(self, key: str) -> Doc:
        """A season with its calendar, and its races that count, by round.

        Raises:
            BadAct: there is none with this key.
        """
        sheet = self._sheets[key] = registry.season_sheet(self._view, key)
        return _whole(sheet, self._hidden())

    def races(self, ids: Collection[str]) -> list[Doc]:
        """These races, oldest first; those that nobody may see are not among them."""
        races = self._view.rounds(ids)
        keys = {race.season for race in races if race.season}
        seasons = {one.key: one for one in self._view.seasons(keys=keys)}
        names = registry.names_of(self._view, races)
        sheets = (registry.Sheet(seasons.get(race.season or ""), (race,), names) for race in races)
        return [race for sheet in sheets for race in _races(sheet, self._hidden())]

    def standings(self, key: str, after: int | None = None) -> Doc:
        """The standings of a season after a round, or the last one.

        Raises:
            BadAct: there is none with this key.
        """
        season, known = self._view.the_season(key), self._sheets.get(key)
        races = [*known.races] if known else self._view.held(season)
        if after is not None:
            races = [race for race in races if (race.round or 0) <= after]
        drivers = standings(season, races, registry.names_of(self._view, races)) if races else []
        teams = team_standings(season, races) if races else []
        return {
            "round": max((race.round or 0 for race in races), default=0),
            "drivers": [_person(line) for line in drivers],
            "teams": [{**_line(line), "team": line.name} for line in teams],
        }

    def acts(self, key: str) -> list[Doc]:
        """The acts that make a season, or a race, again in another league (docs/league.md).

        Raises:
            BadAct: there is neither with this key.
        """
        return [format_act(act) for act in acts_of(registry.sheet_of(self._view, key))]

    def names(self, drivers: Collection[str]) -> dict[str, str]:
        """What these drivers are called, by key."""
        return self._view.names(drivers)

    def each(self, name: str, make: Callable[[Doc], Sequence[MadeT]]) -> list[MadeT]:
        """What is made of each season, put together; kept as long as that season stands."""

        def of_season(season: Season, races: list[Race]) -> Sequence[MadeT]:
            held = rounds_of(season, races)
            return make(_whole(registry.Sheet(season, tuple(held), {}), self._hidden()))

        return self._view.over_seasons(f"{self._name}/{name}", of_season)

    def kept(self, name: str, make: Callable[[], MadeT]) -> MadeT:
        """What is made; kept until anything in the league changes."""
        return self._view.remembered((self._name, name), make)

    def _hidden(self) -> frozenset[str]:
        return self._view.hidden()


def _season(season: Season, year: str | None) -> Doc:
    own = {"season": season.key, "title": season.title, "year": year}
    return {**own, "stage": season.kind, "open": season.is_open}


def _whole(sheet: registry.Sheet, hidden: Collection[str]) -> Doc:
    season = sheet.of_season
    year = min((race.date[:4] for race in sheet.races), default=None)
    of_round = ("round", "title", "date", "board", "pack", "cancelled")
    return {
        **_season(season, year),
        "calendar": [{name: getattr(one, name) for name in of_round} for one in season.calendar],
        "races": list(_races(sheet, hidden)),
    }


def _races(sheet: registry.Sheet, hidden: Collection[str]) -> Iterator[Doc]:
    of_race = ("season", "round", "name", "date", "game", "board", "track", "laps", "factor")
    for race in sheet.races:
        scores, game = sheet.scores(race), game_of(race.game)
        fastest = EARNERS["fastest"]([score.entry for score in scores])
        yield {
            "race": race.id,
            **{name: getattr(race, name) for name in of_race},
            "box": {"title": game.title, "bgg": game.bgg_id, "money": game.has_money},
            "points": format_points(race.scoring) if race.scoring else None,
            "sprint": race.is_sprint,
            "seconds": race.numbers.get("seconds"),
            "notes": [note.text for note in race.notes],
            "cars": list(_cars(sheet, race, scores, fastest, hidden)),
        }


def _cars(
    sheet: registry.Sheet,
    race: Race,
    scores: list[Score],
    fastest: set[int],
    hidden: Collection[str],
) -> Iterator[Doc]:
    raw = {entry.seat: entry for entry in race.entries}
    stops: dict[int, list[Doc]] = {}
    for row in registry.stops_of(race):
        told = {"stop": row.stop, "lap": row.lap, "turns": row.turns}
        stops.setdefault(row.entry.seat, []).append(told)
    for score in scores:
        entry = score.entry
        yield {
            "seat": entry.seat,
            "driver": entry.driver,
            "id": ascii_person(entry.driver),
            "name": sheet.name(entry),
            "crew": [sheet.names.get(one, one) for one in entry.crew],
            "hidden": entry.driver in hidden,
            "team": sheet.team(race, entry),
            "place": entry.place,
            "status": entry.status,
            "out": entry.out,
            "grid": entry.grid,
            "laps": registry.laps_completed(race, entry),
            "points": score.points,
            "own_points": entry.points,
            "best_lap": entry.best_lap,
            "fastest": entry.seat in fastest,
            **measured(raw[entry.seat]),
            "lap_times": entry.numbers.get("laps", []),
            "stops": stops.get(entry.seat, []),
        }


def _line(line: Standing) -> Doc:
    return {"place": line.place, "points": line.points, "wins": line.wins}


def _person(line: Standing) -> Doc:
    who = {"driver": line.key, "id": ascii_person(line.key), "name": line.name}
    return {**_line(line), **who, "team": line.team}


# -- their forms ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideForm(registry.Form):
    """A form of a plugin: `export` is what its entry point gives.

    Args:
        address: below which it answers; None: nowhere.
    """

    plugin: Plugin
    export: Any
    title: str
    address: str | None

    def writer(self, language: str = "en", *, as_page: bool = False) -> registry.Writer:
        """The function that writes it; raises `LeagueError` where the plugin fails."""

        def write(view: View, key: str) -> bytes:
            content = self._done(lambda: self.export.write(self._seen(view), key))
            if isinstance(content, bytes):
                return content
            raise self._wrong(f"write gives {content!r:.60}: it should be bytes")

        return write

    def reader(self) -> registry.Reader:
        """The function that reads it; raises `BadAct` where the plugin says so (`ValueError`)."""

        def read(content: bytes) -> list[Act]:
            return [parse_act(one) for one in self._done(lambda: [*self.export.read(content)])]

        return read

    def answer(self, view: View, path: str, query: Mapping[str, str], url: str) -> Doc | None:
        """The document at a path below `address`; None: there is none.

        Raises:
            BadAct: the query makes no sense.
            LeagueError: the plugin fails.
        """
        found: Doc | None = self._done(
            lambda: self.export.answer(self._seen(view), path, query, url)
        )
        return found

    def _seen(self, view: View) -> LeagueSeen:
        return LeagueSeen(view, self.plugin.name)

    def _done(self, work: Callable[[], MadeT]) -> MadeT:
        try:
            return self.plugin.in_time(work, LONGEST_S)
        except PluginError as trouble:
            cause = trouble.__cause__
            if isinstance(cause, LeagueError):
                raise cause from None
            if isinstance(cause, ValueError):
                raise BadAct(f"{cause}") from cause
            raise LeagueError(f"{trouble}") from trouble

    def _wrong(self, why: str) -> LeagueError:
        return LeagueError(f"{self.plugin.broken(why)}")


def form_of(plugin: Plugin) -> OutsideForm:
    """The form that a plugin of the group `exports` gives.

    Raises:
        PluginError: it fails, or gives no form.
    """
    return plugin.in_time(lambda: _form(plugin, plugin.load()()))  # a property may fail or hang


def _form(plugin: Plugin, given: Any) -> OutsideForm:
    for name, is_right, wanted in WANTED:
        value = getattr(given, name, None)
        if not is_right(value):
            raise plugin.broken(f"its {name} is {value!r:.60}: it should be {wanted}")
    address = getattr(given, "address", None)
    if address is not None and not callable(getattr(given, "answer", None)):
        raise plugin.broken("it has an address, and no answer(league, path, query, url)")
    return OutsideForm(
        given.about,
        given.of,
        given.suffix,
        "",
        is_read=callable(getattr(given, "read", None)),
        is_link=bool(getattr(given, "is_link", False)),
        plugin=plugin,
        export=given,
        title=given.title,
        address=address,
    )


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and bool(value.strip())


WANTED: Sequence[tuple[str, Callable[[Any], bool], str]] = (
    ("title", _is_line, "what people call it"),
    ("about", _is_line, "a line of help"),
    ("of", lambda value: value in OF, f"one of {', '.join(OF)}"),
    ("suffix", lambda value: _is_line(value) and value.startswith("."), "like '.json'"),
    ("write", callable, "write(league, key)"),
    (
        "address",
        lambda value: value is None or (_is_line(value) and bool(ADDRESS.fullmatch(value))),
        "like 'league/at/NAME'",
    ),
)
"""What an export has, and what of it must be so."""


@cache
def forms() -> Mapping[str, registry.Form]:
    """All forms by name: the companion's own, and those of plugins, of which one that is broken is
    told on the log."""
    found = {**registry.FORMS}
    for plugin in plugins("exports").values():
        try:
            found.setdefault(plugin.name, form_of(plugin))
        except PluginError as trouble:
            _log.warning("%s", trouble)
    return found


def outside() -> dict[str, OutsideForm]:
    """Those of plugins alone."""
    return {name: form for name, form in forms().items() if isinstance(form, OutsideForm)}


def read_json(content: bytes) -> Sequence[Act]:
    """The acts of a file of JSON, whichever form it is of.

    Raises:
        BadAct: it is of none.
    """
    if b'"act"' in content[:400]:
        return registry.FORMS["acts"].reader()(content)
    refused = BadAct("no form of JSON that is installed is read from this")
    for form in outside().values():
        if form.is_read and form.suffix == ".json":
            try:
                return form.reader()(content)
            except BadAct as error:
                refused = error
    raise refused
