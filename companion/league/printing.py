"""What the league draws and prints: templates filled to SVG and HTML, and PDF of these.

A chart, a picture and a paper are a template each in `templates/`. What is text in them is
escaped, and they load nothing from elsewhere. A paper is HTML with a print sheet; Debian's
program WeasyPrint makes a PDF of it. It is run as a program, as its libraries (Pango and what that
needs) come from Debian anyway.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache, lru_cache
from shutil import which
from threading import Lock

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from companion.league.errors import LeagueError, Missing

PRINTER = "weasyprint"
LONGEST_S = 300
"""A year-book of thirty races on a slow Pi."""
KEPT = 8
"""PDFs; who asks for the same once more waits for nothing."""
THE_SAME_AGAIN = {"SOURCE_DATE_EPOCH": "0", "PYTHONHASHSEED": "0"}
"""The letters in a PDF bear the moment when they were put together, but for this."""
# A process of some 100 MiB: on a small Pi one at a time, whoever else asks waits.
_printing = Lock()


def fill(template: str, **values: object) -> Markup:
    """A template of `templates/` with these values in it."""
    return Markup(_templates().get_template(template).render(values))


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("companion.league"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def can_print() -> bool:
    """Whether this computer makes PDF."""
    return which(PRINTER) is not None


@lru_cache(maxsize=KEPT)
def print_pdf(page: bytes) -> bytes:
    """A paper as PDF.

    Raises:
        Missing: WeasyPrint is not installed.
        LeagueError: it failed.
    """
    if not can_print():
        raise Missing(
            f"a PDF needs {PRINTER}: sudo apt install {PRINTER}; or print a page: -o X.html"
        )
    try:
        with _printing:
            done = subprocess.run(
                [PRINTER, "--quiet", "-", "-"],
                input=page,
                capture_output=True,
                timeout=LONGEST_S,
                env=os.environ | THE_SAME_AGAIN,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LeagueError(f"{PRINTER} failed: {error}") from error
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise LeagueError(f"{PRINTER} failed: {told}")
    return done.stdout
