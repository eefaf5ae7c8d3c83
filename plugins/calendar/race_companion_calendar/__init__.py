"""The calendar of a season for other calendars: iCalendar (RFC 5545).

Lines end with CR LF, are folded at 75 octets, and commas, semicolons and line ends in texts are
escaped. A round without a date is not in it; one with a date alone takes that whole day, one with a
time is told without a zone, as the hour on the clock of whoever reads it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

LONGEST_LINE = 75
Season = Mapping[str, Any]
Planned = Mapping[str, Any]
"""As docs/plugins.md has them."""


class Calendar:
    """The form."""

    title = "Calendar (ICS)"
    about = "the calendar (iCalendar)"
    of = "season"
    suffix = ".ics"

    def write(self, league: Any, key: str) -> bytes:
        """The calendar of a season as a file.

        Raises:
            ValueError: there is no such season.
        """
        season = league.season(key)
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//race-companion//league//EN"]
        lines.append(f"X-WR-CALNAME:{escape(season['title'])}")
        for one in season["calendar"]:
            if one["date"] is not None:
                lines += _event(season, one)
        lines.append("END:VCALENDAR")
        return "".join(f"{fold(line)}\r\n" for line in lines).encode()


def _event(season: Season, one: Planned) -> Iterator[str]:
    number = hashlib.sha256(f"{season['season']} {one['round']}".encode()).hexdigest()[:24]
    yield "BEGIN:VEVENT"
    yield f"UID:{number}@race-companion"
    yield f"DTSTAMP:{_digits(one['date'][:10])}T000000Z"
    yield from _when(one["date"])
    yield f"SUMMARY:{escape(_summary(season, one))}"
    if one["board"]:
        yield f"LOCATION:{escape(one['board'])}"
    more = [text for text in (one["pack"], one["cancelled"]) if text]
    if more:
        yield "DESCRIPTION:" + escape("\n".join(more))
    yield f"STATUS:{'CANCELLED' if one['cancelled'] else 'CONFIRMED'}"
    yield "END:VEVENT"


def _when(day: str) -> Sequence[str]:
    time = re.fullmatch(r".{10}[T ](\d\d):(\d\d)(?::(\d\d))?.*", day)
    if time is not None:
        hours, minutes, seconds = (one or "00" for one in time.groups())
        return [f"DTSTART:{_digits(day[:10])}T{hours}{minutes}{seconds}"]
    first = date.fromisoformat(day)
    last = first + timedelta(days=1)
    return [f"DTSTART;VALUE=DATE:{first:%Y%m%d}", f"DTEND;VALUE=DATE:{last:%Y%m%d}"]


def _summary(season: Season, one: Planned) -> str:
    """What a round is called in a calendar."""
    where = one["title"] or one["board"]
    return f"{season['title']} {one['round']}" + (f": {where}" if where else "")


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
