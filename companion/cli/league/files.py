"""`companion league export|import|rebuild`: the league in other forms, and made again."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.league.action import Where, action, name_refused, who
from companion.cli.league.show import find_season
from companion.cli.tools import PATH, complain, read, write
from companion.league.acts import EnterRace
from companion.league.errors import LeagueError
from companion.league.exchange.registry import FORMS, Form
from companion.league.names import key_of
from companion.views.words import LANGUAGES

if TYPE_CHECKING:
    from companion.league.league import League

READ = {name: form for name, form in FORMS.items() if form.is_read}
OF = {"season": "season", "race": "race", "either": "season or race"}


def _forms(forms: Mapping[str, Form]) -> str:
    return "; ".join(f"{name} ({OF[form.of]}): {form.about}" for name, form in forms.items())


@action("export")
@click.argument("form", type=click.Choice(sorted(FORMS)), metavar="FORM", help=_forms(FORMS))
@click.argument("key", required=False, help="a season, or the id of a race")
@click.option(
    "--language",
    type=click.Choice(sorted(LANGUAGES)),
    default="en",
    help="of the words in a report",
)
@click.option("-o", "--output", type=PATH, help="write to this file instead of the screen")
def export(where: Where, form: str, key: str | None, language: str, output: Path | None) -> None:
    """Write a season or a race as a file for other programs, or for print."""
    wanted = FORMS[form]
    with where.league() as league:
        known = league.public if wanted.is_link else league.queries
        as_page = output is not None and output.suffix == ".html"
        content = wanted.writer(language, as_page=as_page)(known, _key(league, wanted, key))
    if output is None and wanted.suffix == ".pdf" and sys.stdout.isatty():
        raise LeagueError("a PDF is nothing for the screen: name a file with -o")
    if output is None and wanted.is_link and sys.stdout.isatty():
        _draw_code(content.decode().strip())
    write(output, content)
    if output is not None:
        where.answer({"file": str(output), "bytes": len(content)})


def _draw_code(link: str) -> None:
    """The link as a code to be scanned from the terminal, if it is not too long for one."""
    import segno

    with suppress(segno.DataOverflowError):
        segno.make(link, error="l", micro=False).terminal(out=sys.stdout, compact=True)


def _key(league: League, form: Form, named: str | None) -> str:
    """The season or the race that a form is to be about."""
    if named is not None and form.of != "season" and league.queries.races(race=named):
        return named
    if form.of == "race":
        raise LeagueError(f"there is no race {named!r}; companion league races lists them")
    seasons = {season.key for season in league.queries.seasons()}
    if form.of == "either" and named is not None and key_of(named) not in seasons:
        raise LeagueError(f"there is neither a season nor a race {named!r}")
    return find_season(league, named).key


@action("import")
@click.argument("form", type=click.Choice(sorted(READ)), metavar="FORM", help=_forms(READ))
@click.argument("file", type=PATH, help="the file of that form")
def import_file(where: Where, form: str, file: Path) -> None:
    """Add a season that another program, or another league, has written."""
    acts = READ[form].reader()(read(file))
    with where.league() as league:
        league.do(*acts, by=who())
    races = sum(isinstance(act, EnterRace) for act in acts)
    where.answer({"acts": len(acts), "races": races}, f"{races} races are in the league now")


@action("rebuild")
def rebuild(where: Where) -> None:
    """Make the database again from the records and the acts.

    Nothing is lost by it; records and acts that no longer hold are named.
    """
    with where.league(caught_up=False) as league:
        report = league.rebuild()
        name_refused(league)
        races = len(league.queries.races())
    if not where.as_json:
        for number, why in report.idle.items():
            complain(f"act {number} no longer holds: {why}")
    where.answer({"races": races, "idle": report.idle}, f"{races} races are in the league")
