"""Acts: what people did to the league. A kind of act is one class here, and stands nowhere else.

Its fields say what it may say and within which bounds, by which it is read and told as JSON; `do`
is what it does to the league. An act is never changed or taken away: what was a mistake is undone
by another act (`undo`), or mended (`part` mends a `merge`, `lift` a `penalty`, `restore` a
`strike`, an `amend` the one before).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from importlib import import_module
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from companion.league import forms, plain
from companion.league.errors import BadAct, key_of
from companion.league.finished import Finished
from companion.league.plain import Kind as StageKind
from companion.league.plain import Protest as Objection
from companion.league.results import amended, entered
from companion.league.stand import (
    Amendment,
    Member,
    Stage,
    Stand,
    Told,
    otherwise,
    without,
)
from companion.rules.codec import Flag, Maybe, OneOf, Record, Within, Word, tell
from companion.rules.games import NAMES
from companion.rules.lines import Malformed

# -- act ------------------------------------------------------------------------------------------


Number = Annotated[int, Within(1, 10**9)]
"""Of an act."""


class Act(Record):
    """Base of all acts.

    `kind` is its word; `called` what people call it, where it was done and on its form; `go` stands
    on the button of that, and `done` is said then, with fields in braces. `may` are the roles that
    do it from a page: an organiser all, nobody what has the digest of a key or comes by itself.
    """

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Act]]] = {}
    called: ClassVar[str]
    go: ClassVar[str]
    done: ClassVar[str]

    may: ClassVar[frozenset[str]]

    def __init_subclass__(
        cls, kind: str, called: str, go: str = "", done: str = "", may: str | None = ""
    ) -> None:
        super().__init_subclass__()
        cls.may = frozenset() if may is None else frozenset(("organiser", *may.split()))
        cls.kind, Act.kinds[kind] = kind, cls
        cls.called, cls.go, cls.done = called, go or called, done

    def do(self, stand: Stand, done: Done) -> None:
        """Change the league, which is a copy to be changed.

        Raises:
            BadAct: it speaks of what is not there; whoever called throws the copy away.
        """
        raise NotImplementedError(self.kind)


class Done(NamedTuple):
    """An act that was done: its number, when (ISO 8601) and by whom; `found` is the race of a
    record that came in."""

    n: int
    act: Act
    at: str
    by: str
    found: Finished | None = None


class Undo(Act, kind="undo", called="Something was undone"):
    """An act is taken back: all stands as if it had never been."""

    number: Number
    reason: forms.TextOrNull = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        """The league is folded without that act."""


class TakeRecord(Act, kind="record", may=None, called="A race came from the table"):
    """A record has come in, or more of it; it is kept under the digest of its bytes."""

    race: forms.Id
    record: Annotated[str, forms.DIGEST]

    def do(self, stand: Stand, done: Done) -> None:
        if done.found is None:
            raise BadAct(f"there is no record {self.record}")
        stand.take(done.found, self.record, done.at)


# -- races ----------------------------------------------------------------------------------------


class SetSeason(Act, kind="season", called="A season"):
    """A season is made, or what is known of it is changed."""

    season: forms.Key
    title: forms.MaybeName = forms.UNSAID
    points: Annotated[
        forms.May[str],
        forms.By(forms.points_text),
        forms.Says("Points", about=f"points by place: {plain.ACCEPTED}"),
    ] = forms.UNSAID
    drops: Annotated[
        forms.May[int], Within(0, forms.MOST_ROUNDS), forms.Says("Worst rounds dropped")
    ] = forms.UNSAID
    best: Annotated[forms.RoundOrNull, forms.Says("Best rounds that count; empty: all")] = (
        forms.UNSAID
    )
    team_cars: Annotated[forms.SeatOrNull, forms.Says("Cars that count for a team; empty: all")] = (
        forms.UNSAID
    )
    planned: Annotated[forms.RoundOrNull, forms.Says("Rounds planned")] = forms.UNSAID
    is_open: Annotated[
        bool | forms.Unsaid,
        Flag(),
        Word("open", sparse=True),
        forms.Says("Open: finished races go into it"),
    ] = forms.UNSAID
    current_round: Annotated[
        forms.RoundOrNull, forms.Says("Round of records that come in", flag="round")
    ] = forms.UNSAID
    is_private: Annotated[
        bool | forms.Unsaid, Flag(), Word("private", sparse=True), forms.Says("Hide from strangers")
    ] = forms.UNSAID
    ties: Annotated[
        forms.May[str],
        forms.By(forms.ties_text),
        forms.Says("Equal points are decided by", about=f"of {', '.join(forms.TIES)}"),
    ] = forms.UNSAID
    half_under: Annotated[
        forms.May[float | None],
        Maybe(forms.Amount(0.01, 1)),
        forms.Says("Half points under this share of the laps"),
    ] = forms.UNSAID
    competition: forms.KeyOrNull = forms.UNSAID
    stage: Annotated[
        forms.May[StageKind],
        OneOf(plain.KINDS),
        forms.Says(
            "Kind of stage",
            "season | division | time trials | heats | final | knockout | sprint",
        ),
    ] = forms.UNSAID
    step: Annotated[
        forms.May[int], Within(1, forms.MOST_ROUNDS), forms.Says("Step, later ones stand above")
    ] = forms.UNSAID
    tier: Annotated[
        forms.May[int],
        Within(1, forms.MOST_ROUNDS),
        forms.Says("Tier of a division, 1 is the upper"),
    ] = forms.UNSAID
    adds: Annotated[forms.May[bool], Flag(), forms.Says("Its points are in the sum")] = forms.UNSAID
    licence: Annotated[
        forms.May[int | None],
        Maybe(Within(1, forms.MOST_COUNTED)),
        forms.Says("Licence points that are a ban; empty: none"),
    ] = forms.UNSAID
    crews: Annotated[
        forms.May[plain.Crews],
        OneOf(plain.CREWS),
        forms.Says("Points of a car with a crew", "go to the car | go to each of the crew"),
    ] = forms.UNSAID

    SCORING: ClassVar[tuple[str, ...]] = (
        "points",
        "drops",
        "team_cars",
        "planned",
        "ties",
        "half_under",
        "licence",
        "crews",
        "stage",
        "best",
    )
    """What its standings hang on, in the order of files."""

    @classmethod
    def of(cls, season: plain.Season) -> SetSeason:
        """The act that makes a season again; what is as usual is not said, but for the first."""
        usual = plain.Season(key="", title="")
        own = {name: getattr(season, "kind" if name == "stage" else name) for name in cls.SCORING}
        for name in cls.SCORING[4:]:
            if own[name] == getattr(usual, "kind" if name == "stage" else name):
                own[name] = forms.UNSAID
        own["points"] = plain.format_points(season.points)
        own["ties"] = own["ties"] if own["ties"] is forms.UNSAID else ",".join(season.ties)
        return cls(season=season.key, title=season.title, **own)

    def do(self, stand: Stand, done: Done) -> None:
        own = forms.given(self)
        key = own.pop("season")
        if own.get("competition") is not None and own["competition"] not in stand.cups:
            raise BadAct(f"there is no competition {own['competition']!r}")
        stage = stand.stages.get(key) or Stage(plain.Season(key=key, title=key))
        if "stage" in own:
            own["kind"] = own.pop("stage")
        if "points" in own:
            own["points"] = plain.parse_points(own["points"])
        if "ties" in own:
            own["ties"] = tuple(own["ties"].split(","))
        closed = stage.closed
        if self.is_open is not forms.UNSAID:
            closed = not self.is_open and (stage.season.is_open or stage.closed)
        for other in tuple(stand.stages.values()) if self.is_open is True else ():
            if other.season.is_open:
                stand.put(other, season=replace(other.season, is_open=False))
        season = replace(stage.season, **own)
        stand.put(stage, season=season, closed=closed, by_itself=done.by == plain.COMPANION)


class EnterRace(Act, kind="race", may="marshal host", called="An evening was added"):
    """A race entered by hand, maybe as that of a table; into a season with `round`."""

    race: forms.Id
    date: forms.Day
    game: Annotated[str, OneOf(NAMES)]
    entries: Annotated[tuple[forms.NewCar, ...], forms.Cars(forms.NewCar)]
    name: forms.MaybeName = forms.UNSAID
    track: forms.TextOrNull = forms.UNSAID
    laps: forms.LapsOrNull = forms.UNSAID
    table: forms.MaybeName = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        if self.race in stand.told:
            raise BadAct(
                f"there is a race {self.race!r} already, with the same cars on the same day; "
                "another one needs another name"
            )
        rows, own = entered(self.entries, self.game), forms.given(self)
        race = plain.Race(
            id=self.race,
            name=own.get("name") or own.get("track") or self.date,
            date=self.date,
            game=self.game,
            entries=(),
            source="hand",
            track=own.get("track"),
            board=own.get("track"),
            laps=own.get("laps"),
            sender=own.get("table"),
        )
        stand.settle(Told(race, tuple(rows)))


class PlaceRace(
    Act, kind="round", may="steward marshal host", called="Its season and round", go="Change it"
):
    """A race is a round of a season, or of none; without `round` the next one."""

    race: forms.Id
    season: Annotated[str | None, Maybe(forms.By(forms.key_text))]
    round: Annotated[forms.May[int], Within(1, forms.MOST_ROUNDS)] = forms.UNSAID
    factor: Annotated[
        forms.May[float], forms.Amount(0.01, 10), forms.Says("Points count so many times")
    ] = forms.UNSAID
    points: Annotated[
        forms.May[str | None],
        Maybe(forms.By(forms.points_text)),
        forms.Says("Points of its own (a sprint)"),
    ] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        told, number = stand.race_of(self.race), None
        if self.season is not None:
            now = stand.stage_of(self.season).season.current_round
            said = None if self.round is forms.UNSAID else self.round
            number = said or now or next(stand.next_rounds(self.season, self.race))
        race = otherwise(
            told.race,
            season=self.season,
            round=number,
            factor=1 if self.factor is forms.UNSAID else self.factor,
            scoring=None
            if self.points in (forms.UNSAID, None)
            else plain.parse_points(f"{self.points}"),
        )
        for of, after in ((told.race.season, {}), (self.season, {told.race.id: number})):
            if of is not None:
                stand.rounds[of] = without(stand.rounds.get(of, {}), self.race) | after
        stand.man(stand.put(told, race=race, placed=True))
        stand.clear(told.race.season)


class Amend(Act, kind="amend", may="steward marshal host", called="The result was mended"):
    """The result of a race is another one; cars that are not named are no longer in it. Or it was
    driven on another day."""

    race: forms.Id
    reason: forms.Text
    entries: Annotated[forms.May[tuple[forms.ChangedCar, ...]], forms.Cars(forms.ChangedCar)] = (
        forms.UNSAID
    )
    date: Annotated[forms.May[str], forms.By(forms.day_text)] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        told = stand.race_of(self.race)
        if self.entries is forms.UNSAID and self.date is forms.UNSAID:
            raise BadAct("an amendment has entries, date, or both")
        if self.date is not forms.UNSAID:
            told = stand.put(told, race=replace(told.race, date=self.date), is_dated=True)
        if self.entries is not forms.UNSAID:
            amended(told.rows, self.entries, told.race.game)  # here it may be refused, never later
            one = Amendment(self.entries, self.reason, done.at)
            told = stand.put(told, amendments=(*told.amendments, one))
        stand.settle(told)


class Strike(
    Act, kind="strike", may="steward", called="Strike the race", done="The race counts no more."
):
    """A race counts no more."""

    race: forms.Id
    reason: forms.Text

    def do(self, stand: Stand, done: Done) -> None:
        told = stand.race_of(self.race)
        stand.put(told, race=replace(told.race, struck=self.reason))


class Restore(
    Act,
    kind="restore",
    may="steward",
    called="Let the race count again",
    done="The race counts again.",
):
    """A race that was struck counts again."""

    race: forms.Id

    def do(self, stand: Stand, done: Done) -> None:
        told = stand.race_of(self.race)
        if told.race.struck is None:
            raise BadAct(f"the race {self.race!r} counts; there is nothing to restore")
        stand.put(told, race=replace(told.race, struck=None))


class Penalize(
    Act, kind="penalty", may="steward marshal", called="A penalty", go="Give the penalty"
):
    """A penalty or a bonus in a race, or of a whole season, for a driver or a team."""

    driver: forms.MaybePerson = forms.UNSAID
    reason: forms.Text
    team: forms.MaybeName = forms.UNSAID
    race: Annotated[forms.May[str], forms.RACE] = forms.UNSAID
    season: Annotated[forms.May[str], forms.By(forms.key_text)] = forms.UNSAID
    points: Annotated[forms.MaybePoints, forms.Says("points taken")] = forms.UNSAID
    bonus: Annotated[forms.MaybePoints, forms.Says("bonus points")] = forms.UNSAID
    places: Annotated[forms.May[int], Within(1, plain.MOST_PLACES), forms.Says("places lost")] = (
        forms.UNSAID
    )
    disqualified: Annotated[forms.May[bool], forms.By(forms.truth), forms.Says("disqualified")] = (
        forms.UNSAID
    )
    grid: Annotated[forms.MaybeCount, forms.Says("places lost on the next grid")] = forms.UNSAID
    ban: Annotated[forms.MaybeCount, forms.Says("rounds banned")] = forms.UNSAID
    licence: Annotated[forms.MaybeCount, forms.Says("licence points")] = forms.UNSAID
    seconds: Annotated[forms.May[int], Within(1, 3600), forms.Says("seconds")] = forms.UNSAID
    round: Annotated[
        forms.May[int],
        Within(1, forms.MOST_ROUNDS),
        forms.Says("after round; empty: the whole season"),
    ] = forms.UNSAID

    @property
    def bars(self) -> bool:
        """Whether it keeps somebody from driving, now or one day."""
        return (self.ban, self.licence) != (forms.UNSAID, forms.UNSAID)

    @classmethod
    def of(
        cls, one: plain.Penalty, driver: str | None, *, race: str | None, season: str | None
    ) -> Self:
        """The act that makes a penalty again, in a race or a season."""
        where = {"driver": driver, "race": race, "season": season, "reason": one.reason}
        own = (field.name for field in fields(cls) if field.name not in where)
        said: dict[str, Any] = {**where, **{name: getattr(one, name) for name in own}}
        told: dict[str, Any] = {name: value or forms.UNSAID for name, value in said.items()}
        return cls(**told)

    def do(self, stand: Stand, done: Done) -> None:
        own = forms.given(self)
        _check_penalty(own)
        name = stand.known(own.pop("driver")) if "driver" in own else ""
        if "race" in own:
            told = stand.race_of(own.pop("race"))
            if name:
                stand.drove(told, name)
            one = plain.Penalty(id=done.n, driver=name, **own)
            stand.put(told, penalties={**told.penalties, done.n: one})
        else:
            stage = stand.stage_of(own.pop("season"))
            one = plain.Penalty(id=done.n, driver=name, **own)
            stand.put(stage, penalties={**stage.penalties, done.n: one})


class Lift(Act, kind="lift", may="steward", called="Lift the penalty"):
    """A penalty no longer holds."""

    penalty: Number
    reason: forms.Text

    def do(self, stand: Stand, done: Done) -> None:
        every: list[Stage | Told] = [*stand.told.values(), *stand.stages.values()]
        of = next((of for of in every if self.penalty in of.penalties), None)
        if of is None:
            raise BadAct(f"there is no penalty with number {self.penalty}")
        one = replace(of.penalties[self.penalty], lifted=self.reason)
        stand.put(of, penalties={**of.penalties, self.penalty: one})


class AddNote(
    Act, kind="note", may="steward marshal host", called="Note on the night", go="Add the note"
):
    """A note on the night."""

    race: forms.Id
    text: Annotated[forms.Text, forms.Says("Note on the night")]

    def do(self, stand: Stand, done: Done) -> None:
        told = stand.race_of(self.race)
        note = plain.Note(id=done.n, text=self.text, by=done.by, at=done.at)
        stand.put(told, added=(*told.added, note))


class Merge(
    Act,
    kind="merge",
    may="host",
    called="Two names, one person",
    go="Merge",
    done="{name} and {into} are one person in the league now.",
):
    """Two names are one person."""

    name: Annotated[forms.Person, forms.Says("This name")]
    into: Annotated[forms.Person, forms.Says("belongs to")]

    def do(self, stand: Stand, done: Done) -> None:
        into, name = stand.who(stand.name(self.into)), stand.who(stand.name(self.name))
        if name == into:
            raise BadAct(f"{self.name!r} and {self.into!r} are one person already")
        stand.merged = stand.merged | dict.fromkeys(stand.names_of(name), into)


class Part(Act, kind="part", may="host", called="Two people after all", go="Part"):
    """A name is a person of its own after all."""

    name: Annotated[forms.Person, forms.Says("This name")]

    def do(self, stand: Stand, done: Done) -> None:
        key = stand.known(self.name)
        if stand.who(key) == key:
            raise BadAct(f"{self.name!r} is a person of its own already")
        stand.merged = without(stand.merged, key)


class Rename(
    Act,
    kind="rename",
    called="Is called from now on",
    go="Change it",
    done="{driver} is {name} in the league now.",
):
    """A person is called otherwise."""

    driver: forms.Person
    name: forms.Person

    def do(self, stand: Stand, done: Done) -> None:
        stand.titles[stand.who(stand.known(self.driver))] = self.name


class SetTeam(Act, kind="team", called="A team", go="Change it"):
    """The team of a driver in a season, or from one of its rounds on."""

    season: forms.Key
    driver: forms.Person
    team: Annotated[
        str | None, Maybe(forms.By(forms.called_text)), forms.Says("Team; empty: that of the race")
    ]
    since: Annotated[
        forms.May[int],
        Within(2, forms.MOST_ROUNDS),
        forms.Says("From round; empty: the whole season"),
    ] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        stage, name = stand.stage_of(self.season), stand.name(self.driver)
        since = 1 if self.since is forms.UNSAID else self.since
        own = [at for at in stage.teams if at[1] == name]
        if self.team is None and not own:
            raise BadAct(f"{self.driver!r} has no team of its own in {stage.season.title}")
        # Without a round it is the team of the whole season, whatever was said of rounds before.
        gone = {at for at in own if since in (1, at[0])}
        teams = {at: team for at, team in stage.teams.items() if at not in gone}
        if self.team is not None or any(at[0] < since for at in own):
            teams[since, name] = self.team
        stand.put(stage, teams=teams)


class OpenTable(Act, kind="table", may=None, called="A table's key", go="Make the key"):
    """A table of the club gets a key; only its digest is kept."""

    table: forms.Name
    key_sha256: Annotated[str, forms.DIGEST]

    def do(self, stand: Stand, done: Done) -> None:
        stand.tables[self.table] = self.key_sha256


class CloseTable(Act, kind="close-table", called="A table may send no more", go="Take it away"):
    """A table of the club loses its key."""

    table: forms.Name

    def do(self, stand: Stand, done: Done) -> None:
        if stand.tables.get(self.table) is None:
            raise BadAct(f"there is no table {self.table!r} with a key")
        stand.tables[self.table] = None


class Receive(Act, kind="received", may=None, called="A race came from a table"):
    """A table has sent a race, or more of it; it is the table's from then on."""

    race: forms.Id
    table: forms.Name
    provisional: Annotated[bool, Flag(), forms.MAY] = False

    def do(self, stand: Stand, done: Done) -> None:
        told = stand.race_of(self.race)
        race = replace(told.race, sender=self.table, provisional=self.provisional)
        stand.put(told, race=race)


class Confirm(
    Act, kind="confirm", may="steward marshal", called="A result was confirmed", go="Confirm it"
):
    """A provisional result counts."""

    race: forms.Id

    def do(self, stand: Stand, done: Done) -> None:
        told = stand.race_of(self.race)
        if not told.race.provisional:
            raise BadAct(f"the race {self.race!r} is confirmed already")
        stand.put(told, race=replace(told.race, provisional=False))


class RunClub(Act, kind="club", called="What tables send", go="Change it"):
    """How the club works: whether what tables send waits until somebody confirms it."""

    confirm: Annotated[
        str,
        OneOf(forms.CONFIRMING),
        forms.Says("What tables send", "counts at once | waits until it is confirmed"),
    ]

    def do(self, stand: Stand, done: Done) -> None:
        stand.waits = self.confirm == "by-hand"


class Protest(Act, kind="protest", may="steward driver", called="A protest", go="Protest"):
    """Somebody objects to a result."""

    race: forms.Id
    driver: forms.Person
    reason: forms.Text

    def do(self, stand: Stand, done: Done) -> None:
        told, name = stand.race_of(self.race), stand.known(self.driver)
        stand.drove(told, name)
        one = Objection(id=done.n, driver=name, reason=self.reason, at=done.at)
        stand.put(told, protests={**told.protests, done.n: one})


class Decide(Act, kind="decide", may="steward", called="Decide the protest"):
    """A protest is upheld or turned down, for a reason; what follows from it are other acts."""

    protest: Number
    upheld: Annotated[bool, Flag(), forms.Says("Decision", "upheld | turned down")]
    reason: forms.Text

    def do(self, stand: Stand, done: Done) -> None:
        for told in stand.told.values():
            one = told.protests.get(self.protest)
            if one is not None:
                decided = replace(one, upheld=self.upheld, decision=self.reason, decided_by=done.by)
                stand.put(told, protests={**told.protests, self.protest: decided})
                return
        raise BadAct(f"there is no protest with number {self.protest}")


class Appoint(Act, kind="person", may=None, called="A link for somebody", go="Make the link"):
    """Somebody gets a key of their own, in a role; only its digest is kept.

    A marshal has a `table`.
    """

    person: Annotated[forms.Person, forms.Says("Name")]
    role: Annotated[
        forms.Role,
        OneOf(forms.ROLES),
        forms.Says(
            "May",
            "do all that the keeper can | confirm, amend and decide"
            " | enter, confirm and penalize at one table | protest in their own name",
        ),
    ]
    key_sha256: Annotated[str, forms.DIGEST]
    table: Annotated[forms.MaybeName, forms.Says("Table of a marshal")] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        table = None if self.table is forms.UNSAID else self.table
        if (self.role == "marshal") != (table is not None):
            raise BadAct("a marshal has a table, and nobody else")
        member = Member(self.person, self.role, table)
        stand.members[stand.name(self.person)] = self.key_sha256, member


class Dismiss(
    Act, kind="close-person", called="Somebody's link is no longer good", go="Take it away"
):
    """Somebody's key is no longer good."""

    person: Annotated[forms.Person, forms.Says("Name")]

    def do(self, stand: Stand, done: Done) -> None:
        if stand.members.pop(key_of(self.person), None) is None:
            raise BadAct(f"{self.person!r} has no key here")


class Hide(Act, kind="hide", called="Hide from strangers", go="Hide"):
    """A driver's name is not shown to the public."""

    driver: forms.Person

    def do(self, stand: Stand, done: Done) -> None:
        stand.hidden.add(stand.who(stand.known(self.driver)))


class Reveal(Act, kind="reveal", called="Show again"):
    """A driver's name is shown again."""

    driver: forms.Person

    def do(self, stand: Stand, done: Done) -> None:
        driver = stand.who(stand.known(self.driver))
        if driver not in stand.hidden:
            raise BadAct(f"{self.driver!r} is not hidden")
        stand.hidden.discard(driver)


class Forget(
    Act,
    kind="forget",
    may=None,
    called="Somebody was forgotten",
    go="Forget",
    done="The name is forgotten; results stand without it in the league now.",
):
    """Somebody was forgotten, and is called so from then on; by then it has been done."""

    driver: forms.Person

    def do(self, stand: Stand, done: Done) -> None:
        """The acts and records are without the name already: this tells who saw to it."""


# -- the calendar ----------------------------------------------------------------------------------


class Plan(Act, kind="plan", called="A round of the calendar", go="Put it in"):
    """A round of the calendar: what is named is changed, null takes it away."""

    season: forms.Key
    round: forms.Round
    title: forms.NameOrNull = forms.UNSAID
    date: Annotated[forms.May[str | None], Maybe(forms.By(forms.day_text))] = forms.UNSAID
    board: forms.ThingOrNull = forms.UNSAID
    pack: Annotated[forms.ThingOrNull, forms.Says("Rules pack")] = forms.UNSAID
    laps: forms.LapsOrNull = forms.UNSAID
    weather: Annotated[
        forms.May[plain.Weather | None],
        Maybe(OneOf(plain.WEATHERS)),
        forms.Says("Weather for all tables", "fine | variable | rain"),
    ] = forms.UNSAID
    cancelled: Annotated[forms.TextOrNull, forms.Says("Reason")] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        stage, own = stand.stage_of(self.season), forms.given(self)
        del own["season"]
        one = replace(stage.calendar.get(self.round, plain.Planned(round=self.round)), **own)
        stand.put(stage, calendar={**stage.calendar, self.round: one})


class Unplan(Act, kind="unplan", called="A round left the calendar"):
    """A round is no longer in the calendar."""

    season: forms.Key
    round: forms.Round

    def do(self, stand: Stand, done: Done) -> None:
        stage = _planned(stand, self.season, self.round)
        coming = {at: so for at, so in stage.coming.items() if at[0] != self.round}
        stand.put(stage, calendar=without(stage.calendar, self.round), coming=coming)


class Come(Act, kind="come", may="driver", called="Who comes", go="Say so"):
    """Somebody says whether he comes to a round."""

    season: forms.Key
    round: forms.Round
    driver: forms.Person
    comes: Annotated[bool, Flag(), forms.Says("Comes", "yes, comes | no, does not come")]

    def do(self, stand: Stand, done: Done) -> None:
        stage, key = _planned(stand, self.season, self.round), stand.name(self.driver)
        if self.comes:
            stand.refuse_banned(self.season, key, self.round)
        stand.put(stage, coming={**stage.coming, (self.round, key): self.comes})


# -- what some of them share ----------------------------------------------------------------------


NOTED = ("grid", "ban", "licence", "seconds")
"""What a penalty may say beside what it does to the result."""


def _check_penalty(own: Mapping[str, object]) -> None:
    """See that a penalty does not contradict itself.

    Raises:
        BadAct: it does.
    """
    is_points, has_season = "points" in own or "bonus" in own, "season" in own
    is_noted, one_of = bool(own.keys() & {*NOTED}), ("points", "bonus", "places", "disqualified")
    for is_wrong, why in (
        (
            sum(word in own for word in one_of) > 1,
            "a penalty is points, places or disqualified, one of them or a mere warning",
        ),
        (
            ("race" in own) == has_season,
            "a penalty is given in a race or for a season: exactly one of the two",
        ),
        (
            ("driver" in own) == ("team" in own),
            "a penalty is a driver's or a team's: exactly one of the two",
        ),
        (
            has_season and "seconds" in own,
            "seconds are added to the time of a race: give them in the race",
        ),
        (
            "round" in own and not has_season,
            "a penalty of a race has the race's round: round is said of a season's",
        ),
        (
            "team" in own and (not is_points or is_noted),
            "a penalty of a team takes points, or bonus gives them",
        ),
        (
            has_season and not is_points and not is_noted,
            "a penalty for a whole season takes points",
        ),
    ):
        if is_wrong:
            raise BadAct(why)


def _planned(stand: Stand, season: str, number: int) -> Stage:
    """A stage with this round in its calendar.

    Raises:
        BadAct: it has none.
    """
    stage = stand.stages.get(season)
    if stage is None or number not in stage.calendar:
        raise BadAct(f"there is no round {number} in that calendar")
    return stage


# -- reading --------------------------------------------------------------------------------------


OF_FEDERATIONS = ("competition", "path", "close-path", "enter", "scratch", "stand-in")
"""The kinds whose classes are in the federation's room."""


def kind_of(word: object) -> type[Act] | None:
    """The class of a kind of act; None: there is none of that word."""
    if word in OF_FEDERATIONS:
        import_module("companion.league.federation.competitions")
    return Act.kinds.get(word) if isinstance(word, str) else None


def every_kind() -> Mapping[str, type[Act]]:
    """All kinds by their words, those of a federation too."""
    kind_of(OF_FEDERATIONS[0])
    return Act.kinds


def parse_act(data: object) -> Act:
    """The act that an object says: keys known, values within bounds, names tidied.

    >>> parse_act({"act": "merge", "name": " Anna ", "into": "Ana"})
    Merge(name='Anna', into='Ana')

    Raises:
        BadAct: it is none; the message says what would be accepted.
    """
    if not isinstance(data, Mapping):
        raise BadAct(f"an act is a JSON object, not {data!r:.60}")
    word = data.get("act")
    kind = kind_of(word)
    if kind is None:
        raise BadAct(f"an act is one of {', '.join(every_kind())}, not {word!r:.40}")
    own = {key: value for key, value in data.items() if key != "act"}
    try:
        return forms.read_record(kind, own, f"the act {word}")
    except Malformed as error:
        raise BadAct(error.message) from error


def format_act(act: Act) -> dict[str, object]:
    """The object that `parse_act` reads back to the same act."""
    return {"act": act.kind, **tell(act, forms.NOTHING)}
