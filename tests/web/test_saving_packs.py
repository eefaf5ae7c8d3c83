"""`POST /api/table` with `save-pack`: what a host may keep, and what each refusal says."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.tables.sitting import Room

from companion.race import boards
from companion.race.boards import PackLibrary
from companion_web.pages import create_app

from .conftest import JOIN_KEY, PIN, TOKENS, FakeAccess

Post = Callable[..., Any]


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    """A post to a table where Ana has joined as the host and Bo as the second."""
    room = Room()
    room.state._given = replace(room.state._given, packs=PackLibrary((tmp_path,)))
    room.session.start()
    client = create_app(room.session, FakeAccess()).test_client()

    def send(word: str, value: object, key: str = PIN) -> Any:
        head = {"Authorization": f"Bearer {key}", "X-Language": "fr"}
        return client.post("/api/table", json={"table": word, "value": value}, headers=head)

    for seat in TOKENS:
        send("join", {"seat": seat, "value": None})
    yield send
    room.session.close()


@pytest.mark.parametrize("key", [PIN, TOKENS[1]])
def test_host_and_referee_keep_a_pack(post: Post, tmp_path: Path, key: str) -> None:
    assert post("save-pack", {"name": "../Our club"}, key).get_json()["ok"]
    assert [path.parent for path in tmp_path.rglob("*.toml")] == [tmp_path]


@pytest.mark.parametrize(("key", "status"), [(TOKENS[2], 403), (JOIN_KEY, 403), ("nobody", 401)])
def test_nobody_else_does(post: Post, tmp_path: Path, key: str, status: int) -> None:
    assert post("save-pack", {"name": "Our club"}, key).status_code == status
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "x" * 41, "bell\x07", "line\u2028break", ["a"], None])
def test_a_bad_name_is_refused_in_the_words_of_the_page(
    post: Post, tmp_path: Path, name: object
) -> None:
    reply = post("save-pack", {"name": name})
    assert (reply.status_code, reply.get_json()["error"]["key"]) == (400, "name-form")
    assert reply.get_json()["say"] == "Un nom a de 1 à 40 caractères affichables."
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_taken_is_a_conflict(post: Post) -> None:
    told = [
        post("save-pack", {"name": name, "over": over}).get_json().get("error", {}).get("key")
        for name, over in (("Masters 2018", True), ("Ours", False), ("Ours", False), ("Ours", True))
    ]
    assert told == ["pack-ships", None, "pack-there", None]


@pytest.mark.faults("the disk: full while a rules pack is kept, over HTTP")
def test_a_full_disk_is_a_sentence_and_the_table_plays_on(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(boards, "write_whole", write)
        reply = post("save-pack", {"name": "Ours"})
    assert (reply.status_code, reply.get_json()["error"]["key"]) == (503, "disk-full")
    assert "the disk is full: 'Ours' was not kept" in reply.get_json()["error"]["message"]
    assert post("laps", 3).get_json()["ok"]
    assert post("save-pack", {"name": "Ours"}).get_json()["ok"]
