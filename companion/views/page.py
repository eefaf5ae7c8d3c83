"""What the page and the phones get: the body of `/api/table`, and of `/api/seat/N/view`.

Of a table's body `version`, `race`, `state`, `asks` and `log` are the contract; the rest spares the
page from knowing rules: who sits where, who has to do what in words, and the story in every
language with the rule behind each sentence. No link, no token, no secret is in it. What a move
changes of a seat stands in `standing` under its number, apart from `seats`, since a merge patch
sends a list whole or not at all.

A phone shows the very page of its seat's small screen, in words that need not fit it: what a key
says here and what its button does there cannot part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from companion.rules.board.track import Track
from companion.rules.game import OpenAsk
from companion.rules.games import fetch
from companion.rules.lines import Answer
from companion.system.frozen import dataclass
from companion.views import screen
from companion.views.dialog import talk_of
from companion.views.lobby import lobby_view, people
from companion.views.model import Key, Mark, Pip, Scene, SeatInfo
from companion.views.options import color_of
from companion.views.words import LANGUAGES, Words, phrase, words
from companion.views.words.refusals import disk_text, trouble_text

# -- what everybody may see -----------------------------------------------------------------------


LAST = 30
"""Sentences of the story that a snapshot carries."""


def table_view(scene: Scene) -> dict[str, object]:
    """The table as JSON; `race` is the header of the race, None while it is being set up."""
    # In all languages at once: one body is sent to every page, and each reads its own.
    story = {code: last_sentences(scene, words(code), LAST) for code in LANGUAGES}
    return {
        "version": scene.version,
        "race": _race(scene),
        "id": scene.race,
        # Every game's body has this key; the game's own part, at the end, puts in what it knows.
        "title": None,
        "state": None if scene.state is None else fetch(screen.game_of(scene)).tell(scene.state),
        "asks": [ask.line for ask in scene.asks],
        "log": [sentence.text for sentence in story["en"]],
        "story": [
            {"rule": rows[0].rule, "seat": rows[0].seat}
            | {code: row.text for code, row in zip(story, rows, strict=True)}
            for rows in zip(*story.values(), strict=True)
        ],
        "news": _news(scene),
        "moved": _moved(scene),
        "seats": [_seat(scene, info) for info in scene.seats],
        "standing": {
            str(i.seat): screen.views_of(scene).of_seat(scene, i.seat) for i in scene.seats
        },
        "tasks": _tasks(scene),
        "lobby": lobby_view(scene),
        "paused": scene.paused,
        "proposal": dict(scene.proposal) if scene.proposal else None,
        "clock": screen.clock_of_table(scene),
        "minutes_left": scene.minutes_left,
        "minutes_span": scene.minutes_span,
        "waits": _waits(scene),
        "disk": _disk(scene),
        **screen.views_of(scene).of_table(scene),
    }


def _waits(scene: Scene) -> dict[str, dict[str, int]] | None:
    """Who waited for whom in a race that is over, by seat, in seconds; None: nobody ever did."""
    waits = {str(seat): {"kept": kept, "waited": own} for seat, (kept, own) in scene.waits.items()}
    return waits or None


def _race(scene: Scene) -> dict[str, object] | None:
    """The header as it was given, of a rules pack its name only.

    Where a game has secrets it is without the position, which may have some too.
    """
    if scene.header is None:
        return None
    left_out = ("position",) if screen.secret_kinds(scene) else ()
    header = {key: value for key, value in scene.header.items() if key not in left_out}
    return header | ({"pack": {"name": header["pack"]["name"]}} if "pack" in header else {})


def _seat(scene: Scene, info: SeatInfo) -> dict[str, object]:
    """A seat: who sits there, and whether it can be reached."""
    return {
        "seat": info.seat,
        "name": info.name,
        "language": info.language,
        "alive": info.alive,
        "trouble": _trouble(info),
        "host": info.host,
        "buttons": info.buttons,
        "color": color_of(scene, info.seat),
    }


def _trouble(info: SeatInfo) -> dict[str, str] | None:
    """Why a seat cannot be reached, in every language; None: it can, or nobody knows."""
    if info.ailing is None:
        return None
    return {code: trouble_text(info.ailing, words(code)) for code in LANGUAGES}


def _disk(scene: Scene) -> dict[str, str] | None:
    """What is wrong with the disk, in every language, and the key of the worst; None: nothing."""
    if not scene.disk:
        return None
    return {"key": scene.disk[0].key} | {
        code: disk_text(scene.disk, words(code)) for code in LANGUAGES
    }


def _tasks(scene: Scene) -> list[dict[str, object]]:
    """Who has to do what, in words of every language, in the order of the asks."""
    return [
        {"seat": ask.seat, "kind": ask.kind}
        | {code: _task(scene, ask, words(code)) for code in LANGUAGES}
        for ask in scene.asks
    ]


def _task(scene: Scene, ask: OpenAsk, say: Words) -> str:
    name, asks = (
        screen.name_of(scene, ask.seat) if ask.seat else say("the table"),
        screen.views_of(scene).asks,
    )
    return say(asks[ask.kind].task if ask.kind in asks else phrase("{name} is asked"), name=name)


# -- a seat, as a phone shows it ------------------------------------------------------------------


DrawRoad = Callable[[screen.Road], dict[str, object]]


def seat_view(
    scene: Scene, seat: int, dialog: screen.Dialog, draw: DrawRoad, *, own: bool
) -> dict[str, object]:
    """The seat's page as JSON, without the number of its picture; not `own`: its public face."""
    talk, page = talk_of(scene, seat, dialog)
    shown = page if own else page.face or page
    # The road shows what the keys do, so it would tell others the secret.
    has_road = own or page.face is None
    game, is_result = screen.views_of(scene), _is_result(talk)
    kind = _kind(page)
    road = game.road(talk, page.choices) if has_road and kind in ON_THE_ROAD else None
    choices = _choices(talk, page) if own else []
    return {
        "language": talk.say.language,
        "who": _who(talk),
        "clock": screen.clock_of_seat(scene, seat),
        "title": shown.whole or shown.title,
        "where": _where(talk, page, road),
        "lines": [line for line in (shown.lines if shown.tells is None else shown.tells) if line],
        "kind": kind,
        "keys": _keys(talk, shown, own=own),
        "choices": choices,
        "form": page.form if own else None,
        "undo": own and _can_undo(talk),
        "menu": own,
        "map": _map(scene, road, draw) if road else None,
        "asked": talk.ask.kind if own and talk.ask and not talk.dialog.page else None,
        "throws": game.throws(talk) if own else None,
        "thrown": _thrown(scene, seat),
        "cards": game.cards(talk) if own and scene.state is not None else None,
        "wear": [_pip(pip) for pip in shown.pips],
        "refused": shown.blink,
        "code": own and bool(shown.qr),
        "row": choices if len(choices) > screen.KEYS else [],
        "write": page.write if own else "",
        "around": people(talk) or (None if shown.blink else game.around(talk, shown)),
        "finish": game.finish(talk) if is_result else None,
    }


def _thrown(scene: Scene, seat: int) -> Mapping[str, object] | None:
    """What the companion has thrown for this seat, where no other die has fallen since."""
    die = screen.views_of(scene).thrown(scene)
    return die if die is not None and die["seat"] == seat else None


RESULT = ("", "result")
"""The pages of a seat that show how a race has ended."""


def _is_result(talk: screen.Talk) -> bool:
    """Whether the seat looks at the result of a race that is over."""
    outline = screen.outline_of(talk.scene)
    is_over = outline is not None and outline.is_over and not talk.scene.paused
    return is_over and talk.dialog.page in RESULT


def _who(talk: screen.Talk) -> dict[str, object]:
    """Whose seat it is, and its car in figures; null what it has not."""
    scene, seat = talk.scene, talk.seat
    lobby = scene.lobby if scene.state is None else None
    name = lobby.joined.get(seat, "") if lobby else screen.name_of(scene, seat)
    game = screen.views_of_game(lobby.game) if lobby else screen.views_of(scene)
    standing = game.standing(scene, seat) if scene.state is not None else None
    own = None if game.paints else color_of(scene, seat)
    colors = game.paints(scene, seat) if game.paints else (own,)
    figures = standing._asdict() if standing else dict.fromkeys(("place", "lap", "laps", "gear"))
    return {
        "name": name or talk.say("Seat {n}", n=seat),
        "color": own,
        "colors": [*colors],
        **figures,
    }


def _where(talk: screen.Talk, page: screen.Screen, road: screen.Road | None) -> str | None:
    """What is asked where one touch tells the die too: on the road, or on a form."""
    if page.kind == "faces" and page.form is not None:
        return talk.in_full(talk.say("How did it go?"))
    is_told = road is not None and road.asked == "roll"
    return talk.in_full(talk.say("Where did your car end?")) if is_told else None


def _map(scene: Scene, road: screen.Road, draw: DrawRoad) -> dict[str, object]:
    """The road, with the version that its answers are for and the colors of the cars."""
    colors = {str(seat): color_of(scene, seat) for seat in (road.seat, *road.cars)}
    return draw(road) | {"version": scene.version, "colors": colors}


def _pip(pip: Pip) -> dict[str, object]:
    return {"name": pip.word or pip.name, "left": pip.left, "full": pip.full}


def _can_undo(talk: screen.Talk) -> bool:
    return talk.scene.state is not None and (
        bool(talk.dialog.page) or talk.dialog.target != 0 or talk.seat in talk.scene.undoable
    )


def _keys(talk: screen.Talk, page: screen.Screen, *, own: bool) -> list[dict[str, object]]:
    """The six keys in the order of their buttons; where every button does the same, only one."""
    choices = page.choices
    # One key gets the whole gate: five empty places would tell a phone nothing.
    if all(choice is not None and choice.key is None for choice in choices):
        go = talk.say("next") if page.go is None else page.go
        choices = (screen.Choice(Key(go)) if go else None, *(None,) * (len(choices) - 1))
    return [_key(button, choice, own=own) for button, choice in enumerate(choices, 1)]


MARKS: Mapping[Mark, str] = {"free": "free", "costs": "costly", "out": "out"}
"""What a key's mark is called in the contract; of any other it has none."""
SIGNS: tuple[Mark, ...] = ("old", "more", "back")


def _key(button: int | None, choice: screen.Choice | None, *, own: bool) -> dict[str, object]:
    key = choice.key if choice else None
    if key is None:
        return {"button": button, "label": "", "hint": "", "mark": None, "enabled": False,
                "sign": None}  # fmt: skip
    return {
        "button": button,
        "label": key.full or key.label,
        "hint": key.says or key.hint,
        "mark": MARKS.get(key.price or key.mark),
        "enabled": own,
        "sign": key.mark if key.mark in SIGNS else None,
    }


ON_THE_ROAD = ("lanes", "faces")
"""The kinds of choice that a phone has the road for."""


def _kind(page: screen.Screen) -> screen.Kind:
    """What kind of choice a page is; where it does not say so, two answers are halves."""
    if page.kind is not None:
        return page.kind
    found = [choice for choice in page.choices if choice and choice.key]
    if any("paint" in choice.about for choice in found):
        return "cars"
    answers = [choice for choice in found if any(isinstance(one, Answer) for one in choice.does)]
    return "yes-no" if len(answers) == len(found) == 2 else "list" if found else "tell"


def _choices(talk: screen.Talk, page: screen.Screen) -> list[dict[str, object]]:
    """What a phone lays out: the six keys, or all of a longer list whose answers need none.

    `answer` is what is posted to give it, `seat` for which; where there is a `button` a press of
    that does it too, and whatever else the key does.
    """
    buttons = {id(choice): button for button, choice in enumerate(page.choices, 1) if choice}
    whole = page.row or getattr(page.choices, "whole", ())
    given = [choice for choice in whole if choice]
    can_all = all(id(choice) in buttons or _answer(talk, choice) for choice in given)
    return [
        {**_key(buttons.get(id(choice)), choice, own=True), "answer": _answer(talk, choice),
         "of": _of(choice), **choice.about}
        for choice in (given if given and can_all else page.choices)
        if choice and choice.key
    ]  # fmt: skip


def _answer(talk: screen.Talk, choice: screen.Choice) -> dict[str, object] | None:
    """What is posted for a seat to give what a choice gives for it; None: it gives no answer."""
    own = [one for one in choice.does if isinstance(one, Answer) and one.seat in (0, talk.seat)]
    return {own[0].kind: own[0].value} if own else None


def _of(choice: screen.Choice) -> int | None:
    """The seat whose answer it is."""
    return next((one.seat for one in choice.does if isinstance(one, Answer)), None)


# -- the seats' keys on the board -----------------------------------------------------------------


MOVES = ("move", "slipstream")


def in_sight(scene: Scene, dialogs: Mapping[int, screen.Dialog]) -> dict[str, object]:
    """`keyed`: the ends that a button gives now; `ghosts`: where a seat says that a car stands.

    So whoever plays by buttons finds the button by looking at the road.
    """
    keyed: list[dict[str, object]] = []
    ghosts: list[dict[str, object]] = []
    moving = [ask.seat for ask in scene.asks if ask.kind in MOVES and ask.seat in dialogs]
    for seat in dict.fromkeys(moving):
        talk, page = talk_of(scene, seat, dialogs[seat])
        road = screen.views_of(scene).road(talk, page.choices)
        # The board is there for everybody, so what only one seat may see stays off it.
        if road is None or page.face is not None:
            continue
        ids = road.track.ids
        keyed += [
            {"seat": seat, "to": ids[end.to], "button": end.button, "mark": end.price}
            for end in road.ends
            if end.button is not None
        ]
        if road.ghost is not None:
            ghosts.append({"seat": road.seat, "space": ids[road.ghost]})
    return {"keyed": keyed, "ghosts": ghosts}


# -- the story of a race --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence:
    """One event told: the words, the id of the rule (None: no rule), the seat (0: the table)."""

    text: str
    rule: str | None
    seat: int


def tell(event: screen.Event, scene: Scene, say: Words) -> Sentence:
    """The sentence of one event: of its name and, where it can go two ways, of what came of it.

    An event that nobody has put into words is told by its bare name.
    """
    name, seat, rule = str(event["event"]), int(event.get("seat") or 0), event.get("rule")
    story = screen.views_of(scene).story
    outcome = story.outcomes[name](event) if name in story.outcomes else ""
    template = story.sentences.get((name, outcome)) or story.sentences.get((name, ""))
    if template is None:
        return Sentence(name, rule, seat)
    text = say(template, **story.parts(event, scene, say))
    # A German ordinal has a full stop of its own: "links, 3." ends a sentence as well.
    return Sentence(text[:-1] if text.endswith("..") else text, rule, seat)


def last_sentences(scene: Scene, say: Words, most: int = 30) -> list[Sentence]:
    """The end of the story, oldest first."""
    quiet = screen.views_of(scene).story.quiet
    # From the end: a log may be long, and only its last sentences are wanted.
    loud = (event for event in reversed(scene.log) if event["event"] not in quiet)
    names = tuple(screen.name_of(scene, info.seat) for info in scene.seats)
    last = list(islice(loud, most))
    return [_sentence(event, scene, say, names) for event in reversed(last)]


NEWS = 3
"""As much as one answer may bring; the whole of it goes out with each change."""


def _news(scene: Scene) -> list[dict[str, object]]:
    """What of the story is news for a room, oldest first; `heard`: for ears alone.

    That somebody has taken back is news (`back`) until the race goes on.
    """
    story, log = screen.views_of(scene).story, scene.log
    books = story.quiet | story.books
    told = (
        one
        for one in reversed(log)
        if one["event"] not in books and (one["event"] != "TakenBack" or one is log[-1])
    )
    news = [*islice(told, NEWS)][::-1]
    names = tuple(screen.name_of(scene, info.seat) for info in scene.seats)
    return [
        {"seat": int(event.get("seat") or 0)}
        | ({"heard": True} if event["event"] in story.heard else {})
        | ({"back": True} if event["event"] == "TakenBack" else {})
        | {code: _sentence(event, scene, words(code), names).text for code in LANGUAGES}
        for event in news
    ]


def _moved(scene: Scene) -> dict[str, int]:
    """How far each car went with its last move, by its seat, as far back as the story goes."""
    moves = (one for one in scene.log if one["event"] == "Moved" and one.get("spaces") is not None)
    return {str(one["seat"]): int(one["spaces"]) for one in moves}


# Each answer asks for the last sentences in every language, and nearly all are as they were.
_MADE: dict[tuple[int, str], tuple[screen.Event, Track | None, tuple[str, ...], Sentence]] = {}
_MOST_MADE = 1024


def _sentence(event: screen.Event, scene: Scene, say: Words, names: tuple[str, ...]) -> Sentence:
    """The sentence of an event of the log, made once: an event never changes.

    Known by the event's identity; as the event is kept beside its sentence, that of another
    cannot be the same. Names and board are those of the scene it was told in.
    """
    key = id(event), say.language
    known = _MADE.get(key)
    if known and known[0] is event and known[1] is screen.board_of(scene) and known[2] == names:
        return known[3]
    if len(_MADE) >= _MOST_MADE:
        # All at once: the sentences that are still wanted, some ninety, are soon made again.
        _MADE.clear()
    sentence = tell(event, scene, say)
    _MADE[key] = event, screen.board_of(scene), names, sentence
    return sentence


# -- odds -----------------------------------------------------------------------------------------


def tell_odds(scene: Scene, seat: int) -> Mapping[str, object] | None:
    """The odds of each gear that a seat may roll with next; None: the race is without advice.

    `gears` have chances and expected turns, each language its sentences, in the order of the gears.
    """
    if scene.advise is None:
        return None
    return {"version": scene.version, "seat": seat, **screen.views_of(scene).odds(scene, seat)}
