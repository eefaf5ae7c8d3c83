"""A folder of data with a journal in it, to be damaged."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.journal.journal import Journal, open_journal
from companion.system.host import Closing
from companion.table.ports import JSON
from companion.views.model import Trouble

NAMES = {"journal": "journal", "copy": "copy"}


def header(race: str) -> dict[str, object]:
    """The little of a record's first line that a journal looks at."""
    return {"record": 1, "id": race, "name": f"Race {race}"}


class Data(Closing):
    """A folder of data; `told` is what its journal has said, the latest opening's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.told: list[Trouble] = []
        self._journals: list[Journal] = []

    def opened(self) -> Journal:
        """The journal as a start of the companion opens it."""
        self.told = []
        self._journals.append(open_journal(self.folder, self.told.append))
        return self._journals[-1]

    def file(self, log: str, folder: str = "journal") -> Path:
        """The file of a log, in the journal or in its `copy`."""
        (found,) = (self.folder / folder).glob(f"*{log}.log")
        return found

    def files(self, log: str) -> tuple[Path, Path]:
        """Both files of a log."""
        return self.file(log), self.file(log, "copy")

    def killed(self) -> Data:
        """The folder as it is when the process is killed now: a copy of its own."""
        copy = self.folder.with_name(self.folder.name + "-killed")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy)
        return Data(copy)

    @property
    def keys(self) -> list[str]:
        """The keys of what was told."""
        return [trouble.key for trouble in self.told]

    def close(self) -> None:
        """Close every journal that was opened. May be called twice."""
        for journal in self._journals:
            journal.close()


def numbers(lines: list[JSON]) -> list[int]:
    """The `n` of the lines that have one."""
    return [line["n"] for line in lines if "n" in line]


def evening(data: Data, answers: int = 60) -> Data:
    """A race of so many answers, the process killed: nothing was closed."""
    journal = data.opened()
    journal.append("table", {"boot": 1})
    journal.append("race", header("race"))
    for n in range(answers):
        journal.append("race", {"n": n, "by": "phone", "seat": 2, "gear": 3})
    return data.killed()
