"""Counted by the kernel's own word: one sync a commit, and none comes after the answer."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os, sys
from pathlib import Path
from companion.journal.journal import open_journal

with open_journal(Path(sys.argv[1]), print) as journal:
    for n in range(40):
        os.write(2, b"BEGIN\\n")
        journal.append("race", *({"seat": 1, "gear": n} for _ in range(1 + n % 3)))
        os.write(2, b"DONE\\n")
"""


def can_trace() -> bool:
    strace = shutil.which("strace")
    if strace is None:
        return False
    done = subprocess.run([strace, "true"], capture_output=True, check=False)
    return done.returncode == 0


def syncs_between_marks(trace: str) -> list[int]:
    """How often the process synced between each BEGIN and its DONE."""
    parts = re.findall(r'"BEGIN\\n"(.*?)"DONE\\n"', trace, re.DOTALL)
    return [len(re.findall(r"\b(?:fsync|fdatasync|msync|sync_file_range)\(", p)) for p in parts]


def test_syncs_are_counted_as_they_are_traced() -> None:
    trace = 'write(2, "BEGIN\\n", 6)\nfsync(3) = 0\nfdatasync(3) = 0\nwrite(2, "DONE\\n", 5)'
    assert syncs_between_marks(trace) == [2]


@pytest.mark.skipif(not can_trace(), reason="strace is not here, or ptrace is not permitted")
def test_a_commit_is_exactly_one_sync(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    calls = "trace=fsync,fdatasync,msync,sync_file_range,write"
    command = ["strace", "-f", "-o", str(trace), "-e", calls, sys.executable, "-c", SCRIPT]
    subprocess.run([*command, str(tmp_path)], check=True, stderr=subprocess.DEVNULL)
    counts = syncs_between_marks(trace.read_text())
    assert len(counts) == 40
    assert counts == [2] + [1] * 39  # a new log has its name in the folder synced too
