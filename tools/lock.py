"""The libraries that the Debian package brings along, with the sum of each wheel: `make lock`.

Resolves what pyproject.toml asks for with pip, leaves out what Debian compiles, and writes
packaging/lock.txt, which `pip install --require-hashes` takes. Nothing in it has a compiled part,
so that one package serves every processor.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "packaging" / "lock.txt"
OF_DEBIAN = {
    *("gevent", "greenlet", "zope-event", "zope-interface", "markupsafe", "pillow", "cbor2"),
    *("spidev", "evdev"),
}
"""What has compiled parts, and what only these need: packages of Debian, in `control`."""
NOT_RUN = {"race-companion", "setuptools"}
PURE = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
OLDEST = "--python-version=3.11"


def pip(*words: str) -> None:
    """Run pip."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*command, *words], check=True, stderr=subprocess.DEVNULL)


def report(folder: Path, *words: str) -> list[tuple[str, str, str]]:
    """Name, version and SHA-256 of what pip would install."""
    path = folder / "report.json"
    pip("install", "--dry-run", "--ignore-installed", f"--report={path}", *words)
    return sorted(
        (
            one["metadata"]["name"].lower().replace("_", "-").replace(".", "-"),
            one["metadata"]["version"],
            one["download_info"].get("archive_info", {}).get("hashes", {}).get("sha256", ""),
        )
        for one in json.loads(path.read_text())["install"]
    )


def main() -> None:
    """Write the lock."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        needed = [
            f"{package}=={version}"
            for package, version, _ in report(folder, f"{ROOT}[pi,light]")
            if package not in OF_DEBIAN | NOT_RUN
        ]
        target = f"--target={folder / 'target'}"
        pure = report(folder, "--no-deps", target, *PURE, OLDEST, *needed)
    lines = [f"{name}=={version} --hash=sha256:{digest}" for name, version, digest in pure]
    LOCK.write_text("\n".join(("# made by tools/lock.py", *lines, "")))
    print(f"{len(lines)} libraries in {LOCK.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
