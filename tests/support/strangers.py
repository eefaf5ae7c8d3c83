"""What plugins of these tests, which are modules of their own, share with the tests."""

from __future__ import annotations

from queue import Queue
from threading import Event
from typing import Any

HEARD: Queue[Any] = Queue()
"""What listeners were told."""
STUCK, GO_ON = Event(), Event()
"""A plugin that hangs has begun to; it may end."""
