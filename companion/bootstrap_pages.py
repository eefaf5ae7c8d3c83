"""What a table's address answers: its own page, and before it what is made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial, reduce
from typing import TYPE_CHECKING

from companion.boards import TrackLibrary
from companion.bootstrap_machine import Machine
from companion.config import Config, read_hosts
from companion.league.errors import LeagueError
from companion.league.settings import read_settings
from companion.seats.hub import SeatHub
from companion.table.access import Access
from companion.table.session import Session
from companion.table.state import TableState

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from companion.bootstrap_league import LeaguePages
    from companion_web.guard import Guard
    from companion_web.server import Server, Wrap

Annexing = Callable[["Guard"], "Wrap"]
"""What puts an app of its own before the page's."""
LEAGUE_PATHS = ("/league", "/api/league", "/ergast")
"""What the league answers at a table's address."""
CABINET_PATHS = ("/cabinet", "/api/cabinet")
"""What the cabinet of simulated seats answers."""
HELP_PATHS = ("/help",)
"""What the pages to read answer."""
LEARN_PATHS = ("/learn",)
"""What the positions to learn on answer."""
LIVE_PATHS = ("/live", "/api/live")
"""What the live test of the seats answers."""


def open_page(
    session: Session,
    access: Access,
    config: Config,
    boards: TrackLibrary,
    annexes: Sequence[Annexing],
    machine: Machine,
) -> Server:
    """The page of a table and all that is put before it, served."""
    # Imported here: whoever only replays or checks a track need not wait for a web server.
    from companion_web.guard import Guard
    from companion_web.hosts import Hosts
    from companion_web.server import serve

    guard = Guard(access, Hosts(read_hosts(config.file)))

    def wrap(page: WSGIApplication) -> WSGIApplication:
        return reduce(lambda house, annex: annex(guard)(house), annexes, page)

    return serve(session, access, config.host, config.port, boards, wrap, guard, machine)


def league_annex(config: Config, opened: ExitStack, guard: Guard) -> Wrap:
    """Puts the league before the page's app; it is opened when somebody asks for it."""

    def make() -> LeaguePages:
        from companion.bootstrap_league import LeaguePages

        database = read_settings(config.file).database
        return opened.enter_context(LeaguePages(config.data, database, guard))

    def wrap(page: WSGIApplication) -> WSGIApplication:
        from companion_web.annex import Annex

        return Annex(page, make, LEAGUE_PATHS, (LeagueError,))

    return wrap


def _annex(
    paths: tuple[str, ...], create: Callable[[Guard], WSGIApplication], guard: Guard
) -> Wrap:
    """Puts an app before the page's; it is created when somebody asks for one of its paths."""

    def wrap(page: WSGIApplication) -> WSGIApplication:
        from companion_web.annex import Annex

        return Annex(page, lambda: create(guard), paths)

    return wrap


def _help(guard: Guard) -> WSGIApplication:
    from companion_web.helping import create_help

    return create_help(guard)


def _learning(guard: Guard) -> WSGIApplication:
    from companion_web.learning import create_learning

    return create_learning(guard)


help_annex: Annexing = partial(_annex, HELP_PATHS, _help)
learn_annex: Annexing = partial(_annex, LEARN_PATHS, _learning)


def live_annex(
    hub: SeatHub, session: Session, state: TableState, opened: ExitStack, guard: Guard
) -> Wrap:
    """Puts the live test's page before the page's app; it is made when somebody asks for it."""

    def make() -> WSGIApplication:
        from companion.bootstrap_live import LiveSeats, is_racing
        from companion_web.live import create_live

        live = opened.enter_context(LiveSeats(hub, session, lambda: is_racing(state)))
        return create_live(live, guard)

    def wrap(page: WSGIApplication) -> WSGIApplication:
        from companion_web.annex import Annex

        return Annex(page, make, LIVE_PATHS)

    return wrap


def cabinet_annex(hub: SeatHub) -> Annexing:
    """The page of the simulated seats."""
    return partial(_annex, CABINET_PATHS, partial(_cabinet, hub))


def _cabinet(hub: SeatHub, guard: Guard) -> WSGIApplication:
    from companion.seats.simulated.cabinet import Cabinet
    from companion_web.cabinet import create_cabinet

    return create_cabinet(Cabinet(hub.drivers), guard)
