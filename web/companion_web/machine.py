"""The computer itself: what the doctor finds, and how it is switched off. Behind the PIN."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, Protocol

from flask import Blueprint, Response, request

from companion_web.bodies import read_object
from companion_web.guard import Guard
from companion_web.problems import Problem, malformed, reply_json

POWER: Final = ("off", "restart", "update")


class MachinePort(Protocol):
    """The computer that the table runs on."""

    def examine(self) -> Mapping[str, object]:
        """What `companion doctor --json` prints."""

    def hotspot(self) -> Mapping[str, str] | None:
        """Name, password and code of the network that it has opened itself; None: it has not."""

    def switch(self, power: str) -> str:
        """Switch it "off", have it "restart", or look for an "update"; why it does not, else ""."""


class NoMachine:
    """A computer that is not the table's to look after."""

    def examine(self) -> Mapping[str, object]:
        """Nothing."""
        return {"ok": True, "findings": []}

    def hotspot(self) -> Mapping[str, str] | None:
        """None."""
        return None

    def switch(self, power: str) -> str:
        """No."""
        return "this computer is not the table's to switch"


def blueprint(machine: MachinePort, guard: Guard) -> Blueprint:
    """The routes at `/api/machine`."""
    of_machine = Blueprint("machine", __name__)

    @of_machine.get("/api/machine")
    def examine() -> Response:
        guard.referee(request)
        return reply_json(machine.examine())

    @of_machine.post("/api/machine")
    def switch() -> Response:
        guard.referee(request)
        power = read_object(request).get("power")
        if not isinstance(power, str) or power not in POWER:
            raise malformed("bad-power", f"power is one of {', '.join(POWER)}")
        if why := machine.switch(power):
            raise Problem(HTTPStatus.CONFLICT, "no-power", why)
        return reply_json({"ok": True})

    return of_machine
