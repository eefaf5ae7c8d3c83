"""What streams tell, as Server-Sent Events: a snapshot, what has changed of it, a sign of life."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from companion.table.ports import Snapshot

TABLE: Final = 0  # the topic of the whole table; a seat's number is that of its picture
CHANGES: Final = -1  # the table again: a snapshot first, then what changes of it
PAGES: Final = (TABLE, CHANGES)
TOLD_ONCE: Final = ("story", "log")
"""Lists to which sentences are added at the end and which lose old ones at the front."""


class Frames:
    """The events that tell of one snapshot, each encoded once for all who hear it.

    Args:
        before: those of the snapshot that pages were told last.
    """

    def __init__(self, snapshot: Snapshot, before: Frames | None = None) -> None:
        self.snapshot = snapshot
        self._before = before
        self._pictures: dict[int, bytes] = {}

    def whole(self, topic: int) -> bytes:
        """All there is to know, for somebody who knows nothing."""
        return self._table if topic in PAGES else self._picture(topic)

    def news(self, topic: int) -> bytes:
        """What there is to tell somebody who was told the one before."""
        return self._change if topic == CHANGES else self.whole(topic)

    def forget(self) -> None:
        """Everybody has been told: or every snapshot would hold all that were before it."""
        self._before = None

    def beat(self) -> bytes:
        """The sign of life."""
        return b'event: beat\ndata: {"version": %d}\n\n' % self.snapshot.version

    @cached_property
    def _table(self) -> bytes:
        data = self.snapshot.body.strip().replace(b"\n", b"\ndata: ")
        return b"event: table\nid: %d\ndata: %b\n\n" % (self.snapshot.version, data)

    @cached_property
    def _change(self) -> bytes:
        patch = change(self._before.told, self.told) if self._before else None
        if patch is None:
            return self._table
        data = json.dumps(patch, ensure_ascii=False, separators=(",", ":")).encode()
        return b"event: change\nid: %d\ndata: %b\n\n" % (self.snapshot.version, data)

    @cached_property
    def told(self) -> dict[str, Any]:
        """The snapshot as data."""
        told: dict[str, Any] = json.loads(self.snapshot.body)
        return told

    def _picture(self, seat: int) -> bytes:
        # Everybody may listen: not even how often a seat has turned a page behind a closed face.
        if seat not in self._pictures:
            picture = self.snapshot.public.get(seat)
            number = picture.number if picture else 0
            self._pictures[seat] = b'event: picture\ndata: {"picture": %d}\n\n' % number
        return self._pictures[seat]


def notice(texts: Mapping[str, str]) -> bytes:
    """A sentence for people at every page, by language."""
    return b"event: notice\ndata: %b\n\n" % json.dumps(texts, ensure_ascii=False).encode()


def change(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any] | None:
    """The merge patch from one snapshot to the next; of what is told once only what is new.

    None: sentences were taken back, or all are others; that a snapshot alone can say.

    >>> change({"version": 1, "log": ["a"]}, {"version": 2, "log": ["a", "b"]})
    {'version': 2, 'log': ['b']}
    """
    patch = merge_patch(before, after)
    for key in TOLD_ONCE:
        if key in patch:
            fresh = added(before.get(key) or [], after.get(key) or [])
            if fresh is None:
                return None
            patch[key] = fresh
    return patch


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What makes `after` of `before` (RFC 7396), where a key that is null is as none at all.

    >>> merge_patch({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 4, "d": 3}})
    {'a': None, 'b': {'c': 4}}
    """
    patch: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if old == value:  # most of it is, and need not be walked through
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            patch[key] = merge_patch(old, value)
        else:
            patch[key] = value
    return patch


def added(before: Sequence[Any], after: Sequence[Any]) -> list[Any] | None:
    """What came at the end of a list of which the front may be forgotten; None: it is another.

    >>> added(["a", "b", "c"], ["b", "c", "d"]), added(["a", "b"], ["a"])
    (['d'], None)
    """
    for fresh in range(len(after) + 1):
        kept = len(after) - fresh
        is_end = list(before[len(before) - kept :]) == list(after[:kept])
        if kept <= len(before) and is_end and (kept or not before):
            return list(after[kept:])
    return None
