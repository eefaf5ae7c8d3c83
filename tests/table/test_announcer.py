"""The race said aloud by the machine itself: what, in which order, and over nobody."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.tables.sitting import REFEREE, Room, race_header

from companion.app.table import VOICE, Speaker, Telling
from companion.system.config import ConfigError, announcer_of
from companion.views.page import table_view
from companion.views.words import LANGUAGES

PATIENCE_S = 20.0


def table(*news: str, **tasks: str) -> dict[str, Any]:
    return {
        "news": [{"en": one} for one in news],
        "tasks": [{"seat": 1, "kind": kind, "en": said} for kind, said in tasks.items()],
        "state": {"cars": {"1": {"gear": 4}}},
    }


def test_news_come_before_who_is_asked_and_nothing_is_said_twice() -> None:
    telling = Telling("en")
    assert telling.new(table("The race begins.", gear="Ana chooses a gear")) == [
        "The race begins.",
        "Ana chooses a gear.",
    ]
    assert telling.new(table("The race begins.", gear="Ana chooses a gear")) == []
    told = telling.new(table("The race begins.", "Ana spins.", "It rains.", roll="Ana rolls"))
    assert told == ["Ana spins.", "It rains.", "Ana rolls: green."]
    assert telling.new(table("It rains.", "Ana is out.", roll="Ana rolls")) == ["Ana is out."]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What a voice has been given to say, one line each."""
    (tmp_path / "bin").mkdir()
    voice, spoken = tmp_path / "bin" / VOICE, tmp_path / "spoken"
    voice.write_text(f'#!/bin/sh\necho "$@" >> "{spoken}"\n')
    voice.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return lambda: spoken.read_text("utf-8") if spoken.exists() else ""


def until(told: Callable[[], str], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while what not in told():
        assert time.monotonic() < end, told()
        time.sleep(0.02)


def test_the_machines_own_loudspeaker_says_who_is_asked(said: Callable[[], str]) -> None:
    room = Room(tell=table_view)
    room.session.start()
    with closing(room.session), Speaker(room.session, "de"):
        assert room.session.submit(REFEREE, {"new": race_header(2)}).status == 200
        until(said, "-v de -- Ana wählt einen Gang.")
        assert room.session.submit(REFEREE, {"seat": 1, "gear": 1}).status == 200
        until(said, "gelb")


def test_without_a_voice_or_a_language_nothing_is_said(
    room: Room, said: Callable[[], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Speaker(room.session, None).close()
    monkeypatch.setenv("PATH", str(tmp_path))
    Speaker(room.session, "fr").close()


def test_a_language_that_nobody_speaks_here_is_said_by_the_file(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    assert announcer_of(file, LANGUAGES) is None
    file.write_text('[announcer]\nlanguage = "fr"\n')
    assert announcer_of(file, LANGUAGES) == "fr"
    for wrong in ('"la"', "3", "[]"):
        file.write_text(f"[announcer]\nlanguage = {wrong}\n")
        with pytest.raises(ConfigError, match="is one of en, "):
            announcer_of(file, LANGUAGES)
