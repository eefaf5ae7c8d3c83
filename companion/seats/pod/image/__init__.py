"""The firmware's image as it is shipped; its version is `wire.FIRMWARE`."""

from pathlib import Path

IMAGE = Path(__file__).parent / "pod.hex"
