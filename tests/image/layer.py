"""What a layer of rpi-image-gen names: `layer.py FILE packages` or `hooks`, one behind the other.

The hooks are told as one script, which is run as the tool runs each: by sh, with the root as $1.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml


def main(file: str, what: str) -> None:
    """Print packages a line each, or the hooks as a script."""
    layer = yaml.safe_load(Path(file).read_text("utf-8"))["mmdebstrap"]
    told = layer["packages"] if what == "packages" else layer["customize-hooks"]
    print("\n".join(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
