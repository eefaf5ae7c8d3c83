"""The table of messages is one source for C and Python."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from race_companion_pods import wire
from race_companion_pods.image import IMAGE
from race_companion_pods.wire import LONGEST_FRAME

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def pod_wire() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pod_wire", ROOT / "tools/pod_wire.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_header_is_what_the_source_says(pod_wire: ModuleType) -> None:
    described = tomllib.loads(pod_wire.SOURCE.read_text("utf-8"))
    header = pod_wire.HEADER.read_text("utf-8")
    assert header == pod_wire.c_header(described), "run python tools/pod_wire.py"


NOTED = {"name": "noted", "kind": 7, "numbered": True}
SIGNAL = {"name": "signal", "kind": 5, "numbered": True, "fields": {"lamp": "u8", "beep": "u8"}}


def test_a_message_that_is_described_as_it_stands_here_has_its_form() -> None:
    assert wire.forms_of([wire.Noted, wire.Signal], [NOTED, SIGNAL]) == {
        wire.Noted: wire.Form(7, ">", has_tail=False),
        wire.Signal: wire.Form(5, ">BB", has_tail=False),
    }


@pytest.mark.parametrize(
    "described",
    [
        pytest.param([NOTED], id="not described"),
        pytest.param([NOTED, SIGNAL, {"name": "news", "kind": 8}], id="without a class"),
        pytest.param([NOTED, SIGNAL | {"numbered": False}], id="not numbered"),
        pytest.param([NOTED, SIGNAL | {"fields": {"lamp": "u8"}}], id="a field less"),
        pytest.param(
            [NOTED, SIGNAL | {"fields": {"beep": "u8", "lamp": "u8"}}], id="in another order"
        ),
        pytest.param(
            [NOTED, SIGNAL | {"fields": {"lamp": "u8", "beep": "bytes"}}], id="of another type"
        ),
    ],
)
def test_a_message_that_is_not_what_is_described_stops_the_program(
    described: list[dict[str, Any]],
) -> None:
    with pytest.raises(wire.WireError):
        wire.forms_of([wire.Noted, wire.Signal], described)


def test_a_window_of_the_longest_frames_fits_the_pods_ring() -> None:
    assert wire.WINDOW * (LONGEST_FRAME + 1) < 255


@pytest.mark.slow
def test_the_image_in_the_wheel_is_built_from_these_sources(firmware: Path) -> None:
    """`make -C firmware/pod ship` puts it there; the compiler of Debian 12 gives every bit."""
    version = subprocess.run(
        ["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if version != "5.4.0":
        pytest.skip(f"avr-gcc {version} builds other bytes than 5.4.0")
    assert IMAGE.read_bytes() == (firmware / "build/pod.hex").read_bytes()


@pytest.mark.parametrize("module", ["wire", "link"])
def test_messages_and_conversation_know_no_time_port_or_thread(module: str) -> None:
    text = Path(wire.__file__).with_name(f"{module}.py").read_text("utf-8")
    impure = r"^(?:from|import) (?:time|random|socket|threading|subprocess|os|serial)\b"
    assert not re.findall(impure, text, re.MULTILINE)


def test_a_table_of_phones_starts_without_pyserial() -> None:
    code = "import sys; sys.modules['serial'] = None; import companion.app.table"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
