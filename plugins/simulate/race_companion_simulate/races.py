"""Races of bots by the thousand, in one process or several, or on the workers of a Dask cluster.

A race draws its dice and its grid from its own number and the seed, so it does not matter who plays
it: the same seed, the same races. A process sets itself up once (`Crew`) and is then only told
numbers. A worker needs race-companion, and nothing of what is kept on this machine: solved boards
are sent to it once, so that all play the very same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Protocol, Self, TypeVar

Row = TypeVar("Row", covariant=True)


class Crew(Protocol[Row]):
    """All that a process needs to play races of a study."""

    def play(self, race: int, dice: Random) -> Sequence[Row]:
        """One race, with its number: a row a seat."""


class Simulated(Hashable, Protocol[Row]):
    """What is simulated; it goes to other processes, and to other machines."""

    @property
    def seed(self) -> int:
        """The same seed gives the same races."""

    def boards(self) -> Mapping[str, bytes]:
        """The solved boards that its levels need, as files by their names."""

    def with_boards(self, folder: Path) -> Self:
        """The same with its solved boards in this folder."""

    def crew(self) -> Crew[Row]:
        """Who plays its races in this process."""


@lru_cache(maxsize=1)
def _crew(study: Simulated[Row]) -> Crew[Row]:
    return study.crew()


def _play_some(study: Simulated[Row], races: range) -> list[Row]:
    """The rows of these races, by their numbers, in this process."""
    crew = _crew(study)
    # Seeded by a text, which gives the same numbers in every process and on every machine.
    return [row for race in races for row in crew.play(race, Random(f"{study.seed} {race}"))]


CHUNK = 10
"""Races that a process is given at a time."""


def _chunks_of(races: int, size: int = CHUNK) -> list[range]:
    """The races in runs of so many."""
    return [range(at, min(at + size, races)) for at in range(0, races, size)]


def simulate(study: Simulated[Row], races: int, jobs: int = 1) -> Iterator[Sequence[Row]]:
    """The rows of so many races, a few races at a time, in their order; `prepare` comes before."""
    chunks = _chunks_of(races)
    if jobs == 1:
        yield from (_play_some(study, chunk) for chunk in chunks)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(_play_some, [study] * len(chunks), chunks)


# -- on a cluster ---------------------------------------------------------------------------------


ANSWERS_S = 3
"""Seconds in which a scheduler answers, if there is one."""
CHUNK_OF_A_WORKER = 100
"""Races that a worker is given at a time: some ten seconds."""


def simulate_on(address: str, study: Simulated[Row], races: int) -> Iterator[Sequence[Row]]:
    """The rows of so many races, some races at a time, in their order; `prepare` comes before.

    Args:
        address: of the scheduler, as `tcp://host:8786`.

    Raises:
        OSError: it is no address, or nobody answers there; told with the first rows.
        ModuleNotFoundError: the extra `cluster` is not installed, told at once.
    """
    from distributed import Client  # who simulates on this machine has no such library

    def connect() -> Any:
        try:
            return Client(address, timeout=ANSWERS_S)
        except ValueError as error:  # no port, or a scheme that nobody knows
            raise OSError(f"{address!r} is no address of a scheduler: {error}") from error

    return _gathered(connect, study, races)


def _gathered(
    connect: Callable[[], Any], study: Simulated[Row], races: int
) -> Iterator[Sequence[Row]]:
    with connect() as client:
        # As files: two workers that solve might differ in the last step of a number.
        boards: Any = client.scatter(dict(study.boards()), broadcast=True, hash=False)
        for future in client.map(
            _play_there, _chunks_of(races, CHUNK_OF_A_WORKER), study=study, boards=boards
        ):
            yield future.result()
            # The rows are here, so the cluster need not keep them.
            future.release()


def _play_there(races: range, study: Simulated[Row], boards: Mapping[str, bytes]) -> list[Row]:
    """As `_play_some`, on a worker of the cluster."""
    folder = _folder(tuple(sorted(boards.items())))
    return _play_some(study.with_boards(Path(folder.name)), races)


@lru_cache(maxsize=1)
def _folder(boards: tuple[tuple[str, bytes], ...]) -> TemporaryDirectory[str]:
    """A folder of this process with these files, which goes with it."""
    folder: TemporaryDirectory[str] = TemporaryDirectory(prefix="companion-")
    for name, content in boards:
        Path(folder.name, name).write_bytes(content)
    return folder
