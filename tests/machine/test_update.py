"""After an update: a table that comes up stays; one that does not goes back to what was kept.

The scripts of the package as they are; `systemctl`, `apt-get` and `companion` stand in for the real
ones and keep what they were called with. `make test-install` tries them with a real apt and dpkg.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import deb
import pytest

pytestmark = pytest.mark.slow

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
"companion backup"*) echo "races" > "$5/$(date +%N).tar" ;;
"apt-get"*) [ ! -e "$here/cures" ] || { echo 0 > "$here/active"; rm -f "$here/loops"; } ;;
"dpkg-query"*Status*) printf %s "$(cat "$here/package") " ;;
"dpkg-query"*) printf 1.0 ;;
"dpkg-repack"*) echo repacked > race-companion_1.0_all.deb ;;
"dpkg-deb"*Version) printf %s "$2" | sed 's/.*n_//; s/_all.*//' ;;
"dpkg --install"*) echo ii > "$here/package"; echo 0 > "$here/active" ;;
"dpkg --configure"*) [ -e "$here/stuck" ] || echo ii > "$here/package" ;;
esac
exit 0
"""
WELL, ILL = "0\n", "3\n"


COMMANDS = ("systemctl", "apt-get", "companion", "dpkg", "dpkg-query", "dpkg-deb", "dpkg-repack")


class Box:
    """A machine with a package that was just updated from 1.0."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.store, self.data = folder / "bin", folder / "store", folder / "data"
        for path in (self.bin, self.store / "backups", self.data):
            path.mkdir(parents=True)
        for name in COMMANDS:
            (self.bin / name).write_text(STUB)
            (self.bin / name).chmod(0o755)
        self.says(active=WELL, enabled=WELL, starts="0\n", called="", package="ii")
        (self.store / "before").write_text("1.0\n")
        (self.store / "race-companion_1.0_all.deb").touch()
        (self.store / "backups" / "evening.tar").touch()

    def says(self, **files: str) -> None:
        for name, text in files.items():
            (self.bin / name).write_text(text)

    @property
    def called(self) -> str:
        return (self.bin / "called").read_text()

    def come_up(self) -> subprocess.CompletedProcess[str]:
        return self._runs("came-up", "")

    def installs(self, version: str) -> None:
        """What apt says before it installs this version of ours."""
        deb = self.store.parent / f"race-companion_{version}_all.deb"
        deb.write_text(version)
        assert self._runs("keep-package", f"{deb}\n").returncode == 0

    def _runs(self, script: str, said: str) -> subprocess.CompletedProcess[str]:
        where = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "COMPANION_STORE": str(self.store),
            "COMPANION_DATA": str(self.data),
            "COMPANION_STEP_S": "0",
        }
        command = ["sh", str(SCRIPTS / script)]
        return subprocess.run(
            command, input=said, env=where, capture_output=True, text=True, check=False
        )

    @property
    def is_over(self) -> bool:
        """Whether nothing is left of the update for the next start."""
        return not (self.store / "before").exists()


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_a_table_that_comes_up_stays_updated(box: Box) -> None:
    box.says(active=ILL * 3 + WELL)
    done = box.come_up()
    assert (done.returncode, "the table is open" in done.stdout) == (0, True)
    assert "apt-get" not in box.called
    assert box.is_over
    box.says(active=ILL)  # and at a later start nothing is looked at
    assert (box.come_up().returncode, "apt-get" in box.called) == (0, False)


@pytest.mark.faults("the package: an update that does not come up")
def test_one_that_does_not_goes_back_to_the_package_that_was_kept(box: Box) -> None:
    box.says(active=ILL, cures="")
    done = box.come_up()
    assert done.returncode == 1
    assert "open again, by 1.0" in done.stdout
    assert (
        f"--allow-downgrades --reinstall install {box.store}/race-companion_1.0_all.deb"
        in box.called
    )
    assert "companion restore" not in box.called
    assert box.is_over


@pytest.mark.faults("the package: power lost during an update")
def test_half_a_package_is_made_whole_at_the_next_start(box: Box) -> None:
    box.says(package="iU")
    done = box.come_up()
    assert (done.returncode, "the table is open" in done.stdout) == (0, True)
    assert "dpkg --configure race-companion\nsystemctl restart" in re.sub(
        r"dpkg-query.*\n", "", box.called
    )
    assert "apt-get" not in box.called


@pytest.mark.faults("the package: power lost during an update")
def test_half_a_package_that_cannot_be_made_whole_goes_back(box: Box) -> None:
    """Cut off in the middle of its files, or by a script of its own that fails."""
    box.says(package="iF", stuck="")
    done = box.come_up()
    assert (done.returncode, "open again, by 1.0" in done.stdout) == (1, True)
    assert "apt-get" in box.called
    assert box.is_over


@pytest.mark.faults("the package: power lost during an update")
def test_what_lost_its_power_while_it_was_taken_back_is_taken_back(box: Box) -> None:
    """apt takes no other version for a package of which dpkg has half exchanged the files."""
    box.says(active=ILL, package="iHR", stuck="")
    (box.bin / "apt-get").write_text("#!/bin/sh\nexit 100\n")
    assert "open again, by 1.0" in box.come_up().stdout
    assert f"dpkg --install {box.store}/race-companion_1.0_all.deb" in box.called
    assert box.is_over


@pytest.mark.faults("the package: power lost during an update")
def test_what_could_not_be_taken_back_is_tried_again_at_the_next_start(box: Box) -> None:
    box.says(active=ILL)
    stubs = {name: (box.bin / name).read_text() for name in ("apt-get", "dpkg")}
    for name in stubs:
        (box.bin / name).write_text("#!/bin/sh\nexit 100\n")
    assert "1.0 cannot be installed" in box.come_up().stdout
    assert not box.is_over
    for name, stub in stubs.items():
        (box.bin / name).write_text(stub)
    box.says(cures="")
    assert "open again, by 1.0" in box.come_up().stdout
    assert box.is_over


def test_what_an_update_goes_back_to_is_on_disk_before_it_begins(box: Box) -> None:
    for path in (box.store / "before", box.store / "race-companion_1.0_all.deb"):
        path.unlink()
    box.installs("2.0")
    assert (box.store / "before").read_text() == "1.0\n"
    kept = {path.name: path.read_text() for path in box.store.glob("*.deb")}
    assert kept == {"race-companion_1.0_all.deb": "repacked\n", "race-companion_2.0_all.deb": "2.0"}
    assert len(list((box.store / "backups").iterdir())) == 2
    assert not (box.store / "new").exists()


def test_going_back_keeps_the_races_of_before_and_where_it_goes_back_to(box: Box) -> None:
    """A backup of what the newer one has written would be taken for that of before."""
    for version in ("2.0", "2.1", "2.2", "2.3"):
        box.installs(version)
    assert (box.store / "before").read_text() == "1.0\n"
    assert (box.store / "race-companion_1.0_all.deb").exists()
    assert [path.name for path in (box.store / "backups").iterdir()] == ["evening.tar"]


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


# -- a newer package, out of a signed source ------------------------------------------------------


needs_apt = pytest.mark.skipif(
    os.geteuid() != 0 or not all(map(shutil.which, ("apt-get", "dpkg-deb", "gpg", "gpgv"))),
    reason="it needs apt, gpg and, for dpkg in a root of its own, root",
)


def sign(source: Path, key: Path | None = None, *packages: Path) -> str:
    """Make a source of these packages, as a release does; its public key."""
    repository = ["sh", str(SCRIPTS.parent / "repository.sh")]
    subprocess.run([*repository, "list", str(source), "1790000000", *packages], check=True)
    words = [*repository, "sign", str(source), *([str(key)] if key else [])]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


class Site:
    """A real apt and dpkg in a root of their own, with 1.0 installed, and a source in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.source = folder, folder / "root", folder / "source"
        for name in ("etc/apt/apt.conf.d", "etc/apt/preferences.d", "var/lib/apt/lists/partial"):
            (self.root / name).mkdir(parents=True)
        for name in ("var/lib/dpkg/info", "var/cache/apt/archives/partial", "var/log/apt"):
            (self.root / name).mkdir(parents=True)
        for path in (self.root / "var/lib/dpkg/status", self.root / "etc/apt/sources.list"):
            path.touch()
        (folder / "etc").mkdir()
        (folder / "apt.conf").write_text(
            f'Dir "{self.root}"; Dir::State::status "{self.root}/var/lib/dpkg/status";\n'
            'Dir::Bin::methods "/usr/lib/apt/methods"; Dir::Bin::dpkg "/usr/bin/dpkg";\n'
            f'DPkg::Options {{ "--root={self.root}"; }};\n'
            'APT::Sandbox::User "root"; Acquire::Retries "0";\n'
        )
        self.env = os.environ | {
            "APT_CONFIG": str(folder / "apt.conf"),
            "DPKG_ADMINDIR": f"{self.root}/var/lib/dpkg",
            "COMPANION_CARD": str(folder / "card"),
            "COMPANION_ETC": str(folder / "etc"),
            "COMPANION_RUN": str(folder / "run"),
        }
        first = ["dpkg", f"--root={self.root}", "--install", str(self.package("1.0"))]
        subprocess.run(first, check=True, capture_output=True)

    def package(self, version: str) -> Path:
        made, tree = self.folder / f"race-companion_{version}_all.deb", self.folder / version
        for name in ("DEBIAN", "usr/share"):
            (tree / name).mkdir(parents=True)
        (tree / "usr/share/version").write_text(version)
        (tree / "DEBIAN/control").write_text(
            f"Package: race-companion\nVersion: {version}\nArchitecture: all\n"
            "Maintainer: Nobody <nobody@example.invalid>\nDescription: a stand-in\n"
        )
        command = ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(made)]
        subprocess.run(command, check=True, capture_output=True)
        return made

    def serve(self, version: str, key: Path | None = None) -> str:
        """The source with this version; its public key."""
        shutil.rmtree(self.source, ignore_errors=True)
        return sign(self.source, key, self.package(version))

    def name(self, key: str, source: str = "") -> None:
        line = f'update = {{source = "{source or self.source.as_uri()}", key = "{key}"}}\n'
        (self.folder / "etc/companion.toml").write_text(line)

    def update(self) -> tuple[int, str]:
        """Status, and what the page says of it."""
        command = [sys.executable, "-I", str(SCRIPTS / "update")]
        done = subprocess.run(
            command, env=self.env, capture_output=True, text=True, check=False, timeout=60
        )
        said = (self.folder / "run/said").read_text().strip()
        assert done.stdout.strip() == f"companion update: {said}"
        assert done.stderr == ""
        return done.returncode, said

    @property
    def installed(self) -> str:
        return (self.root / "usr/share/version").read_text()

    def everything(self) -> dict[str, bytes]:
        """Every file of the root, but for logs and the lock."""
        files = (path for path in self.root.rglob("*") if path.is_file())
        return {
            str(path): path.read_bytes()
            for path in files
            if "log" not in path.parts and "lock" not in path.name
        }


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@needs_apt
def test_a_newer_package_comes_out_of_a_signed_source_and_an_older_one_does_not(
    site: Site,
) -> None:
    site.name(site.serve("2.0"))
    assert site.update() == (0, "2.0 is installed, 1.0 was there before")
    assert site.installed == "2.0"
    before = site.everything()
    assert site.update() == (0, "2.0 is the newest")
    site.name(site.serve("1.9"))
    assert site.update() == (0, "2.0 is the newest")
    assert site.everything() == before


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def unsign(source: Path) -> None:
    (source / "InRelease").unlink()


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "another's signature": (lambda source: None, "is not signed by the key"),
    "no signature": (unsign, "is not signed by the key"),
    "a signature of other words": (lambda source: flip(source / "InRelease"), "is not signed"),
    "another list": (lambda source: flip(source / "Packages"), "cannot be reached"),
    "another package": (
        lambda source: flip(next(source.glob("*.deb"))),
        "has no package whose sum is right",
    ),
    "nothing there": (shutil.rmtree, "cannot be reached"),
}


@needs_apt
@pytest.mark.faults("the package: a source that is not what it was signed as")
@pytest.mark.parametrize("what", SPOILT)
def test_a_source_that_is_spoilt_is_told_in_a_sentence_and_nothing_changes(
    site: Site, what: str
) -> None:
    key, other = site.serve("2.0"), site.folder / "other"
    if what == "another's signature":
        key = sign(other)
    site.name(key)
    spoil, says = SPOILT[what]
    before = site.everything()
    spoil(site.source)
    status, said = site.update()
    assert (status, says in said) == (1, True), said
    assert site.everything() == before


@needs_apt
def test_without_a_source_there_are_no_updates_and_one_that_means_nothing_is_told(
    site: Site,
) -> None:
    assert site.update() == (0, "no source of updates is named: this machine gets none")
    for source in ("ftp://x/", "https://x y/", "https://x/] ./\\ndeb http://evil"):
        site.name("AAAA", source)
        status, said = site.update()
        assert (status, "the line is update = {source" in said) == (1, True)
    site.name("no base64", "https://x/")
    assert site.update()[0] == 1
    (site.folder / "etc/companion.toml").write_text("update = true\n")
    assert site.update()[0] == 1


@needs_apt
def test_a_lasting_key_signs_one_release_after_the_other(site: Site) -> None:
    home, file = site.folder / "home", site.folder / "secret"
    home.mkdir(mode=0o700)
    gpg = ["gpg", "--homedir", str(home), "--batch", "--quiet", "--passphrase", ""]
    make = [*gpg, "--quick-generate-key", "club", "ed25519", "sign", "0"]
    subprocess.run(make, check=True, capture_output=True)
    told = [*gpg, "--armor", "--export-secret-keys"]
    file.write_bytes(subprocess.run(told, check=True, capture_output=True).stdout)
    subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], check=True)
    key = site.serve("2.0", file)
    site.name(key)
    assert site.update()[0] == 0
    assert site.serve("3.0", file) == key
    assert site.update() == (0, "3.0 is installed, 2.0 was there before")


@pytest.mark.parametrize("script", ["came-up", "keep-package"])
def test_the_scripts_are_plain_sh(script: str) -> None:
    subprocess.run(["dash", "-n", str(SCRIPTS / script)], check=True)


def test_the_package_says_whose_each_folder_of_a_library_is(tmp_path: Path) -> None:
    """pyserial brings `serial`; `luma` belongs to none of those that have a part in it."""
    has = {
        "pyserial-3.5": ["serial/__init__.py", "serial/tools/ports.py", "../../bin/ports"],
        "luma_core-2.6": ["luma/core/__init__.py", "luma/core/lib.py", "core.pth"],
        "luma_oled-3.16": ["luma/oled/__init__.py", "../../share/man/man1/oled.1"],
    }
    for library, names in has.items():
        info = f"{library}.dist-info"
        for name in (f"{info}/METADATA", f"{info}/RECORD", *names):
            path = tmp_path / name.removeprefix("../../")
            if "bin" not in path.parts:  # the programs are taken away
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
        (tmp_path / info / "RECORD").write_text("".join(f"{name},,\n" for name in names))
        (tmp_path / info / "METADATA").write_text(f"Name: {library}\nVersion: 1\n")
    told = deb._copyright(tmp_path)
    files = re.findall(r"^Files: (.*(?:\n .*)*)\nCopyright: its authors", told, re.MULTILINE)
    place = "usr/share/race-companion"
    assert [one.replace(f"{place}/", "").split() for one in files] == [
        ["core.pth", "luma/core/*"],
        ["luma/oled/*", "share/man/man1/oled.1"],
        ["serial/*"],
    ]
