"""How long a contact bounces, out of when it moved.

The same for buttons on the Pi's own pins and on a pod (there in C, firmware/pod/bounce.c).
"""

from __future__ import annotations

from companion.frozen import dataclass
from companion.seats.pod.wire import ONE_BOUNCE_MS


@dataclass(slots=True)
class Bounce:
    """When the bounce of a contact began, its last move, the longest so far; milliseconds.

    Moves within `ONE_BOUNCE_MS` of one another are one bounce; fingers are slower.
    """

    began_ms: int = -1000
    last_ms: int = -1000
    longest_ms: int = 0

    def see(self, at_ms: int) -> None:
        """The contact moved.

        >>> contact = Bounce()
        >>> for at_ms in (100, 104, 112, 300):
        ...     contact.see(at_ms)
        >>> contact.longest_ms
        12
        """
        if at_ms - self.last_ms > ONE_BOUNCE_MS:
            self.began_ms = at_ms
        self.last_ms = at_ms
        self.longest_ms = max(self.longest_ms, at_ms - self.began_ms)
