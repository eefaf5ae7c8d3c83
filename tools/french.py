"""The French of what tools write into pages: `french.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FAULTS: Mapping[str, str] = _WORDS["faults"]
WIRING: Mapping[str, str] = _WORDS["wiring"]
