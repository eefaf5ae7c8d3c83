"""What a header may bring with it beside the race itself: a rules pack, bots, dice, colors.

A rules pack is how a club plays, as TOML with its `name`, the `game` that it is for and, as far as
it says anything, `laps`, optional `rules` and the values of house switches (`[house]`); `about` and
`source` are for people. It says nothing that a header could not say itself, and what the header
says wins over it. So no rule knows of packs: a header is read as if it had said all of it
(`with_pack`).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.rules.game import Choices
from companion.rules.games import NAMES, choices_of, name_in
from companion.rules.lines import bad, one_of, only_keys, read_name, whole
from companion.system.frozen import dataclass

LARGEST = 32 * 1024
"""Characters of a pack; the longest that ships has 2,000."""
LONGEST_TEXT = 400
PACK_KEYS = ("name", "game", "about", "source", "laps", "rules", "house")
MOST_LAPS = 10


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack that is sound; `laps` and `rules` are None where it says nothing of them."""

    name: str
    game: str
    about: str
    source: str
    laps: int | None
    rules: tuple[str, ...] | None
    house: Mapping[str, str]


def read_pack(text: str) -> Pack:
    """The pack that a text is.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    data = _as_toml(text)
    only_keys(data, PACK_KEYS, "a rules pack")
    name = read_name(data.get("name"), "the name of a rules pack")
    game = name_in(data)
    choices = choices_of(game)
    laps, rules = data.get("laps"), data.get("rules")
    return Pack(
        name,
        game,
        _read_text(data, "about"),
        _read_text(data, "source"),
        None if laps is None else whole(laps, "laps", 1, MOST_LAPS),
        None if rules is None else _read_rules(rules, choices),
        _read_house(data.get("house", {}), choices),
    )


def format_pack(pack: Pack) -> str:
    """The TOML of a pack; read it with `read_pack` before it is kept.

    >>> text = format_pack(Pack("Ours", "formula-d", "", "", 2, (), {"slipstream_chain": "one"}))
    >>> read_pack(text).house
    {'slipstream_chain': 'one'}
    """
    said = {"name": pack.name, "game": pack.game, "about": pack.about, "source": pack.source}
    lines = [f"{key} = {_quoted(text)}" for key, text in said.items() if text]
    if pack.laps is not None:
        lines.append(f"laps = {pack.laps}")
    if pack.rules is not None:
        lines.append(f"rules = [{', '.join(map(_quoted, pack.rules))}]")
    house = [f"{name} = {_quoted(value)}" for name, value in pack.house.items()]
    return "\n".join([*lines, "", "[house]", *house, ""])


def _quoted(text: str) -> str:
    """A string of TOML: of what can be shown it escapes as JSON does."""
    return json.dumps(text, ensure_ascii=False)


def _as_toml(text: str) -> Mapping[str, object]:
    if len(text) > LARGEST:
        bad("pack-form", f"a rules pack has up to {LARGEST} characters, not {len(text)}")
    try:
        return tomllib.loads(text)
    # tomllib recurses, so what is nested too deep ends in a RecursionError.
    except (ValueError, RecursionError) as error:
        why = str(error) or type(error).__name__
        bad("pack-form", f"a rules pack is TOML, and this is none: {why:.120}")


def _read_text(data: Mapping[str, object], key: str) -> str:
    text = data.get(key, "")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or not text.isprintable():
        bad("pack-form", f"{key} of a rules pack is a line of up to {LONGEST_TEXT} characters")
    return text


def _read_rules(data: object, choices: Choices) -> tuple[str, ...]:
    if not isinstance(data, list):
        bad("rules-form", f"rules is a list of names, not {data!r:.60}")
    known = tuple(choices.optional_rules)
    return tuple(one_of(rule, "a rule of the pack", known) for rule in data)


def _read_house(data: object, choices: Choices) -> dict[str, str]:
    if not isinstance(data, dict):
        bad("house-form", f"house is a table of switches, not {data!r:.60}")
    only_keys(data, choices.house, "house")
    chosen = {
        name: one_of(as_word(value), name, tuple(choices.house[name]))
        for name, value in data.items()
    }
    refuse_clashes(chosen, choices)
    return chosen


def as_word(value: object) -> object:
    """A value as the word that the switch takes; TOML has numbers and true too."""
    # Before numbers, since true is one to Python.
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if isinstance(value, int) else value


def clashes(chosen: Mapping[str, object], choices: Choices) -> Iterator[tuple[str, str, str]]:
    """The pairs of switches that contradict each other, by name, each with the reason."""
    now = {name: chosen.get(name, values[0]) for name, values in choices.house.items()}
    for clash in choices.clashes:
        if now.get(clash.one[0]) == clash.one[1] and now.get(clash.other[0]) == clash.other[1]:
            yield clash.one[0], clash.other[0], clash.why


def refuse_clashes(chosen: Mapping[str, object], choices: Choices) -> None:
    """Refuse switches of which one leaves no room for the other.

    Raises:
        Malformed: naming both, with the reason.
    """
    for one, other, why in clashes(chosen, choices):
        message = f"the house switches {one} and {other} contradict each other: {why}"
        bad("switches-clash", message, one=one, other=other)


def _pack_in(data: object) -> tuple[str, str]:
    """Name and text of the `pack` of a header.

    Raises:
        Malformed: it has not these two.
    """
    name = data.get("name") if isinstance(data, Mapping) else None
    text = data.get("toml") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or not isinstance(text, str):
        bad("pack-form", f'pack is {{"name": …, "toml": the text}}, not {data!r:.60}')
    assert isinstance(data, Mapping)
    only_keys(data, ("name", "toml"), "pack")
    return name, text


def as_at_a_table(header: Mapping[str, object]) -> Mapping[str, object]:
    """A header that says itself what a table plays where header and pack are silent.

    So the record of it needs no default. What is no header is returned as it is.

    Raises:
        Malformed: its pack is no rules pack.
    """
    game, own = header.get("game"), header.get("house", {})
    if game not in NAMES or not isinstance(own, Mapping):
        return header
    said = {**_house_of_pack(header), **own}
    usual = choices_of(str(game)).at_the_table
    house = {name: value for name, value in usual.items() if name not in said}
    return {**header, "house": {**house, **own}} if house else header


def _house_of_pack(header: Mapping[str, object]) -> Mapping[str, str]:
    return read_pack(_pack_in(header["pack"])[1]).house if "pack" in header else {}


def with_pack(header: Mapping[str, object], game: str) -> Mapping[str, object]:
    """The header with what its pack says put into it; one without a pack as it is.

    Raises:
        Malformed: it is no rules pack, is for another game, or has another name than the header
            says.
    """
    if "pack" not in header:
        return header
    name, text = _pack_in(header["pack"])
    pack = read_pack(text)
    if pack.name != name:
        bad("pack-name", f"the pack is called {pack.name!r}, not {name!r:.60}", name=pack.name)
    if pack.game != game:
        message = f"the pack {pack.name} is for {pack.game}, and this race is {game}"
        bad("pack-game", message, name=pack.name, game=pack.game)
    said = {key: value for key, value in header.items() if key != "pack"}
    own = said.get("house", {})
    # Anything else is refused by whoever reads the header.
    if isinstance(own, Mapping):
        said["house"] = {**pack.house, **own}
    laps: Mapping[str, object] = {} if pack.laps is None else {"laps": pack.laps}
    rules: Mapping[str, Sequence[str]] = {} if pack.rules is None else {"rules": [*pack.rules]}
    return {**laps, **rules, **said}


# -- what no rule plays with ----------------------------------------------------------------------

_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST = 40


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice that the companion throws: for these seats, from a seed with this SHA-256.

    Seat 0 is the whole table: all dice, also those of the weather and of players who come in late.

    `sha256` is None in a header that has not begun: the table draws the seed.
    """

    seats: tuple[int, ...]
    sha256: str | None = None

    def throws_for(self, seat: int) -> bool:
        """Whether it throws for this seat (0: for the table)."""
        return 0 in self.seats or seat in self.seats


@dataclass(frozen=True, slots=True)
class Beside:
    """What a header says beside the race: the levels of bots by seat, thrown dice, advice.

    A race is the same race without it: a table reads these keys, the rules are given the rest.
    """

    bots: Mapping[int, str]
    dice: Dice | None
    advice: bool


def part(header: Mapping[str, object]) -> tuple[Mapping[str, object], Beside]:
    """The header as the rules read it, and what it says beside.

    Raises:
        Malformed: what it says beside has not the form that it should have.
    """
    rest = {key: value for key, value in header.items() if key not in ("dice", "advice")}
    bots: dict[int, str] = {}
    seats = header.get("seats")
    if isinstance(seats, list):
        game = header.get("game")
        held = choices_of(game).of_bot if isinstance(game, str) and game in NAMES else {}
        rest["seats"] = [_without_bot(seat, bots, held) for seat in seats]
    advice = header.get("advice", True)
    if not isinstance(advice, bool):
        bad("advice-form", f"advice is true or false, not {advice!r:.40}")
    dice = None if header.get("dice") is None else _read_dice(header["dice"], seats)
    return rest, Beside(bots, dice, advice)


def refuse_without(beside: Beside) -> None:
    """Refuse to give advice for a race that is without.

    Raises:
        Malformed: its header says `"advice": false`.
    """
    if not beside.advice:
        bad("no-advice", "this race is without advice: its header says so")


def _without_bot(seat: object, bots: dict[int, str], held: Mapping[str, str]) -> object:
    """A seat of a header without its bot, which is noted; `held` stands there in its place."""
    if not isinstance(seat, dict) or seat.get("bot") is None:
        return seat
    number, level = seat.get("seat"), seat["bot"]
    if not isinstance(level, str) or len(level) > _MOST:
        bad("bot-form", f"bot is the name of a level, not {level!r:.40}")
    # Another number is refused by the rules, which get the seat as it is.
    if isinstance(number, int):
        bots[number] = level
    return {**held, **{key: value for key, value in seat.items() if key != "bot"}}


def _read_dice(data: object, seats: object) -> Dice:
    if not isinstance(data, dict):
        bad("dice-form", f'dice is {{"seats": [1, 2]}}, not {data!r:.40}')
    only_keys(data, ("seats", "sha256"), "dice")
    entries = seats if isinstance(seats, list) else []
    known = [one.get("seat") for one in entries if isinstance(one, dict)]
    thrown, digest = data.get("seats"), data.get("sha256")
    if not isinstance(thrown, list) or not all(seat in (0, *known) for seat in thrown):
        bad("dice-form", f"dice names seats of the race, not {thrown!r:.40}")
    if digest is not None and not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
        bad("dice-form", "sha256 of dice is 64 digits of 0 to f")
    return Dice(tuple(thrown), digest)


# -- the colors of cars ---------------------------------------------------------------------------

COLORS = (
    "red", "blue", "yellow", "green", "black", "orange", "violet", "cyan", "pink", "brown",
)  # fmt: skip
"""By name. Seat 1 is red unless it says otherwise, seat 2 blue, and so on."""


def read_color(value: object) -> str | None:
    """A color of a header; None: it names none.

    Raises:
        Malformed: there is no such color.
    """
    return None if value is None else one_of(value, "color", COLORS)


def share_out(seats: Iterable[int], chosen: Mapping[int, str]) -> dict[int, str]:
    """The color of each seat: the chosen one, else its own, else the first that is left.

    >>> share_out([1, 2, 3], {3: "red"})
    {1: 'yellow', 2: 'blue', 3: 'red'}
    """
    seats = list(seats)
    free = [color for color in COLORS if color not in chosen.values()]
    own = {seat: COLORS[(seat - 1) % len(COLORS)] for seat in seats}
    shared = {seat: chosen.get(seat) or own[seat] for seat in seats}
    doubled = [seat for seat in seats if seat not in chosen and own[seat] not in free]
    left = iter([color for color in free if color not in shared.values()])
    return shared | {seat: next(left, own[seat]) for seat in doubled}
