"""A snapshot whose body is made when somebody reads it.

The screens of the seats come first: the page's JSON is encoded by whoever sends it, in its
own thread, while the table already takes the next press. A scene is immutable, so it does
not matter when, nor whether two threads do it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.table.ports import Picture, Snapshot


class LazySnapshot(Snapshot):
    """A `Snapshot` with `body` made once, on demand."""

    __slots__ = ("_body", "_make_body")
    _body: bytes | None
    _make_body: Callable[[], bytes]

    def __init__(
        self,
        version: int,
        make_body: Callable[[], bytes],
        *,
        private: Mapping[int, Picture],
        public: Mapping[int, Picture],
        ticked: bool = False,
    ) -> None:
        # The base is frozen, also for us.
        for name, value in (
            ("version", version),
            ("private", private),
            ("public", public),
            ("ticked", ticked),
            ("_make_body", make_body),
            ("_body", None),
        ):
            object.__setattr__(self, name, value)

    @property
    def body(self) -> bytes:
        """`/api/table`, UTF-8."""
        if self._body is None:
            object.__setattr__(self, "_body", self._make_body())
        assert self._body is not None
        return self._body
