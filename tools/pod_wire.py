"""Write what firmware/pod/wire.toml says as a C header and as a Python table.

`python tools/pod_wire.py` writes both; a test compares them with what it would write.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "firmware/pod/wire.toml"
HEADER = ROOT / "firmware/pod/wire.h"
TABLE = ROOT / "companion/seats/pod/wire_table.py"

WIDTH = {"u8": 1, "u16": 2, "bytes": 0}
STRUCT = {"u8": "B", "u16": "H", "bytes": ""}
PYTHON_TYPE = {"u8": "int", "u16": "int", "bytes": "bytes"}


def c_header(wire: dict[str, Any]) -> str:
    """The header of the firmware."""
    lines = [
        "/* From wire.toml, by tools/pod_wire.py: change that, not this. */",
        "#ifndef POD_WIRE_H",
        "#define POD_WIRE_H",
        "",
        f"#define WIRE_LEVEL {wire['level']}",
        f"#define WIRE_BAUD {wire['baud']}UL",
    ]
    parts = zip(("MAJOR", "MINOR", "PATCH"), wire["firmware"].split("."), strict=True)
    lines += [f"#define FIRMWARE_{part} {number}" for part, number in parts]
    lines += [f"#define WIRE_{name.upper()} {value}" for name, value in wire["limits"].items()]
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


def python_table(wire: dict[str, Any]) -> str:
    """The module of the companion."""
    lines = [
        '"""The messages between pods and table.',
        "",
        "From firmware/pod/wire.toml, by tools/pod_wire.py: change that, not this.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from dataclasses import dataclass",
        "from typing import ClassVar",
        "",
        f"LEVEL = {wire['level']}",
        f"FIRMWARE = ({', '.join(wire['firmware'].split('.'))})",
        f"BAUD = {wire['baud']:_}",
        *(f"{name.upper()} = {value}" for name, value in wire["limits"].items()),
        f"CONTROLLERS = {_dict(wire['controllers'])}",
        f"LAMPS = {_dict(wire['lamps'])}",
    ]
    for message in wire["message"]:
        lines += ["", "", *_python_message(message)]
    names = [message["name"].title() for message in wire["message"]]
    lines += ["", "", f"Message = {' | '.join(names)}", "KINDS: dict[int, type[Message]] = {"]
    lines += [f"    {name}.kind: {name}," for name in names]
    return "\n".join([*lines, "}", ""])


def _python_message(message: dict[str, Any]) -> Iterator[str]:
    fields = message.get("fields", {})
    layout = "".join(STRUCT[kind] for kind in fields.values())
    yield "@dataclass(frozen=True, slots=True)"
    yield f"class {message['name'].title()}:"
    yield f'    """{message["about"]}"""'
    yield ""
    yield f"    kind: ClassVar = 0x{message['kind']:02X}"
    yield f"    numbered: ClassVar = {message.get('numbered', False)}"
    yield f'    layout: ClassVar = ">{layout}"'
    yield f"    has_tail: ClassVar = {'bytes' in fields.values()}"
    if message.get("numbered"):
        yield "    number: int"
    yield from (f"    {field}: {PYTHON_TYPE[kind]}" for field, kind in fields.items())


def _dict(table: dict[str, int]) -> str:
    return "{" + ", ".join(f'"{name}": {value}' for name, value in table.items()) + "}"


def outputs() -> dict[Path, str]:
    """What each generated file should hold."""
    wire = tomllib.loads(SOURCE.read_text("utf-8"))
    return {HEADER: c_header(wire), TABLE: python_table(wire)}


if __name__ == "__main__":
    for path, text in outputs().items():
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))
