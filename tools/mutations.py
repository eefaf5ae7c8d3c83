"""Builds faults into the rules, one at a time, and sees that a test turns red for each.

`python tools/mutations.py [NAME …]`. The faults are those of tests/mutants.toml: a text of a module
that must occur in it exactly once, what stands there instead, and the tests that have to notice. A
fault is built into a copy of the program; the tests are those of this checkout.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
MUTANTS = ROOT / "tests" / "mutants.toml"
PACKAGE = "companion"
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
FAILED, PASSED = 1, 0
"""What pytest ends with: some tests failed, or all passed. All else is no answer."""


class BadMutant(Exception):
    """A fault that cannot be built in, or of which the tests say nothing."""


@dataclass(frozen=True)
class Mutant:
    """One fault: in `file`, `old` becomes `new`; `tests` are files, from the root."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def built_into(self, text: str) -> str:
        """The text of the module with the fault in it.

        Raises:
            BadMutant: what is to be replaced is not there, or several times.
        """
        found = text.count(self.old)
        if found != 1:
            raise BadMutant(f"{self.name}: {self.file} has {self.old!r} {found} times, not once")
        if self.old == self.new:
            raise BadMutant(f"{self.name}: nothing is changed")
        return text.replace(self.old, self.new)


def read_mutants(path: Path = MUTANTS) -> list[Mutant]:
    """All faults of the list."""
    tables = tomllib.loads(path.read_text("utf-8"))["mutant"]
    return [Mutant(**{**table, "tests": tuple(table["tests"])}) for table in tables]


class Laboratory:
    """A copy of the program in a folder, into which faults are built."""

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        self._folder, self._root = folder, root
        shutil.copytree(root / PACKAGE, folder / PACKAGE)

    def caught_by(self, mutant: Mutant) -> str | None:
        """The first test that fails with this fault; None: all pass, it survives.

        Raises:
            BadMutant: it cannot be built in, or the tests do not run.
        """
        file = self._folder / mutant.file
        mutated = mutant.built_into(file.read_text("utf-8"))
        file.write_text(mutated, "utf-8")
        try:
            return self.first_failure(mutant.tests, mutant.name)
        finally:
            shutil.copy2(self._root / mutant.file, file)

    def first_failure(self, tests: tuple[str, ...], name: str) -> str | None:
        """The first of these tests that fails with the program as it lies in the folder.

        Raises:
            BadMutant: they could not be run.
        """
        path = (self._folder, self._root / "web", self._root / "tests")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "PYTHONDONTWRITEBYTECODE": "1",  # two faults of one length would be taken for one
        }
        # -P: not this checkout, but the folder is where the program is found.
        words = [sys.executable, "-P", "-m", "pytest", "-qx", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [*words, "-m", "not slow", *tests],
            env=environment,
            cwd=self._root,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (FAILED, PASSED):
            raise BadMutant(f"{name}: the tests did not run: {done.stdout[-600:]}")
        if done.returncode == PASSED:
            return None
        return str(_FAILURE.findall(done.stdout)[0])


def main() -> int:
    parser = argparse.ArgumentParser(description="Build faults in and see that tests notice.")
    parser.add_argument("names", nargs="*", help="only these faults")
    args = parser.parse_args()
    mutants = [m for m in read_mutants() if not args.names or m.name in args.names]
    survived = []
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder))
        for mutant in mutants:
            try:
                test = laboratory.caught_by(mutant)
            except BadMutant as error:
                print(error, file=sys.stderr)
                test = None
            survived += [] if test else [mutant.name]
            print(f"{mutant.name}: {test or 'SURVIVED'}", flush=True)
    print(f"{len(mutants) - len(survived)} of {len(mutants)} faults are caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
