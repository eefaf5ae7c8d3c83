"""A network of the table's own: the profile, the names that phones ask for, what the doctor says.

`nmcli` and `systemctl` are programs that stand in for the real ones, in a PATH of their own; they
keep what they were called with, and refuse what the real ones would.
"""

from __future__ import annotations

import configparser
import json
import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.machine import findings
from companion.machine import hotspot as of_hotspot
from companion.machine.hotspot import (
    NAMES_FILE,
    PROFILE,
    PROFILE_FILE,
    Hotspot,
    HotspotTrouble,
    examine_hotspot,
    open_hotspot,
    read_hotspot,
    turn_off,
    turn_on,
)
from companion.system import host
from companion.system.config import Config
from companion.system.host import PageAddress, is_own

FAKE = """#!/bin/sh
here=$(dirname "$0")
echo "${0##*/} $*" >> "$here/called"
case "${0##*/} $*" in
"nmcli -t -f DEVICE,TYPE,CONNECTION device") cat "$here/devices" ;;
"nmcli -t -f WIFI radio") cat "$here/radio" ;;
"nmcli -t -f NAME connection show") cat "$here/profiles" ;;
"nmcli connection load "*)
    # NetworkManager passes over a profile that others could read.
    [ "$(stat -c %a "$3")" = 600 ] || { echo "$3: others may read it" >&2; exit 1; }
    sed -n 's/^id=//p' "$3" >> "$here/profiles" ;;
"nmcli connection up race-companion") [ -s "$here/profiles" ] || { echo unknown >&2; exit 10; } ;;
"nmcli connection delete race-companion") : > "$here/profiles" ;;
"systemctl enable --now companion-portal.socket") ;;
"systemctl disable --now companion-portal.socket") ;;
*) echo "Error: argument not understood" >&2; exit 2 ;;
esac
"""
PI = "eth0:ethernet:\nwlan0:wifi:\nlo:loopback:lo\n"


class Machine:
    """A machine with NetworkManager."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.root, self.data = folder / "bin", folder / "root", folder / "data"
        for path in (self.bin, self.root, self.data):
            path.mkdir()
        for name in ("nmcli", "systemctl"):
            (self.bin / name).write_text(FAKE)
            (self.bin / name).chmod(0o755)
        self.says(devices=PI, radio="enabled\n", profiles="", called="")

    def says(self, **files: str) -> None:
        for name, text in files.items():
            (self.bin / name).write_text(text)

    @property
    def called(self) -> list[str]:
        return (self.bin / "called").read_text().splitlines()

    @property
    def profile(self) -> configparser.ConfigParser:
        read = configparser.ConfigParser(interpolation=None)
        read.read(self.root / PROFILE_FILE)
        return read

    def turn_on(self, name: str = "Race companion", *, now: bool = False) -> tuple[Hotspot, bool]:
        return turn_on(self.data, name, now=now, root=self.root)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setenv("PATH", f"{made.bin}:{os.environ['PATH']}")
    return made


def test_the_profile_is_an_access_point_that_stands_behind_every_known_network(
    machine: Machine,
) -> None:
    hotspot, is_open = machine.turn_on("Café")
    profile = machine.profile
    assert is_open
    assert dict(profile["wifi"]) == {"mode": "ap", "band": "bg", "ssid": "67;97;102;195;169;"}
    assert profile["connection"]["interface-name"] == "wlan0"
    assert int(profile["connection"]["autoconnect-priority"]) < 0
    assert profile["ipv4"]["method"] == "shared"
    security = profile["wifi-security"]
    told = [security[key] for key in ("key-mgmt", "proto", "pairwise", "psk")]
    assert told == ["wpa-psk", "rsn;", "ccmp;", hotspot.password]


def test_nobody_but_root_reads_the_password_and_no_command_line_has_it(machine: Machine) -> None:
    hotspot, _ = machine.turn_on()
    assert len(hotspot.password) >= 8
    assert not any(hotspot.password in line for line in machine.called)
    for path in (machine.root / PROFILE_FILE, machine.data / "hotspot.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_phones_are_led_here_by_every_name_that_they_ask_for(machine: Machine) -> None:
    """Each maker asks by another one; a list of them is never whole."""
    machine.turn_on()
    assert (machine.root / NAMES_FILE).read_text() == "address=/#/10.42.0.1\n"
    assert "systemctl enable --now companion-portal.socket" in machine.called


def test_a_radio_in_a_known_network_is_left_there_unless_it_shall_not(machine: Machine) -> None:
    machine.says(devices="wlan0:wifi:Home\n")
    assert machine.turn_on()[1] is False
    assert f"nmcli connection up {PROFILE}" not in machine.called
    assert machine.turn_on(now=True)[1] is True
    assert f"nmcli connection up {PROFILE}" in machine.called


@pytest.mark.parametrize(
    ("switch", "says"),
    [("hard", "off by a switch of the machine"), ("soft", "it has no country: sudo raspi-config")],
)
def test_a_radio_that_is_blocked_is_told_before_the_system_is_asked(
    machine: Machine, switch: str, says: str
) -> None:
    folder = machine.root / "sys/class/rfkill/rfkill0"
    folder.mkdir(parents=True)
    for name, word in {"type": "wlan", "hard": "0", "soft": "0", switch: "1"}.items():
        (folder / name).write_text(f"{word}\n")
    with pytest.raises(HotspotTrouble, match=says):
        machine.turn_on()
    assert machine.called == []
    (folder / "type").write_text("bluetooth\n")
    assert machine.turn_on()[1]


def test_the_password_stays_the_same_from_one_evening_to_the_next(machine: Machine) -> None:
    first, _ = machine.turn_on()
    turn_off(machine.data, root=machine.root)
    assert machine.turn_on()[0] == first == read_hotspot(machine.data)


def test_off_leaves_no_file_of_it_in_the_system(machine: Machine) -> None:
    machine.turn_on()
    turn_off(machine.data, root=machine.root)
    assert [path for path in machine.root.rglob("*") if path.is_file()] == []
    assert machine.called[-2:] == [
        f"nmcli connection delete {PROFILE}",
        "systemctl disable --now companion-portal.socket",
    ]
    turn_off(machine.data, root=machine.root)


@pytest.mark.parametrize(
    ("files", "name", "says"),
    [
        ({"devices": "eth0:ethernet:Wired\n"}, "Race", "no radio"),
        ({}, "x" * 33, "1 to 32 bytes"),
        ({}, "", "1 to 32 bytes"),
        (
            {"nmcli": "#!/bin/sh\necho 'NetworkManager is not running' >&2; exit 8\n"},
            "R",
            "running",
        ),
    ],
)
def test_a_machine_that_cannot_have_one_says_so_and_keeps_nothing(
    machine: Machine, files: dict[str, str], name: str, says: str
) -> None:
    machine.says(**files)
    with pytest.raises(HotspotTrouble, match=says):
        machine.turn_on(name)
    assert read_hotspot(machine.data) is None
    assert not (machine.root / PROFILE_FILE).exists()


def test_a_machine_without_network_manager_is_told_what_to_install(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(machine.root))
    with pytest.raises(HotspotTrouble, match="apt install network-manager"):
        machine.turn_on()


# -- the doctor ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "ok", "says"),
    [
        ({}, True, "closed while a known network"),
        ({"radio": "disabled\n"}, False, "the radio is blocked"),
        ({"devices": "eth0:ethernet:\n"}, False, "no radio"),
        ({"profiles": "Home\n"}, False, "profile is gone"),
    ],
)
def test_the_doctor_says_what_keeps_it_from_opening(
    machine: Machine, files: dict[str, str], ok: bool, says: str
) -> None:
    machine.turn_on()
    machine.says(**files)
    found = examine_hotspot(machine.data, root=machine.root)
    assert (found.ok, says in found.says, bool(found.mend)) == (ok, True, not ok)


def test_one_that_nobody_has_switched_on_is_no_fault_and_asks_no_program(machine: Machine) -> None:
    assert examine_hotspot(machine.data, root=machine.root).ok is None
    assert machine.called == []


def test_the_doctor_says_that_it_is_open(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.turn_on()
    monkeypatch.setattr(of_hotspot, "is_own", lambda address: True)
    found = examine_hotspot(machine.data, root=machine.root)
    assert found.ok
    assert "10.42.0.1" in found.says


# -- the command ---------------------------------------------------------------------------------


def test_the_command_shows_what_phones_need(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(of_hotspot, "PROFILE_FILE", machine.root / PROFILE_FILE)
    monkeypatch.setattr(of_hotspot, "NAMES_FILE", machine.root / NAMES_FILE)
    data = str(machine.data)
    assert main(["hotspot", "show", "--data", data]) == 2
    assert "sudo companion hotspot on" in capsys.readouterr().err
    for does in ("on", "show"):
        assert main(["hotspot", does, "--data", data, "--json", "--name", "Pit"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["code"] == f"WIFI:T:WPA;S:Pit;P:{told['password']};;"
    assert main(["hotspot", "off", "--data", data]) == 0
    assert machine.profile.sections() == []


# -- where the page is ---------------------------------------------------------------------------


def test_a_network_that_comes_up_after_the_table_is_in_its_links() -> None:
    clock, address = [0.0], ["127.0.0.1"]
    page = PageAddress(None, 8000, lambda: address[0], lambda: clock[0])
    assert page.url() == "http://127.0.0.1:8000"
    address[0], clock[0] = "192.168.1.7", 5.0
    assert page.url() == "http://192.168.1.7:8000"


def test_the_system_is_not_asked_at_every_link() -> None:
    asked: list[int] = []

    def find() -> str:
        asked.append(1)
        return "10.0.0.1"

    page = PageAddress(None, 8000, find, lambda: 1.0)
    assert {page.url() for _ in range(100)} == {"http://10.0.0.1:8000"}
    assert len(asked) == 1


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_who_listens_everywhere_is_told_by_an_address_and_not_by_everywhere(
    everywhere: str, tmp_path: Path
) -> None:
    fixed = Config(tmp_path, everywhere).fixed_host
    assert PageAddress(fixed, 8000, lambda: "10.0.0.1").url() == "http://10.0.0.1:8000"


UP, DOWN, TUNNEL = 0x41, 0x1, 0x51
CABLE, RADIO = ("eth0", "192.168.7.3", UP), ("wlan0", "10.42.0.1", UP)


@pytest.mark.parametrize(
    ("way", "interfaces", "told"),
    [
        (None, [("lo", "127.0.0.1", 0x49)], []),
        (None, [CABLE], ["192.168.7.3"]),  # a static address without a gateway
        (None, [("eth0", "169.254.9.9", UP)], ["169.254.9.9"]),  # one cable to a laptop
        (None, [("eth0", "169.254.9.9", UP), RADIO], ["10.42.0.1", "169.254.9.9"]),
        ("192.168.7.3", [RADIO, CABLE], ["192.168.7.3", "10.42.0.1"]),
        ("10.8.0.2", [("tun0", "10.8.0.2", TUNNEL), CABLE], ["192.168.7.3"]),
        (None, [("eth0", "192.168.7.3", DOWN), ("eth1", None, UP)], []),  # pulled out; no address
    ],
)
def test_addresses_are_those_of_the_interfaces_that_are_up(
    monkeypatch: pytest.MonkeyPatch,
    way: str | None,
    interfaces: list[tuple[str, str | None, int]],
    told: list[str],
) -> None:
    def ioctl(_: object, what: int, request: bytes) -> bytes:
        _name, address, flags = next(
            one for one in interfaces if request.startswith(one[0].encode())
        )
        if what == host.SIOCGIFFLAGS:
            return request[:16] + flags.to_bytes(2, sys.byteorder) + request[18:]
        if address is None:
            raise OSError(99, "Cannot assign requested address")
        return request[:20] + socket.inet_aton(address) + request[24:]

    monkeypatch.setattr(host, "ioctl", ioctl)
    monkeypatch.setattr(host, "_way_out", lambda: way)
    monkeypatch.setattr(host, "_ipv6_of_interfaces", dict)
    named = list(enumerate(name for name, *_ in interfaces))
    monkeypatch.setattr(socket, "if_nameindex", lambda: named)
    assert host.own_addresses() == told
    assert PageAddress(None, 80).url() == f"http://{told[0] if told else '127.0.0.1'}:80"


IPV6 = """\
fe8000000000000000fc00fffe000001 04 40 20 80     eth0
fd120000000000000000000000000001 04 40 00 82     eth0
20010db8000000000000000000000002 04 40 00 01     eth0
20010db8000000000000000000000003 04 40 00 40     eth0
00000000000000000000000000000001 01 80 10 80       lo
fd990000000000000000000000000009 05 40 00 80    wlan0
fd770000000000000000000000000009 06 40 00 80     tun0
"""


@pytest.mark.parametrize(
    ("older", "told"),
    [(None, ["fd12::1", "fd99::9"]), ("192.168.7.3", ["192.168.7.3", "fd12::1", "fd99::9"])],
)
def test_where_there_is_ipv6_alone_the_page_is_at_an_address_that_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, older: str | None, told: list[str]
) -> None:
    """Not at that of one link, nor at one that is temporary or not there yet."""
    listed = tmp_path / "if_inet6"
    listed.write_text(IPV6)
    flags_of = {"eth0": UP, "wlan0": UP, "tun0": TUNNEL, "lo": 0x49}

    def ioctl(_: object, what: int, request: bytes) -> bytes:
        name = request.rstrip(b"\0").decode()
        if what == host.SIOCGIFFLAGS:
            return request[:16] + flags_of[name].to_bytes(2, sys.byteorder) + request[18:]
        if older is None or name != "eth0":
            raise OSError(99, "Cannot assign requested address")
        return request[:20] + socket.inet_aton(older) + request[24:]

    found = host._ipv6_of_interfaces(listed)
    monkeypatch.setattr(host, "_ipv6_of_interfaces", lambda: found)
    monkeypatch.setattr(host, "ioctl", ioctl)
    monkeypatch.setattr(host, "_way_out", lambda: older)
    monkeypatch.setattr(socket, "if_nameindex", lambda: list(enumerate(flags_of)))
    assert host.own_addresses() == told
    first = older or "[fd12::1]"
    assert PageAddress(None, 80).url() == f"http://{first}:80"
    finding = findings._network()
    assert finding.ok
    assert "[fd12::1], [fd99::9]" in finding.says
    assert "fe80" not in finding.says


def test_where_only_the_link_has_an_address_the_doctor_says_that_it_cannot_be_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(findings, "own_addresses", list)
    finding = findings._network()
    assert (finding.ok, finding.mend) == (False, "connect it to a network: sudo nmtui")
    assert "fe80…, cannot be typed" in finding.says


def test_a_kernel_without_ipv6_has_no_addresses_of_it(tmp_path: Path) -> None:
    assert host._ipv6_of_interfaces(tmp_path / "not there") == {}


def test_an_address_is_the_machines_own_or_not() -> None:
    assert is_own("127.0.0.1")
    assert not is_own("192.0.2.1")


def test_a_network_is_open_where_its_address_is_there(machine: Machine) -> None:
    assert open_hotspot(machine.data, "127.0.0.1") is None
    hotspot, _ = machine.turn_on()
    assert open_hotspot(machine.data, "127.0.0.1") == hotspot
    assert open_hotspot(machine.data, "192.0.2.1") is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": "x"}', "\x00"])
def test_a_damaged_note_of_it_is_none(machine: Machine, text: str) -> None:
    (machine.data / "hotspot.json").write_text(text)
    assert read_hotspot(machine.data) is None
