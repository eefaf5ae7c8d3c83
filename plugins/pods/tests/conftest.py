"""The firmware as it is built now, on the simulated board, at the end of a link."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.pods.bench import Bench

from race_companion_pods.simulator import SOURCE, Simulator

NEEDED = ("avr-gcc", "make", "cc")
Mutation = tuple[str, str, str]
"""A file of the firmware, a text in it, and what stands there instead."""


def build(folder: Path, target: str = "all") -> None:
    done = subprocess.run(
        ["make", "-s", "-C", str(folder), target],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the firmware's folder, built, with its simulator."""
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing or not Path("/usr/include/simavr").is_dir():
        pytest.skip(f"needs avr-gcc, avr-libc, libsimavr-dev (`make debian`); missing: {missing}")
    folder = tmp_path_factory.mktemp("firmware") / "pod"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("build"))
    build(folder)
    build(folder, "simulator")
    build(folder, "old")
    return folder


@pytest.fixture
def mutant(firmware: Path, tmp_path: Path) -> Callable[[Mutation], Path]:
    """Build the firmware with one text replaced; the image."""

    def make(mutation: Mutation) -> Path:
        name, old, new = mutation
        folder = tmp_path / "mutant"
        shutil.copytree(firmware, folder, ignore=shutil.ignore_patterns("build"))
        text = (folder / name).read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        (folder / name).write_text(text.replace(old, new), "utf-8")
        build(folder)
        return folder / "build/pod.hex"

    return make


@pytest.fixture
def bench_of(firmware: Path) -> Iterator[Callable[..., Bench]]:
    """Make a bench of an image (left out: the firmware's own) and the simulator's options."""
    pods: list[Simulator] = []

    def make(
        image: Path | None = None,
        *,
        sh1106: bool = False,
        seed: int = 1,
        boot: Path | None = None,
    ) -> Bench:
        program = firmware / "build/podsim"
        image = image or firmware / "build/pod.hex"
        pods.append(Simulator(image, sh1106=sh1106, seed=seed, boot=boot, program=program))
        return Bench(pods[-1])

    yield make
    for pod in pods:
        pod.close()


@pytest.fixture
def bench(bench_of: Callable[..., Bench]) -> Bench:
    """The firmware as it is, just switched on."""
    return bench_of()
