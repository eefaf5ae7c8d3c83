"""The table of messages is one source for C and Python."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from companion.seats.pod import wire_table as wire
from companion.seats.pod.codec import LONGEST_FRAME
from companion.seats.pod.image import IMAGE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pod_wire() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pod_wire", ROOT / "tools/pod_wire.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_header_and_table_are_what_the_source_says(pod_wire: ModuleType) -> None:
    for path, text in pod_wire.outputs().items():
        assert path.read_text("utf-8") == text, f"run python tools/pod_wire.py for {path.name}"


def test_a_window_of_the_longest_frames_fits_the_pods_ring() -> None:
    assert wire.WINDOW * (LONGEST_FRAME + 1) < 255


def test_the_image_in_the_wheel_is_built_from_these_sources(firmware: Path) -> None:
    """`make -C firmware/pod ship` puts it there; the compiler of Debian 12 gives every bit."""
    version = subprocess.run(
        ["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if version != "5.4.0":
        pytest.skip(f"avr-gcc {version} builds other bytes than 5.4.0")
    assert IMAGE.read_bytes() == (firmware / "build/pod.hex").read_bytes()


def test_a_table_of_phones_starts_without_pyserial() -> None:
    code = "import sys; sys.modules['serial'] = None; import companion.bootstrap"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
