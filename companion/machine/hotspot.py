"""A network of the table's own, where there is no known one: a profile of NetworkManager.

It is switched on by a person once (`companion hotspot on`) and then stands behind every network
that the machine knows. Three things belong to it:

- the profile, a file that only root can read: what is said to `nmcli` any user could see;
- every name that a phone asks for leads to this machine, so that it offers to open the table's page
  whatever its maker asks to find out whether the network leads anywhere;
- a socket at port 80, which those questions are sent to.

Name and password are kept in the folder of races too, for the pages that show them.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from companion.seats.plan import Finding
from companion.system.frozen import dataclass
from companion.system.host import HOTSPOT, is_own, write_whole

PROFILE: Final = "race-companion"
SOCKET: Final = "companion-portal.socket"
KEPT: Final = "hotspot.json"
"""In the folder of races."""
PROFILE_FILE: Final = Path(f"etc/NetworkManager/system-connections/{PROFILE}.nmconnection")
NAMES_FILE: Final = Path(f"etc/NetworkManager/dnsmasq-shared.d/{PROFILE}.conf")
Run = Callable[[Sequence[str]], str]
"""Runs a program, and gives what it prints; raises `HotspotTrouble` where it fails."""


class HotspotTrouble(Exception):
    """The machine cannot have a network of its own; a sentence says why."""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """What phones need to come in: the network's name, and its password."""

    name: str
    password: str

    @property
    def code(self) -> str:
        r"""What a QR code says that takes a phone into the network.

        >>> Hotspot("Tom; Ana", "abc").code
        'WIFI:T:WPA;S:Tom\\; Ana;P:abc;;'
        """
        name = "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in self.name)
        return f"WIFI:T:WPA;S:{name};P:{self.password};;"


LONGEST_S: Final = 40


def run_program(command: Sequence[str]) -> str:
    """Run a program of the system.

    Raises:
        HotspotTrouble: it is not there, or it failed.
    """
    # Its answers are read here, so they must not be translated.
    where = os.environ | {"LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LONGEST_S, check=False, env=where
        )
    except FileNotFoundError as error:
        says = f"{command[0]} is not there; sudo apt install network-manager dnsmasq-base"
        raise HotspotTrouble(says) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HotspotTrouble(f"{command[0]} does not answer: {error}") from error
    if done.returncode:
        why = " ".join(done.stderr.split()) or f"status {done.returncode}"
        raise HotspotTrouble(f"{' '.join(command[:3])} failed: {why}")
    return done.stdout


LONGEST_NAME: Final = 32


def turn_on(
    data: Path, name: str, *, now: bool = False, run: Run = run_program, root: Path = Path("/")
) -> tuple[Hotspot, bool]:
    """Let the machine have a network of its own; it, and whether it is open already.

    Args:
        now: take the radio even where it is in a known network.

    Raises:
        HotspotTrouble: there is no radio, or the system refuses.
    """
    if not 0 < len(name.encode()) <= LONGEST_NAME:
        raise HotspotTrouble(f"a network's name has 1 to {LONGEST_NAME} bytes, not {name!r:.60}")
    if why := _blocked(root):
        raise HotspotTrouble(f"{why}; then: sudo companion hotspot on")
    radio, network = _radio(run)
    known = read_hotspot(data)
    # The old password stays, so that phones that know the network still come in.
    hotspot = Hotspot(name, known.password if known else _make_password())
    _write(root / PROFILE_FILE, _profile(hotspot, radio).encode())
    _write(root / NAMES_FILE, f"address=/#/{HOTSPOT}\n".encode())
    # Files are written for their owner alone; this one has no secret and is for dnsmasq.
    (root / NAMES_FILE).chmod(0o644)
    _write(data / KEPT, json.dumps({"name": name, "password": hotspot.password}).encode())
    owner = data.stat()
    # Root runs this, and the table as another user: what root keeps for itself stops the service.
    os.chown(data / KEPT, owner.st_uid, owner.st_gid)
    run(("nmcli", "connection", "load", str(root / PROFILE_FILE)))
    run(("systemctl", "enable", "--now", SOCKET))
    is_free = network in ("", PROFILE)
    if is_free or now:
        run(("nmcli", "connection", "up", PROFILE))
    return hotspot, is_free or now


COUNTRY: Final = "sudo raspi-config nonint do_wifi_country FR (your own country)"


def _blocked(root: Path) -> str:
    """Why the kernel lets no radio speak; empty where it does. nmcli says only that it fails."""
    for switch in sorted((root / "sys/class/rfkill").glob("rfkill*")):
        try:
            kind, *blocks = (
                (switch / name).read_text().strip() for name in ("type", "hard", "soft")
            )
        except OSError:
            continue
        if kind == "wlan" and blocks[0] == "1":
            return "the radio is off by a switch of the machine: put it on"
        if kind == "wlan" and blocks[1] == "1":
            says = "the radio is blocked, as it has no country"
            return f"{says}: {COUNTRY}, or sudo rfkill unblock wifi"
    return ""


def turn_off(data: Path, run: Run = run_program, root: Path = Path("/")) -> None:
    """Take the network away. The password is kept for the next time.

    Raises:
        HotspotTrouble: the system refuses.
    """
    if PROFILE in run(("nmcli", "-t", "-f", "NAME", "connection", "show")).splitlines():
        run(("nmcli", "connection", "delete", PROFILE))
    run(("systemctl", "disable", "--now", SOCKET))
    for path in (root / PROFILE_FILE, root / NAMES_FILE):
        path.unlink(missing_ok=True)


def read_hotspot(data: Path) -> Hotspot | None:
    """What was kept of the network; None: there never was one, or it cannot be read."""
    try:
        kept = json.loads((data / KEPT).read_text("utf-8"))
        return Hotspot(str(kept["name"]), str(kept["password"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def open_hotspot(data: Path, address: str = HOTSPOT) -> Hotspot | None:
    """The network that is open now; None: there is none."""
    return read_hotspot(data) if is_own(address) else None


def examine_hotspot(data: Path, run: Run = run_program, root: Path = Path("/")) -> Finding:
    """What the doctor says of it; one that nobody has switched on is no fault."""
    what, mend = "hotspot", "sudo companion hotspot on"
    if not (root / NAMES_FILE).exists():
        return Finding(what, f"off; {mend} allows it where no network is known", ok=None)
    try:
        blocked = run(("nmcli", "-t", "-f", "WIFI", "radio")).strip() != "enabled"
        _radio(run)
        is_there = PROFILE in run(("nmcli", "-t", "-f", "NAME", "connection", "show")).splitlines()
    except HotspotTrouble as trouble:
        return Finding(what, str(trouble), ok=False, mend="sudo companion hotspot off")
    if blocked:
        return Finding(what, "the radio is blocked", ok=False, mend=f"{COUNTRY}; {mend}")
    if not is_there:
        return Finding(what, "its profile is gone", ok=False, mend=mend)
    if is_own(HOTSPOT):
        return Finding(what, f"open: phones reach the page at {HOTSPOT}")
    return Finding(what, "on, and closed while a known network is there")


def _radio(run: Run) -> tuple[str, str]:
    """The first radio, and the profile that it is used by."""
    for line in run(("nmcli", "-t", "-f", "DEVICE,TYPE,CONNECTION", "device")).splitlines():
        device, kind, network = (*line.split(":", 2), "", "")[:3]
        if kind == "wifi":
            return device, network
    raise HotspotTrouble("this machine has no radio that NetworkManager knows; see nmcli device")


def _profile(hotspot: Hotspot, radio: str) -> str:
    """The profile as NetworkManager keeps it.

    Without `pmf`: the radios of some Pis refuse the key that protects management frames, and
    then no network comes up at all (raspberrypi/linux #7247).
    """
    # As numbers: a name may have letters that mean something in this file.
    name = "".join(f"{byte};" for byte in hotspot.name.encode())
    # The lowest priority there is: every network that the machine knows comes before this one.
    return f"""\
[connection]
id={PROFILE}
uuid={_uuid(radio)}
type=wifi
interface-name={radio}
autoconnect-priority=-999

[wifi]
mode=ap
band=bg
ssid={name}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
pmf=1
psk={hotspot.password}

[ipv4]
method=shared
address1={HOTSPOT}/24

[ipv6]
method=disabled
"""


def _uuid(radio: str) -> str:
    """The same for the same radio, so that a profile that is written again is the same one."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{radio}.{PROFILE}.invalid"))


LETTERS: Final = "abcdefghkmnpqrstuvwxyz23456789"
"""None is mistaken for another on a screen across the room."""
PASSWORD_LETTERS: Final = 10


def _make_password() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LETTERS))


def _write(path: Path, content: bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        says = f"{path} cannot be written: {error.strerror}; sudo companion hotspot on"
        raise HotspotTrouble(says) from error
