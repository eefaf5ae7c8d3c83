"""Starts `companion race` again and again in a tenth of the time: reads all once, then forks.

What is forked is a process of its own that runs the real command; only what is the same each time
is shared: what it imports, and the pages' templates, scripts and sheets as they are sent. Reads a
JSON list of arguments a line, prints the child's process id, and the child prints what the
command prints.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import traceback
from html import unescape
from typing import Any

import companion.app.league  # as are these, so that the children have it
import companion.app.table  # noqa: F401
import companion_web.app  # noqa: F401
from companion.cli import main
from companion.drawing.seat import draw_seat
from companion.views.page import table_view
from companion_web.pages import create_app
from support.tables.sitting import ListJournal, Room, Sitting
from support.templates import compile_once

ZIPPED = {"Accept-Encoding": "gzip"}


def _read_ahead() -> None:
    """What a table reads and makes once, so that its children have it; no thread begins here."""
    compile_once()
    journal = ListJournal()
    Sitting(journal).begins(2)
    table: Any = Room(journal, draw_seat, table_view).session  # the race goes on, and is drawn
    client = create_app(table, table).test_client()
    for page in ("/", "/seat/1", "/tv", "/overlay", "/join"):
        for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get(page).text):
            client.get(unescape(file), headers=ZIPPED)


def _run(words: list[str]) -> int:
    """The command in a child; whoever waits for its first line is not left waiting."""
    try:
        status = main(words)
    except BaseException:
        traceback.print_exc()
        status = 1
    if status:
        print(flush=True)
    return status


def serve() -> None:
    """Fork a child for every line until the input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped by the kernel
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.stdin.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os._exit(_run(json.loads(line)))
        print(child, flush=True)


if __name__ == "__main__":
    _read_ahead()
    serve()
