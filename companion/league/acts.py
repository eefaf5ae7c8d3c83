"""Acts: what people did to the league, in the words of its journal.

An act is a JSON object `{"act": KIND, …}`; every kind is a class whose fields say what it may
say. `parse_act` knows the form only; whether a race or a driver is there, the store says when
it carries the act out. Acts are never changed or taken away: a mistake is mended by another act
(`part` undoes `merge`, `lift` a `penalty`, `restore` a `strike`, an `amend` the one before).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from companion.league import entry_acts as entry_acts  # they are acts, too
from companion.league.act import Act as Act
from companion.league.act import Done as Done
from companion.league.competing import CREWS, KINDS, Crews
from companion.league.competing import Kind as Stage
from companion.league.errors import BadAct
from companion.league.plain import Status
from companion.league.points import MOST_PLACES, MOST_POINTS
from companion.league.said import (
    CONFIRMING,
    DATE,
    DIGEST,
    MAY,
    MOST_CARS,
    MOST_COUNTED,
    MOST_LAPS,
    MOST_ROUNDS,
    MOST_SECONDS,
    MOST_TRIAL,
    NOTHING,
    RACE,
    ROLES,
    STATUSES,
    UNSAID,
    Amount,
    By,
    Cars,
    Id,
    Key,
    KeyOrNull,
    MaybeCount,
    MaybeCrew,
    MaybeName,
    MaybePerson,
    MaybePoints,
    Name,
    NameOrNull,
    Person,
    PointsOrNull,
    Role,
    RoundOrNull,
    SeatOrNull,
    Text,
    TextOrNull,
    Unsaid,
    called_text,
    key_text,
    points_text,
    read_record,
    ties_text,
    truth,
)
from companion.rules.codec import Record, Word, tell
from companion.rules.errors import Malformed
from companion.rules.forms import Flag, Maybe, OneOf, Within
from companion.rules.games import NAMES


class Car(Record):
    """What people enter of a car; without `place` the order of the list holds.

    `time` in seconds; with `trial`, the rolls, overshoot and errors of a time trial, it is that
    of the trial.
    """

    player: MaybePerson = UNSAID
    place: Annotated[int | Unsaid, Within(1, MOST_CARS), MAY] = UNSAID
    status: Annotated[Status | Unsaid, OneOf(STATUSES), MAY] = UNSAID
    team: NameOrNull = UNSAID
    grid: SeatOrNull = UNSAID
    lap: Annotated[int | Unsaid | None, Maybe(Within(0, MOST_LAPS)), MAY] = UNSAID
    out: TextOrNull = UNSAID
    points: Annotated[int | Unsaid | None, Maybe(Within(-MOST_POINTS, MOST_POINTS)), MAY] = UNSAID
    fastest: Annotated[bool | Unsaid, Flag(), MAY] = UNSAID
    time: Annotated[float | Unsaid | None, Maybe(Amount(0, MOST_SECONDS)), MAY] = UNSAID
    trial: Annotated[int | Unsaid, Within(1, MOST_TRIAL), MAY] = UNSAID
    crew: MaybeCrew = UNSAID


class _Named(Record):
    name: Person


class _Seated(Record):
    seat: Annotated[int, Within(1, MOST_CARS)]
    name: MaybePerson = UNSAID


class NewCar(Car, _Named):  # the fields of the last base come first, here and in JSON
    """A car of a race that is entered by hand."""


class ChangedCar(Car, _Seated):
    """A car of a result that is amended; one that was not in the race needs a name."""


class SetSeason(Act, kind="season"):
    """A season is made, or what is known of it is changed."""

    season: Key
    title: MaybeName = UNSAID
    points: Annotated[str | Unsaid, By(points_text), MAY] = UNSAID
    drops: Annotated[int | Unsaid, Within(0, MOST_ROUNDS), MAY] = UNSAID
    team_cars: SeatOrNull = UNSAID
    planned: RoundOrNull = UNSAID
    is_open: Annotated[bool | Unsaid, Flag(), Word("open", sparse=True)] = UNSAID
    current_round: RoundOrNull = UNSAID
    is_private: Annotated[bool | Unsaid, Flag(), Word("private", sparse=True)] = UNSAID
    ties: Annotated[str | Unsaid, By(ties_text), MAY] = UNSAID
    half_under: Annotated[float | Unsaid | None, Maybe(Amount(0.01, 1)), MAY] = UNSAID
    competition: KeyOrNull = UNSAID
    stage: Annotated[Stage | Unsaid, OneOf(KINDS), MAY] = UNSAID
    step: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    tier: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    adds: Annotated[bool | Unsaid, Flag(), MAY] = UNSAID
    licence: Annotated[int | Unsaid | None, Maybe(Within(1, MOST_COUNTED)), MAY] = UNSAID
    crews: Annotated[Crews | Unsaid, OneOf(CREWS), MAY] = UNSAID


class EnterRace(Act, kind="race"):
    """A race entered by hand, maybe as that of a table; into a season with `round`."""

    race: Id
    date: Annotated[str, DATE]
    game: Annotated[str, OneOf(NAMES)]
    entries: Annotated[tuple[NewCar, ...], Cars(NewCar)]
    name: MaybeName = UNSAID
    track: TextOrNull = UNSAID
    laps: Annotated[int | Unsaid | None, Maybe(Within(1, MOST_LAPS)), MAY] = UNSAID
    table: MaybeName = UNSAID


class PlaceRace(Act, kind="round"):
    """A race is a round of a season, or of none; without `round` the next one."""

    race: Id
    season: Annotated[str | None, Maybe(By(key_text))]
    round: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    factor: Annotated[float | Unsaid, Amount(0.01, 10), MAY] = UNSAID
    points: PointsOrNull = UNSAID


class Amend(Act, kind="amend"):
    """The result of a race is another one; cars that are not named are no longer in it."""

    race: Id
    reason: Text
    entries: Annotated[tuple[ChangedCar, ...], Cars(ChangedCar)]


class Strike(Act, kind="strike"):
    """A race counts no more."""

    race: Id
    reason: Text


class Restore(Act, kind="restore"):
    """A race that was struck counts again."""

    race: Id


class Penalize(Act, kind="penalty"):
    """A penalty or a bonus in a race, or of a whole season, for a driver or a team."""

    driver: MaybePerson = UNSAID
    reason: Text
    team: MaybeName = UNSAID
    race: Annotated[str | Unsaid, RACE, MAY] = UNSAID
    season: Annotated[str | Unsaid, By(key_text), MAY] = UNSAID
    points: MaybePoints = UNSAID
    bonus: MaybePoints = UNSAID
    places: Annotated[int | Unsaid, Within(1, MOST_PLACES), MAY] = UNSAID
    disqualified: Annotated[bool | Unsaid, By(truth), MAY] = UNSAID
    grid: MaybeCount = UNSAID
    ban: MaybeCount = UNSAID
    licence: MaybeCount = UNSAID
    seconds: Annotated[int | Unsaid, Within(1, 3600), MAY] = UNSAID
    round: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID


class Lift(Act, kind="lift"):
    """A penalty no longer holds."""

    penalty: Annotated[int, Within(1, 10**9)]
    reason: Text


class AddNote(Act, kind="note"):
    """A note on the night."""

    race: Id
    text: Text


class Merge(Act, kind="merge"):
    """Two names are one person."""

    name: Person
    into: Person


class Part(Act, kind="part"):
    """A name is a person of its own after all."""

    name: Person


class Rename(Act, kind="rename"):
    """A person is called otherwise."""

    driver: Person
    name: Person


class SetTeam(Act, kind="team"):
    """The team of a driver in a season, or from one of its rounds on."""

    season: Key
    driver: Person
    team: Annotated[str | None, Maybe(By(called_text))]
    since: Annotated[int | Unsaid, Within(2, MOST_ROUNDS), MAY] = UNSAID


class OpenTable(Act, kind="table"):
    """A table of the club gets a key; only its digest is kept."""

    table: Name
    key_sha256: Annotated[str, DIGEST]


class CloseTable(Act, kind="close-table"):
    """A table of the club loses its key."""

    table: Name


class Receive(Act, kind="received"):
    """A table has sent a race, or more of it; it is the table's from then on."""

    race: Id
    table: Name
    provisional: Annotated[bool, Flag(), MAY] = False


class Confirm(Act, kind="confirm"):
    """A provisional result counts."""

    race: Id


class RunClub(Act, kind="club"):
    """How the club works: whether what tables send waits until somebody confirms it."""

    confirm: Annotated[str, OneOf(CONFIRMING)]


class Protest(Act, kind="protest"):
    """Somebody objects to a result."""

    race: Id
    driver: Person
    reason: Text


class Decide(Act, kind="decide"):
    """A protest is upheld or turned down, for a reason; what follows from it are other acts."""

    protest: Annotated[int, Within(1, 10**9)]
    upheld: Annotated[bool, Flag()]
    reason: Text


class Appoint(Act, kind="person"):
    """Somebody gets a key of their own, in a role; only its digest is kept.

    A marshal has a `table`.
    """

    person: Person
    role: Annotated[Role, OneOf(ROLES)]
    key_sha256: Annotated[str, DIGEST]
    table: MaybeName = UNSAID


class Dismiss(Act, kind="close-person"):
    """Somebody's key is no longer good."""

    person: Person


class Hide(Act, kind="hide"):
    """A driver's name is not shown to the public."""

    driver: Person


class Reveal(Act, kind="reveal"):
    """A driver's name is shown again."""

    driver: Person


class Forget(Act, kind="forget"):
    """Somebody was forgotten, and is called so from then on; by then it has been done."""

    driver: Person


# -- reading ----------------------------------------------------------------------------------


def parse_act(data: object) -> Act:
    """The act that an object says: keys known, values within bounds, names tidied.

    >>> parse_act({"act": "merge", "name": " Anna ", "into": "Ana"})
    Merge(name='Anna', into='Ana')

    Raises:
        BadAct: it is none; the message says what would be accepted.
    """
    if not isinstance(data, Mapping):
        raise BadAct(f"an act is a JSON object, not {data!r:.60}")
    kind = data.get("act")
    if not isinstance(kind, str) or kind not in Act.kinds:
        raise BadAct(f"an act is one of {', '.join(Act.kinds)}, not {kind!r:.40}")
    own = {key: value for key, value in data.items() if key != "act"}
    try:
        return read_record(Act.kinds[kind], own, f"the act {kind}")
    except Malformed as error:
        raise BadAct(error.message) from error


def format_act(act: Act) -> dict[str, object]:
    """The object that `parse_act` reads back to the same act."""
    return {"act": act.kind, **tell(act, NOTHING)}


def parse_cars(data: object) -> tuple[ChangedCar, ...]:
    """The cars of an `amend`, as `format_cars` wrote them."""
    assert isinstance(data, list)
    return tuple(read_record(ChangedCar, one, "a car") for one in data)


def format_cars(cars: tuple[ChangedCar, ...]) -> list[dict[str, object]]:
    """Cars of an `amend` as JSON."""
    return [tell(car, NOTHING) for car in cars]


def given(record: Record) -> dict[str, Any]:
    """The fields that a record says something of, by their names."""
    return {name: value for name, value in vars(record).items() if value is not UNSAID}
