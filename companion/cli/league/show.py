"""`companion league standings|races|drivers`: what the league knows, in tables.

`companion league export|import|rebuild`: the league in other forms, and made again.

`companion league serve|table|push`: a club with many tables.

What the actions of `companion league` share: their options, and the league that they open.
"""

from __future__ import annotations

import getpass
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli import tools
from companion.cli.tools import answer, sentences
from companion.league.acts import Act, EnterRace, parse_act
from companion.league.errors import BadAct, LeagueError, LeagueFolder, key_of
from companion.league.exchange.acts import Otherwise, new_in
from companion.league.exchange.outside import forms
from companion.league.exchange.registry import Form
from companion.league.forms import Amount, asked_in
from companion.league.plain import Competition, Race, Season
from companion.league.push import Club, LeagueSettings, Outbox, deliver, read_settings
from companion.league.results import classify
from companion.league.standings import (
    Standing,
    standings,
    team_standings,
    world_championship,
)
from companion.rules.codec import Within
from companion.system.config import EVERYWHERE, Config, ConfigError
from companion.system.frozen import dataclass
from companion.system.host import hand_all_over
from companion.system.plugins import missing
from companion.views.words import LANGUAGES

# -- what the actions share ------------------------------------------------------------------------


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
        from companion.league.keeping import digest_of_key  # the database comes with it

        key = secrets.token_urlsafe(KEY_BYTES)
        self.do({**act, "key_sha256": digest_of_key(key)})
        return key

    def answer(self, value: object, *lines: str) -> None:
        """Print JSON where it is asked for, else the lines."""
        answer(self.as_json, value, *lines)


def action(name: str) -> Callable[[tools.Run], click.Command]:
    """A command out of a function whose first argument is a `Where`."""

    def make(run: tools.Run) -> click.Command:
        @wraps(run)
        @sentences(LeagueError, ConfigError)
        def act(data: Path, database: str | None, as_json: bool, **given: object) -> int | None:
            try:
                return run(Where(data, database, as_json), **given)
            finally:
                hand_all_over(data)

        return tools.command(name, tools.DATA, DATABASE, tools.AS_JSON)(act)

    return make


def asks(kind: type[Act], but: str) -> Callable[[tools.Run], tools.Run]:
    """An option for each field of a kind of act, but for some."""

    def add(run: tools.Run) -> tools.Run:
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
    acts = forms()[form].reader()(content)
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
        tools.complain(
            f"{refused.file} is not in the league: line {refused.line}: {refused.message}"
        )


def who() -> str:
    """Who acts, as the journal names them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "the command line"


# -- the commands that show a league ---------------------------------------------------------------


# -- show -----------------------------------------------------------------------------------------


@action("standings")
@click.argument("key", required=False, help="a season or a competition; left out: the open season")
@click.option("--teams", is_flag=True, help="the teams")
@click.option("--boxes", metavar="NAMES", help="in which order these choose their boxes")
@click.option("--championship", nargs=2, metavar="RACE RACE", help="the totals of these two")
def show_standings(
    where: Where,
    key: str | None,
    teams: bool,
    boxes: str | None,
    championship: tuple[str, str] | None,
) -> None:
    """Show the drivers of a season, its teams, or who chooses a pit box when (DE-PIT-3).

    Or the totals of two races for money (DF-VAR-4).
    """
    tools.at_most_one(teams=teams, boxes=boxes, championship=championship)
    with where.league() as league:
        names = {driver.key: driver.name for driver in league.queries.drivers()}
        if championship:
            first, second = (_race(league, race) for race in championship)
            lines = world_championship(first, second, names)
            return _show(where, "World championship", [first, second], lines)
        cup = find_competition(league, key)
        if cup is not None:
            return _show_competition(where, league, cup, names, of_teams=teams)
        found = find_season(league, key)
        races = league.queries.held(found)
    by_driver, by_team = standings(found, races, names), team_standings(found, races)
    if boxes:
        return _show_boxes(where, boxes, by_team or by_driver)
    return _show(where, found.title, races, by_team if teams else by_driver)


def find_competition(league: League, key: str | None) -> Competition | None:
    """The competition that is meant; a season of the same key goes before it."""
    if key is None or league.queries.season(key_of(key)):
        return None
    return league.queries.competition(key_of(key))


def _show_competition(
    where: Where, league: League, cup: Competition, names: Mapping[str, str], *, of_teams: bool
) -> None:
    from companion.league.federation.competitions import overall, tables_of

    stages = league.queries.stages(cup.key)
    races = league.queries.races(stages=[one.key for one in stages], is_slim=True)
    lines = overall(cup, tables_of(stages, races, names, of_teams=of_teams))
    if where.as_json:
        own = ("place", "key", "name", "team", "points", "last")
        told = [{name: getattr(line, name) for name in own} for line in lines]
        return where.answer({"title": cup.title, "lines": told})
    rows = [
        [
            f"{line.place}",
            line.name,
            line.team or "",
            *(f"{line.parts[one.key].points}" if one.key in line.parts else "–" for one in stages),
            f"{line.points}",
        ]
        for line in lines
    ]
    heads = ["#", "name", "team", *(f"{one.title}#" for one in stages), "points#"]
    return tools.print_table(cup.title, heads, rows)


def find_season(league: League, key: str | None) -> Season:
    """The season with a key or title; the open one for None, else the newest.

    Raises:
        LeagueError: there is none.
    """
    queries = league.queries
    found = queries.current() if key is None else queries.season(key_of(key))
    if found is not None:
        return found
    known = ", ".join(one.key for one in queries.seasons())
    if known:
        raise LeagueError(f"there is no season {key!r}; there are {known}")
    raise LeagueError("there is no season yet: companion league new TITLE makes one")


def _race(league: League, race: str) -> Race:
    found = league.queries.race(race)
    if found is None:
        raise LeagueError(f"there is no race {race!r}; companion league races lists them")
    return found


def _show(where: Where, title: str, races: Sequence[Race], lines: Sequence[Standing]) -> None:
    if where.as_json:
        entries = [_entry(line) for line in lines]
        value = {"title": title, "races": [race.id for race in races], "lines": entries}
        return where.answer(value)
    if any(line.trial for line in lines):
        return _show_trials(title, lines)
    heads = ["#", "name", "team", *(f"{race.round or '-'}#" for race in races), "−#", "points#"]
    rows = [
        [
            f"{line.place}",
            line.name,
            line.team or "",
            *(_cell(line, race) for race in races),
            f"{line.penalty or ''}",
            f"{line.points}",
        ]
        for line in lines
    ]
    return tools.print_table(title, heads, rows)


def _show_trials(title: str, lines: Sequence[Standing]) -> None:
    """Time trials give places by score and time, and no points."""
    rows = [
        [f"{line.place}", line.name, line.team or "", *map(str, line.trial or ("–", "–"))]
        for line in lines
    ]
    tools.print_table(title, ["#", "name", "team", "score#", "seconds#"], rows)


def _cell(line: Standing, race: Race) -> str:
    """The points of a round; in brackets where they are dropped, a dash for one missed."""
    own = [score for score in line.scores if score.race == race.id]
    points = [f"({score.points})" if score.dropped else f"{score.points}" for score in own]
    return " ".join(points) or "–"


def _entry(line: Standing) -> dict[str, object]:
    own = ("place", "key", "name", "team", "points", "penalty")
    of_round = ("race", "round", "place", "status", "points", "extras", "dropped")
    rounds = [{name: getattr(score, name) for name in of_round} for score in line.scores]
    trial = {"trial": None if line.trial is None else line.trial._asdict()}
    return {name: getattr(line, name) for name in own} | trial | {"rounds": rounds}


def _show_boxes(where: Where, boxes: str, lines: Sequence[Standing]) -> None:
    from companion.league.federation.stages import box_order

    groups = box_order(lines, [name.strip() for name in boxes.split(",") if name.strip()])
    highest = " (by the highest roll)"
    sentences = (
        f"{number}. {', '.join(group)}{highest if len(group) > 1 else ''}"
        for number, group in enumerate(groups, 1)
    )
    where.answer(groups, *sentences)


@action("races")
@click.argument("key", required=False, help="only those of this season")
def show_races(where: Where, key: str | None) -> None:
    """Show the races, their ids and results."""
    with where.league() as league:
        season = None if key is None else find_season(league, key).key
        races = league.queries.races(season=season)
    if where.as_json:
        return where.answer([asdict(race) for race in races])
    rows = [
        [
            race.id,
            race.date[:10],
            race.board or race.game,
            f"{race.season or ''} {race.round or ''}".strip(),
            ", ".join(entry.name for entry in classify(race)),
            f"struck: {race.struck}" if race.struck else race.remark or "",
        ]
        for race in races
    ]
    return tools.print_table("Races", ["id", "date", "board", "round", "order", ""], rows)


@action("drivers")
def show_drivers(where: Where) -> None:
    """Show everybody, and the names they go by."""
    with where.league() as league:
        drivers = league.queries.drivers()
    if where.as_json:
        return where.answer([asdict(driver) for driver in drivers])
    rows = [[one.name, f"{one.races}", ", ".join(one.names[1:])] for one in drivers]
    return tools.print_table("Drivers", ["name", "races#", "also"], rows)


# -- files ----------------------------------------------------------------------------------------


MOST_TOLD = 60
"""Characters of what an act says."""
OF = {"season": "season", "race": "race", "either": "season or race"}


class FormNames(click.Choice[str]):
    """The names of forms; plugins are looked for when somebody asks.

    Args:
        is_read: of those that can be read.
    """

    def __init__(self, *, is_read: bool = False) -> None:
        self._is_read = is_read
        super().__init__(())

    def known(self) -> dict[str, Form]:
        """The forms that may be named."""
        return {name: form for name, form in forms().items() if form.is_read or not self._is_read}

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if there is such a form."""
        if lacking := missing("exports", value):
            raise tools.Failure(lacking)
        return super().convert(value, param, ctx)

    @property
    def choices(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(sorted(self.known()))

    @choices.setter
    def choices(self, _: tuple[str, ...]) -> None:
        """Click has none to tell."""


class FormWord(click.Argument):
    """The name of a form, of whose help each form has a part."""

    type: FormNames

    @property
    def help(self) -> str:
        """Every form with its line of help."""
        forms = self.type.known().items()
        return "; ".join(f"{name} ({OF[form.of]}): {form.about}" for name, form in forms)

    @help.setter
    def help(self, _: str | None) -> None:
        """Click has none to tell."""


@action("export")
@click.argument("form", cls=FormWord, type=FormNames(), metavar="FORM")
@click.argument("key", required=False, help="a season, or the id of a race")
@click.option(
    "--language",
    type=click.Choice(sorted(LANGUAGES)),
    default="en",
    help="of the words in a report",
)
@click.option("-o", "--output", type=tools.PATH, help="write to this file instead of the screen")
def export(where: Where, form: str, key: str | None, language: str, output: Path | None) -> None:
    """Write a season or a race as a file for other programs, or for print."""
    wanted = forms()[form]
    with where.league() as league:
        known = league.public if wanted.is_link else league.queries
        as_page = output is not None and output.suffix == ".html"
        content = wanted.writer(language, as_page=as_page)(known, _key(league, wanted, key))
    if output is None and wanted.suffix == ".pdf" and sys.stdout.isatty():
        raise LeagueError("a PDF is nothing for the screen: name a file with -o")
    if output is None and wanted.is_link and sys.stdout.isatty():
        _draw_code(content.decode().strip())
    tools.write(output, content)
    if output is not None:
        where.answer({"file": str(output), "bytes": len(content)})


def _draw_code(link: str) -> None:
    """The link as a code to be scanned from the terminal, if it is not too long for one."""
    import segno

    with suppress(segno.DataOverflowError):
        tools.show_code(segno.make(link, error="l", micro=False))


def _key(league: League, form: Form, named: str | None) -> str:
    """The season or the race that a form is to be about."""
    if named is not None and form.of != "season" and league.queries.race(named):
        return named
    if form.of == "race":
        raise LeagueError(f"there is no race {named!r}; companion league races lists them")
    is_one = named is None or league.queries.season(key_of(named)) is not None
    if form.of == "either" and not is_one:
        raise LeagueError(f"there is neither a season nor a race {named!r}")
    return find_season(league, named).key


@action("import")
@click.argument("form", cls=FormWord, type=FormNames(is_read=True), metavar="FORM")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=tools.PATH,
    help="of that form; the pages of one document",
)
@click.option("--amend", is_flag=True, help="races that are there take the result of the file")
def import_file(where: Where, form: str, files: Sequence[Path], amend: bool) -> None:
    """Add a season that another program, or another league, has written. What is there stays."""
    first, *more = map(tools.read, files)
    content = b"[%b]" % b",".join([first, *more]) if more else first
    with where.league() as league:
        acts = add_races(league, form, content, amend=amend)
    races = len(races_in(acts))
    told = f"{races} races are in the league now" if races else "it has no race that is new here"
    where.answer({"acts": len(acts), "races": races}, told)


@action("rebuild")
def rebuild(where: Where) -> None:
    """Make all that stands again from the records and the acts, and compare it.

    Nothing is lost by it; records and acts that no longer hold are named.
    """
    with where.league(caught_up=False) as league:
        report = league.rebuild()
        name_refused(league)
        races = len(league.queries.races())
    if not where.as_json:
        for number, why in report.idle.items():
            tools.complain(f"act {number} no longer holds: {why}")
    found = "all is as it was" if report.is_same else "not all is as it was"
    sentence = f"{races} races are in the league; {found}"
    where.answer({"races": races, "idle": report.idle}, sentence)


@action("takeover")
def takeover(where: Where) -> None:
    """Take over a league that an older version has kept in this folder, or in its PostgreSQL.

    What is there stays where it is.
    """
    from companion.league.games import measure
    from companion.league.keeping import take_over

    records, acts = take_over(LeagueFolder(where.data.absolute()), where.url, measure=measure)
    with where.league() as league:
        races = len(league.queries.races())
    told = {"records": records, "acts": acts, "races": races}
    sentence = f"{races} races are in the league: of {records} records and {acts} acts"
    where.answer(told, f"{sentence}; the files of before are where they were")


@action("acts")
@click.argument("key", metavar="SEASON", required=False, help="only those that name this season")
def show_acts(where: Where, key: str | None) -> None:
    """Show what was done: its number, when and by whom, and what of it was undone."""
    with where.league() as league:
        season = None if key is None else find_season(league, key).key
        done = [one for one in league.history() if season in (None, one.get("season"))]
    if where.as_json:
        return where.answer(done)
    about = ("n", "at", "by", "act", "undone")
    rows = [
        [
            f"{one['n']}",
            one["at"].replace("T", " "),
            one["by"],
            one["act"],
            ", ".join(f"{k} {v}" for k, v in one.items() if k not in about)[:MOST_TOLD],
            f"undone by {one['undone']}" if one["undone"] else "",
        ]
        for one in done
    ]
    return tools.print_table("Acts", ["n#", "at", "by", "act", "what", ""], rows)


# -- club -----------------------------------------------------------------------------------------


PORT = 8001
KEY_VARIABLE = "COMPANION_LEAGUE_KEY"


@action("serve")
@click.option("--host", default=EVERYWHERE, help="the address to listen on")
@click.option("--port", type=int, default=PORT, help="the port of the pages")
@click.option("--workers", type=int, help="processes; left out: one a core and one more")
def serve(where: Where, host: str, port: int, workers: int | None) -> None:
    """Serve the league and take in the records of the club's tables. Ends with Ctrl-C.

    With gunicorn (of the extra `club`) it has several processes; without it one.
    """
    from companion.app.league import keeper_pin, pin_file, serve_league

    os.umask(0o077)  # what the club keeps is for its owner alone
    url, pin = where.url, keeper_pin(where.data, where.url)
    # A log must not have the PIN; a terminal may.
    keeper = pin if sys.stderr.isatty() else f"in {pin_file(where.data)}"
    sentence = f"the club's server is at http://{host}:{port}/league, its keeper's PIN is {keeper}"
    print(sentence, file=sys.stderr, flush=True)
    try:
        with tools.listening(host, port):
            serve_league(where.data, url, host, port, workers=workers)
    except KeyboardInterrupt:
        return


@action("pin")
@click.option("--new", is_flag=True, help="make another; servers that run take it over at once")
def pin(where: Where, new: bool) -> None:
    """Show the PIN of the club's keeper, or make a new one: of all hosts, where it has several."""
    from companion.app.league import keeper_pin

    os.umask(0o077)
    found = keeper_pin(where.data, where.url, anew=new)
    where.answer({"pin": found}, found)


@action("table")
@click.argument("name", help="what the table is called, such as 'Table 3'")
@click.option("--close", is_flag=True, help="its key is no longer good")
def table(where: Where, name: str, close: bool) -> None:
    """Print a new key for a table, once. An older key of the table is no longer good.

    It stands in that table's companion.toml as [league] key, beside [league] club, the address of
    this server.
    """
    if close:
        where.do({"act": "close-table", "table": name})
        where.answer({"table": name, "key": None}, f"{name} may send no more records")
        return
    key = where.give_key({"act": "table", "table": name})
    sentence = f"The key of {name} is {key}\nIt is shown this once; keep it."
    where.answer({"table": name, "key": key}, sentence)


@action("push")
@click.option("--club", metavar="URL", help="else what companion.toml says")
@click.option("--key", help="the key that the club gave; others on this computer can read it here")
@click.option("--key-file", type=tools.PATH, help="a file with the key; else $COMPANION_LEAGUE_KEY")
def push(where: Where, club: str | None, key: str | None, key_file: Path | None) -> int:
    """Send what the club has not got yet. The status is 2 if something waits.

    A table that is running does this by itself; what cannot be sent waits, and is sent later.
    Without a key here, the one of companion.toml is used.
    """
    from companion.system.host import wall_clock

    tools.at_most_one(**{"key": key, "key-file": key_file})
    key = key or (_key_in(key_file) if key_file else os.environ.get(KEY_VARIABLE))
    club, key = club or where.settings.club, key or where.settings.key
    if club is None or key is None:
        raise LeagueError("which club? [league] of companion.toml says club and key, or --club")
    done = deliver(Outbox(LeagueFolder(where.data), club, wall_clock), Club(club, key))
    for record, receipt in done.receipts:
        if receipt.status == "refused":
            tools.complain(f"the club refuses {record.file}: {receipt.message}")
    sent = [{"file": p.file, "status": r.status, "message": r.message} for p, r in done.receipts]
    trouble = str(done.trouble) if done.trouble else None
    where.answer({"sent": sent, "trouble": trouble}, f"{len(sent)} records sent")
    return tools.complain(f"{trouble}; what waits is sent later") if done.trouble else 0


def _key_in(file: Path) -> str:
    """The key that a file has in its one line.

    Raises:
        LeagueError: it has none, or more.
    """
    words = tools.read(file).decode("utf-8", "replace").split()
    if len(words) != 1:
        raise LeagueError(f"{file} has one line with the key in it, and nothing else")
    return words[0]
