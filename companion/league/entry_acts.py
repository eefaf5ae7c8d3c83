"""The acts of competitions: their stages and the ways between them, entry lists, calendars."""

from __future__ import annotations

from typing import Annotated

from companion.league.act import Act
from companion.league.competing import (
    RANKINGS,
    ROLES,
    WAYS,
    WEATHERS,
    Ranking,
    Role,
    Way,
    Weather,
)
from companion.league.points import MOST_PLACES
from companion.league.said import (
    MAY,
    MOST_LAPS,
    UNSAID,
    By,
    Key,
    KeyOrNull,
    MaybeCrew,
    MaybeName,
    NameOrNull,
    Person,
    PersonForm,
    Round,
    RoundOrNull,
    SeatOrNull,
    TextOrNull,
    ThingOrNull,
    Unsaid,
    day_text,
)
from companion.rules.forms import Flag, Maybe, OneOf, Within

MOST_NUMBER = 999
Places = Annotated[int, Within(-MOST_PLACES, MOST_PLACES)]


class SetCompetition(Act, kind="competition"):
    """A competition is made, or what is known of it is changed."""

    competition: Key
    title: MaybeName = UNSAID
    ranking: Annotated[Ranking | Unsaid, OneOf(RANKINGS), MAY] = UNSAID


class OpenPath(Act, kind="path"):
    """Who is between two places of a stage goes into another; below 0 places are from the end."""

    season: Key
    into: Key
    first: Places
    last: Places
    by: Annotated[Way | Unsaid, OneOf(WAYS), MAY] = UNSAID


class ClosePath(Act, kind="close-path"):
    """Nobody goes that way any more."""

    path: Annotated[int, Within(1, 10**9)]


class Enter(Act, kind="enter"):
    """Somebody is on the entry list of a stage, or what it says of him is changed."""

    season: Key
    driver: Person
    number: Annotated[int | Unsaid | None, Maybe(Within(0, MOST_NUMBER)), MAY] = UNSAID
    color: ThingOrNull = UNSAID
    team: NameOrNull = UNSAID
    role: Annotated[Role | Unsaid, OneOf(ROLES), MAY] = UNSAID
    until: RoundOrNull = UNSAID
    via: KeyOrNull = UNSAID
    table: NameOrNull = UNSAID
    grid: SeatOrNull = UNSAID
    crew: MaybeCrew = UNSAID


class Scratch(Act, kind="scratch"):
    """Somebody is no longer on the entry list."""

    season: Key
    driver: Person


class StandFor(Act, kind="stand-in"):
    """Somebody drives for another in a round; null: for himself after all."""

    season: Key
    round: Round
    driver: Person
    absent: Annotated[str | None, Maybe(PersonForm())]


class Plan(Act, kind="plan"):
    """A round of the calendar: what is named is changed, null takes it away."""

    season: Key
    round: Round
    title: NameOrNull = UNSAID
    date: Annotated[str | Unsaid | None, Maybe(By(day_text)), MAY] = UNSAID
    board: ThingOrNull = UNSAID
    pack: ThingOrNull = UNSAID
    laps: Annotated[int | Unsaid | None, Maybe(Within(1, MOST_LAPS)), MAY] = UNSAID
    weather: Annotated[Weather | Unsaid | None, Maybe(OneOf(WEATHERS)), MAY] = UNSAID
    cancelled: TextOrNull = UNSAID


class Unplan(Act, kind="unplan"):
    """A round is no longer in the calendar."""

    season: Key
    round: Round


class Come(Act, kind="come"):
    """Somebody says whether he comes to a round."""

    season: Key
    round: Round
    driver: Person
    comes: Annotated[bool, Flag()]
