"""What a table publishes: one immutable snapshot after the other, and who is called with each."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock

from companion.table.ports import Line, Snapshot
from companion.table.screens import Screens, without_secrets
from companion.table.state import PAGE, TableState
from companion.views.model import Scene
from companion.views.page.odds import tell_odds
from companion.views.page.sight import in_sight


def make_snapshot(
    scene: Scene,
    table: TableState,
    screens: Screens,
    tell: Callable[[Scene], Line],
    *,
    ticked: bool,
) -> Snapshot:
    """The snapshot of a scene, its screens drawn; the body of the page is made when asked for."""
    waiting, has_more = table.waiting()[:PAGE], table.may_wait_longer
    screens.refresh(scene)
    dialogs = screens.dialogs()

    def make_body() -> bytes:
        races = [{"id": race.id, "name": race.name} for race in waiting]
        told = without_secrets(scene)
        view = {**tell(told), **in_sight(told, dialogs), "waiting": races}
        view["waiting_more"] = has_more
        return json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode("utf-8")

    return Snapshot(
        scene.version,
        make_body,
        host=next((info.seat for info in scene.seats if info.host), None),
        private=screens.pictures(),
        public=screens.public(),
        ticked=ticked,
        tell_seat=screens.tell(),
        tell_odds=lambda seat: tell_odds(scene, seat),
    )


class Published:
    """The latest snapshot, and who is called with each."""

    def __init__(self, first: Snapshot) -> None:
        self.latest = first
        self._listeners: tuple[Callable[[Snapshot], None], ...] = ()
        self._listening = Lock()

    def publish(self, shown: Snapshot) -> None:
        """Let this be the latest; in the table's thread."""
        self.latest = shown
        for listener in self._listeners:
            listener(shown)

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` with each snapshot; returns how to stop. From any thread."""
        with self._listening:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._listening:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop
