"""The Debian package: `make deb`. The same sources make the same bytes.

dh-virtualenv would put an interpreter's venv and compiled wheels into the package: one package an
architecture and a release of Debian, each built there. Here all that is compiled (gevent,
MarkupSafe, Pillow, lgpio) is Debian's own, by Depends, and the rest is pure: its wheels, as
packaging/lock.txt names them with their sums, lie beside the program in a folder of its own. So
one package serves every Raspberry Pi and Debian 12 and 13 alike, and it is built anywhere.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from email import message_from_string
from email.message import Message
from pathlib import Path

from lock import OLDEST, PURE, ROOT

PACKAGING = ROOT / "packaging"
WORK = ROOT / "build" / "deb"
INSTALLED = Path("usr/share/race-companion")
SYSTEM = "usr/lib/systemd/system"
UNITS = (
    "companion.service",
    "companion-club.service",
    "companion-portal.socket",
    "companion-portal.service",
)
UPDATE_UNITS = ("companion-came-up.service", "companion-update.service")
HELPERS = ("update", "keep-package", "came-up")
"""What brings an update, and takes it back if the table does not come up."""
DOC = Path("usr/share/doc/race-companion")


def sources_date() -> int:
    """The time that all files bear, seconds since 1970: SOURCE_DATE_EPOCH, else the commit's."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct"))


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def build(wheel: Path, into: Path) -> Path:
    """Make the package of a wheel of the program."""
    version = wheel.name.split("-")[1]
    shutil.rmtree(WORK, ignore_errors=True)
    root = WORK / "root"
    _libraries(wheel, root / INSTALLED)
    _system_files(root)
    _documents(root, version)
    for path in root.rglob("*.dist-info/RECORD"):
        path.unlink()  # what pip would remove by; dpkg keeps the list here
    for path in (root, *root.rglob("*")):
        runs = path.is_dir() or path == root / "usr/bin/companion" or path.name in HELPERS
        path.chmod(0o755 if runs else 0o644)
    _control(root, version)
    made = into / f"race-companion_{version}_all.deb"
    into.mkdir(parents=True, exist_ok=True)
    date = sources_date()
    for path in root.rglob("*"):
        os.utime(path, (date, date))
    where = os.environ | {"SOURCE_DATE_EPOCH": str(date)}
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(made)]
    subprocess.run(command, check=True, env=where, stdout=subprocess.DEVNULL)
    return made


def _libraries(wheel: Path, place: Path) -> None:
    """The program and the wheels of the lock, without what only a build of them needs."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    common = ["--no-deps", "--no-compile", f"--target={place}"]
    lock = ["--require-hashes", *PURE, OLDEST, f"--requirement={PACKAGING / 'lock.txt'}"]
    for words in (lock, [str(wheel)]):
        subprocess.run([*pip, *common, *words], check=True, stderr=subprocess.DEVNULL)
    for path in sorted(place.rglob("*")):
        is_extra = path.name in {"bin", "__pycache__", "direct_url.json", "REQUESTED", "INSTALLER"}
        if is_extra and path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _system_files(root: Path) -> None:
    """What the system finds at its own places: program, units, groups, rules, completion."""
    files = {
        PACKAGING / "companion": "usr/bin/companion",
        PACKAGING / "polkit.rules": "usr/share/polkit-1/rules.d/60-race-companion.rules",
        PACKAGING / "update/apt.conf": "etc/apt/apt.conf.d/60race-companion",
        **{PACKAGING / "update" / name: f"usr/lib/race-companion/{name}" for name in HELPERS},
        PACKAGING / "sysusers.conf": "usr/lib/sysusers.d/race-companion.conf",
        PACKAGING / "debian/lintian-overrides": "usr/share/lintian/overrides/race-companion",
        ROOT / "systemd/60-companion-seats.rules": "usr/lib/udev/rules.d/60-companion-seats.rules",
        **{PACKAGING / "update" / unit: f"{SYSTEM}/{unit}" for unit in UPDATE_UNITS},
    }
    for source, place in files.items():
        _write(root / place, source.read_text())
    wants = "[Unit]\nWants=companion-came-up.service\n"  # an update may have lost its power
    _write(root / SYSTEM / "multi-user.target.d/race-companion.conf", wants)
    for unit in UNITS:
        text = (ROOT / "systemd" / unit).read_text().replace("/opt/companion/bin/", "/usr/bin/")
        text = re.sub(r"^#   sudo cp .*\n", "", text, flags=re.MULTILINE)
        _write(root / SYSTEM / unit, text)
    _write(root / "usr/lib/modules-load.d/race-companion.conf", "i2c-dev\n")
    _write(root / "usr/share/bash-completion/completions/companion", _completion())


def _completion() -> str:
    where = os.environ | {"_COMPANION_COMPLETE": "bash_source"}
    command = [sys.executable, "-m", "companion"]
    return subprocess.run(command, env=where, check=True, capture_output=True, text=True).stdout


def _documents(root: Path, version: str) -> None:
    """What Debian wants of every package: manual, changelog, whose it is."""
    command = [sys.executable, str(ROOT / "tools/manpage.py")]
    manual = subprocess.run(command, check=True, capture_output=True)
    when = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(sources_date()))
    control = message_from_string((PACKAGING / "debian/control").read_text())
    entry = f"race-companion ({version}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n"
    entry += f" -- {control['Maintainer']}  {when}\n"
    _write(root / "usr/share/man/man1/companion.1.gz", _packed(manual.stdout))
    _write(root / DOC / "changelog.gz", _packed(entry.encode()))
    _write(root / DOC / "CHANGELOG.md.gz", _packed((ROOT / "CHANGELOG.md").read_bytes()))
    _write(root / DOC / "copyright", _copyright(root / INSTALLED))


def _copyright(place: Path) -> str:
    """Whose the program and each library is, in Debian's form; out of what they say themselves."""
    head = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    parts = [f"{head}Upstream-Name: race-companion", (PACKAGING / "debian/copyright").read_text()]
    for info in sorted(place.glob("*.dist-info")):
        about = message_from_string((info / "METADATA").read_text("utf-8"))
        if about["Name"] != "race-companion":
            parts.append(_stanza(info, about))
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _stanza(info: Path, about: Message) -> str:
    name = f"{about['Name']}-{about['Version']}".replace(" ", "")
    author = about["Author"] or about["Author-email"] or about["Maintainer-email"] or "its authors"
    classified = [
        line.rpartition(":: ")[2]
        for line in about.get_all("Classifier", [])
        if "License ::" in line
    ]
    kind = about["License-Expression"] or " ".join(classified) or about["License"] or "see below"
    texts = sorted(
        p for p in info.rglob("*") if re.match(r"(?i)licen|copying", p.name) and p.is_file()
    )
    where = ", ".join(f"/{INSTALLED}/{path.relative_to(info.parent)}" for path in texts)
    says = f" {kind}; its text is in {where}." if texts else f" {kind}."
    files = "Files: " + "\n ".join(f"{INSTALLED}/{path}" for path in _places(info))
    author = " ".join(str(author).split())
    return f"{files}\nCopyright: {author}\nLicense: {name}\n{says}"


def _places(info: Path) -> list[str]:
    """A library's own folders and files, in Debian's patterns; one that it shares is not its."""
    found = set()
    for row in csv.reader((info / "RECORD").read_text("utf-8").splitlines()):
        path = Path(row[0].removeprefix("../../"))  # pip writes as if for a home
        if (info.parent / path).is_file():
            own = (
                f"{folder}/*"
                for folder in reversed(path.parents)
                if folder.name == info.name or (info.parent / folder / "__init__.py").is_file()
            )
            found.add(next(own, str(path)))
    return sorted(found)


def _control(root: Path, version: str) -> None:
    """The package's own data and scripts."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    kilobytes = str(sum(-(-path.stat().st_size // 1024) for path in files))
    control = (PACKAGING / "debian/control").read_text()
    control = control.replace("@VERSION@", version).replace("@KILOBYTES@", kilobytes)
    sums = [
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}" for path in files
    ]
    _write(root / "DEBIAN/control", control)
    _write(root / "DEBIAN/conffiles", "/etc/apt/apt.conf.d/60race-companion\n")
    _write(root / "DEBIAN/md5sums", "\n".join(sums) + "\n")
    for script in ("postinst", "prerm", "postrm"):
        _write(root / "DEBIAN" / script, (PACKAGING / "debian" / script).read_text())
        (root / "DEBIAN" / script).chmod(0o755)


def _packed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def main() -> None:
    """Build the package of a wheel, and say where it is."""
    parser = argparse.ArgumentParser(description="The Debian package.")
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    args = parser.parse_args()
    os.umask(0o022)
    print(build(args.wheel, args.into))


if __name__ == "__main__":
    main()
