"""The pages at /help: made of docs/*.md, served by the table itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from help_pages import ROOT, DeadLink, build

from companion.rules.formula.book import switches
from companion_web.guard import Guard
from companion_web.learning import create_help
from companion_web.pages import create_app

from .conftest import FakeAccess, FakeTable


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("help")
    build(ROOT, into)
    return into


@pytest.fixture
def reader(made: Path) -> FlaskClient:
    return create_help(Guard(FakeAccess()), made).test_client()


@pytest.mark.slow
def test_every_page_and_every_file_that_a_page_leads_to_is_there(
    made: Path, reader: FlaskClient
) -> None:
    addresses = {"/help"}
    for page in made.glob("*.html"):
        addresses |= set(re.findall(r'(?:href|src)="(/help[^"#]*)', page.read_text("utf-8")))
    assert len(addresses) > 40
    assert {a: reader.get(a).status_code for a in addresses} == dict.fromkeys(addresses, 200)


def test_what_the_sources_have_and_a_table_has_not_is_text(made: Path) -> None:
    assert "hardware/wiring" in (made / "build.en.html").read_text("utf-8")
    for page in made.glob("*.html"):
        links = re.findall(r'href="([^"]*)"', page.read_text("utf-8"))
        assert all(to.startswith(("/help", "#", "https://")) for to in links), page


def test_the_page_of_the_engine_has_every_house_switch_with_its_values(made: Path) -> None:
    page = (made / "engine.en.html").read_text("utf-8")
    for name, one in switches().items():
        # An ask may have the name of a switch: `second_roll`.
        rows = [row for row in page.split("<tr>") if f"<td><code>{name}</code></td>" in row]
        assert any(all(f"<code>{value}</code>" in row for value in one.names) for row in rows), name


@pytest.mark.parametrize(
    ("name", "wants", "told"),
    [("evening", tag, tag) for tag in ("en", "fr", "de")] + [("engine", "de", "en")],
)
def test_a_page_is_shown_in_the_language_of_whoever_asks_or_in_english(
    reader: FlaskClient, name: str, wants: str, told: str
) -> None:
    page = reader.get(f"/help/{name}", headers={"Accept-Language": wants}).text
    assert f'<html lang="{wants}">' in page
    assert f'<main id="text" lang="{told}"' in page
    assert ('class="note"' in page) == (wants != told)


def test_the_first_page_is_there_in_all_three_languages(reader: FlaskClient) -> None:
    titles = {
        tag: re.search("<h1.*?>(.*)</h1>", reader.get(f"/help?lang={tag}").text)
        for tag in ("en", "fr", "de")
    }
    assert {tag: found and found[1] for tag, found in titles.items()} == {
        "en": "Help",
        "fr": "Aide",
        "de": "Hilfe",
    }


def test_a_page_has_nothing_that_its_own_policy_forbids(made: Path, reader: FlaskClient) -> None:
    assert "unsafe-inline" not in reader.get("/help").headers["Content-Security-Policy"]
    for page in made.glob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r"<script|<style| style=| on\w+=", text), page


def test_markup_in_the_sources_is_text(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A\n\n<script>alert(1)</script>\n")
    (tmp_path / "CONTRIBUTING.md").write_text("# B\n")
    build(tmp_path, tmp_path / "made")
    assert "&lt;script&gt;" in (tmp_path / "made" / "index.en.html").read_text()


def test_a_list_of_what_to_check_has_boxes_to_tick(made: Path) -> None:
    for language in ("en", "fr"):
        page = (made / f"bench-checklist.{language}.html").read_text("utf-8")
        assert page.count('<li class="task">') > 30
        assert "[ ]" not in page


def test_no_row_has_fallen_out_of_its_table(made: Path) -> None:
    """A blank line in the sources ends it, and its other rows would be text with bars in it."""
    assert [page.stem for page in made.glob("*.html") if "<p>| " in page.read_text("utf-8")] == []


@pytest.mark.parametrize("link", ["gone.md", "index.md#nowhere", "pictures/gone.png"])
def test_a_link_that_leads_nowhere_is_found_when_pages_are_made(tmp_path: Path, link: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# A\n\n[there]({link})\n")
    (tmp_path / "CONTRIBUTING.md").write_text("# B\n")
    with pytest.raises(DeadLink, match=r"index\.md leads to"):
        build(tmp_path, tmp_path / "made")


@pytest.fixture
def two_languages(tmp_path: Path) -> Path:
    """Sources with a page in English and in French, made into `made`."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "CONTRIBUTING.md").write_text("# B\n\n[a](docs/a.md#two-words)\n")
    (tmp_path / "docs/a.md").write_text("# A\n\n[fr](a.fr.md)\n\n## Two words\n")
    (tmp_path / "docs/a.fr.md").write_text(
        "# C'est quoi ? 3 mm\n\n[en](a.md), [ici](#deux-mots), [b](../CONTRIBUTING.md)\n\n"
        "## Deux mots\n"
    )
    return tmp_path


def test_a_heading_is_led_to_by_one_address_in_every_language(two_languages: Path) -> None:
    build(two_languages, two_languages / "made")
    told = {page.name: page.read_text("utf-8") for page in (two_languages / "made").glob("*.html")}
    assert 'href="/help/a#two-words"' in told["contributing.en.html"]
    assert '<h2 id="two-words">' in told["a.en.html"]
    assert '<h2 id="two-words">' in told["a.fr.html"]
    assert 'href="/help/a?lang=fr#two-words"' in told["a.fr.html"]


def test_a_page_leads_to_itself_in_another_language_whatever_the_reader_has(
    two_languages: Path,
) -> None:
    build(two_languages, two_languages / "made")
    assert 'href="/help/a?lang=fr"' in (two_languages / "made/a.en.html").read_text("utf-8")
    french = (two_languages / "made/a.fr.html").read_text("utf-8")
    assert 'href="/help/a?lang=en"' in french
    assert 'href="/help/contributing"' in french


def test_a_translation_that_is_behind_is_made_all_the_same(two_languages: Path) -> None:
    (two_languages / "docs/a.fr.md").write_text("# A\n\n[ici](#un)\n\n## Un\n\n## Deux\n")
    build(two_languages, two_languages / "made")
    french = (two_languages / "made/a.fr.html").read_text("utf-8")
    assert 'href="/help/a?lang=fr#un"' in french
    assert '<h2 id="un">' in french


def test_french_is_set_as_french_is_printed(two_languages: Path) -> None:
    build(two_languages, two_languages / "made")
    french = (two_languages / "made/a.fr.html").read_text("utf-8")
    assert (
        "C\N{RIGHT SINGLE QUOTATION MARK}est quoi\N{NO-BREAK SPACE}? 3\N{NO-BREAK SPACE}mm"
        in french
    )


@pytest.mark.parametrize("path", ["/help/nothing", "/help/files/../titles.json", "/help/files/x"])
def test_what_is_no_page_is_not_found(reader: FlaskClient, path: str) -> None:
    assert reader.get(path).status_code == 404


def test_a_table_without_pages_still_opens(tmp_path: Path) -> None:
    client = create_help(Guard(FakeAccess()), tmp_path).test_client()
    assert client.get("/help").status_code == 404


def test_the_table_leads_to_its_help() -> None:
    client = create_app(FakeTable(), FakeAccess()).test_client()
    assert 'href="/help"' in client.get("/").text
