"""Races of a study on the workers of a Dask cluster: the same seed, the same races.

A worker needs race-companion, and nothing of what is kept on this machine: solved boards are sent
to it once, so that all play the very same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from distributed import Client

from companion.simulation import Row, Simulated, chunks_of, play_some

CHUNK = 100
"""Races that a worker is given at a time: some ten seconds."""


def simulate_on(address: str, study: Simulated[Row], races: int) -> Iterator[Sequence[Row]]:
    """The rows of so many races, some races at a time, in their order; `prepare` comes before.

    Args:
        address: of the scheduler, as `tcp://host:8786`.

    Raises:
        OSError: nobody answers there.
    """
    with Client(address) as client:
        boards: Any = client.scatter(dict(study.boards()), broadcast=True, hash=False)
        for future in client.map(_play_there, chunks_of(races, CHUNK), study=study, boards=boards):
            yield future.result()
            future.release()


def _play_there(races: range, study: Simulated[Row], boards: Mapping[str, bytes]) -> list[Row]:
    """On a worker."""
    folder = _folder(tuple(sorted(boards.items())))
    return play_some(study.with_boards(Path(folder.name)), races)


@lru_cache(maxsize=1)
def _folder(boards: tuple[tuple[str, bytes], ...]) -> TemporaryDirectory[str]:
    """A folder of this process with these files, which goes with it."""
    folder: TemporaryDirectory[str] = TemporaryDirectory(prefix="companion-")
    for name, content in boards:
        Path(folder.name, name).write_bytes(content)
    return folder
