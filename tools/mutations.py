"""Builds faults into the rules, one at a time, and sees that a test turns red for each.

`python tools/mutations.py [NAME …]`. The faults are those of tests/mutants.toml: a text of a module
that must occur in it exactly once, what stands there instead, and the tests that have to notice. No
file is changed: a process that is forked for the fault reads the module with it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
MUTANTS = ROOT / "tests" / "mutants.toml"
WARM = ("pytest",)
"""What is read once for all faults: nothing of the program."""
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
FAILED, PASSED = 1, 0
"""What pytest ends with: some tests failed, or all passed. All else is no answer."""


class BadMutant(Exception):
    """A fault that cannot be built in, or of which the tests say nothing."""


@dataclass(frozen=True)
class Mutant:
    """One fault: in `file`, `old` becomes `new`; `tests` are files, from the root.

    Their fast part notices it, where none of them is called by its name.
    """

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
    """Runs tests with a fault in the program, each time in a child of one warm process.

    The warm process has read pytest and the libraries but nothing of the program, so a child reads
    all of it anew, one file with the fault in it.
    """

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root
        self._children = multiprocessing.get_context("forkserver")
        self._children.set_forkserver_preload(list(WARM))

    def caught_by(self, mutant: Mutant) -> str | None:
        """The first test that fails with this fault; None: all pass, it survives.

        Raises:
            BadMutant: it cannot be built in, or the tests do not run.
        """
        file = self._root / mutant.file
        mutated = mutant.built_into(file.read_text("utf-8"))
        return self.first_failure(mutant.tests, mutant.name, {str(file): mutated})

    def first_failure(
        self, tests: tuple[str, ...], name: str, faults: Mapping[str, str] = MappingProxyType({})
    ) -> str | None:
        """The first of these tests that fails; `faults` are the files that read otherwise.

        Raises:
            BadMutant: they could not be run.
        """
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "says"
            words = (self._root, tests, dict(faults), output)
            child = self._children.Process(target=_run_tests, args=words)
            child.start()
            child.join()
            said = output.read_text("utf-8") if output.exists() else ""
        if child.exitcode not in (FAILED, PASSED) or not said:
            raise BadMutant(f"{name}: the tests did not run: {said[-600:]}")
        return None if child.exitcode == PASSED else str(_FAILURE.findall(said)[0])


def _run_tests(root: Path, tests: tuple[str, ...], faults: dict[str, str], output: Path) -> None:
    """Run tests and end this process with pytest's status; what pytest says goes to a file."""
    with output.open("w") as out:
        os.dup2(out.fileno(), sys.stdout.fileno())
        os.dup2(out.fileno(), sys.stderr.fileno())
    os.chdir(root)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    usual = SourceFileLoader.get_code
    setattr(SourceFileLoader, "get_code", _reads_faults(faults, usual))  # noqa: B010 - a method
    fast = "not long" if any("::" in test for test in tests) else "not slow and not long"
    sys.exit(pytest.main(["-qx", "-p", "no:cacheprovider", "-m", fast, *tests]))


def _reads_faults(faults: dict[str, str], usual: Callable[..., Any]) -> Callable[..., Any]:
    """How a file of the program is read: one with a fault without its kept bytecode."""

    def get_code(loader: SourceFileLoader, fullname: str) -> Any:
        if loader.path in faults:
            return compile(faults[loader.path], loader.path, "exec", dont_inherit=True)
        return usual(loader, fullname)

    return get_code


def main() -> int:
    parser = argparse.ArgumentParser(description="Build faults in and see that tests notice.")
    parser.add_argument("names", nargs="*", help="only these faults")
    args = parser.parse_args()
    mutants = [m for m in read_mutants() if not args.names or m.name in args.names]
    survived = []
    laboratory = Laboratory()
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
