"""The summary of the fault bench."""

from __future__ import annotations

from support.tables.fault_bench import fault_lines


def test_a_fault_that_was_not_taken_well_is_to_mend_whatever_else_passed() -> None:
    told = [("a pulled plug", "passed"), ("a pulled plug", "failed"), ("noise", "error")]
    assert list(fault_lines(told)) == [
        "TO MEND   a pulled plug (1 failed, 1 passed)",
        "TO MEND   noise (1 error)",
    ]


def test_a_fault_that_nobody_could_try_is_not_called_held() -> None:
    (line,) = fault_lines([("kill -9", "skipped")])
    assert line.startswith("not tried")
