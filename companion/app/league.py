"""The league of a data folder, its pages at a table, and a club's server.

Whoever imports this imports the league's database, so a running table does so only once its league
is asked for. A club's server is the league, its pages, and what runs beside them. Its keeper has a
PIN, which all processes and hosts of a club share.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.league.database import PIN, FolderStorage, Guesses, Storage
from companion.league.errors import LeagueError, LeagueFolder
from companion.league.games import measure
from companion.league.hooks import Club, Receiver, Teller
from companion.league.league import League
from companion.league.push import Outbox, read_settings
from companion.league.receiving import LiveFiles
from companion.study.reviews import IdleReviews, KeptReviews
from companion.system.config import CONFIG_FILE, Config, advice_of, read_config, read_hosts
from companion.system.host import Closing, wall_clock
from companion.system.plugins import Options, Plugin, PluginError, plugins

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from companion_web.guard import Guard, KeeperPin
    from companion_web.league.app import ClubKeeper
    from companion_web.league.doors import LeagueAccess


# -- a table's league -----------------------------------------------------------------------------

DRAWS = "resvg_py"
"""The library of the extra `league` without which there are no pictures to send around."""


def open_league(data: Path, database: str | None = None, *, caught_up: bool = True) -> League:
    """The league of a data folder.

    Args:
        caught_up: with what has come since; not wanted by who makes it again anyway.

    Raises:
        LeagueError: its files or its database cannot be opened.
    """
    league = League(data, url=database, now=wall_clock, measure=measure)
    try:
        if caught_up:
            league.catch_up()
    except BaseException:
        league.close()
        raise
    return league


def files_of_club(data: Path, database: str) -> Iterator[tuple[str, bytes]]:
    """The league of a club that lies in its database, as a file by its name in a folder of data.

    Raises:
        LeagueError: the database cannot be opened.
    """
    with open_league(data, database) as league:
        if league.is_hosted:
            yield str(league.folder.lines.relative_to(league.folder.data)), league.dump()


class LeaguePages(Closing):
    """The league's pages at a table, changed by whoever its guard knows; a WSGI app.

    Raises:
        Away: the league cannot be opened.
    """

    def __init__(self, guard: Guard, config: Config, database: str | None) -> None:
        from companion_web.app import Away
        from companion_web.league.app import create_league_app

        try:
            self._league = open_league(config.data, database)
        except LeagueError as trouble:
            raise Away(trouble.public) from trouble
        self._reviews = KeptReviews(config.solved)
        self._idle: IdleReviews | None = None
        if advice_of(config.file):
            self._idle = IdleReviews(self._league, self._reviews, config.solved)
        access = _make_access(
            self._league,
            guard,
            has_table=True,
            not_taken=_not_taken(config),
            reviews=self._reviews if self._idle is not None else None,
        )
        self._app = create_league_app(access=access)

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        return self._app(environ, start)

    def close(self) -> None:
        """Let go of the database. May be called twice."""
        if self._idle is not None:
            self._idle.close()
        self._reviews.close()
        self._league.close()


def _make_access(
    league: League,
    guard: Guard,
    *,
    has_table: bool = False,
    has_live_page: bool = False,
    not_taken: Callable[[], Sequence[tuple[str, str]]] = tuple,
    reviews: KeptReviews | None = None,
) -> LeagueAccess:
    """The league as its pages are given it."""
    from companion_web.league.doors import LeagueAccess

    return LeagueAccess(
        league.public,
        league,
        guard,
        draws=find_spec(DRAWS) is not None,
        has_table=has_table,
        has_live_page=has_live_page,
        not_taken=not_taken,
        reviews=reviews,
    )


def _not_taken(config: Config) -> Callable[[], Sequence[tuple[str, str]]]:
    """What the club of a table refuses; nothing where companion.toml names none."""
    settings = read_settings(config.file)
    if settings.club is None:
        return tuple
    return Outbox(LeagueFolder(config.data), settings.club, wall_clock).refused


# -- a club's server ------------------------------------------------------------------------------


def serve_league(
    data: Path, database: str | None, host: str, port: int, *, workers: int | None = None
) -> None:
    """Serve a club until a signal says stop.

    Raises:
        LeagueError: the league cannot be opened.
        OSError: the address is taken or not ours.
    """
    # Imported here: the command line needs no web server to show standings.
    from companion_web.guard import Guard, Hosts, KeeperPin
    from companion_web.league.app import serve_club

    receivers = open_receivers(data)
    # Made once before the processes are: what it gives to a browser is good in all of them.
    keeper = KeeperPin(keeper_pin(data, database))
    guard = Guard(keeper, Hosts(read_hosts(data / CONFIG_FILE)))

    def make_club() -> tuple[Flask, ClubKeeper]:
        return open_club(data, database, keeper, guard, receivers)

    # Opened once before: what is wrong with it is told here, and the tables are made by one.
    open_league(data, database).close()
    serve_club(make_club, host, port, workers=workers)


def open_club(
    data: Path,
    database: str | None,
    pin: KeeperPin,
    guard: Guard,
    receivers: Mapping[str, Receiver] = MappingProxyType({}),
) -> tuple[Flask, ClubKeeper]:
    """The pages of a club and its keeper, who closes all that was opened for them.

    Raises:
        LeagueError: the league cannot be opened.
    """
    from companion_web.league.app import ClubKeeper, create_league_app
    from companion_web.league.live import LiveNews

    with ExitStack() as opened:
        league = opened.enter_context(open_league(data, database))
        opened.enter_context(share_wrong_pins(league, guard))
        opened.callback(follow_pin(league, pin, guard))
        live = LiveFiles(league.storage, tell=league.told)
        solved = Config(data).solved
        reviews = opened.enter_context(KeptReviews(solved))
        opened.enter_context(IdleReviews(league, reviews, solved))
        club = Club(league.public, live, league.catch_up)
        for name, receiver in receivers.items():
            opened.enter_context(Teller(club, name, receiver, league.folder.acts))
        access = _make_access(league, guard, has_live_page=True, reviews=reviews)
        app, news = create_league_app(league, live, access), LiveNews(live)
        return app, ClubKeeper(league, guard, news, opened=opened.pop_all())


PATIENCE_S = 60.0
"""How long a club waits for a receiver: a slow card may take long to import its library."""


def open_receivers(data: Path) -> dict[str, Receiver]:
    """Who is told what happens: the plugins of the group `receivers` of which companion.toml has
    the heading, or which its `[league]` names.

    Raises:
        LeagueError: what it says of one means nothing, or the plugin fails.
    """
    file = Config(data=data).file
    # Not the plan of a table: what that says of its seats keeps no club shut.
    said = {**read_settings(file).receivers, **read_config(file)}
    found = {}
    for name, plugin in plugins("receivers").items() if said else ():
        if name in said:
            try:
                found[name] = _receiver(plugin, said[name])
            except PluginError as error:
                why = error.__cause__ if isinstance(error.__cause__, ValueError) else error
                raise LeagueError(f"{file}: [{name}] {why}") from error
    return found


def _receiver(plugin: Plugin, said: object) -> Receiver:
    """What a plugin gives that is told `said`; `PluginError`: nothing that is of use."""
    name = plugin.name
    if not isinstance(said, dict):
        raise PluginError(f"{name} = {said!r:.40} should be the heading of a table: [{name}]")
    options = Options(name, said)
    made: Receiver = plugin.in_time(lambda: plugin.load()(options), PATIENCE_S)
    options.check()
    return made


# -- the keeper's PIN -----------------------------------------------------------------------------

PIN_DIGITS = 8


def pin_file(data: Path) -> Path:
    """Where the PIN of a club's keeper is."""
    return data / PIN


def keeper_pin(data: Path, database: str | None = None, *, anew: bool = False) -> str:
    """The PIN of a club's keeper: made once, kept where only its user reads it.

    Of several hosts the database has it, and each has it in its folder for people to read.

    Args:
        anew: make another; servers that run take it over.

    Raises:
        LeagueError: it can be neither read nor written.
    """
    own = FolderStorage(data)
    if database is None:
        if anew and own.read(PIN) is not None and not LeagueFolder(data).database.exists():
            raise LeagueError(
                f"the club of {data} is kept in a database, and so is its PIN: name it with "
                "--database, as its server does"
            )
        return _pin_in(own, None, anew=anew)
    with open_league(data, database, caught_up=False) as league:
        pin = _pin_in(league.storage, own.read(PIN), anew=anew)
    _show(own, pin)
    return pin


def follow_pin(league: League, keeper: KeeperPin, guard: Guard) -> Callable[[], None]:
    """Take over a PIN that is renewed while this process serves; what ends it."""
    own = FolderStorage(league.folder.data)

    def look() -> None:
        pin = _read(league.storage)
        if pin and keeper.renew(pin):
            guard.pins.renewed(pin)
            _show(own, pin)

    end = league.storage.watch(PIN.rpartition("/")[0], look)
    look()  # it may have been renewed just before
    return end


def share_wrong_pins(league: League, guard: Guard) -> Guesses:
    """Have a PIN that is wrong count in all processes of all hosts."""
    from companion_web.guard import WRONG_PINS_A_SECOND, WRONG_PINS_AT_ONCE

    rate = {"depth": WRONG_PINS_AT_ONCE, "rate": WRONG_PINS_A_SECOND}
    guesses = Guesses(league.storage, **rate, told=guard.pins.shared)
    guard.pins.share = guesses.count
    return guesses


def _pin_in(storage: Storage, first: bytes | None, *, anew: bool) -> str:
    fresh = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}\n".encode()
    if anew:
        storage.write(PIN, fresh)
    elif storage.read(PIN) is None:
        # Several processes may start at once: the first of them has made the PIN of all.
        storage.write_once(PIN, first or fresh)
    return _read(storage)


def _read(storage: Storage) -> str:
    return (storage.read(PIN) or b"").decode("ascii", "replace").strip()


def _show(own: Storage, pin: str) -> None:
    """Write it into the folder of this host, for people to read."""
    if _read(own) != pin:
        own.change(PIN, lambda _: f"{pin}\n".encode())  # all processes of this host do
