"""What `[league]` of companion.toml says: the database, the club that records are sent to, and of
a club's server who is told what happens."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from urllib.parse import urlsplit

from companion.frozen import dataclass
from companion.league.errors import LeagueError

MQTT_TOPIC = "race-companion"
"""Below it stand the kinds of messages, where the configuration names no other."""
MQTT_PORTS: Mapping[str, int] = {"mqtt": 1883, "mqtts": 8883}
"""The usual port, by how a broker is spoken to."""
LONGEST_TOPIC = 200


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """Where the league is kept, and the club that hears of it.

    Args:
        database: a URL; None is SQLite beside the records.
        club: the address of the club's server, such as `https://club.example`; None: no club.
        key: what the club gave this table to send records with.
        webhook: the address that a club's server tells what happens (`hooks`); None: nobody.
        webhook_secret: by which messages to it are signed.
        mqtt: a broker that a club's server tells the same, such as `mqtt://broker.local`.
        mqtt_topic: below which; `mqtt_user` and `mqtt_password` where the broker wants some.
    """

    database: str | None = None
    club: str | None = None
    key: str | None = None
    webhook: str | None = None
    webhook_secret: str | None = None
    mqtt: str | None = None
    mqtt_topic: str = MQTT_TOPIC
    mqtt_user: str | None = None
    mqtt_password: str | None = None


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
    _check_mqtt(settings)
    return settings


def _check_mqtt(settings: LeagueSettings) -> None:
    if settings.mqtt is not None:
        check_broker(settings.mqtt)
    elif settings.mqtt_user or settings.mqtt_password or settings.mqtt_topic != MQTT_TOPIC:
        raise LeagueError("[league] has mqtt, the broker, with what else it says of it")
    if settings.mqtt_password is not None and settings.mqtt_user is None:
        raise LeagueError("[league] has mqtt_user with mqtt_password")
    topic = settings.mqtt_topic
    if not topic.isprintable() or {*"+#"} & {*topic} or len(topic.encode()) > LONGEST_TOPIC:
        raise LeagueError(
            f"[league] mqtt_topic is 1 to {LONGEST_TOPIC} letters without + and #, not {topic!r}"
        )


def check_broker(address: str) -> None:
    """See that an address is one of a broker.

    Raises:
        LeagueError: it is not.
    """
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in MQTT_PORTS and bool(parts.hostname) and parts.port != 0
        is_one = is_one and not (parts.path.strip("/") or parts.query)
        (parts.hostname or "").encode("idna")
    except ValueError:
        is_one = False
    if is_one and "@" in parts.netloc:  # not quoted: there may be a password in it
        raise LeagueError("mqtt is an address alone: mqtt_user and mqtt_password say the rest")
    if not is_one:
        raise LeagueError(f"mqtt is an address such as mqtt://broker.local, not {address!r}")


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
