"""Buses that carry what is written to models of screens, and record it.

They stand where `smbus2.SMBus` does, so that all that is ours and luma's above it is the real
thing. A byte is counted as it goes over the wire: the address of a transfer is one of its own.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping
from dataclasses import field
from threading import Lock
from typing import Any

from companion.frozen import dataclass
from companion.seats.simulated.oled import Oled


@dataclass(slots=True)
class SimulatedBus:
    """A bus with screens by address. `silent` addresses do not answer; `left` more bytes pass."""

    devices: Mapping[int, Oled]
    silent: set[int] = field(default_factory=set)
    left: int | None = None
    bytes_sent: int = 0
    transfers: int = 0
    stopped: Lock = field(default_factory=Lock)

    def transfer(self, address: int, payload: bytes) -> None:
        """One transfer from start to stop.

        Raises:
            OSError: nobody answers, as the kernel says it.
        """
        with self.stopped:
            self.transfers += 1
            self.bytes_sent += 1
            if address not in self.devices or address in self.silent:
                raise OSError(errno.EREMOTEIO, "Remote I/O error")
            if self.left is not None:
                passed, self.left = payload[: self.left], max(0, self.left - len(payload))
                if len(passed) < len(payload):
                    self._carry(address, passed)
                    raise OSError(errno.EREMOTEIO, "Remote I/O error")
            self._carry(address, payload)

    def read(self, address: int) -> int:
        """The byte that a screen answers.

        Raises:
            OSError: nobody answers, as the kernel says it.
        """
        self.transfer(address, b"")
        return self.devices[address].status()

    def _carry(self, address: int, payload: bytes) -> None:
        self.bytes_sent += len(payload)
        self.devices[address].write(payload)


def smbus_of(buses: Mapping[int, SimulatedBus]) -> type:
    """A class to stand for `smbus2.SMBus` while these are the buses of the machine."""

    class SimulatedSMBus:
        """What luma uses of an SMBus."""

        def __init__(self, number: int) -> None:
            if number not in buses:
                raise FileNotFoundError(errno.ENOENT, "No such file", f"/dev/i2c-{number}")
            self._bus = buses[number]

        def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
            self._bus.transfer(address, bytes([register, *data]))

        def i2c_rdwr(self, *messages: Any) -> None:
            for message in messages:
                self._bus.transfer(message.addr, bytes(message))

        def close(self) -> None:
            """Nothing to let go of."""

    return SimulatedSMBus
