"""What the actions of `companion league` share: their options, and the league that they open."""

from __future__ import annotations

import getpass
import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.tools import AS_JSON, DATA, Run, answer, command, complain, sentences
from companion.league.acts import Act, EnterRace, parse_act
from companion.league.errors import BadAct, LeagueError
from companion.league.exchange.acts import Otherwise, new_in
from companion.league.exchange.registry import FORMS
from companion.league.forms import Amount, asked_in
from companion.league.push import LeagueSettings, read_settings
from companion.rules.codec import Within
from companion.system.config import Config, ConfigError
from companion.system.frozen import dataclass
from companion.system.host import hand_all_over

if TYPE_CHECKING:
    from companion.league.league import League


KEY_BYTES = 24


DATABASE = click.Option(
    ["--database"],
    help="such as postgresql://user@host/league; else what companion.toml says, else the file "
    "league/league.db in the folder",
)


@dataclass(frozen=True, slots=True)
class Where:
    """The folder and the database that an action is about, and how it answers."""

    data: Path
    database: str | None
    as_json: bool

    @property
    def settings(self) -> LeagueSettings:
        """What companion.toml in the folder says of the league."""
        return read_settings(Config(data=self.data).file)

    @property
    def url(self) -> str | None:
        """The database; None: the file in the folder."""
        return self.database or self.settings.database

    def league(self, *, caught_up: bool = True) -> League:
        """The league, open; records that are not in it are named on stderr."""
        from companion.app.league import open_league

        league = open_league(self.data, self.url, caught_up=caught_up)
        if caught_up:
            name_refused(league)
        return league

    def do(self, act: Mapping[str, object]) -> int:
        """Carry out an act; its number."""
        with self.league() as league:
            return league.do(parse_act(act), by=who())

    def give_key(self, act: Mapping[str, object]) -> str:
        """Carry out an act that gives somebody a key; the key, of which only a digest is kept."""
        key = secrets.token_urlsafe(KEY_BYTES)
        self.do({**act, "key_sha256": hashlib.sha256(key.encode()).hexdigest()})
        return key

    def answer(self, value: object, *lines: str) -> None:
        """Print JSON where it is asked for, else the lines."""
        answer(self.as_json, value, *lines)


def action(name: str) -> Callable[[Run], click.Command]:
    """A command out of a function whose first argument is a `Where`."""

    def make(run: Run) -> click.Command:
        @wraps(run)
        @sentences(LeagueError, ConfigError)
        def act(data: Path, database: str | None, as_json: bool, **given: object) -> int | None:
            try:
                return run(Where(data, database, as_json), **given)
            finally:
                hand_all_over(data)

        return command(name, DATA, DATABASE, AS_JSON)(act)

    return make


def asks(kind: type[Act], but: str) -> Callable[[Run], Run]:
    """An option for each field of a kind of act, but for some."""

    def add(run: Run) -> Run:
        for one in reversed([*asked_in(kind).values()]):
            if one.name in but.split():
                continue
            says, words = one.says, getattr(one.form, "words", None)
            flag = f"--{says.flag or one.name.replace('_', '-')}"
            numbers = {Within: int, Amount: float}
            of = click.Choice(words) if words else numbers.get(type(one.form), str)
            run = click.option(flag, one.name, type=of, help=says.about or says.text)(run)
        return run

    return add


def given(values: Mapping[str, object]) -> dict[str, object]:
    """The options that somebody gave."""
    return {name: value for name, value in values.items() if value is not None}


def add_races(league: League, form: str, content: bytes, *, amend: bool) -> list[Act]:
    """Carry out what of a file of this form is new; the acts.

    Raises:
        BadAct: it is no such file, or has results that differ and are not to `amend` the others.
    """
    acts = FORMS[form].reader()(content)
    try:
        acts = new_in(acts, league.queries, is_amending=amend)
    except Otherwise as other:
        raise BadAct(f"{other} --amend does so") from other
    if acts:
        league.do(*acts, by=who())
    return acts


def races_in(acts: Iterable[Act]) -> list[str]:
    """The races that some acts have entered."""
    return [act.race for act in acts if isinstance(act, EnterRace)]


def name_refused(league: League) -> None:
    """Name the records that are not in the league, on stderr."""
    for refused in league.catch_up():
        complain(f"{refused.file} is not in the league: line {refused.line}: {refused.message}")


def who() -> str:
    """Who acts, as the journal names them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "the command line"
