"""What the pages are made of: compressed, named by its hash, kept by the browser."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from support.each import holds_for_each
from werkzeug.routing import Map, Rule
from werkzeug.test import TestResponse

from companion.views.words import LANGUAGES, words
from companion_web.assets import STATIC, assets_hash
from companion_web.pages import Route

NOWHERE = ["../app.py", "%2e%2e/app.py", "js", "none.js", "/etc/passwd", "none.css"]
NO_SHEETS = ["base+none.css", "../templates/base+base.css", "+".join(["base"] * 10) + ".css"]
GZIP = {"Accept-Encoding": "gzip, br"}
FILES = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]
WHOLE = [file for file in FILES if not file.endswith((".js", ".css"))]


def linked(page: TestResponse) -> list[str]:
    return re.findall(r'(?:src|href)="(/static/[^"]+)"', page.get_data(as_text=True))


@pytest.mark.parametrize("address", ["/", "/seat/1"])
def test_all_that_a_page_names_is_named_by_the_hash_and_kept_for_ever(
    client: FlaskClient, address: str
) -> None:
    names = linked(client.get(address))
    assert [Path(urlsplit(name).path).suffix for name in names] == [".svg", ".css", ".js", ".js"]
    for name in names:
        assert name.startswith(f"/static/{assets_hash()}/")
        assert "immutable" in client.get(name).headers["Cache-Control"]


def test_a_file_is_the_same_compressed_and_not(client: FlaskClient) -> None:
    def is_the_same(file: str) -> None:
        plain = client.get(f"/static/{file}")
        small = client.get(f"/static/{assets_hash()}/{file}", headers=GZIP)
        body = (STATIC / file).read_bytes()
        assert plain.get_data() == body
        is_small = small.headers.get("Content-Encoding") == "gzip"
        assert (gzip.decompress(small.get_data()) if is_small else small.get_data()) == body
        assert is_small or len(body) < 1024

    holds_for_each(is_the_same, zip(WHOLE))


@pytest.mark.slow
def test_a_source_comes_by_its_name_as_it_stands_and_by_the_hash_without_its_comments(
    client: FlaskClient,
) -> None:
    def comes(file: str) -> None:
        plain = client.get(f"/static/{file}")
        joined = client.get(f"/static/{assets_hash()}/{file}", headers=GZIP)
        assert plain.get_data() == (STATIC / file).read_bytes()
        assert joined.mimetype == plain.mimetype
        assert joined.status_code == 200
        body = joined.get_data()
        sent = gzip.decompress(body) if "Content-Encoding" in joined.headers else body
        assert sent
        assert not re.search(rb"; // [^\n\"'`]*$", sent, re.MULTILINE)

    holds_for_each(comes, zip(sorted({*FILES} - {*WHOLE})))


def test_whoever_wants_no_compression_gets_none(client: FlaskClient) -> None:
    for wish in ("gzip;q=0", "identity", ""):
        answer = client.get("/", headers={"Accept-Encoding": wish})
        assert "Content-Encoding" not in answer.headers
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_page_and_a_snapshot_go_out_compressed(client: FlaskClient) -> None:
    answer = client.get("/", headers=GZIP)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.get_data()).startswith(b"<!doctype html>")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_file_by_its_name_alone_is_asked_for_again_and_not_sent_again(
    client: FlaskClient,
) -> None:
    first = client.get("/static/base.css")
    again = client.get("/static/base.css", headers={"If-None-Match": first.headers["ETag"]})
    assert first.headers["Cache-Control"] == "no-cache"
    assert again.status_code == 304


def test_a_script_comes_in_the_language_of_its_page(client: FlaskClient) -> None:
    for language in LANGUAGES:
        (name,) = [one for one in linked(client.get(f"/?lang={language}")) if "/table.js" in one]
        script = client.get(name).get_data(as_text=True)
        assert json.dumps(words(language)("Nobody comes home"), ensure_ascii=False) in script
    unheard_of = client.get(f"/static/{assets_hash()}/table.js?lang=xx")
    assert "Nobody comes home" in unheard_of.get_data(as_text=True)


@pytest.mark.parametrize("name", NOWHERE + NO_SHEETS)
def test_nothing_else_is_served(client: FlaskClient, name: str) -> None:
    for path in (f"/static/{name}", f"/static/{assets_hash()}/{name}"):
        assert client.get(path).status_code in (404, 308)


def test_the_way_back_of_a_route_is_compiled_when_somebody_asks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[Rule] = []
    usual = Rule._compile_builder

    def count(rule: Rule, append_unknown: bool = True) -> Any:
        compiled.append(rule)
        return usual(rule, append_unknown)

    monkeypatch.setattr(Rule, "_compile_builder", count)
    ways = Map([Route("/seat/<int:seat>", endpoint="seat"), Route("/", endpoint="table")])
    there = ways.bind("localhost")
    assert there.match("/seat/3") == ("seat", {"seat": 3})
    assert compiled == []
    built = [there.build("seat", {"seat": 3, "lang": "fr"}) for _ in range(2)]
    assert built == ["/seat/3?lang=fr"] * 2
    assert [rule.endpoint for rule in compiled] == ["seat"]
