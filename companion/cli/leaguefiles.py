"""`companion league export|import|rebuild`: the league in other forms, and made again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.leagueshow import find_season
from companion.cli.leaguetools import (
    finish,
    league_of,
    open_as_it_is,
    read_bytes,
    tell_refused,
    who,
    write_json,
)
from companion.league.errors import LeagueError
from companion.league.exchange.registry import FORMS, Form
from companion.league.names import key_of
from companion.views.words import LANGUAGES

if TYPE_CHECKING:
    from companion.league.league import League

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

READ = {name: form for name, form in FORMS.items() if form.is_read}


def register(actions: Subparsers) -> None:
    """Add the actions."""
    _register_export(actions)
    _register_import(actions)
    rebuild = actions.add_parser(
        "rebuild",
        help="throw the database away and make it again",
        description="Makes the database again from the records and the acts. Nothing is lost "
        "by it; records and acts that no longer hold are told.",
    )
    finish(rebuild, run_rebuild)


def _register_export(actions: Subparsers) -> None:
    of = {"either": "season or race"}
    forms = "; ".join(
        f"{name} ({of.get(form.of, form.of)}): {form.about}" for name, form in FORMS.items()
    )
    export = actions.add_parser(
        "export",
        help="a season or a race as a file for other programs, or for print",
        description=f"Writes one file. The forms are {forms}.",
    )
    export.add_argument("form", metavar="FORM", choices=sorted(FORMS), help=", ".join(FORMS))
    export.add_argument("key", metavar="KEY", nargs="?", help="a season, or the id of a race")
    export.add_argument(
        "--language",
        metavar="CODE",
        choices=sorted(LANGUAGES),
        default="en",
        help="of the words in a report: en or fr (%(default)s)",
    )
    export.add_argument("-o", "--output", metavar="FILE", type=Path, help="else the screen")
    finish(export, run_export)


def run_export(args: argparse.Namespace) -> int:
    """Write a season or a race in a form."""
    form = FORMS[args.form]
    with league_of(args) as league:
        content = form.writer(args.language)(league.queries, _key(league, form, args.key))
    return _write(args, content)


def _key(league: League, form: Form, said: str | None) -> str:
    """The season or the race that a form is to be about."""
    if said is not None and form.of != "season" and league.queries.races(race=said):
        return said
    if form.of == "race":
        raise LeagueError(f"there is no race {said!r}; companion league races lists them")
    if form.of == "either" and said is not None and key_of(said) not in _seasons(league):
        raise LeagueError(f"there is neither a season nor a race {said!r}")
    return find_season(league, said).key


def _seasons(league: League) -> set[str]:
    return {season.key for season in league.queries.seasons()}


def _write(args: argparse.Namespace, content: bytes) -> int:
    if args.output is None:
        if FORMS[args.form].suffix == ".pdf" and sys.stdout.isatty():
            raise LeagueError("a PDF is nothing for the screen: name a file with -o")
        sys.stdout.buffer.write(content)
        return 0
    try:
        args.output.write_bytes(content)
    except OSError as error:
        raise LeagueError(f"{args.output} cannot be written: {error.strerror}") from error
    return write_json({"file": str(args.output), "bytes": len(content)}) if args.json else 0


def _register_import(actions: Subparsers) -> None:
    reading = actions.add_parser(
        "import",
        help="a season that another program, or another league, has written",
        description="Adds what is in a file of one of the forms that can be read: "
        + ", ".join(f"{name}: {form.about}" for name, form in READ.items()),
    )
    reading.add_argument("form", metavar="FORM", choices=sorted(READ), help=", ".join(READ))
    reading.add_argument("file", metavar="FILE", type=Path)
    finish(reading, run_import)


def run_import(args: argparse.Namespace) -> int:
    """Carry out what a file comes to."""
    acts = [dict(act) for act in READ[args.form].reader()(read_bytes(args.file))]
    with league_of(args) as league:
        league.do(*acts, by=who())
    races = sum(act["act"] == "race" for act in acts)
    if args.json:
        return write_json({"acts": len(acts), "races": races})
    print(f"{races} races are in the league now")
    return 0


def run_rebuild(args: argparse.Namespace) -> int:
    """Make the database again."""
    with open_as_it_is(args) as league:
        report = league.rebuild()
        tell_refused(league)
        races = len(league.queries.races())
    if args.json:
        return write_json({"races": races, "idle": report.idle})
    for number, why in report.idle.items():
        print(f"companion: act {number} no longer holds: {why}", file=sys.stderr)
    print(f"{races} races are in the league")
    return 0
