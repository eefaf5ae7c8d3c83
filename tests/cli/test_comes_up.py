"""Whatever lies in the folder, a start ends with a page, and what it says is true."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from random import Random

import pytest
from support.tables.wrecks import Before, Start, furnish, wreck


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("whole") / "data"
    furnish(data)
    return data


def come_up(whole: Path, folder: Path, seed: int) -> list[object]:
    """What is wrong with a start after this damage, and the damage."""
    data = folder / f"wreck{seed}"
    shutil.copytree(whole, data)
    before, done = Before(whole), wreck(data, Random(seed))
    start = Start(data, before)
    faults = start.judge()
    shutil.rmtree(data, ignore_errors=True)
    return [seed, done, faults, start.said, start.shut] if faults else []


@pytest.mark.faults("the folder: any of its files damaged, unreadable, or something else")
@pytest.mark.parametrize("first", [0])
def test_a_wrecked_folder_comes_up_and_every_sentence_is_true(
    whole: Path, tmp_path: Path, first: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    wrong = [come_up(whole, tmp_path, seed) for seed in range(first, first + 8)]
    assert [one for one in wrong if one] == []
    assert caplog.records == []


@pytest.mark.long
@pytest.mark.faults("the folder: any of its files damaged, unreadable, or something else")
@pytest.mark.parametrize("first", range(100, 500, 100))
def test_a_hundred_wrecked_folders_come_up(
    whole: Path, tmp_path: Path, first: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    wrong = [come_up(whole, tmp_path, seed) for seed in range(first, first + 100)]
    assert [one for one in wrong if one] == []
    assert caplog.records == []
