"""The examination of the chain of lights: configuration, lines, libraries, bus."""

from __future__ import annotations

from collections.abc import Sequence

from companion.seats.findings import Finding
from companion.seats.light.driver import fault_of, figures_of
from companion.seats.pinmap import light
from companion.seats.plan import Options
from companion.seats.trouble import SeatTrouble
from companion.seats.wired.machine import Machine
from companion.seats.wiring import WiredSeat

WHAT = "light"
INSTALL = "pip install 'race-companion[light]', or sudo apt install python3-spidev"
DEVICE = "dev/spidev0.0"
CONFIG = "/boot/firmware/config.txt"


def examine(options: Options, wired: Sequence[WiredSeat], machine: Machine) -> list[Finding]:
    """Examine the lights of this machine; `wired` are the seats on its lines.

    Whether they shine nobody can ask them: the chain does not answer.
    """
    try:
        figures = figures_of(options)
    except SeatTrouble as trouble:
        return [_wrong(str(trouble), "edit [light] of companion.toml")]
    if says := fault_of(wired):
        return [_wrong(says, "give that seat to a pod or a phone, or the lights up")]
    has = machine.has_module
    missing = [name for name in ("luma.led_matrix", "spidev") if not has(name)]
    if missing:
        return [_wrong(f"missing: {', '.join(missing)}", INSTALL)]
    device = machine.root / DEVICE
    if not device.exists():
        mend = f"echo dtoverlay={light().overlay} | sudo tee -a {CONFIG} && sudo reboot"
        return [_wrong(f"there is no /{DEVICE}", mend)]
    if not machine.may_open(device):
        mend = "sudo usermod -aG spi $USER, then log in again"
        return [_wrong(f"/{DEVICE} may not be opened", mend)]
    return [Finding(WHAT, f"{figures['seats']} seats; look whether they shine", ok=None)]


def _wrong(says: str, mend: str) -> Finding:
    return Finding(WHAT, says, ok=False, mend=mend)
