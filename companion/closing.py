"""What is opened is closed, and may be used in a `with` block."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """Base of whatever holds something open: a file, a port, a thread."""

    __slots__ = ()

    def close(self) -> None:
        """Let go of it; may be called twice."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()
