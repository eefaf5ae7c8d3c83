"""`companion track import`: a board of the public editor's format, as a track file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from companion.cli.tools import AS_JSON, PATH, Failure, answer, command, read
from companion.rules.board.dat.plan import Imported, import_dat
from companion.rules.board.faults import Fault

FAULTS_FOUND = 1


@command("import", AS_JSON)
@click.argument("file", type=PATH, help="a .dat file of the editor")
@click.option(
    "-o", "--output", type=PATH, help="the .toml file to write; usual is FILE's name here"
)
@click.option("--name", help="what the board is called; usual is FILE's name")
def import_board(file: Path, output: Path | None, name: str | None, as_json: bool) -> int:
    """Read a board of the public editor's format and write its track file.

    What the file does not say, or says in two ways, is named with section and lane: look
    at the board there. Status 1: the board is written and has faults to mend.
    """
    board = import_dat(_text(file), name or file.stem.replace("_", " ").title())
    if board.text is None:
        first, *others = map(str, board.faults)
        more = f" (and {len(others)} more of that kind)" if others else ""
        raise Failure(f"{file} is no board: {first}{more}")
    path = output or Path(f"{file.stem.lower()}.toml")
    _write(path, board.text)
    entry = {
        "file": str(path),
        "doubts": _as_json(board.doubts),
        "faults": _as_json(board.faults),
    }
    answer(as_json, entry, *_lines(path, board))
    return FAULTS_FOUND if board.faults else 0


def _text(file: Path) -> str:
    try:
        return read(file).decode()
    except UnicodeDecodeError as error:
        raise Failure(f"{file} is no board: it is not text") from error


def _write(path: Path, text: str) -> None:
    """Write a file that was not there."""
    if path.suffix != ".toml":
        raise Failure(f"{path} cannot be written: a track file ends in .toml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise Failure(f"{path} cannot be written: it is there already") from error
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from error


def _as_json(faults: tuple[Fault, ...]) -> list[dict[str, str]]:
    return [{"where": fault.where, "what": fault.what} for fault in faults]


def _lines(path: Path, board: Imported) -> Iterator[str]:
    yield f"{path} is written."
    yield from (f"look at the board: {doubt}" for doubt in board.doubts)
    yield from (f"to be mended: {fault}" for fault in board.faults)
    yield f"Now see it: companion track draw {path.name} -o {path.stem}.svg"
