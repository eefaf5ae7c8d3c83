"""What is opened is closed, and may be used in a `with` block.

`contextlib.closing` would do the same, at every place that opens something instead of here.
"""

from __future__ import annotations

from typing import Self


class Closing:
    """Base of whatever holds something open: a file, a port, a thread."""

    __slots__ = ()

    def close(self) -> None:
        """Let go of it; may be called twice."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
