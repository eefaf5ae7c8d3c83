"""The wheel holds all that the program needs: it runs from an empty folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content alone, built from a copy of the sources."""
    work = tmp_path_factory.mktemp("wheel")
    source = work / "source"
    kept = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", ".*", "data", "*.mo")
    source.mkdir()
    for name in ("companion", "web", "plugins", "docs", "tools", "hardware"):
        shutil.copytree(ROOT / name, source / name, ignore=kept)
    for name in ("pyproject.toml", "setup.py", "README.md", "CONTRIBUTING.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run(
        [*command, "--no-build-isolation", "--wheel-dir", work, source], check=True, timeout=300
    )
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "installed")
    return work / "installed"


def run(installed: Path, folder: Path, *words: str, stdin: str = "") -> str:
    """Run `companion` of the wheel, from an empty folder."""
    code = "import sys, companion.cli as c; assert c.__file__.startswith(sys.argv.pop(1)), c"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; sys.exit(c.main(sys.argv[1:]))", str(installed), *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def test_a_wheel_knows_its_tracks_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    assert "monaco" in run(installed, tmp_path, "track", "list")


def test_a_wheel_brings_the_plugins_and_they_work(installed: Path, tmp_path: Path) -> None:
    listed = json.loads(run(installed, tmp_path, "plugin", "list", "--json"))
    there = {one["name"]: one["fault"] for one in listed if "companion" in one["package"]}
    assert there.keys() >= {"dat", "ergast", "bgstats", "pod", "pod simulated", "wired", "boot"}
    assert not [fault for fault in there.values() if fault]


def test_a_wheel_has_the_pages_to_read(installed: Path) -> None:
    pages = installed / "companion_web" / "help"
    assert (pages / "index.fr.html").exists()
    assert list(pages.glob("files/docs/pictures/*.png"))


def test_a_wheel_plays_a_race_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    new = {"game": "formula-d", "track": "monaco", "seats": [{"seat": 1}]}
    lines = [{"new": new}, {"seat": 1, "black": 7}, {"state": True}]
    out = run(installed, tmp_path, "engine", stdin="\n".join(map(json.dumps, lines)))
    replies = [json.loads(line) for line in out.splitlines()]
    assert [reply["ok"] for reply in replies] == [True] * 3
    assert replies[-1]["asks"][0]["kind"] == "gear"


def test_a_wheel_has_what_simulated_pods_are_built_from(installed: Path) -> None:
    board = installed / "race_companion_pods" / "board"
    assert {"Makefile", "podsim.c", "chip.h", "picosim.py"} <= {
        path.name for path in board.iterdir()
    }


def test_a_wheel_has_its_words_pages_and_letters(installed: Path) -> None:
    for needed in (
        "companion/locale/fr/LC_MESSAGES/companion.mo",
        "companion/rules/rules.toml",
        "companion/rules/book.toml",
        "companion/rules/drawn.json",
        "companion_web/templates/table.html",
        "companion_web/static",
        "companion/drawing/glyphs",
        "race_companion_pods/image/pod.hex",
        "race_companion_pods/wire.toml",
        "companion/seats/seat.toml",
    ):
        assert (installed / needed).exists(), needed
    assert not list(installed.rglob("*.po"))


def test_a_wheel_knows_what_is_wired_and_what_pods_say(installed: Path, tmp_path: Path) -> None:
    assert "ssd1306" in run(installed, tmp_path, "pod", "flash", "--help")
    code = "from race_companion_wired import pinmap; print(pinmap.MAP, *pinmap.layouts())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    shipped = installed / "companion/seats/seat.toml"
    assert done.stdout.split() == [str(shipped), "pair", "header", "expanded"]


def test_a_wheel_makes_a_league_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    run(installed, tmp_path, "league", "new", "Winter", "--data", "here")
    out = run(installed, tmp_path, "league", "standings", "--data", "here", "--json")
    assert json.loads(out)["title"] == "Winter"
    run(installed, tmp_path, "league", "export", "report", "--data", "here", "-o", "page.html")
    assert "<h1>Winter</h1>" in (tmp_path / "page.html").read_text("utf-8")


def test_a_folder_without_the_wheel_is_seen_as_such(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        run(tmp_path / "nowhere", tmp_path, "track", "list")
