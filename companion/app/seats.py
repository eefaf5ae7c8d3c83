"""The hardware around a running table: its seats, and the computer itself.

Drivers of seats are plugins, found by their names. The computer is examined, switched off and
updated here. A live test at an open table borrows the seats from it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from companion.app.plugins import OutsideSeats
from companion.race.engine import TABLE
from companion.seats.hub import Opener, SeatHub
from companion.seats.plan import Finding, PlanError, SeatPlan, parse_seats, read_plan
from companion.seats.plan import Options as Said
from companion.system.config import (
    CONFIG_FILE,
    Config,
    ConfigError,
    announcer_of,
    format_settings,
    read_config,
    stick_of,
)
from companion.system.host import HOTSPOT, Closing, write_whole
from companion.system.plugins import SIMULATED, Options, Plugin, PluginError, plugins
from companion.table.ports import Snapshot, TablePort
from companion.table.state import Access, TableState
from companion.views.words import LANGUAGES

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from companion.seats.live import LiveTest, Tried
    from companion_web.app import Wrap
    from companion_web.guard import Guard


# -- the seats ------------------------------------------------------------------------------------


def seat_driver(name: str) -> Opener:
    """What starts the driver of this name, in its plugin's own thread."""
    return partial(OutsideSeats, plugins("seats")[name])


def plan_of(data: Path, seats: str | None, config: Path | None) -> SeatPlan:
    """The plan of the configuration file, with the drivers that the command line names.

    Raises:
        PlanError: one of the two cannot be followed, or the file that is named is not there.
    """
    if config is not None and not config.exists():
        raise PlanError(f"{config} is not there")
    plan = read_plan(config or Config(data=data).file)
    return plan if seats is None else replace(plan, drivers=parse_seats(seats))


def examine_seats(plan: SeatPlan) -> list[Finding]:
    """All that is found about the seats of a plan."""
    found: list[Finding] = []
    for name, seats in plan.groups().items():
        looked = _looked_at(plugins("seats")[name], plan, seats)
        why = "nothing of it is real" if SIMULATED in name else "it is a plugin's"
        says = f"{name}: not looked at, {why}"
        unseen = (Finding("driver", says, ok=None, seat=seat) for seat in seats)
        found += unseen if looked is None else looked
    listeners = plugins("listeners") if plan.options else {}
    for name in sorted(listeners.keys() & plan.options.keys()):
        found += _looked_at(listeners[name], plan) or ()
    return found or [Finding("seats", "none has a driver: all are phones", ok=None)]


def wires_of(plan: SeatPlan) -> dict[str, Any]:
    """What a plugin may know of the wires of this machine: `TableSeen.wires`."""
    wires: dict[str, Any] = {"factory": "lgpio", "light": None}
    # What has a heading and no seat has its say too: others follow its pin factory.
    for name, seats in (dict.fromkeys(plan.options, ()) | plan.groups()).items():
        with suppress(KeyError, PluginError, TypeError, ValueError):  # driver and doctor say so
            wires |= _asked(plugins("seats")[name], "wires", plan.options_of(name), seats) or {}
    return wires


LOOKING_S: Final = 60.0
"""How long a plugin may look at its hardware."""


def _asked(plugin: Plugin, what: str, said: Said, *told: object) -> Any:
    """What a driver's entry point gives that may have `what`; None: it has not.

    Raises:
        PluginError: it cannot be imported, fails, or hangs.
    """
    call = getattr(plugin.load(), what, None)
    return call and plugin.in_time(lambda: call(*told, Options(plugin.heading, said)), LOOKING_S)


def _looked_at(
    plugin: Plugin, plan: SeatPlan, seats: Sequence[int] = ()
) -> Sequence[Finding] | None:
    """What a plugin finds; None: it looks at nothing."""
    read = Options(plugin.heading, plan.options_of(plugin.name))
    try:
        examine = getattr(plugin.load(), "examine", None)
        if examine is None:
            return None
        wires = wires_of(plan) | {"seats": seats}
        told = plugin.in_time(lambda: [*examine(wires, read)], LOOKING_S)
        read.check()
        return [Finding(**{"what": plugin.name, **one}) for one in told]
    except (PluginError, TypeError) as trouble:
        mend = f"edit [{plugin.heading}] of companion.toml, or see: companion plugin list"
        return [Finding(plugin.name, f"{trouble}", ok=False, mend=mend)]


# -- the computer ---------------------------------------------------------------------------------

COMMANDS: Final = {
    "off": ("systemctl", "poweroff"),
    "restart": ("systemctl", "reboot"),
    # The update takes minutes: its start is not waited for.
    "update": ("systemctl", "--no-block", "start", "companion-update.service"),
    # It closes this table, and opens it again.
    "settings": ("systemctl", "--no-block", "start", "companion-settings.service"),
}
LONGEST_S: Final = 10
Troubles = Callable[[], Mapping[int, Mapping[str, str]]]
"""What is wrong with the seats, a sentence a part."""


ON_PAGE: Final = ("seats", "wired", "light", "wifi", "backup", "announcer")
"""The headings of companion.toml that the page may change. All others have addresses and keys of
other machines, and stay as they are."""
SETTINGS_UNIT: Final = Path("/etc/systemd/system/companion-settings.service")
"""What carries settings out; the image has it."""
WIFI: Final = {"network": r"[^\0-\x1f]{1,32}", "password": r"[ -~]{8,63}", "country": "[A-Z]{2}"}
"""The form of each word under `[wifi]`."""


def commands_here(is_service: bool) -> Mapping[str, tuple[str, ...]]:
    """What switches this machine, by word: nothing at a table that is nobody's service."""
    has_unit = SETTINGS_UNIT.exists()
    here = {word: how for word, how in COMMANDS.items() if has_unit or word != "settings"}
    return here if is_service else {}


def _kept_secret(wifi: object, known: object) -> object:
    """`[wifi]` as it is to be kept: a password left empty is that of the same network."""
    if not isinstance(wifi, dict) or wifi.get("password"):
        return wifi
    before = known if isinstance(known, dict) else {}
    word = before.get("password") if before.get("network") == wifi.get("network") else None
    bare = {name: said for name, said in wifi.items() if name != "password"}
    return bare | {"password": word} if word else bare


def _check_machine(settings: Mapping[str, Any]) -> None:
    """See that the machine can follow a network, and what is said of its seats.

    Raises:
        ConfigError: it cannot follow a network.
        PluginError: a driver cannot follow what stands under its heading.
    """
    drivers = plugins("seats")
    for name in drivers.keys() & settings.keys() & {*ON_PAGE}:
        _asked(drivers[name], "check", settings[name])
    for name, said in settings.get("wifi", {}).items():
        if name not in WIFI or not (isinstance(said, str) and re.fullmatch(WIFI[name], said)):
            raise ConfigError(
                "[wifi] has a network, a password of 8 to 63 plain letters, and a country as FR"
            )


class Machine:
    """The `MachinePort` of a table.

    Args:
        troubles: what the drivers of the seats say: they hold the hardware, which nobody else may
            examine meanwhile.
        commands: what switches it, by word; nothing does at a table that is nobody's service.
    """

    def __init__(
        self,
        config: Config,
        troubles: Troubles,
        commands: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._config, self._troubles, self._commands = config, troubles, commands

    def examine(self) -> Mapping[str, object]:
        """What `companion doctor --json` prints, of a machine on which a table runs."""
        # Here, so that only a table that somebody examines reads how.
        from companion.machine import findings
        from companion.machine.hotspot import examine_hotspot

        config = self._config
        found = [
            findings.examine_configuration(config.file, "of this table"),
            *findings.examine_stick(config.stick),
            *self._seats(),
            *findings.examine_machine(config.data),
            examine_hotspot(config.data),
        ]
        is_well = all(one.ok is not False for one in found)
        told = [one.as_json() for one in findings.worst_first(found)]
        return {"ok": is_well, "findings": told, "settings": self._settings()}

    def _settings(self) -> Mapping[str, object] | None:
        """What the page may change, but for the password; None where it may not."""
        if "settings" not in self._commands:
            return None
        said: dict[str, Any] = {}
        with suppress(ConfigError):
            known = read_config(self._config.data / CONFIG_FILE)
            said = {name: known[name] for name in ON_PAGE if isinstance(known.get(name), dict)}
        if "wifi" in said:
            said["wifi"] = said["wifi"] | {"password": ""}
        return said

    def set_up(self, settings: Mapping[str, object]) -> str:
        """Keep what companion.toml is to say, and have the machine follow it; why not, else ""."""
        if "settings" not in self._commands:
            return self.switch("settings")
        strange = [
            name for name, said in settings.items()
            if name not in ON_PAGE or not isinstance(said, dict)
        ]  # fmt: skip
        if strange:
            return f"{strange[0]!r:.40} is no table of {', '.join(ON_PAGE)}"
        file = self._config.data / CONFIG_FILE
        asked, known = file.with_suffix(".asked"), {}
        before = file.read_bytes() if file.exists() else None
        with suppress(ConfigError):  # the page is a way out of one that cannot be read
            known = read_config(file)
        whole = {name: said for name, said in known.items() if name not in ON_PAGE} | {**settings}
        if "wifi" in whole:
            whole["wifi"] = _kept_secret(whole["wifi"], known.get("wifi"))
        try:
            write_whole(asked, format_settings(whole).encode())
            for check in (read_plan, stick_of):
                check(asked)
            announcer_of(asked, LANGUAGES)
            _check_machine(whole)
            asked.replace(file)
        except (PlanError, ConfigError, PluginError, OSError, ValueError) as trouble:
            return str(trouble).replace(f"{asked}: ", "").replace(str(asked), CONFIG_FILE)
        finally:
            asked.unlink(missing_ok=True)  # it has a password in it
        why = self.switch("settings")
        if why and before is None:
            file.unlink()
        elif why and before is not None:  # else the next start would follow what was refused
            write_whole(file, before)
        return why

    def hotspot(self) -> Mapping[str, str] | None:
        """The network that the machine itself has opened; None: it has not."""
        from companion.machine.hotspot import open_hotspot

        found = open_hotspot(self._config.data)
        if found is None:
            return None
        return {"name": found.name, "password": found.password, "code": found.code}

    def _seats(self) -> list[Finding]:
        mend = "close the table, then: companion doctor"
        return [
            Finding(part, says, ok=False, mend=mend, seat=seat)
            for seat, parts in sorted(self._troubles().items())
            for part, says in parts.items()
        ]

    @property
    def can_switch(self) -> bool:
        """Whether anything switches it."""
        return bool(self._commands)

    def switch(self, power: str) -> str:
        """Have systemd do it; why it does not, empty where it does."""
        if power not in self._commands:
            return "only a table that the service has opened switches its computer"
        import subprocess  # so that only a table that is switched off brings it

        from companion.machine.findings import NO_UPDATES, has_updates

        if power == "update" and not has_updates(self._config.data):
            return NO_UPDATES
        command = self._commands[power]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=LONGEST_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"this computer cannot be switched from here: {error}"
        if done.returncode == 0:
            return ""
        why = " ".join(done.stderr.split()) or "it may not"
        return f"this computer cannot be switched from here: {why}"


def portal(config: Config, access: Access, guard: Guard) -> Wrap:
    """Leads phones of the machine's own network to the table."""

    def lead(with_key: bool) -> str | None:
        # Imported here: only a phone that asks by the name of its maker needs it.
        from companion.machine.hotspot import open_hotspot

        if open_hotspot(config.data) is None:
            return None
        link = urlsplit(access.link(TABLE))
        return f"http://{HOTSPOT}:{link.port}/join" + (f"#{link.fragment}" if with_key else "")

    def wrap(page: WSGIApplication) -> WSGIApplication:
        from companion_web.guard import Portal

        return Portal(page, guard.hosts, lead)

    return wrap


# -- the live test at an open table ---------------------------------------------------------------

LOOKED_S: Final = 60.0
"""So long after nobody looks at the page any more, the seats are the table's again."""


class LiveSeats(Closing):
    """The `LivePort` of a table. A race that begins or goes on takes its seats back.

    Args:
        is_racing: whether a race is on the table that is neither paused nor over.
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        hub: SeatHub,
        table: TablePort,
        is_racing: Callable[[], bool],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hub, self._is_racing, self._now = hub, is_racing, now
        self._starting = Lock()
        self._live: LiveTest | None = None
        self._thread: Thread | None = None
        self._found: Sequence[Finding] | None = None
        self._tried: Sequence[Tried] = ()
        self._looked_s = 0.0
        self._stop_watching = table.watch(self._watch)

    @property
    def is_on(self) -> bool:
        """Whether the seats are under test."""
        return self._live is not None

    @property
    def asked(self) -> tuple[int, int] | None:
        """The seat and the button that are waited for."""
        # Read once: the thread of the test may set it to None at any moment.
        live = self._live
        return live.asked if live else None

    def tried(self) -> Sequence[Tried]:
        """The seats under test, or as they were at its end; whoever asks looks at the page."""
        self._looked_s = self._now()
        if (live := self._live) is not None:
            self._tried = live.tried()
        return self._tried

    def found(self) -> Sequence[Finding] | None:
        """What was found; None before a test, and while it still asks."""
        return self._found

    def do(self, what: str, seat: int) -> str:
        """`start`, `stop`, `skip`, `lamp` or `buzzer` (of a seat); the key of why not, or ""."""
        if what == "start":
            return self._start()
        live = self._live
        if live is None:
            return "live-not-on"
        if what in ("lamp", "buzzer"):
            return "" if live.signal(seat, what) else "live-no-lamp"
        (live.stop if what == "stop" else live.skip)()
        return ""

    def close(self) -> None:
        """Stop, and give the seats back. May be called twice."""
        self._stop_watching()
        if (live := self._live) is not None:
            live.stop()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> str:
        with self._starting:
            if self._live is not None:
                return ""
            if self._is_racing():
                return "live-racing"
            if not self._hub.serving:
                return "live-no-seats"
            # Whoever starts it looks at the page; else it would count as left at once.
            self._found, self._looked_s = None, self._now()
            # Imported here: hardly an evening tests its seats.
            from companion.seats.live import LiveTest

            live = self._live = LiveTest(lambda line: None)
            self._thread = Thread(target=self._run, args=(live,), name="live test", daemon=True)
            self._thread.start()
        return ""

    def _run(self, live: LiveTest) -> None:
        drivers = self._hub.lend(live)
        try:
            if self._is_racing():  # it has begun since
                live.stop()
            self._found = live.run(drivers, self._is_left)
            while not (live.is_over or self._is_left()):
                live.look_on()
            self._tried = live.tried()
        finally:
            self._live = None
            self._hub.take_back()

    def _is_left(self) -> bool:
        return self._now() - self._looked_s > LOOKED_S

    def _watch(self, shown: Snapshot) -> None:
        """In the table's thread."""
        live = self._live
        if live is not None and self._is_racing():
            live.stop()


def is_racing(state: TableState) -> bool:
    """Whether a race is on the table that is neither paused nor over."""
    race = state.race
    return race is not None and not (race.paused or race.is_finished)
