"""Who is connected, and who makes room: nobody who comes is refused.

An address has a share of the connections and one of the streams. Over it, its own oldest one
that is silent has to go; where the whole machine is full, that of the address with the most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from companion.frozen import dataclass

CONNECTIONS: Final = 256
STREAMS: Final = 128


@dataclass(eq=False, slots=True)
class Guest:
    """A connection; `leave` ends it. It is busy while its request is carried out."""

    address: str
    leave: Callable[[], object]
    is_stream: bool = False
    is_busy: bool = False


class Shares:
    """The connections by address, each address's longest silent first.

    Args:
        most: of all addresses together.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._guests: dict[str, dict[Guest, None]] = {}

    def __iter__(self) -> Iterator[Guest]:
        return (guest for own in list(self._guests.values()) for guest in list(own))

    def __len__(self) -> int:
        return sum(map(len, self._guests.values()))

    def enter(self, guest: Guest) -> None:
        """Somebody comes, or comes to stay as a stream."""
        own = self._guests.setdefault(guest.address, {})
        own[guest] = None
        like = [one for one in own if one.is_stream == guest.is_stream]
        if len(like) > (STREAMS if guest.is_stream else CONNECTIONS):
            self._send_away(like)
        if len(self) > self._most:
            self.make_room()

    def spoke(self, guest: Guest) -> None:
        """Of its address it is now the one that has been silent for the shortest time."""
        own = self._guests.get(guest.address, {})
        if guest in own:
            del own[guest]
            own[guest] = None

    def leave(self, guest: Guest) -> None:
        """Somebody has gone; may be told twice."""
        own = self._guests.get(guest.address, {})
        own.pop(guest, None)
        if not own:
            self._guests.pop(guest.address, None)

    def make_room(self) -> bool:
        """Send somebody away; False where nobody is here."""
        most = max(self._guests.values(), key=len, default={})
        plain = [guest for guest in most if not guest.is_stream]
        self._send_away(plain if any(not guest.is_busy for guest in plain) else list(most))
        return bool(most)

    def _send_away(self, guests: list[Guest]) -> None:
        for guest in [one for one in guests if not one.is_busy][:1] or guests[:1]:
            self.leave(guest)
            guest.leave()
