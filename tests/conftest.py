"""The fault bench, `make faults`: tests that are marked with what they do to the table."""

from __future__ import annotations

import pytest
from support.tables.fault_bench import PROPERTY, fault_lines

BENCH = "faults"
# What runs beside another process: a browser, a server, the firmware in its simulator.
BESIDE_OTHERS = {"browser", "run"}
FOLDERS_BESIDE_OTHERS = {"kernel", "machine", "pod", "seats"}


def needs_others(item: pytest.Item) -> bool:
    """Whether a test may fail because a busy machine let another process wait."""
    folders = set(item.path.parent.parts)
    return bool(
        BESIDE_OTHERS & set(getattr(item, "fixturenames", ())) or FOLDERS_BESIDE_OTHERS & folders
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the report of a test know what fault it is about.

    What another process was starved of gets one more try; the run's summary lists it as RERUN.
    """
    for item in items:
        if item.config.pluginmanager.hasplugin("rerunfailures") and needs_others(item):
            item.add_marker(pytest.mark.flaky(reruns=1))
        mark = item.get_closest_marker(BENCH)
        if mark is not None:
            item.user_properties.append((PROPERTY, mark.args[0]))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """A line a kind of fault, where nothing but faults was asked for."""
    if config.option.markexpr != BENCH:
        return
    told = [
        (dict(report.user_properties)[PROPERTY], outcome)
        for outcome in ("passed", "failed", "error", "skipped")
        for report in terminalreporter.getreports(outcome)
        if PROPERTY in dict(getattr(report, "user_properties", ()))
    ]
    terminalreporter.section(BENCH)
    for line in fault_lines(told):
        terminalreporter.write_line(line)
