"""`companion league forget|person`: who is named, and who may do what."""

from __future__ import annotations

import secrets
from urllib.parse import quote

import click

from companion.cli.league.action import Where, action, who
from companion.league.said import ROLES

KEY_BYTES = 24


@action("forget")
@click.argument("name", help="any name of the person")
def forget(where: Where, name: str) -> None:
    """Erase a person's names from pages, files and replays, for good; results stay without them.

    The name does not come back with a record that is sent again, an import, a rebuild or
    `companion restore`. When a copy of before is put back by hand, keep
    league/people/forgotten.jsonl.
    """
    with where.league() as league:
        called = league.forget(name, by=who())
    where.answer({"name": called}, f"forgotten; the person is shown as {called} from now on")


@action("person")
@click.argument("name", help="who it is; a driver's name, where it is one")
@click.option("--role", type=click.Choice(ROLES), default="steward", help="what they may do")
@click.option("--table", help="a marshal's; called as the draw or the table's key has it")
@click.option("--close", is_flag=True, help="the link is no longer good")
def person(where: Where, name: str, role: str, table: str | None, close: bool) -> None:
    """Print a new key for a person, once, as the end of a link. An older one is no longer good.

    An organiser may do all that the keeper can, a steward confirm, amend and decide, a marshal
    enter, confirm, amend and penalize at one table, a driver protest in their own name.
    """
    from companion.league.league import digest_of_key

    if close:
        where.do({"act": "close-person", "person": name})
        where.answer({"person": name, "key": None}, f"{name} has no key any more")
        return
    key = secrets.token_urlsafe(KEY_BYTES)
    act = {"act": "person", "person": name, "role": role, "key_sha256": digest_of_key(key)}
    where.do(act | ({} if table is None else {"table": table}))
    page = "enter" if table is None else f"tables/{quote(table)}"
    link = f"/league/{page}#pin={key}"
    sentence = f"The link of {name}, behind the address of the league: {link}\nIt is shown once."
    where.answer({"person": name, "role": role, "key": key, "link": link}, sentence)
