"""Output raises nothing: whatever letters a terminal has, and whoever reads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.tables.sitting import race_header

ASCII = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
LATIN = {"PYTHONIOENCODING": "iso-8859-1"}
SHOWN: dict[str, Sequence[str]] = {
    "track show": ["track", "show", "monaco"],
    "track list": ["track", "list"],
    "pack list": ["pack", "list"],
    "doctor": ["doctor", "--data", "none"],
    "a wrong word": ["track", "show", "Čeština 🏁 \udcff"],
}


def run(
    words: Sequence[str], redirect: str, more: dict[str, str], folder: Path
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f'"$0" -m companion "$@" {redirect}', sys.executable, *words],
        capture_output=True,
        env={**os.environ, **more},
        cwd=folder,
        check=False,
    )


def test_a_board_is_shown_in_the_letters_that_a_terminal_has(tmp_path: Path) -> None:
    done = run(SHOWN["track show"], "", LATIN, tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("iso-8859-1").startswith("Monaco")


@pytest.mark.slow
@pytest.mark.parametrize("more", [ASCII, LATIN], ids=["C", "Latin-1"])
@pytest.mark.parametrize(
    "redirect", ["", "| head -c 1", ">&-", "2>&-", ">/dev/full", "2>/dev/full", "<&- >&- 2>&-"]
)
@pytest.mark.parametrize("words", SHOWN.values(), ids=SHOWN)
def test_a_stream_that_is_closed_or_takes_nothing_ends_no_command_in_a_traceback(
    words: Sequence[str], redirect: str, more: dict[str, str], tmp_path: Path
) -> None:
    done = run(words, redirect, more, tmp_path)
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.returncode in (0, 1, 2)
    assert done.returncode == 2 or redirect != ">/dev/full"


@pytest.mark.slow
@pytest.mark.parametrize("more", [ASCII, LATIN], ids=["C", "Latin-1"])
def test_a_table_opens_in_any_locale_and_goes_on_when_nobody_reads_what_it_says(
    more: dict[str, str], tmp_path: Path
) -> None:
    header = tmp_path / "header.json"
    header.write_text(json.dumps(race_header(2)))
    words = ["race", "--data", str(tmp_path / "data"), "--port", "0", "--host", "127.0.0.1"]
    reader, writer = os.pipe()
    table = subprocess.Popen(
        [sys.executable, "-m", "companion", *words, "--new", str(header)],
        stdout=writer,
        stderr=subprocess.PIPE,
        env={**os.environ, **more},
    )
    os.close(writer)
    with open(reader, "rb") as said:
        first = next(line for line in said if b"open at" in line)
    assert first.startswith(b"The table is open at http://127.0.0.1:")
    assert table.poll() is None  # its reader has gone
    table.terminate()
    _, wrong = table.communicate(timeout=30)
    assert (table.returncode, wrong) == (0, b"")
