"""A release: wheel, sources, Debian package, apt repository, materials, sums: `make release`.

All is made out of what git has at a tag (or HEAD), in a folder of its own, and bears the commit's
time: who makes it again gets the same bytes, and `--check` makes all of it twice to see that.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
SUMS = "SHA256SUMS"
APT = "apt"
"""The folder of the repository; its signature is no part of the sums."""
REPOSITORY = ROOT / "packaging/repository.sh"
IMAGES = ROOT / "dist" / "images"
"""Where rpi-image-gen's images are laid, as race-companion-LAYER.img.xz."""
DEVICES = {
    "rpi3": "pi3-64bit",
    "rpi4": "pi4-64bit",
    "rpi5": "pi5-64bit",
    "rpi-cm4": "pi4-64bit",
    "rpi-cm5": "pi5-64bit",
    "rpizero2w": "pi3-64bit",
}
"""What Raspberry Pi Imager calls the Pi of each layer."""


def run(*words: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a program; what it prints.

    Raises:
        SystemExit: it failed.
    """
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{words[0]} failed: {done.stderr[-2000:]}")
    return done.stdout


def make(tag: str, into: Path, where: str) -> None:
    """Make everything of a tag; `where` is the address that its files will have."""
    date = run("git", "log", "-1", "--format=%ct", tag).strip()
    env = os.environ | {"SOURCE_DATE_EPOCH": date, "PYTHONHASHSEED": "0", "TZ": "UTC"}
    env |= {"LC_ALL": "C.UTF-8"}
    into.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        sources = Path(name) / "sources"
        sources.mkdir()
        archive = Path(name) / "sources.tar"
        run("git", "archive", f"--output={archive}", tag)
        run("tar", "-xf", archive, "-C", sources)
        env["PYTHONPATH"] = f"{sources}:{sources / 'web'}"
        run(sys.executable, "-m", "build", "--outdir", into, cwd=sources, env=env)
        (wheel,) = into.glob("*.whl")
        (sdist,) = into.glob("*.tar.gz")
        settle(sdist, int(date))
        run(sys.executable, "tools/deb.py", wheel, "--into", into, cwd=sources, env=env)
        run("sh", REPOSITORY, "list", into / APT, date, *into.glob("*.deb"))
        bill = into / f"{wheel.name.rsplit('-', 3)[0]}.cdx.json"
        lock, project = sources / "packaging/lock.txt", sources / "pyproject.toml"
        images = [Path(shutil.copy(one, into)) for one in sorted(IMAGES.glob("*.img.xz"))]
        if images:
            told = json.dumps(os_list(images, where, int(date)), indent=1, sort_keys=True)
            (into / "os_list.json").write_text(f"{told}\n")
        words = ["requirements", lock, "--pyproject", project, "--output-reproducible"]
        run(sys.executable, "-m", "cyclonedx_py", *words, "--output-file", bill, env=env)
    files = sorted(path for path in into.rglob("*") if path.is_file())
    sums = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    told = (f"{one}  {path.relative_to(into)}\n" for one, path in zip(sums, files, strict=True))
    (into / SUMS).write_text("".join(told))


def os_list(images: Sequence[Path], where: str, date: int) -> dict[str, object]:
    """The list of images that Raspberry Pi Imager takes as a repository of its own."""
    return {"os_list": [_entry(image, where, date) for image in images]}


def _entry(image: Path, where: str, date: int) -> dict[str, object]:
    layer = image.name.removesuffix(".img.xz").removeprefix("race-companion-")
    if layer not in DEVICES:
        raise SystemExit(f"{image}: there is no layer {layer!r}, only {', '.join(DEVICES)}")
    with lzma.open(image) as unpacked:
        whole, size = hashlib.file_digest(unpacked, "sha256").hexdigest(), unpacked.tell()
    icon = base64.b64encode((ROOT / "web/companion_web/static/icon.svg").read_bytes()).decode()
    return {
        "name": f"Race companion ({layer})",
        "description": "The companion of a racing board game: a table that opens by itself",
        "icon": f"data:image/svg+xml;base64,{icon}",
        "url": f"{where.rstrip('/')}/{image.name}",
        "extract_size": size,
        "extract_sha256": whole,
        "image_download_size": image.stat().st_size,
        "image_download_sha256": hashlib.sha256(image.read_bytes()).hexdigest(),
        "release_date": datetime.fromtimestamp(date, UTC).date().isoformat(),
        "devices": [DEVICES[layer]],
    }


def settle(sdist: Path, date: int) -> None:
    """Pack a source archive anew, without what differs between two builds of the same sources."""
    same = f"--sort=name --mtime=@{date} --numeric-owner --owner=0 --group=0 --mode=u=rwX,go=rX"
    pax = ("--format=posix", "--pax-option=delete=atime,delete=ctime,exthdr.name=%d/PaxHeaders/%f")
    with tempfile.TemporaryDirectory() as folder:
        run("tar", "-xf", sdist, "-C", folder)
        packed = ("--use-compress-program=gzip -9n", "-cf", sdist, "-C", folder)
        run("tar", *same.split(), *pax, *packed, *os.listdir(folder))


def main() -> None:
    """Make a release, and say what is in it."""
    parser = argparse.ArgumentParser(description="Everything of a release.")
    parser.add_argument("tag", nargs="?", default="HEAD")
    parser.add_argument("--check", action="store_true", help="make it twice and compare")
    parser.add_argument("--where", default="", help="the address that all of it will have")
    parser.add_argument("--key", default="", help="the secret key that signs the packages")
    args = parser.parse_args()
    if any(IMAGES.glob("*.img.xz")) and not args.where:
        raise SystemExit(f"there are images in {IMAGES}: --where URL says where they will be")
    os.umask(0o022)
    into = ROOT / "dist" / "release"
    shutil.rmtree(into, ignore_errors=True)
    make(args.tag, into, args.where)
    sums = (into / SUMS).read_text()
    print(sums, end="")
    if args.check:
        with tempfile.TemporaryDirectory() as name:
            again = Path(name) / "again"
            make(args.tag, again, args.where)
            if (again / SUMS).read_text() != sums:
                raise SystemExit("made twice, it is not the same: see " + str(into))
        print("made twice: the same bytes")
    public = run("sh", REPOSITORY, "sign", into / APT, args.key)
    if not args.key:
        print("the packages are signed by a key that is thrown away: KEY=FILE names a lasting one")
    where = f"{(args.where or 'https://…').rstrip('/')}/{APT}"
    line = f'update = {{source = "{where}", key = "{public}"}}'
    print(f"machines take updates from there by one line of companion.toml: {line}")


if __name__ == "__main__":
    main()
