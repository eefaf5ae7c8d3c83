"""`companion pin`: the referee's PIN, shown or renewed."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.tools import AS_JSON, DATA, Failure, answer, command, sentences
from companion.table.ports import StorageError


@command("pin", DATA, AS_JSON)
@click.option("--new", is_flag=True, help="make a new one; the table must be closed")
@sentences(StorageError)
def show(data: Path, new: bool, as_json: bool) -> None:
    """Show the referee's PIN, or make a new one.

    Only whoever may read the folder of races can: root, or the user of the service.
    """
    from companion.bootstrap_keys import read_pin, renew_pin

    pin = renew_pin(data) if new else read_pin(data)
    if pin is None:
        raise Failure(f"{data} has no PIN yet: it is made when the table opens for the first time")
    answer(as_json, {"pin": pin}, pin)
