"""The units of systemd: as closed as they say, and the table lives within what they leave it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from support.tables.process import Companion
from support.tables.sitting import race_header

FIRST_START = "companion-first-start.service"
UNITS = sorted((Path(__file__).parents[2] / "systemd").glob("*.service"))
HELPERS = sorted((UNITS[0].parents[1] / "packaging/update").glob("*.service"))
HELPERS += (UNITS[0].parents[1] / "hardware/image").rglob(FIRST_START)
"""What root runs: updates, and what a person would do on a new card."""
MOST_EXPOSED, HELPERS_EXPOSED = 20, 40
"""Tenths of a point of ten, as `systemd-analyze security` counts."""
needs_systemd = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd-analyze is missing"
)
needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is missing")


def settings(unit: Path) -> list[tuple[str, str]]:
    """The settings of a unit in their order."""
    lines = (line for line in unit.read_text().splitlines() if line and line[0] not in "#[")
    return [(name, value) for name, _, value in (line.partition("=") for line in lines)]


def exposure(unit: Path, most: int) -> subprocess.CompletedProcess[str]:
    words = ["security", "--offline=true", "--no-pager", f"--threshold={most}", str(unit)]
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_service_is_exposed_to_two_of_ten_at_most(unit: Path) -> None:
    done = exposure(unit, MOST_EXPOSED)
    assert done.returncode == 0, done.stdout[-200:]
    assert exposure(unit, 5).returncode != 0  # that the threshold is looked at


@needs_systemd
@pytest.mark.parametrize("unit", HELPERS, ids=lambda unit: unit.name)
def test_a_helper_of_roots_is_exposed_to_four_of_ten_at_most(unit: Path) -> None:
    done = exposure(unit, HELPERS_EXPOSED)
    assert done.returncode == 0, done.stdout[-200:]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_service_has_limits_and_its_files_are_its_own(unit: Path) -> None:
    has = dict(settings(unit))
    assert {"MemoryMax", "TasksMax", "LimitNOFILE"} <= has.keys()
    assert has["UMask"] == "0077"
    assert ("StateDirectory" in has) == (has.get("StateDirectoryMode") == "0700")


def test_the_table_is_watched() -> None:
    has = dict(settings(next(unit for unit in UNITS if unit.name == "companion.service")))
    assert has["Type"] == "notify"
    assert int(has["WatchdogSec"]) >= 30  # a card that stalls at a sync is no reason to start anew


def test_every_group_that_a_service_is_given_comes_with_the_package() -> None:
    made = re.findall(
        r"^g (\w+)", (UNITS[0].parents[1] / "packaging/sysusers.conf").read_text(), re.MULTILINE
    )
    given = {
        group
        for unit in UNITS
        for name, value in settings(unit)
        if name == "SupplementaryGroups"
        for group in value.split()
    }
    assert given
    assert given <= set(made)  # systemd starts no service of which it knows one group not


def test_the_user_that_may_switch_the_computer_is_one_that_the_bus_knows() -> None:
    """dbus-daemon shuts out a user that systemd makes at a start (systemd #22737)."""
    packaging = UNITS[0].parents[1] / "packaging"
    made = re.findall(r"^u (\w+)", (packaging / "sysusers.conf").read_text(), re.MULTILINE)
    allowed = re.findall(r'subject\.user == "(\w+)"', (packaging / "polkit.rules").read_text())
    (user,) = set(allowed)
    assert made == [user]
    assert ("User", user) in settings(next(u for u in UNITS if u.name == "companion.service"))


@cache
def calls_of(group: str) -> frozenset[str]:
    """The system calls of a group, with those of the groups in it."""
    done = subprocess.run(
        ["systemd-analyze", "syscall-filter", "--no-pager", group],
        capture_output=True,
        text=True,
        check=True,
    )
    names = re.findall(r"^    (@?[a-z0-9_-]+)$", done.stdout, re.MULTILINE)
    return frozenset().union(*(calls_of(n) if n[0] == "@" else {n} for n in names))


def left_to(unit: Path) -> frozenset[str]:
    """The system calls that a unit lets its service make."""
    left: frozenset[str] = frozenset()
    for name, value in settings(unit):
        if name == "SystemCallFilter":
            names = value.lstrip("~").split()
            calls = frozenset().union(*(calls_of(n) if n[0] == "@" else {n} for n in names))
            left = left - calls if value[0] == "~" else left | calls
    return left


@needs_systemd
@needs_strace
@pytest.mark.slow
def test_a_table_makes_no_call_that_its_service_is_denied(tmp_path: Path) -> None:
    trace, header = tmp_path / "trace", tmp_path / "header.json"
    header.write_text(json.dumps(race_header(2)))
    prefix = ["strace", "-D", "-f", "-qq", "-o", str(trace)]
    with Companion(tmp_path / "data", "--new", str(header), prefix=prefix) as companion:
        client = companion.client()
        client.get("/api/table")
        client.get("/circuit/manege.en.json")  # by the second process
        assert client.post("/api/seat/1/answer", companion.tokens[1], {"gear": 1})[0] == 200
        companion.process.terminate()
        companion.process.communicate(timeout=60)
    text = trace.read_text(errors="replace")
    made = set(re.findall(r"^\d+ +([a-z0-9_]+)\(", text, re.MULTILINE))
    assert {"fdatasync", "socket", "execve", "setpriority"} <= made
    unit = next(unit for unit in UNITS if unit.name == "companion.service")
    assert made - left_to(unit) - calls_of("@default") == set()
    families = set(re.findall(r"socket\((AF_[A-Z0-9]+)", text))
    assert families <= set(dict(settings(unit))["RestrictAddressFamilies"].split())
    both = re.findall(r"(?:mmap|mprotect)\([^)]*PROT_WRITE\|PROT_EXEC", text)
    assert both == []  # MemoryDenyWriteExecute
