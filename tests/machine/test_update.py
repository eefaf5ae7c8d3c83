"""After an update: a table that comes up stays; one that does not goes back to what was kept.

The scripts of the package as they are; `systemctl`, `apt-get` and `companion` stand in for the real
ones and keep what they were called with. `make test-install` tries them with a real apt and dpkg.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "packaging" / "update"
STUB = """#!/bin/sh
here=$(dirname "$0")
echo "${0##*/} $*" >> "$here/called"
case "${0##*/} $*" in
"systemctl is-enabled"*) exit "$(cat "$here/enabled")" ;;
"systemctl is-active"*)
    state=$(head -n 1 "$here/active")
    [ "$(wc -l < "$here/active")" = 1 ] || sed -i 1d "$here/active"
    exit "$state" ;;
"systemctl show"*) cat "$here/starts"; [ ! -e "$here/loops" ] || echo x >> "$here/starts" ;;
"companion restore"*) echo 0 > "$here/active" ;;
"apt-get"*) [ ! -e "$here/cures" ] || { echo 0 > "$here/active"; rm -f "$here/loops"; } ;;
esac
exit 0
"""
WELL, ILL = "0\n", "3\n"


class Box:
    """A machine with a package that was just updated from 1.0."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.store, self.data = folder / "bin", folder / "store", folder / "data"
        for path in (self.bin, self.store / "backups", self.data):
            path.mkdir(parents=True)
        for name in ("systemctl", "apt-get", "companion"):
            (self.bin / name).write_text(STUB)
            (self.bin / name).chmod(0o755)
        self.says(active=WELL, enabled=WELL, starts="0\n", called="")
        (self.store / "race-companion_1.0_all.deb").touch()
        (self.store / "backups" / "evening.tar").touch()
        self.run = folder / "run"

    def says(self, **files: str) -> None:
        for name, text in files.items():
            (self.bin / name).write_text(text)

    @property
    def called(self) -> str:
        return (self.bin / "called").read_text()

    def come_up(self) -> subprocess.CompletedProcess[str]:
        where = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "COMPANION_STORE": str(self.store),
            "COMPANION_DATA": str(self.data),
            "COMPANION_RUN": str(self.run),
            "COMPANION_STEP_S": "0",
        }
        command = ["sh", str(SCRIPTS / "came-up"), "1.0"]
        return subprocess.run(command, env=where, capture_output=True, text=True, check=False)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_a_table_that_comes_up_stays_updated(box: Box) -> None:
    box.says(active=ILL * 3 + WELL)
    done = box.come_up()
    assert (done.returncode, "the table is open" in done.stdout) == (0, True)
    assert "apt-get" not in box.called


@pytest.mark.faults("the package: an update that does not come up")
def test_one_that_does_not_goes_back_to_the_package_that_was_kept(box: Box) -> None:
    box.says(active=ILL, cures="")
    done = box.come_up()
    assert done.returncode == 1
    assert "open again, by 1.0" in done.stdout
    assert f"--allow-downgrades install {box.store}/race-companion_1.0_all.deb" in box.called
    assert "companion restore" not in box.called
    assert not (box.run / "back").exists()


@pytest.mark.faults("the package: an update that does not come up")
def test_one_that_starts_again_and_again_is_not_well(box: Box) -> None:
    box.says(loops="", cures="")
    assert "open again, by 1.0" in box.come_up().stdout


@pytest.mark.faults("the package: an update that does not come up")
def test_where_the_old_one_cannot_read_the_races_either_it_gets_those_of_before(box: Box) -> None:
    box.says(active=ILL)
    done = box.come_up()
    assert "open again, by 1.0" in done.stdout
    assert f"companion restore {box.store}/backups/evening.tar --data {box.data}" in box.called
    assert box.called.index("apt-get") < box.called.index("systemctl stop companion.service")


def test_a_page_that_only_says_why_there_is_no_table_is_no_table(box: Box) -> None:
    box.says(starts="0\nnot open: the journal was written by a newer companion\n")
    box.says(cures="")
    assert box.come_up().returncode == 1
    assert "apt-get" in box.called


def test_without_a_kept_package_it_says_so_and_touches_nothing(box: Box) -> None:
    box.says(active=ILL)
    (box.store / "race-companion_1.0_all.deb").unlink()
    done = box.come_up()
    assert (done.returncode, "1.0 was not kept" in done.stdout) == (1, True)
    assert "apt-get" not in box.called


def test_a_machine_on_which_no_table_is_to_be_open_is_left_alone(box: Box) -> None:
    box.says(active=ILL, enabled=ILL)
    assert box.come_up().returncode == 0
    assert "apt-get" not in box.called


@pytest.mark.parametrize("script", ["came-up", "keep-package"])
def test_the_scripts_are_plain_sh(script: str) -> None:
    subprocess.run(["dash", "-n", str(SCRIPTS / script)], check=True)
