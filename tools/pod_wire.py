"""Write what the wire.toml of plugins/pods says as the firmware's header, firmware/pod/wire.h.

The plugin reads the file itself. A test compares the header with what this would write.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from made import renew

from companion.seats.contacts import HOLD_MS, ONE_BOUNCE_MS, SETTLE_MS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "plugins/pods/race_companion_pods/wire.toml"
HEADER = ROOT / "firmware/pod/wire.h"

OF_ALL_BUTTONS = {"settle_ms": SETTLE_MS, "one_bounce_ms": ONE_BOUNCE_MS, "hold_ms": HOLD_MS}
WIDTH = {"u8": 1, "u16": 2, "bytes": 0}


def c_header(wire: dict[str, Any]) -> str:
    """The header of the firmware."""
    limits = wire["limits"] | OF_ALL_BUTTONS
    lines = [
        "/* From the wire.toml of plugins/pods, by tools/pod_wire.py: change that, not this. */",
        "#ifndef POD_WIRE_H",
        "#define POD_WIRE_H",
        "",
        f"#define WIRE_LEVEL {wire['level']}",
        f"#define WIRE_BAUD {wire['baud']}UL",
    ]
    parts = zip(("MAJOR", "MINOR", "PATCH"), wire["firmware"].split("."), strict=True)
    lines += [f"#define FIRMWARE_{part} {number}" for part, number in parts]
    lines += [f"#define WIRE_{name.upper()} {value}" for name, value in limits.items()]
    lines += [f"#define CONTROLLER_{name.upper()} {n}" for name, n in wire["controllers"].items()]
    lines += [f"#define LAMP_{name.upper()} {n}" for name, n in wire["lamps"].items()]
    for message in wire["message"]:
        lines += ["", *_c_message(message)]
    return "\n".join([*lines, "", "#endif", ""])


def _c_message(message: dict[str, Any]) -> Iterator[str]:
    """The kind of a message, where its fields begin in the payload, and how long that is."""
    name, offset, fields = message["name"].upper(), 0, message.get("fields", {})
    yield f"/* {message['about']} */"
    yield f"#define WIRE_{name} 0x{message['kind']:02X}"
    for field, kind in fields.items():
        yield f"#define WIRE_{name}_{field.upper()} {offset}"
        offset += WIDTH[kind]
    least = "_LEAST" if "bytes" in fields.values() else ""
    yield f"#define WIRE_{name}_LENGTH{least} {offset + bool(least)}"


if __name__ == "__main__":
    sys.exit(renew({HEADER: c_header(tomllib.loads(SOURCE.read_text("utf-8")))}))
