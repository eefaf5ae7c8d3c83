"""What anybody on the table's network may read, and what only a key opens."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.views.model import Scene
from companion.views.options import book_view

Keys = dict[str, dict[str, str]]


def lit_rows(png: bytes) -> list[bool]:
    """Of a PNG of one bit a pixel in stripes: whether each row is lit."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert (depth, colour) == (1, 0)
    start = png.index(b"IDAT") + 4
    rows = zlib.decompress(png[start : start + struct.unpack(">I", png[start - 8 : start - 4])[0]])
    stride = width // 8 + 1
    assert len(rows) == stride * height
    return [rows[y * stride + 1] == 0xFF for y in range(height)]


def test_the_table_is_told_as_it_was_published(client: FlaskClient, table: Any) -> None:
    response = client.get("/api/table")
    assert response.data == table.snapshot().body
    assert response.mimetype == "application/json"


@pytest.mark.parametrize(
    ("who", "is_own_face"),
    [("guest", True), ("nobody", False), ("stranger", False), ("host", False), ("referee", False)],
)
def test_only_a_seats_own_token_shows_its_own_face(
    client: FlaskClient, keys: Keys, who: str, is_own_face: bool
) -> None:
    response = client.get("/api/seat/2/screen.png", headers=keys[who])
    assert response.mimetype == "image/png"
    rows = lit_rows(response.data)
    assert len(rows) == 64
    assert rows[:8] == [is_own_face] * 4 + [not is_own_face] * 4


def test_a_picture_can_be_had_larger(client: FlaskClient) -> None:
    rows = lit_rows(client.get("/api/seat/2/screen.png?scale=3").data)
    assert len(rows) == 192
    assert rows[:24] == [False] * 12 + [True] * 12


@pytest.mark.parametrize("scale", ["0", "9", "-1", "1000000"])
def test_a_picture_is_not_had_in_any_size(client: FlaskClient, scale: str) -> None:
    assert client.get(f"/api/seat/2/screen.png?scale={scale}").status_code == 400


def test_a_picture_that_has_not_changed_is_not_sent_again(client: FlaskClient, table: Any) -> None:
    first = client.get("/api/seat/2/screen.png")
    assert first.headers["ETag"] == '"1"'
    assert first.headers["X-Picture"] == "1"
    known = {"If-None-Match": first.headers["ETag"]}
    assert client.get("/api/seat/2/screen.png", headers=known).status_code == 304
    table.publish()
    assert client.get("/api/seat/2/screen.png", headers=known).status_code == 200


def test_no_cache_may_show_one_seats_face_to_another(client: FlaskClient) -> None:
    headers = client.get("/api/seat/2/screen.png").headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in headers["Vary"]


@pytest.mark.parametrize("path", ["/api/seat/9/screen.png", "/seat/9", "/api/x", "/circuit/x.svg"])
def test_what_is_not_there_is_refused_in_json(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert response.get_json()["error"]["code"] == "malformed"


@pytest.mark.parametrize(
    ("who", "status"),
    [("nobody", 401), ("stranger", 401), ("host", 403), ("guest", 200), ("referee", 200)],
)
def test_a_seats_link_is_for_its_holder_and_the_referee(
    client: FlaskClient, keys: Keys, who: str, status: int
) -> None:
    response = client.get("/api/seat/2/link", headers=keys[who])
    assert response.status_code == status
    assert (b"token-of-bo" in response.data) == (status == 200)


def test_a_link_comes_with_its_qr_code(client: FlaskClient, keys: Keys) -> None:
    told = client.get("/api/seat/2/link", headers=keys["referee"]).get_json()
    assert told["link"] == "http://table/seat/2#token-of-bo"
    assert told["qr"].startswith("<svg")


@pytest.mark.parametrize("path", ["/", "/seat/1", "/api/table", "/api/seat/1/screen.png"])
def test_nothing_open_holds_a_key(client: FlaskClient, path: str) -> None:
    body = client.get(path).data
    assert b"token-of" not in body
    assert b"271828" not in body


@pytest.mark.parametrize("path", ["/", "/seat/1"])
def test_every_page_forbids_what_is_inline_or_from_outside(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    page = response.get_data(as_text=True)
    for inline in ("<style", " style=", " onclick=", "javascript:", "http://", "https://"):
        assert inline not in page
    assert page.count("<script") == page.count("<script src=") + page.count(
        '<script type="module" src='
    )


@pytest.mark.parametrize("path", ["/", "/api/table", "/api/seat/1/screen.png", "/nowhere"])
def test_no_answer_is_guessed_to_be_something_else(client: FlaskClient, path: str) -> None:
    assert client.get(path).headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/api/table", "/api/seat/1/link", "/api/nothing", "/"])
def test_nothing_of_the_api_is_stored(client: FlaskClient, path: str) -> None:
    assert client.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", "fr-FR,fr;q=0.9,en;q=0.5", "fr"),
        ("", "en-GB,fr;q=0.9", "en"),
        ("", "de", "de"),
        ("", "es", "en"),
        ("?lang=fr", "en", "fr"),
        ("?lang=xx", "fr", "fr"),
    ],
)
def test_a_page_speaks_the_language_asked_for(
    client: FlaskClient, query: str, header: str, language: str
) -> None:
    response = client.get(f"/{query}", headers={"Accept-Language": header})
    assert response.headers["Content-Language"] == language
    assert f'lang="{language}"' in response.get_data(as_text=True)


def test_a_language_once_chosen_is_kept(client: FlaskClient) -> None:
    client.get("/?lang=fr")
    assert client.get("/").headers["Content-Language"] == "fr"


def test_a_mistyped_address_is_a_page_for_a_person_and_json_for_a_program(
    client: FlaskClient,
) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "fr"}
    page = client.get("/tabel", headers=browser)
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert b'href="/"' in page.data
    assert client.get("/seat/77", headers=browser).mimetype == "text/html"
    program = client.get("/tabel", headers={"Accept": "application/json"})
    assert (program.status_code, program.mimetype) == (404, "application/json")
    assert client.get("/api/tabel", headers=browser).mimetype == "application/json"


def test_the_book_of_the_table_is_a_page_without_a_key(client: FlaskClient, table: Any) -> None:
    """By anchors of its rules, in the language asked for; a rule alone where one asks for it."""
    header = {
        "game": "formula-d",
        "laps": 2,
        "seats": [{"seat": 1}],
        "house": {"spin_grace": "never"},
    }
    scene = Scene(version=1, seats=(), header=header)
    table._snapshot = replace(table.snapshot(), tell_book=lambda say: book_view(scene, say))
    for language, title in {
        "en": "The book of the table",
        "de": "Das Regelbuch des Tisches",
    }.items():
        page = client.get(f"/book?lang={language}").get_data(as_text=True)
        assert title in page
        assert 'id="FD-SLIP-2"' in page
        assert 'src="/circuit/rules/FD-SLIP-2.svg"' in page
        assert "FD-BASIC-2" not in page
    alone = client.get("/book/FD-CORNER-7?lang=en").get_data(as_text=True)
    assert "With no tires left any overshoot is out." in alone
    assert "FD-SLIP-2" not in alone
    assert "Neither debris" in client.get("/book/FD-BASIC-13?lang=en").get_data(as_text=True)
    assert client.get("/book/FD-NONE-1").status_code == 404
    sentences = client.get("/rules.de.json").get_json()
    assert sentences["FD-CORNER-7"] in client.get("/book?lang=de").get_data(as_text=True)
