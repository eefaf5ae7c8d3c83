"""Puts a club's server together: the league, its pages, and what runs beside them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from companion.bootstrap_keeper import follow_pin, keeper_pin, share_wrong_pins
from companion.bootstrap_league import SOLVED, make_access, open_league
from companion.config import CONFIG_FILE, Config, read_hosts
from companion.idle_reviews import IdleReviews
from companion.kept_reviews import KeptReviews
from companion.league.hooks.receiver import Receiver
from companion.league.hooks.teller import Club, Receiving, Teller
from companion.league.live import LiveFiles
from companion.league.settings import read_settings

if TYPE_CHECKING:
    from flask import Flask

    from companion_web.guard import Guard
    from companion_web.keeper_pin import KeeperPin
    from companion_web.league.server import ClubKeeper


def serve_league(
    data: Path, database: str | None, host: str, port: int, *, workers: int | None = None
) -> None:
    """Serve a club until a signal says stop.

    Raises:
        LeagueError: the league cannot be opened.
        OSError: the address is taken or not ours.
    """
    # Imported here: the command line needs no web server to show standings.
    from companion_web.guard import Guard
    from companion_web.hosts import Hosts
    from companion_web.keeper_pin import KeeperPin
    from companion_web.league.server import serve_club

    receivers = _receivers(data)
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
    receivers: Sequence[Receiving] = (),
) -> tuple[Flask, ClubKeeper]:
    """The pages of a club and its keeper, who closes all that was opened for them.

    Raises:
        LeagueError: the league cannot be opened.
    """
    from companion_web.league.app import create_league_app
    from companion_web.league.live_page import LiveNews
    from companion_web.league.server import ClubKeeper

    with ExitStack() as opened:
        league = opened.enter_context(open_league(data, database))
        opened.enter_context(share_wrong_pins(league, guard))
        opened.callback(follow_pin(league, pin, guard))
        live = LiveFiles(league.storage, tell=league.told)
        reviews = opened.enter_context(KeptReviews(data / SOLVED))
        opened.enter_context(IdleReviews(league, reviews, data / SOLVED))
        club = Club(league.public, league.public, live, league.catch_up)
        for receiver in receivers:
            opened.enter_context(Teller(club, receiver, league.folder.acts))
        access = make_access(league, guard, has_live_page=True, reviews=reviews)
        app, news = create_league_app(league, live, access), LiveNews(live)
        return app, ClubKeeper(league, guard, news, opened=opened.pop_all())


def _receivers(data: Path) -> list[Receiving]:
    """Who is told what happens, as companion.toml names them."""
    settings = read_settings(Config(data=data).file)
    found: list[Receiving] = []
    if settings.webhook is not None and settings.webhook_secret is not None:
        found.append(Receiver(settings.webhook, settings.webhook_secret))
    if settings.mqtt is not None:
        from companion.league.hooks.mqtt import Broker  # few clubs have one

        user, password = settings.mqtt_user, settings.mqtt_password
        topic = settings.mqtt_topic
        found.append(Broker(settings.mqtt, topic=topic, user=user, password=password))
    return found
