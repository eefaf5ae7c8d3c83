"""The fault bench (`make faults`), second tries, the order of tests, and where the time goes."""

from __future__ import annotations

import gc
import os
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from msgfmt import compile_stale
from support.tables.fault_bench import PROPERTY, fault_lines

# Hypothesis then tries the same values in each run and sets no time limit on one: a busy neighbour
# fails no test. New values are looked for by `make fuzz`.
os.environ.setdefault("CI", "true")

# jsonschema then compiles no grammar for IRIs, which nothing here has: two seconds of processor.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

BENCH = "faults"
SECOND_TRIES = Path(__file__).with_name("second_tries.toml")
collect_ignore_glob = ["kernel/check_*.py"]
"""For the emulated machine alone, which has the drivers' libraries."""
MASK = os.umask(0o022)
os.umask(MASK)
LOOKS_AFTER = 20_000
"""Objects that are made between two looks for garbage, as in the program."""
LEVELS = 3
"""Of the path of a test, down to the folder that its time is told of."""


def pytest_configure() -> None:
    """Git keeps no compiled catalogue: what the tests read is what stands in the sources."""
    compile_stale()


def pytest_collection_finish() -> None:
    """What is collected stays to the end: looking it through again and again for garbage was a
    tenth of the processor's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(LOOKS_AFTER)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """A command that runs in the test's own process leaves its mask of permissions behind."""
    os.umask(MASK)


def second_tries() -> dict[str, str]:
    """Tests that a busy machine may fail once, without their parameters, and the reason of each."""
    return dict(tomllib.loads(SECOND_TRIES.read_text("utf-8")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the report of a test know what fault it is about, and give the listed ones a second try.

    The run's summary lists it as RERUN.
    """
    listed = second_tries() if config.pluginmanager.hasplugin("rerunfailures") else {}
    for item in items:
        if item.nodeid.partition("[")[0] in listed:
            item.add_marker(pytest.mark.flaky(reruns=1))
        mark = item.get_closest_marker(BENCH)
        if mark is not None:
            item.user_properties.append((PROPERTY, mark.args[0]))
    long_first(items)


def long_first(items: list[pytest.Item]) -> None:
    """Files with tests that take their time come first.

    Otherwise one worker is left with such a test at the end, and the others with nothing.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """A line a folder; a line a kind of fault, where nothing but faults was asked for."""
    tell_times(terminalreporter)
    if config.option.markexpr == BENCH:
        tell_faults(terminalreporter)


def tell_times(terminalreporter: pytest.TerminalReporter) -> None:
    """The seconds that each folder's tests took, where several folders were run."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                folders = report.nodeid.partition("::")[0].split("/")[:-1]
                seconds["/".join(folders[:LEVELS])] += report.duration
    if len(seconds) > 1:
        terminalreporter.section("seconds by folder")
        for folder, spent in seconds.most_common():
            terminalreporter.write_line(f"{spent:8.1f} {folder}")


def tell_faults(terminalreporter: pytest.TerminalReporter) -> None:
    """What the table held, kind by kind."""
    told = [
        (dict(report.user_properties)[PROPERTY], outcome)
        for outcome in ("passed", "failed", "error", "skipped")
        for report in terminalreporter.getreports(outcome)
        if PROPERTY in dict(getattr(report, "user_properties", ()))
    ]
    terminalreporter.section(BENCH)
    for line in fault_lines(told):
        terminalreporter.write_line(line)
