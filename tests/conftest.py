"""The fault bench, `make faults`: tests that are marked with what they do to the table."""

from __future__ import annotations

import pytest
from support.tables.fault_bench import PROPERTY, fault_lines

BENCH = "faults"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the report of a test know what fault it is about."""
    for item in items:
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
