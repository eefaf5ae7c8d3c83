"""The screens of all seats: each seat's dialog, its picture, and what its keys meant when.

Nothing is drawn twice: a seat whose view is the same keeps its picture, and equal views of
several seats share one drawing. A press names the picture that it was read from. The scenes
behind the last pictures are kept (they are immutable and cost a reference each), so that it
can be asked whether that key still means the same.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from companion.drawing.seat import draw_road
from companion.rules.lines import Line, Refusal
from companion.system.frozen import dataclass
from companion.table.commands import Proposal
from companion.table.lobby import SEATS
from companion.table.ports import Picture
from companion.table.race import Race, undoable
from companion.table.state import TableState
from companion.views import dialog as dialogs
from companion.views.dialog import BRIEF_S, meaning, public_face, settled, show
from companion.views.model import Advise, Ailing, Intent, Pace, Scene, SeatInfo, SeatView
from companion.views.page import seat_view
from companion.views.screen import HOME, Dialog, Lamp, going_on, lamp_of, views_of_game

KEPT = 32
"""Pictures of a seat whose meaning is remembered; a press from an older one is dropped."""
DRAWN = 64
"""Drawings kept for views that come back."""
APART = 1 << 23
"""How far the numbers of public faces lie from those of the pictures, once they differ: a phone
that is told a number must not take it for that of another picture which it shows."""
HELD = (1, 6)
"""Buttons that mean the same on every picture while they are held."""

Draw = Callable[[SeatView], bytes]


@dataclass(frozen=True, slots=True)
class Press:
    """A button of a seat was released; `picture` is the number that it was read from."""

    seat: int
    button: int
    hold: bool
    picture: int | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a seat's screen shows, and all that its keys depend on.

    `faced` is the number of its public face, which counts on its own: a seat that turns pages
    behind a closed face gives nobody anything to count.
    """

    picture: Picture
    faced: int
    view: SeatView
    about: tuple[str, ...]
    scene: Scene
    dialog: Dialog

    def is_still(
        self, scene: Scene, view: SeatView, about: tuple[str, ...], dialog: Dialog, lamp: Lamp
    ) -> bool:
        """Whether what is to be shown now looks the same, and its keys depend on the same; and a
        clock that a phone lets run by itself still ends when it did."""
        shown = (self.view, self.about, self.dialog, self.picture.lamp)
        return shown == (view, about, dialog, lamp) and _runs_on(self.scene.pace, scene.pace)

    def hides(self, view: SeatView, about: tuple[str, ...]) -> bool:
        """Whether that view would look the same to everybody else: behind one closed face.

        Only the seat's own presses do that, and its own device looks again anyway. A refusal is
        no secret: others' presses end it too, and everybody sees its lamp.
        """
        is_closed = view.face is not None and view.face == self.view.face
        return is_closed and self.about == about and self.view.blink == view.blink


MOVED_S = 0.5
"""A turn's time whose end has moved by this much is another one."""


def _runs_on(before: Pace | None, now: Pace | None) -> bool:
    """Whether a phone that lets the clock published before run on is still right."""
    if before is None or now is None:
        return before is now
    then, still = (
        (one.seat, one.running, one.flagged, one.rung, one.paused) for one in (before, now)
    )
    if then != still:
        return False
    if now.running and now.ends is not None and before.ends is not None:
        return abs(now.ends - before.ends) < MOVED_S
    return now.left_s == before.left_s


class Screens:
    """The screens of one table.

    Args:
        draw: from a view to 1024 bytes.
        number: pictures of each seat are counted from here; higher than any of an earlier start.
    """

    def __init__(self, draw: Draw, number: int) -> None:
        self._draw = draw
        self._first = number
        self._numbers: defaultdict[int, int] = defaultdict(lambda: number)
        self._faced: defaultdict[int, int] = defaultdict(lambda: number)
        self._dialogs: dict[int, Dialog] = {}
        self._shown: dict[int, Shown] = {}
        self._kept: dict[int, OrderedDict[int, Shown]] = {}
        self._drawn: OrderedDict[SeatView, bytes] = OrderedDict()
        self._pace: Pace | None = None

    def refresh(self, scene: Scene) -> None:
        """Show a new scene on every screen; seats that are not in it have none."""
        self._pace = scene.pace
        seats = [info.seat for info in (*scene.seats, *scene.guests)]
        for gone in self._shown.keys() - set(seats):
            del self._shown[gone], self._kept[gone]
            self._dialogs.pop(gone, None)
        for seat in seats:
            self._show(scene, seat)

    def pictures(self) -> dict[int, Picture]:
        """The picture of each seat, for that seat alone."""
        return {seat: shown.picture for seat, shown in self._shown.items()}

    def public(self) -> Mapping[int, Picture]:
        """The pictures that everybody may see; drawn when somebody looks."""
        return _PublicFaces(dict(self._shown), self._draw)

    def tell(self) -> Callable[[int, bool], Line]:
        """What tells a seat's page as it is shown now."""
        return partial(_tell_seat, dict(self._shown), self._pace)

    def still_means(self, scene: Scene, press: Press) -> bool:
        """Whether a button still does what it did on the picture that it was read from."""
        seat, number = press.seat, press.picture
        if press.hold and press.button in HELD:
            return True
        if number is None or seat not in self._kept or number not in self._kept[seat]:
            return False
        then = self._kept[seat][number]
        # The ordinary case, which needs no working out of what two pictures mean.
        if then.scene is scene and then.dialog == self.dialog(seat):
            return True
        now = meaning(scene, seat, self.dialog(seat))
        return meaning(then.scene, seat, then.dialog)[press.button - 1] == now[press.button - 1]

    def press(self, scene: Scene, press: Press) -> tuple[Intent, ...]:
        """Let a press move the seat's dialog on; what the table shall do."""
        seat, dialog = press.seat, self.dialog(press.seat)
        self._dialogs[seat], intents = dialogs.press(scene, seat, dialog, press.button, press.hold)
        return intents

    def dialog(self, seat: int) -> Dialog:
        """How far the seat has come."""
        return self._dialogs.get(seat, HOME)

    def only_tells(self, scene: Scene, seat: int) -> bool:
        """Whether every button of the seat's page does nothing but turn it."""
        return dialogs.only_tells(scene, seat, self.dialog(seat))

    def dialogs(self) -> Mapping[int, Dialog]:
        """How far each seat has come."""
        return dict(self._dialogs)

    def put_back(self, seat: int, dialog: Dialog) -> None:
        """The page that a refused press was made on."""
        self._dialogs[seat] = dialog

    def _show(self, scene: Scene, seat: int) -> None:
        dialog = settled(scene, seat, self.dialog(seat))
        self._dialogs[seat] = dialog
        view = show(scene, seat, dialog)
        about = going_on(scene, seat, dialog.target)
        lamp = lamp_of(scene, seat)
        before = self._shown.get(seat)
        if before and before.is_still(scene, view, about, dialog, lamp):
            return
        self._numbers[seat] += 1
        picture = Picture(self._numbers[seat], self._bitmap(view), lamp)
        faced = self._next_face(seat, hidden=before is not None and before.hides(view, about))
        shown = Shown(picture, faced, view, about, scene, dialog)
        self._shown[seat] = shown
        kept = self._kept.setdefault(seat, OrderedDict())
        kept[picture.number] = shown
        if len(kept) > KEPT:
            kept.popitem(last=False)

    def _next_face(self, seat: int, *, hidden: bool) -> int:
        """The number of a seat's public face, which goes up unless the change is hidden by it."""
        if not hidden:
            # Both count alike until something was hidden; from then on they must never meet again.
            is_apart = self._faced[seat] + 1 != self._numbers[seat]
            self._faced[seat] += 1
            if is_apart and self._faced[seat] < APART + self._first:
                self._faced[seat] += APART
        return self._faced[seat]

    def _bitmap(self, view: SeatView) -> bytes:
        bitmap = self._drawn.get(view)
        if bitmap is None:
            bitmap = self._drawn[view] = self._draw(view)
            if len(self._drawn) > DRAWN:
                self._drawn.popitem(last=False)
        return bitmap


def _tell_seat(shown: Mapping[int, Shown], pace: Pace | None, seat: int, own: bool) -> Line:
    """A seat's page as a phone shows it, made when it is asked for; threads may ask."""
    its = shown[seat]
    # A picture that looks the same keeps its old scene, but its clock has gone on since.
    scene = its.scene if pace is None else replace(its.scene, pace=pace)
    view = seat_view(scene, seat, its.dialog, draw_road, own=own)
    return {"picture": its.picture.number if own else its.faced, **view}


class _PublicFaces(Mapping[int, Picture]):
    """Pictures without secrets, drawn on demand: most are never looked at. Threads may read."""

    def __init__(self, shown: dict[int, Shown], draw: Draw) -> None:
        self._shown = shown
        self._draw = draw

    def __getitem__(self, seat: int) -> Picture:
        shown = self._shown[seat]
        face = public_face(shown.view)
        if face == shown.view:
            return replace(shown.picture, number=shown.faced)
        return replace(shown.picture, number=shown.faced, bitmap=self._draw(face))

    def __iter__(self) -> Iterator[int]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

    # `Mapping` would draw the picture to find out.
    def __contains__(self, seat: object) -> bool:
        return seat in self._shown


# -- the scene that all views are a function of ---------------------------------------------------

Links = Callable[[int], str]
Dead = Mapping[int, Ailing]
"""Seats that cannot be reached, and why."""
_ALL_WELL: Dead = MappingProxyType({})


def make_scene(
    table: TableState,
    refused: Mapping[int, Refusal],
    link: Links,
    dead: Dead = _ALL_WELL,
    watch: Mapping[str, int] | None = None,
    buttons: frozenset[int] = frozenset(),
    advise: Advise | None = None,
) -> Scene:
    """The scene of the table, with the links of the seats, which are secret.

    `buttons` are the seats that have real ones, which everybody sees pressed; `advise` is left out
    of a race without advice.
    """
    race = table.race
    if race is None:
        names = {seat: table.lobby.joined.get(seat, str(seat)) for seat in SEATS}
        seats = _seats(table, names, link, dead, buttons)
        lobby, words = table.lobby, _as_json(refused)
        return Scene(table.version, seats, lobby=lobby, refused=words, disk=table.lost)
    return Scene(
        version=race.engine.version,
        seats=_seats(table, race.names, link, dead, buttons),
        header=race.header,
        track=race.engine.track,
        card=race.engine.card,
        state=race.engine.visible,
        asks=race.engine.open_asks,
        old={key: values[0] for key, values in race.old.items()},
        log=tuple(race.log),
        refused=_as_json({**race.words, **refused}),
        proposal=_of_proposal(race.proposal) if race.proposal else None,
        preset=dict(race.preset),
        own={seat: race.engine.own(seat) for seat in race.seats},
        paused=race.paused,
        watch=watch,
        race=race.id,
        disk=table.lost,
        undoable=undoable(race),
        fastest=race.fastest,
        guests=_guests(table, race, buttons, dead),
        advise=advise if race.beside.advice else None,
    )


def _guests(
    table: TableState, race: Race, buttons: frozenset[int], dead: Dead
) -> tuple[SeatInfo, ...]:
    """The seats with buttons that may still come into the race, without their links."""
    if race.is_finished or not views_of_game(race.header["game"]).takes_late:
        return ()
    free = {seat: str(seat) for seat in sorted(buttons - set(race.seats))}
    return _seats(table, free, lambda seat: "", dead, buttons)


def _as_json(refused: Mapping[int, Refusal]) -> dict[int, Line]:
    return {seat: refusal.as_json() for seat, refusal in refused.items()}


def _of_proposal(proposal: Proposal) -> Line:
    return {key: value for key, value in proposal.line.items() if key != "table"}


def without_secrets(scene: Scene) -> Scene:
    """The scene as the page may tell it: no links, nothing that is one seat's own."""
    seats = tuple(replace(info, link="") for info in scene.seats)
    return replace(scene, seats=seats, own={}, old={})


def _seats(
    table: TableState, names: Mapping[int, str], link: Links, dead: Dead, buttons: frozenset[int]
) -> tuple[SeatInfo, ...]:
    return tuple(
        SeatInfo(
            seat,
            name,
            table.languages.get(seat, "en"),
            alive=seat not in dead,
            host=seat == table.host,
            link=link(seat),
            ailing=dead.get(seat),
            buttons=seat in buttons,
            power=seat in buttons and table.switch is not None,
        )
        for seat, name in names.items()
    )


# -- what hangs on the time -----------------------------------------------------------------------

REST_S = 0.5
"""How long the keys rest behind a page that only told."""


class PageTimers:
    """Pages that close by themselves, and keys that rest, by the table's clock.

    A page that only tells is turned by any button, and whoever turns the last one is about to press
    again: what comes next must not take that press for an answer. A page that shows a secret is
    shown for a moment only.
    """

    def __init__(self) -> None:
        self._rests: dict[int, float] = {}
        self._closes: dict[int, float] = {}

    def turned(self, seat: int, page: str, at: float, *, rests: bool) -> None:
        """A press has turned to this page; `rests`: from one that only tells to one that asks."""
        self._closes.pop(seat, None)
        if page in BRIEF_S:
            self._closes[seat] = at + BRIEF_S[page]
        if rests:
            self._rests[seat] = at + REST_S

    def rests(self, seat: int, at: float) -> bool:
        """Whether the seat's keys rest."""
        return at < self._rests.get(seat, at)

    def take_due(self, at: float) -> list[int]:
        """The seats whose page closes now."""
        due = [seat for seat, until in self._closes.items() if until <= at]
        for seat in due:
            del self._closes[seat]
        return due

    def until_next_s(self, at: float) -> float | None:
        """How long until a page closes; None: none does."""
        return max(0.0, min(self._closes.values()) - at) if self._closes else None
