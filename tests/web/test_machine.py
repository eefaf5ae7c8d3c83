"""The computer on the page: what the doctor finds, and its power, for the referee alone."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.app.seats import Machine
from companion.app.table import RunningTable
from companion.seats.plan import read_plan
from companion.system.config import Config
from companion_web.pages import create_app

from .conftest import FakeAccess, FakeMachine, FakeTable

Keys = dict[str, dict[str, str]]


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


@pytest.fixture
def page_of(machine: FakeMachine) -> FlaskClient:
    return create_app(FakeTable(), FakeAccess(), machine=machine).test_client()


def test_the_referee_and_nobody_else_sees_what_the_doctor_finds(
    page_of: FlaskClient, keys: Keys
) -> None:
    told = page_of.get("/api/machine", headers=keys["referee"]).get_json()
    assert told["findings"][0]["mend"] == "plug it in"
    assert page_of.get("/api/machine", headers=keys["nobody"]).status_code == 401
    assert page_of.get("/api/machine", headers=keys["host"]).status_code == 403


def test_the_referee_and_nobody_else_switches_it_off(
    page_of: FlaskClient, keys: Keys, machine: FakeMachine
) -> None:
    for who, status in (("nobody", 401), ("host", 403), ("referee", 200)):
        reply = page_of.post("/api/machine", json={"power": "off"}, headers=keys[who])
        assert reply.status_code == status
    assert machine.heard == ["off"]


def test_what_cannot_be_switched_says_why(page_of: FlaskClient, keys: Keys) -> None:
    reply = page_of.post("/api/machine", json={"power": "restart"}, headers=keys["referee"])
    assert (reply.status_code, reply.get_json()["error"]["message"]) == (409, "it may not")
    assert page_of.post("/api/machine", json={"power": "update"}).status_code == 401
    strange = page_of.post("/api/machine", json={"power": "up"}, headers=keys["referee"])
    assert strange.status_code == 400


def test_the_referee_and_nobody_else_says_what_companion_toml_is_to_say(
    page_of: FlaskClient, keys: Keys, machine: FakeMachine
) -> None:
    for who, status in (("nobody", 401), ("host", 403), ("referee", 200)):
        asked = {"settings": {"seats": {"1": "keys"}}}
        assert page_of.post("/api/machine", json=asked, headers=keys[who]).status_code == status
    assert machine.heard == ['{"seats": {"1": "keys"}}']


DOES = {"settings": (sys.executable, "-c", "")}


def test_settings_of_the_page_are_kept_and_a_secret_is_not_shown(tmp_path: Path) -> None:
    machine = Machine(Config(tmp_path), dict, DOES)
    others = 'advice = false\n[league]\nclub = "http://club.example"\nkey = "its"\n[page]\n'
    (tmp_path / "companion.toml").write_text(others)
    asked: dict[str, Any] = {
        "seats": {"1": "wired", "2": "keys"},
        "wired": {"layout": "pair", "pin_factory": "lgpio", "controllers": {"1": "SH1106"}},
        "wifi": {"network": 'Zoë "1"', "password": "not a secret", "country": "FR"},
        "announcer": {"language": "fr"},
    }
    assert machine.set_up(asked) == ""
    whole = tomllib.loads(others) | asked
    assert tomllib.loads((tmp_path / "companion.toml").read_text()) == whole
    assert (tmp_path / "companion.toml").stat().st_mode & 0o777 == 0o600
    told: Any = machine.examine()["settings"]
    assert told == asked | {"wifi": {"network": 'Zoë "1"', "password": "", "country": "FR"}}
    assert machine.set_up(told) == ""
    assert tomllib.loads((tmp_path / "companion.toml").read_text()) == whole
    assert machine.set_up({"wifi": {"network": "Other", "password": ""}, "light": {}}) == ""
    kept = tomllib.loads((tmp_path / "companion.toml").read_text())
    assert kept == tomllib.loads(others) | {"wifi": {"network": "Other"}, "light": {}}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"seats": {"1": "sofa"}}, "there is no driver 'sofa'"),
        ({"announcer": {"language": "xx"}}, "language is one of"),
        ({"backup": {"stick": "here"}}, "absolute path"),
        ({"wired": {"layout": "heder"}}, "layout = 'heder' should be one of pair, header"),
        ({"wired": {"layout": "pair", "baud": None}}, "companion.toml is not TOML"),
        ({"wifi": {"network": "Home", "password": "short"}}, "a password of 8 to 63"),
        ({"seats": {"1": ["wired"]}}, "there is no driver ['wired']"),
        ({"league": {"club": "http://evil.example"}}, "'league' is no table of seats, wired"),
        ({"seats": []}, "'seats' is no table"),
    ],
)
def test_settings_that_mean_nothing_are_refused_and_leave_all_as_it_was(
    tmp_path: Path, settings: dict[str, object], says: str
) -> None:
    (tmp_path / "companion.toml").write_text("advice = false\n")
    assert says in Machine(Config(tmp_path), dict, DOES).set_up(settings)
    assert (tmp_path / "companion.toml").read_text() == "advice = false\n"
    assert [path.name for path in tmp_path.iterdir()] == ["companion.toml"]


@pytest.mark.parametrize("before", [None, "advice = false\n"])
def test_settings_that_the_machine_does_not_follow_leave_the_file_as_it_was(
    tmp_path: Path, before: str | None
) -> None:
    file = tmp_path / "companion.toml"
    if before is not None:
        file.write_text(before)
    refuses = {"settings": (sys.executable, "-c", "import sys; sys.exit('Access denied')")}
    machine = Machine(Config(tmp_path), dict, refuses)
    assert "Access denied" in machine.set_up({"seats": {"1": "keys"}})
    assert (file.read_text() if file.exists() else None) == before
    assert [path for path in tmp_path.iterdir() if path != file] == []


def test_a_table_that_is_no_service_has_no_settings_on_its_page(tmp_path: Path) -> None:
    machine = Machine(Config(tmp_path), dict, {})
    assert machine.examine()["settings"] is None
    assert "service" in machine.set_up({})
    assert not (tmp_path / "companion.toml").exists()


def test_a_running_table_is_examined_but_for_the_hardware_that_its_drivers_hold(
    tmp_path: Path,
) -> None:
    told: Any = Machine(Config(tmp_path), lambda: {3: {"screen": "no answer"}}, {}).examine()
    whats = {(one["seat"], one["what"]): one["ok"] for one in told["findings"]}
    assert whats[3, "screen"] is False
    assert whats[None, "configuration"] is None
    assert {(None, "disk"), (None, "disk sync"), (None, "clock")} <= whats.keys()
    assert told["ok"] is False


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("", ""),
        ("sys.exit('Access denied')", "Access denied"),
        ("sys.exit(1)", "it may not"),
    ],
)
def test_a_computer_that_may_not_be_switched_says_why(tmp_path: Path, code: str, says: str) -> None:
    commands = {"off": (sys.executable, "-c", f"import sys; {code}")}
    why = Machine(Config(tmp_path), dict, commands).switch("off")
    assert says in why
    assert bool(why) == bool(says)


def test_a_computer_without_systemd_says_so(tmp_path: Path) -> None:
    assert "cannot" in Machine(Config(tmp_path), dict, {"off": ("/nowhere",)}).switch("off")


@pytest.mark.parametrize("opened_by", ["systemd", "hand"])
def test_a_table_switches_its_computer_where_it_is_a_service_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened_by: str
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    if opened_by == "systemd":
        monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    monkeypatch.setattr("companion.app.seats.COMMANDS", {"off": (sys.executable, "-c", "")})
    with RunningTable(Config(tmp_path, "127.0.0.1", 0)) as table:
        table.start()
        asked = Request(
            f"{table.url}/api/machine",
            b'{"power": "off"}',
            {"Authorization": f"Bearer {table.access.pin}", "Content-Type": "application/json"},
        )
        try:
            with urlopen(asked) as reply:
                told = json.load(reply)
        except HTTPError as error:
            told = json.load(error)
    assert told["ok"] == (opened_by == "systemd")
    assert told["ok"] or "service" in told["error"]["message"]


@pytest.mark.slow
def test_the_referee_looks_at_the_computer_and_is_asked_twice_before_it_is_off(
    run: Any, open_page: Any
) -> None:
    running = run()
    page = open_page(f"{running.url}/#pin={running.pin}")
    page.click("#open-menu")
    page.click("#open-referee")
    page.click("#referee summary:has-text('The computer')")
    page.click("#look-at-machine")
    expect(page.locator(".findings")).to_contain_text("disk sync")
    page.click("#referee button:has-text('Switch off')")
    page.click("#referee button:has-text('Switch off: really?')")
    expect(page.locator("#toast")).to_contain_text("only a table that the service")


@pytest.mark.slow
def test_the_referee_changes_seats_network_and_country_on_the_page_and_nothing_else_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_page: Any
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    monkeypatch.setattr("companion.app.seats.COMMANDS", DOES)
    monkeypatch.setattr("companion.app.seats.SETTINGS_UNIT", Path(__file__))
    file = tmp_path / "companion.toml"
    file.write_text(
        '[page]\nhosts = ["table.example"]\n[wifi]\nnetwork = "Home"\npassword = "not a secret"\n'
    )
    with RunningTable(Config(tmp_path, "127.0.0.1", 0)) as table:
        table.start()
        page = open_page(f"{table.url}/#pin={table.access.pin}")
        page.click("#open-menu")
        page.click("#open-referee")
        page.click("#referee summary:has-text('The computer')")
        page.click("#look-at-machine")
        page.click("#referee summary:has-text('Settings')")
        page.locator(".settings label:has-text('Seat 2') select").select_option("keys")
        page.locator(".settings label:has-text('Known network') input").fill("Home")
        page.locator(".settings label:has-text('Country') input").fill("fr")
        page.click("#referee button:has-text('Keep the settings')")
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/settings.png", full_page=True)
        page.click("#referee button:has-text('Keep the settings: really?')")
        expect(page.locator("#toast")).to_contain_text("Kept")
    assert tomllib.loads(file.read_text()) == {
        "page": {"hosts": ["table.example"]},
        "wifi": {"network": "Home", "password": "not a secret", "country": "FR"},
        "seats": {"2": "keys"},
    }


def test_a_machine_without_a_source_of_updates_says_so(tmp_path: Path) -> None:
    machine = Machine(Config(tmp_path), dict, {"update": ("true",)})
    assert "no companion.toml names a source of updates" in machine.switch("update")
    file = tmp_path / "companion.toml"
    file.write_text('update = {source = "https://x/apt", key = "AAAA"}\n')
    assert machine.switch("update") == ""


def test_a_source_of_updates_is_a_setting_like_others_and_those_of_the_page_leave_it(
    tmp_path: Path,
) -> None:
    file, named = tmp_path / "companion.toml", {"source": "https://x/apt", "key": "AAAA"}
    file.write_text('update = {source = "https://x/apt", key = "AAAA"}\n[page]\nhosts = ["a.b"]\n')
    read_plan(file)
    machine = Machine(Config(tmp_path), dict, {"settings": ("true",)})
    assert machine.set_up({"announcer": {"language": "fr"}}) == ""
    told = tomllib.loads(file.read_text())
    assert (told["update"], told["announcer"]) == (named, {"language": "fr"})
    assert "'update' is no table" in machine.set_up({"update": named | {"key": "BBBB"}})
