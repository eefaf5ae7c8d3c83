"""The computer that a running table looks after: what the doctor finds, and its power."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from companion.address import HOTSPOT
from companion.config import Config
from companion.seats.findings import Finding
from companion.table.access import TABLE, Access

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from companion_web.guard import Guard
    from companion_web.server import Wrap

COMMANDS: Final = {
    "off": ("systemctl", "poweroff"),
    "restart": ("systemctl", "reboot"),
    "update": ("systemctl", "--no-block", "start", "companion-update.service"),
}
LONGEST_S: Final = 10
Troubles = Callable[[], Mapping[int, Mapping[str, str]]]


class Machine:
    """The `MachinePort` of a table.

    Args:
        troubles: what is wrong with the seats, a sentence a part: their drivers hold the
            hardware, which nobody else may examine meanwhile.
        commands: what switches it; left out: nothing does, unless systemd has started the table.
    """

    def __init__(
        self,
        config: Config,
        troubles: Troubles,
        commands: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._config, self._troubles = config, troubles
        by_service = COMMANDS if "NOTIFY_SOCKET" in os.environ else {}
        self._commands = by_service if commands is None else commands

    def examine(self) -> Mapping[str, object]:
        """What `companion doctor --json` prints, of a machine on which a table runs."""
        # Imported here: a table that nobody examines need not know how.
        from companion.machine.configuration import examine_configuration, examine_stick
        from companion.machine.findings import examine_machine
        from companion.machine.hotspot import examine_hotspot

        config = self._config
        found = [
            examine_configuration(config.file, "of this table"),
            *examine_stick(config.stick),
            *self._seats(),
            *examine_machine(config.data),
            examine_hotspot(config.data),
        ]
        is_well = all(one.ok is not False for one in found)
        return {"ok": is_well, "findings": [one.as_json() for one in found]}

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

        command = self._commands[power]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=LONGEST_S,
                check=False,
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
        from companion_web.hosts import Portal

        return Portal(page, guard.hosts, lead)

    return wrap
