"""The pictures of guide and README can still be taken: their ways through the pages are today's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from support import environment
from support.browser.chromium import NEEDS_CHROMIUM

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.long]

GUIDE = Path(__file__).parents[2] / "docs" / "evening.md"


def taken_by(tool: str, folder: Path) -> str:
    """What a tool says that puts its pictures into a folder.

    It is a process of its own, as the browser of the other tests takes no second one beside it.
    """
    code = f"""
import pathlib, pictures
pictures.PICTURES = pathlib.Path({str(folder)!r})
import {tool}
{tool}.main()
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_first_evening_goes_as_the_guide_says_and_takes_as_many_touches(tmp_path: Path) -> None:
    touches = re.findall(r"(\d+) touches, (\d+) codes", taken_by("evening", tmp_path))
    steps = ("join", "lobby", "roll")
    wanted = {f"evening-{language}-{step}.png" for language in ("en", "fr") for step in steps}
    assert {path.name for path in tmp_path.iterdir()} == wanted
    assert len(touches) == 2
    assert set(touches) == {("11", "2")}
    assert "Counted are 11\ntouches and two codes" in GUIDE.read_text("utf-8")


def test_a_turn_is_filmed_from_the_gear_to_the_space(tmp_path: Path) -> None:
    taken_by("moving", tmp_path)
    with Image.open(tmp_path / "turn.webp") as film:
        assert getattr(film, "n_frames", 1) == 5
