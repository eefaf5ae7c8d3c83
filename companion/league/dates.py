"""The calendar of a stage: what comes next, and a file of it for the calendars of others; pure.

The file is an iCalendar (RFC 5545): lines end with CR LF, are folded at 75 octets, and commas,
semicolons and line ends in texts are escaped. A round without a date is not in it; one with a date
alone takes that whole day, one with a time is told without a zone, as the hour on the clock of
whoever reads it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import count

from companion.league.competing import Planned
from companion.league.errors import BadAct
from companion.league.plain import Race, Season
from companion.league.ports import LeagueQueries

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
