"""`make test-kernel` where it cannot run: it says what it needs, and does nothing."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

STAGE = Path(__file__).parent / "stage.sh"
CANNOT = 77


@pytest.mark.parametrize(
    ("tool", "says", "needs"),
    [
        ("id", "1000", "run it as root"),
        ("uname", "aarch64", "amd64 machine only"),
        ("apt-cache", "", "apt-get update"),
    ],
)
def test_a_machine_that_cannot_run_the_kernel_stage_is_told_what_it_needs(
    tmp_path: Path, tool: str, says: str, needs: str
) -> None:
    told = {"id": "0", "uname": "x86_64", "apt-get": "", "apt-cache": "", tool: says}
    for name, word in told.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho {word}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "python").write_text("#!/bin/sh\n")
    (tmp_path / "python").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", STAGE, tmp_path / "python"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == CANNOT
    assert done.stderr.startswith("test-kernel cannot start: ")
    assert needs in done.stderr


def test_ci_runs_the_stage_and_lint_reads_its_types() -> None:
    """It was broken unseen: nothing called it, and no type checker read it."""
    root = STAGE.parent.parent.parent
    assert "tests/kernel/stage.sh" in (root / ".ci" / "run").read_text()
    read = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["mypy"]["files"]
    assert "tests/kernel/check_lines.py" in read


def test_the_machine_hides_no_folder_of_the_host() -> None:
    """A checkout may stand below the temporary folder."""
    mounts = re.findall(r"^mount .*/host/?(\S*)", (STAGE.parent / "init").read_text(), re.MULTILINE)
    assert mounts == [""], "the root of the host alone"
