"""The corner editor's addresses: who may, what is told, what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.race.boards import TrackLibrary
from companion_web.pages import create_app

Keys = dict[str, dict[str, str]]


@pytest.fixture
def library(tmp_path: Path) -> TrackLibrary:
    return TrackLibrary([tmp_path / "tracks"])


@pytest.fixture
def editor(table: Any, access: Any, library: TrackLibrary) -> FlaskClient:
    return create_app(table, access, library).test_client()


def corner(editor: FlaskClient, section: str = "T1", name: str = "manege") -> dict[str, Any]:
    """A corner as the page gets it, ready to be posted again."""
    told = editor.get(f"/api/track/{name}").get_json()
    found = next(one for one in told["corners"] if one["section"] == section)
    return {key: found[key] for key in ("section", "spaces", "changes", "beside")}


def test_the_page_of_a_board_is_for_everybody_and_has_nothing_inline(editor: FlaskClient) -> None:
    page = editor.get("/track/manege/edit?lang=fr")
    assert page.status_code == 200
    assert "Le Manège : virages" in page.text
    assert "<script>" not in page.text
    assert "style=" not in page.text
    assert "unsafe-inline" not in page.headers["Content-Security-Policy"]
    assert editor.get("/track/nowhere/edit").status_code == 404


def test_a_board_is_told_with_its_corners_ways_and_faults(editor: FlaskClient) -> None:
    told = editor.get("/api/track/monaco").get_json()
    assert (told["title"], told["shipped"], told["faults"]) == ("Monaco", True, [])
    loews = told["corners"][4]
    assert (loews["name"], loews["stops"]) == ("Loews", 3)
    assert loews["ways"] == loews["printed"] == [8, 18]
    assert "l2>m5" in loews["changes"]
    assert editor.get("/api/track/nowhere").status_code == 404


def test_a_card_has_no_corners_to_edit_and_no_drawing(editor: FlaskClient) -> None:
    for path in ("/track/sebring/edit", "/api/track/sebring", "/circuit/sebring.svg"):
        assert editor.get(path).status_code in (400, 404), path


@pytest.mark.parametrize("word", ["check", "save"])
def test_checking_and_keeping_is_for_the_host_and_the_referee(
    editor: FlaskClient, keys: Keys, word: str
) -> None:
    draft = corner(editor)
    status = {
        who: editor.post(f"/api/track/manege/{word}", json=draft, headers=key).status_code
        for who, key in keys.items()
    }
    assert status == {"host": 200, "referee": 200, "guest": 403, "stranger": 401, "nobody": 401}


def test_a_check_says_in_the_pages_language_what_is_wrong(editor: FlaskClient, keys: Keys) -> None:
    draft = corner(editor, "T5", "monaco")
    draft["changes"].append("l2>m3")
    headers = keys["referee"] | {"X-Language": "fr"}
    told = editor.post("/api/track/monaco/check", json=draft, headers=headers).get_json()
    assert told["ok"]
    assert told["corner"]["ways"] is None
    assert told["faults"] == ["T5 Loews, couloir l: T5.l2>T5.m3>T5.m4>T5.l2 tourne en rond"]


def test_another_count_is_laid_out_anew_and_drawn(editor: FlaskClient, keys: Keys) -> None:
    draft = corner(editor) | {"spaces": [11, 9, 7], "changes": None, "beside": []}
    address = "/api/track/manege/check?draw=1"
    told = editor.post(address, json=draft, headers=keys["host"]).get_json()
    assert told["corner"]["ways"] == [7, 11]
    assert told["corner"]["changes"]
    assert 'data-space="T1.l11"' in told["drawing"]
    again = editor.post("/api/track/manege/check", json=draft, headers=keys["host"]).get_json()
    assert again["drawing"] is None


def test_a_shipped_board_is_kept_as_another_with_a_name_of_its_own(
    editor: FlaskClient, keys: Keys, library: TrackLibrary, table: Any
) -> None:
    before = library.text("manege")
    reply = editor.post("/api/track/manege/save", json=corner(editor), headers=keys["referee"])
    assert reply.get_json() == {"ok": True, "name": "manege.toml"}
    assert library.text("manege") == before
    assert library.load("manege.toml").name == "Le Manège (own)"
    assert table.heard[-1][1] == {"table": "boards"}
    assert editor.get("/track/manege.toml/edit").status_code == 200


def test_a_board_of_the_tables_own_is_changed_in_its_place_and_drawn_anew(
    editor: FlaskClient, keys: Keys, library: TrackLibrary
) -> None:
    library.save("mine.toml", library.text("manege"))
    before = editor.get("/circuit/mine.toml.svg")
    draft = {"section": "T1", "spaces": [11, 9, 7], "changes": None}
    reply = editor.post("/api/track/mine.toml/save", json=draft, headers=keys["referee"])
    assert reply.get_json()["name"] == "mine.toml"
    assert library.load("mine.toml").sections[1].spaces == (11, 9, 7)
    after = editor.get("/circuit/mine.toml.svg")
    assert 'data-space="T1.l11"' not in before.text
    assert 'data-space="T1.l11"' in after.text
    assert after.headers["Cache-Control"] == "no-cache"


def test_what_no_board_can_be_made_of_is_not_kept(
    editor: FlaskClient, keys: Keys, tmp_path: Path
) -> None:
    draft = corner(editor)
    draft["changes"].append("m2>l1")
    reply = editor.post("/api/track/manege/save", json=draft, headers=keys["referee"])
    assert (reply.status_code, reply.get_json()["error"]["key"]) == (400, "track-faulty")
    assert not (tmp_path / "tracks").exists()


@pytest.mark.parametrize("body", ["", "[]", '{"section": "T9", "spaces": [1, 1, 1]}', '{"x": 1}'])
def test_a_body_that_is_no_corner_is_refused_with_what_would_be_one(
    editor: FlaskClient, keys: Keys, body: str
) -> None:
    reply = editor.post("/api/track/manege/check", data=body, headers=keys["referee"])
    assert reply.status_code == 400
    assert reply.get_json()["error"]["code"] == "malformed"
