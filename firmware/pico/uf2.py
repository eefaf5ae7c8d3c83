"""`python3 uf2.py pico.bin pico.uf2`: the image as a Pico takes it by drag and drop.

The first 252 bytes are the second stage of booting, behind which the loader wants their sum.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

FLASH = 0x10000000
FAMILY = 0xE48BFF56
MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
HAS_FAMILY = 0x2000
PAGE, BOOT = 256, 252


def boot_sum(data: bytes) -> int:
    """CRC-32/MPEG-2: polynomial 0x04C11DB7 from all ones, not reflected, nothing added."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return crc


def sealed(image: bytes) -> bytes:
    """The image with the sum of its second stage."""
    return image[:BOOT] + struct.pack("<I", boot_sum(image[:BOOT])) + image[PAGE:]


def blocks(image: bytes) -> Iterator[bytes]:
    """The blocks of 512 bytes, each with a page of the flash."""
    pages = [image[at : at + PAGE].ljust(PAGE, b"\xff") for at in range(0, len(image), PAGE)]
    for number, page in enumerate(pages):
        head = (*MAGIC[:2], HAS_FAMILY, FLASH + number * PAGE, PAGE, number, len(pages), FAMILY)
        yield struct.pack("<8I", *head) + page.ljust(476, b"\0") + struct.pack("<I", MAGIC[2])


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    target.write_bytes(b"".join(blocks(sealed(source.read_bytes()))))


if __name__ == "__main__":
    main()
