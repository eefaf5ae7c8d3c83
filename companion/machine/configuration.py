"""What the doctor says of the configuration that a table goes by."""

from __future__ import annotations

import os
from pathlib import Path

from companion.seats.findings import Finding


def examine_configuration(file: Path, whose: str) -> Finding:
    """Which configuration is looked at; one that is not there is no fault."""
    says = f"{file} ({whose})"
    try:
        os.close(os.open(file, os.O_RDONLY))
    except FileNotFoundError:
        return Finding("configuration", f"{says} is not there: every seat is a phone", ok=None)
    except OSError as error:
        says = f"{says} cannot be read: {error.strerror}"
        return Finding("configuration", says, ok=False, mend="sudo companion doctor")
    return Finding("configuration", says)


def examine_stick(stick: Path | None) -> list[Finding]:
    """Whether the stick that is named is there; nothing where none is."""
    if stick is None:
        return []
    if stick.is_dir():
        return [Finding("stick", f"{stick} is there")]
    return [Finding("stick", f"{stick} is not there", ok=False, mend=f"plug it in; mkdir {stick}")]
