"""Races on a Dask cluster: two workers on this machine, the same races as without one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.advice import solved_board, status_of

from race_companion_simulate.formula import Study
from race_companion_simulate.races import simulate, simulate_on

RACES = 120  # more than a worker is given at a time


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_two_workers_play_the_same_races_as_one_process(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
    solved_board("manege", laps=1, folder=tmp_path)
    study = Study("formula-d", "manege", 1, (), ("racer", "champion"), 1, tmp_path)
    study.prepare(lambda share: None)
    usual = [row for rows in simulate(study, RACES) for row in rows]
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        there = simulate_on(cluster.scheduler_address, study, RACES)
        assert [row for rows in there for row in rows] == usual


def test_a_study_without_a_solved_board_has_none_to_send(tmp_path: Path) -> None:
    study = Study("formula-d", "manege", 1, (), ("amateur",), 1, tmp_path)
    assert study.boards() == {}


def test_without_the_library_a_cluster_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ["simulate", "--track", "manege", "--races", "1", "--data", str(tmp_path)]
    assert status_of([*words, "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert "pip install '.[cluster]'" in capsys.readouterr().err


def test_jobs_and_a_cluster_exclude_each_other(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["simulate", "--track", "manege", "--races", "1", "--data", str(tmp_path)]
    assert status_of([*words, "--cluster", "tcp://127.0.0.1:9", "--jobs", "2"]) == 2
    assert "--jobs" in capsys.readouterr().err


def test_what_is_no_address_of_a_cluster_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")
    words = ["simulate", "--track", "manege", "--races", "1", "--data", str(tmp_path)]
    assert status_of([*words, "--cluster", "nonsense"]) == 2
    assert "'nonsense' is no address of a scheduler" in capsys.readouterr().err
