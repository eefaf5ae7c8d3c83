"""What a start costs by processor time, in pairs with another commit: `start.py COMMIT`.

A start is over when the program has said where the page is; of the same process it is told what it
had used when the first page was there. By turns, so that what else the machine does meets both;
the smallest of each is told, since nothing makes a start cheaper than it is, and the median of the
pairs' ratios. With
`--data` each start resumes what lies in a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from urllib.request import Request, urlopen

HERE = Path(__file__).resolve().parents[1]
# Neither `site` nor an editable install chooses which program is imported.
RUN = (
    "import sys; root, libraries = sys.argv[1:3]; sys.path[:0] = [root, root + '/web'];"
    "sys.path.append(libraries); from companion.cli import main; sys.exit(main(sys.argv[3:]))"
)
POINTS = ("said where the page is", "answered the first page", "MiB by then")


def used_ms(pid: int) -> float:
    """Milliseconds of processor that a process has had, its threads of before too."""
    # The clock of another process, as clock_getcpuclockid(3) makes its number.
    return time.clock_gettime_ns(~pid << 3 | 2) / 1e6


def start(root: Path, data: Path, libraries: str) -> tuple[float, float, float]:
    """One start of the program in a checkout: its figures, as `POINTS` says."""
    words = ["race", "--data", str(data), "--port", "0", "--host", "127.0.0.1", "--json"]
    run = [sys.executable, "-I", "-S", "-c", RUN, str(root), libraries, *words]
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    with subprocess.Popen(run, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            said = used_ms(process.pid)
            with urlopen(Request(told["url"], headers={"Accept": "text/html"})) as page:
                page.read()
            status = Path(f"/proc/{process.pid}/status").read_text("utf-8").splitlines()
            kib = next(line.split()[1] for line in status if line.startswith("VmRSS"))
            return said, used_ms(process.pid), int(kib) / 1024
        finally:
            process.send_signal(signal.SIGTERM)


def main() -> None:
    """Print both checkouts' figures, and the ratios of the pairs."""
    told = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    told.add_argument("commit", help="what to compare with")
    told.add_argument("--times", type=int, default=9)
    told.add_argument("--data", type=Path, help="a folder to resume; without it an empty one")
    asked = told.parse_args()
    click = find_spec("click")
    assert click is not None
    assert click.origin is not None
    libraries = str(Path(click.origin).parents[1])
    with ExitStack() as opened:
        other = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        archive = subprocess.run(
            ["git", "archive", asked.commit], cwd=HERE, check=True, capture_output=True
        )
        subprocess.run(["tar", "x", "-C", str(other)], input=archive.stdout, check=True)
        roots = (other, HERE)
        for root in roots:
            compiled = [sys.executable, "-m", "compileall", "-q", "companion", "web"]
            subprocess.run(compiled, cwd=root, check=True, stdout=subprocess.DEVNULL)
        found: dict[Path, list[tuple[float, float, float]]] = {root: [] for root in roots}
        for _ in range(asked.times):
            for root in roots:
                data = asked.data or Path(opened.enter_context(tempfile.TemporaryDirectory()))
                found[root].append(start(root, data, libraries))
        for at, point in enumerate(POINTS):
            theirs, ours = ([one[at] for one in found[root]] for root in roots)
            ratio = median(our / their for their, our in zip(theirs, ours, strict=True))
            print(f"{point:26} {min(theirs):6.1f} {min(ours):6.1f}   x {ratio:.2f}")


if __name__ == "__main__":
    main()
