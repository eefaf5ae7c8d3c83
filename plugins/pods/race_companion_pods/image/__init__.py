"""The firmware's images as they are shipped; their version is `wire.FIRMWARE`."""

from pathlib import Path

IMAGE = Path(__file__).parent / "pod.hex"
PICO_IMAGE = Path(__file__).parent / "pico.uf2"
