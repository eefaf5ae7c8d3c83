"""What `[league]` of companion.toml says: the database, the club that records are sent to, and of
a club's server who is told what happens."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from urllib.parse import urlsplit

from companion.frozen import dataclass
from companion.league.errors import LeagueError


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """Where the league is kept, and the club that hears of it.

    Args:
        database: a URL; None is SQLite beside the records.
        club: the address of the club's server, such as `https://club.example`; None: no club.
        key: what the club gave this table to send records with.
        webhook: the address that a club's server tells what happens (`hooks`); None: nobody.
        webhook_secret: by which messages to it are signed.
    """

    database: str | None = None
    club: str | None = None
    key: str | None = None
    webhook: str | None = None
    webhook_secret: str | None = None


def read_settings(file: Path) -> LeagueSettings:
    """The settings in a configuration file; a file that is not there says nothing.

    Raises:
        LeagueError: it cannot be read, or says what means nothing here.
    """
    try:
        table = tomllib.loads(file.read_text("utf-8")).get("league", {})
    except FileNotFoundError:
        return LeagueSettings()
    except OSError as error:
        raise LeagueError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise LeagueError(f"{file} is not TOML: {error}") from error
    try:
        return parse_settings(table)
    except LeagueError as error:
        raise LeagueError(f"{file}: {error}") from error


def parse_settings(table: object) -> LeagueSettings:
    """The settings in the table `[league]`.

    >>> parse_settings({"club": "http://club.local:8001", "key": "k"}).club
    'http://club.local:8001'

    Raises:
        LeagueError: a setting is unknown or no text, or a club comes without its key.
    """
    known = [field.name for field in fields(LeagueSettings)]
    if not isinstance(table, dict) or any(name not in known for name in table):
        raise LeagueError(f"[league] may say {', '.join(known)}, and nothing else")
    for name, value in table.items():
        if not isinstance(value, str) or not value.strip():
            raise LeagueError(f"[league] {name} is a text, not {value!r:.40}")
    settings = LeagueSettings(**table)
    if (settings.club is None) != (settings.key is None):
        raise LeagueError("[league] has club and key together: the club gives the key")
    if settings.club is not None:
        check_club(settings.club)
    if (settings.webhook is None) != (settings.webhook_secret is None):
        raise LeagueError("[league] has webhook and webhook_secret together")
    if settings.webhook is not None:
        check_club(settings.webhook, "the webhook")
    return settings


def check_club(address: str, what: str = "the club") -> None:
    """See that an address is one of a server.

    Raises:
        LeagueError: it is not.
    """
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        (parts.hostname or "").encode("idna")
        f"{parts.path}{parts.query}".encode("ascii")
    except ValueError:
        is_one = False
    if is_one and "@" in parts.netloc:  # not quoted: there may be a password in it
        raise LeagueError(f"{what} is an address without a user or a password before its host")
    if not is_one:
        raise LeagueError(f"{what} is an address such as https://club.example, not {address!r}")
