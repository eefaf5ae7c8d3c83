"""Phones in the machine's own network: whatever name they ask for, they find the table."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support.each import in_one
from werkzeug.test import Client

from companion.app.seats import portal
from companion.machine import hotspot as of_hotspot
from companion.machine.hotspot import Hotspot
from companion.system.config import Config
from companion.system.host import HOTSPOT
from companion.table.state import Access
from companion_web.guard import Guard, Hosts, Portal, is_here
from companion_web.pages import create_app

from .conftest import FakeAccess, FakeTable
from .test_machine import FakeMachine

Keys = dict[str, dict[str, str]]
PATHS = ("/generate_204", "/hotspot-detect.html", "/connecttest.txt", "/canonical.html", "/")
ROOT = Path(__file__).parents[2]
PORT_80 = {"REMOTE_ADDR": "127.0.0.1"}
"""From where the socket at port 80 hands on what it hears."""
HERE = "http://10.42.0.1:8000/join"


def phone(*, is_open: bool = True) -> Client:
    def way(with_key: bool) -> str | None:
        return None if not is_open else HERE + ("#key" if with_key else "")

    access, hosts = FakeAccess(), Hosts([HOTSPOT])
    app = create_app(FakeTable(), access, guard=Guard(access, hosts))
    return Client(Portal(app, hosts, way))


PROBES = ("connectivitycheck.gstatic.com", "captive.apple.com", "connect.rom.miui.com")
"""Names by which phones look for a network; some makers have their own."""


@in_one("name", PROBES)
@in_one("path", PATHS)
def test_what_phones_ask_for_leads_to_the_table(name: str, path: str) -> None:
    reply = phone().get(path, headers={"Host": name}, environ_overrides=PORT_80)
    assert (reply.status_code, reply.headers["Location"]) == (302, f"{HERE}#key")
    assert reply.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", [PROBES[0], "evil.example"])
def test_where_no_network_is_open_a_foreign_name_is_refused_as_ever(name: str) -> None:
    assert phone(is_open=False).get("/", headers={"Host": name}).status_code == 403


def test_who_asks_at_port_80_by_our_own_name_goes_on_to_where_each_phone_has_its_address() -> None:
    """Of the socket there all have the machine's own: one could use up the questions of all."""
    at_80, direct = {"REMOTE_ADDR": HOTSPOT, "SERVER_PORT": "8000"}, {"REMOTE_ADDR": "10.42.0.9"}
    for host in (HOTSPOT, f"{HOTSPOT}:80", "localhost"):
        reply = phone().get("/?lang=fr", headers={"Host": host}, environ_overrides=at_80)
        assert reply.headers["Location"] == "http://10.42.0.1:8000/?lang=fr"
    odd = at_80 | {"PATH_INFO": "//evil.example/\r\nx"}
    reply = phone().get("/", headers={"Host": HOTSPOT}, environ_overrides=odd)
    assert reply.headers["Location"] == "http://10.42.0.1:8000/evil.example/%0D%0Ax"
    with_port = {"Host": "localhost:8000"}
    assert phone().get("/", headers=with_port, environ_overrides=at_80).status_code == 200
    own = {**at_80, "SERVER_PORT": "80"}  # a table that is at port 80 itself
    assert phone().get("/", headers={"Host": "localhost"}, environ_overrides=own).status_code == 200
    assert phone(is_open=False).get("/", environ_overrides=at_80).status_code == 200
    said = {"Host": "localhost", "X-Forwarded-For": HOTSPOT, "Forwarded": f"for={HOTSPOT}"}
    assert phone().get("/", headers=said, environ_overrides=direct).status_code == 200


def test_who_asks_by_our_own_name_gets_the_page() -> None:
    assert phone().get("/", headers={"Host": "localhost"}).status_code == 200


def test_a_page_elsewhere_that_leads_its_name_to_us_gets_no_key() -> None:
    outside = {"REMOTE_ADDR": "192.168.1.9"}
    reply = phone().get("/", headers={"Host": "evil.example"}, environ_overrides=outside)
    assert reply.headers["Location"] == HERE


def test_nothing_is_posted_by_a_foreign_name() -> None:
    reply = phone().post("/api/join", headers={"Host": PROBES[0]}, json={})
    assert reply.status_code == 403


def test_the_way_is_that_of_the_network_which_is_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    class Keys(Access):
        def __init__(self) -> None:
            self._url, self._join = (lambda: "http://192.168.1.7:8123"), "joinkey"

    network: list[Hotspot | None] = [None]
    monkeypatch.setattr(of_hotspot, "open_hotspot", lambda data: network[0])
    wrap = portal(Config(), Keys(), Guard(FakeAccess(), Hosts()))
    client = Client(wrap(create_app(FakeTable(), FakeAccess())))
    assert client.get("/", headers={"Host": PROBES[0]}).status_code == 403
    network[0] = Hotspot("Pit", "secret")
    reply = client.get("/", headers={"Host": PROBES[0]}, environ_overrides=PORT_80)
    assert reply.headers["Location"] == "http://10.42.0.1:8123/join#joinkey"


def test_the_network_and_its_password_are_shown_to_whoever_shows_the_code(keys: Keys) -> None:
    machine = FakeMachine()
    client: FlaskClient = create_app(FakeTable(), FakeAccess(), machine=machine).test_client()
    told = client.get("/api/join", headers=keys["referee"]).get_json()
    assert told["wifi"] is None
    machine.network = {"name": "Pit", "password": "secret", "code": "WIFI:T:WPA;S:Pit;P:secret;;"}
    told = client.get("/api/join", headers=keys["referee"]).get_json()
    assert (told["wifi"]["name"], told["wifi"]["password"]) == ("Pit", "secret")
    assert told["wifi"]["qr"].startswith("<svg")
    for who in ("nobody", "host"):
        assert "secret" not in client.get("/api/join", headers=keys[who]).text


def test_port_80_of_the_network_is_no_seat_at_the_machine() -> None:
    """A phone that comes through it may say any `Host`: it must not be taken for the machine."""
    unit = (ROOT / "systemd" / "companion-portal.service").read_text("utf-8")
    (start,) = re.findall("^ExecStart=.* (\\S+):8000$", unit, re.MULTILINE)
    assert not ipaddress.ip_address(start).is_loopback
    assert not is_here({"REMOTE_ADDR": start, "HTTP_HOST": "localhost:8000"})
