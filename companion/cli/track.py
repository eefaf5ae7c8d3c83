"""`companion track list|show|check|draw|import|new`: the boards there are, and new ones.

`new` asks for a board section by section, for what one reads off it at a glance: counts, stops, the
way a corner turns, the line, the grid, the pit. The arrows of the corners are not asked for: the
file is a sketch (`exact = false`) whose corners are laid out from their counts, and the answers can
be refined in it later (docs/tracks.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar, cast, get_args

import click

from companion.cli import tools
from companion.cli.tools import read
from companion.drawing.circuit import draw_circuit
from companion.race.boards import ReadBoard, TrackLibrary, read_track_file, readers
from companion.rules.board import plan
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.edit import track_as_json, write_plan
from companion.rules.board.track import Track, Turn
from companion.rules.lines import Malformed
from companion.system.plugins import PluginError

TRACK = tools.Group(
    "track",
    {
        "list": ("track", "the boards that a race may ask for"),
        "show": ("track", "one board: corners, grid, pit, weather"),
        "check": ("track", "what is wrong with a track file"),
        "draw": ("track", "a picture of a board, as SVG"),
        "import": ("track", "a board of another program (such as a .dat), as a track file"),
        "new": ("track", "ask for a board section by section and write its file"),
    },
    "List, show, draw, check and write boards.",
)
FAULTS_FOUND = 1
NAME = click.argument("name", help="a board, or a .toml in the working folder")


@tools.command("list", tools.AS_JSON)
def list_boards(as_json: bool) -> None:
    """List every name that is accepted, and what is behind it; a faulty file says why."""
    library = TrackLibrary()
    files = [name for name in library.names() if name.endswith(".toml")]
    shipped = sorted({*library.names(), *library.cards()} - {*files})
    entries = {name: _entry(library, name) for name in (*shipped, *files)}
    lines = (f"{name:<20} {line}" for name, (_, line) in entries.items())
    tools.answer(as_json, [entry for entry, _ in entries.values()], *lines)


def _entry(library: TrackLibrary, name: str) -> tuple[dict[str, object], str]:
    """What is behind a name, in JSON and in a line."""
    try:
        track = library.load(name)
    except Malformed as error:
        return {"name": name, "fault": error.message}, error.message
    spaces, corners = len(track.track_spaces()), len(track.corners)
    entry: dict[str, object] = {"card": True} if track.is_blank else {}
    entry |= {"name": name, "title": track.name, "exact": track.exact}
    entry |= {"spaces": spaces, "corners": corners}
    known = "a card" if track.is_blank else f"{spaces} spaces"
    bends = f"{corners} corners" if corners else "weather only"
    return entry, f"{track.name}, {known}, {bends}"


@tools.command("show", tools.AS_JSON)
@NAME
def show(name: str, as_json: bool) -> None:
    """Show one board: corners, grid, pit, weather."""
    track = TrackLibrary().load(name)
    if as_json:
        tools.answer(True, track_as_json(track))
    else:
        tools.answer(False, None, *(_card_lines(track) if track.is_blank else _board_lines(track)))


def _board_lines(track: Track) -> Iterator[str]:
    certainty = "as printed" if track.exact else "not yet exact"
    spaces = len(track.track_spaces())
    yield f"{track.name}: {spaces} spaces, {len(track.lanes)} lanes, {certainty}"
    yield ""
    for section in track.sections:
        counts = "/".join(map(str, section.spaces))
        yield f"{section.title:<24} {counts:>10}  {_corner(track, section.corner)}".rstrip()
    yield ""
    yield f"grid: {_names(track, track.grid)}"
    if track.pit:
        exits = _names(track, track.exits)
        yield f"pit: {len(track.pit)} spaces, {len(track.boxes)} boxes, exit to {exits}"
    yield from _weather_lines(track)
    for name, spaces_of in (("noise", track.noise), ("dark", track.dark), ("police", track.police)):
        if spaces_of:
            yield f"{name}: {_names(track, sorted(spaces_of))}"
    if track.tunnel:
        ways = (f"{track.ids[sign]}>{track.ids[end]}" for sign, end in track.tunnel)
        yield f"tunnel: {' '.join(ways)}"


def _card_lines(track: Track) -> Iterator[str]:
    length = f", length {track.length}" if track.length else ""
    yield f"{track.name}: a card{length}; races on it are boardless"
    yield ""
    for corner in track.corners:
        yield f"{corner.label:<4} {_stops(corner.stops):<7}  {corner.shortest}–{corner.longest}"
    yield from _weather_lines(track)


def _weather_lines(track: Track) -> Iterator[str]:
    table = [f"{kind} {low}–{high}" for kind, (low, high) in (track.weather or {}).items()]
    if table:
        yield "weather: " + ", ".join(table)


def _names(track: Track, spaces: Iterable[int]) -> str:
    return " ".join(track.ids[space] for space in spaces)


def _stops(stops: int) -> str:
    return "1 stop" if stops == 1 else f"{stops} stops"


def _corner(track: Track, at: int) -> str:
    """Stops, direction and ways of a corner; empty for a straight (-1)."""
    if at < 0:
        return ""
    corner = track.corners[at]
    shortest, longest = computed_ways(track, at)
    return f"{corner.turns:<5}  {_stops(corner.stops):<7}  {shortest}–{longest}"


@tools.command("draw")
@NAME
@click.option("-o", "--output", type=tools.PATH, help="write to this file instead of the screen")
def draw(name: str, output: Path | None) -> None:
    """Draw a board, as SVG."""
    track = TrackLibrary().load(name)
    if track.is_blank:
        raise tools.Failure(f"{name} is a card: no board to draw is known")
    tools.write(output, (draw_circuit(track) + "\n").encode())


@tools.command("check", tools.AS_JSON)
@click.argument("files", nargs=-1, required=True, help="a .toml file, or a board's name")
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Name every fault of every file. The status is 1 with faults."""
    library = TrackLibrary()
    found = {name: check_track(_text(library, name)) for name in files}
    entries = [
        {"file": name, "faults": [{"where": f.where, "what": f.what} for f in faults]}
        for name, faults in found.items()
    ]
    lines = [f"{name}: {line}" for name, faults in found.items() for line in faults or ("sound",)]
    tools.answer(as_json, entries, *lines)
    return FAULTS_FOUND if any(found.values()) else 0


def _text(library: TrackLibrary, name: str) -> str:
    """A file wherever the caller has it, or a board that ships."""
    path = Path(name)
    return read_track_file(path) if path.suffix == ".toml" else library.text(name)


# -- a board of the public editor's format --------------------------------------------------------


LONGEST_READ_S = 60.0


@tools.command("import", tools.AS_JSON)
@click.argument("file", type=tools.PATH, help="such as a .dat file of the public editor")
@click.option(
    "-o", "--output", type=tools.PATH, help="the .toml file to write; usual is FILE's name here"
)
@click.option("--name", help="what the board is called; usual is FILE's name")
@tools.sentences(PluginError)
def import_board(file: Path, output: Path | None, name: str | None, as_json: bool) -> int:
    """Read a board of another program and write its track file.

    What the file does not say, or says in two ways, is named with section and lane: look
    at the board there. Status 1: the board is written and has faults to mend.
    """
    board = _read_board(file, name or file.stem.replace("_", " ").title())
    path = output or Path(f"{file.stem.lower()}.toml")
    _write(path, board.text)
    faults = check_track(board.text)
    entry = {
        "file": str(path),
        "doubts": [{"where": where, "what": what} for where, what in board.doubts],
        "faults": [{"where": fault.where, "what": fault.what} for fault in faults],
    }
    looks = (f"look at the board: {where}: {what}" for where, what in board.doubts)
    mends = (f"to be mended: {fault}" for fault in faults)
    see = f"Now see it: companion track draw {path.name} -o {path.stem}.svg"
    tools.answer(as_json, entry, f"{path} is written.", *looks, *mends, see)
    return FAULTS_FOUND if faults else 0


def _read_board(file: Path, name: str) -> ReadBoard:
    """The board of a file, by who reads its kind; by any reader where nobody names its suffix."""
    content, known = read(file), readers()
    reader = known.get(file.suffix.lower()) or next(iter(known.values()), None)
    if reader is None:
        raise tools.Failure(f"nothing that is installed reads {file} (companion plugin list)")
    plugin, reads = reader

    def read_in() -> ReadBoard | ValueError:
        try:
            return reads.read(content, name)
        except ValueError as error:  # about the file, not about the plugin
            return error

    board = plugin.in_time(read_in, LONGEST_READ_S)
    if isinstance(board, ValueError):
        raise tools.Failure(f"{file} is no board: {board}")
    return board


def _write(path: Path, text: str) -> None:
    """Write a file that was not there."""
    _refuse_to_write(path)
    try:
        # Not "w": the questions of `new` take minutes, and the file may be there by now.
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise tools.Failure(f"{path} cannot be written: {error.strerror}") from error


def _refuse_to_write(path: Path) -> None:
    """Say what no track file can be written to, before anybody has answered a question."""
    if path.suffix != ".toml":
        raise tools.Failure(f"{path} cannot be written: a track file ends in .toml")
    if path.exists():
        raise tools.Failure(f"{path} cannot be written: it is there already")


# -- a board asked for ----------------------------------------------------------------------------


@tools.command("new")
@click.argument("path", type=tools.PATH, help="the .toml file to write; it must not be there")
def write_new(path: Path) -> int:
    """Ask for a board, write it, say what is wrong with it."""
    _refuse_to_write(path)
    print("An empty answer takes what stands in [brackets]; < asks the question before again.")
    print("Ctrl-C leaves without a file.")
    try:
        text = write_plan(_Asking().plan())
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError) as error:
        raise tools.Failure(f"the board was not finished; {path} is not written") from error
    _write(path, text)
    print(f"{path} is written.")
    faults = check_track(text)
    for line in faults or ("sound",):
        print(f"{path}: {line}")
    print(f"Now see it: companion track draw {path.name} -o {path.stem}.svg")
    return FAULTS_FOUND if faults else 0


BACK = "<"
"""The answer that asks the question before again."""


class _Back(Exception):
    """The last answer is to be given again."""


T = TypeVar("T")
Reader = Callable[[str], T]


class _Asking:
    """The questions, from the first one; answers that were given already are not asked again.

    A reader takes the text of an answer, last of its arguments, and gives its value, or raises
    ValueError with a sentence that says what would be accepted; then the question is asked again.
    """

    def __init__(self) -> None:
        self._given: list[str] = []
        self._next = 0

    def plan(self) -> plan.Plan:
        """The board that the answers tell of."""
        while True:
            self._next = 0
            try:
                return _ask_plan(self)
            except _Back:
                del self._given[-1:]

    @property
    def is_new(self) -> bool:
        """Whether the next question has not been asked yet."""
        return self._next == len(self._given)

    def ask(self, question: str, read: Reader[T], usual: str | None = None) -> T:
        """Ask until the answer can be read; `usual` is what an empty answer means."""
        if not self.is_new:
            self._next += 1
            return read(self._given[self._next - 1])
        shown = question if usual is None else f"{question} [{usual or 'none'}]"
        while True:
            given = input(f"{shown}: ").strip()
            if given == BACK:
                raise _Back
            try:
                value = read(given or usual or "")
            except ValueError as error:
                print(f"  {error}")
                continue
            self._given.append(given or usual or "")
            self._next += 1
            return value


def _ask_plan(talk: _Asking) -> plan.Plan:
    name = talk.ask("Name of the board", _new_text)
    lanes = talk.ask("Lanes, left to right in driving direction", _lanes, "l m r")
    # Once only: after `<` the questions are gone through again with the answers so far.
    if talk.is_new:
        print("The sections in driving order; the straight with the finish line comes first.")
    sections = _ask_sections(talk, lanes)
    counts = {section.label: section.spaces for section in sections}
    places = partial(_places, lanes, counts)
    question = "Finish line: the first space past it, of each lane"
    finish = talk.ask(question, partial(_finish, counts["S1"]))
    grid = talk.ask("Grid, pole first, as l16 r16 l13", places)
    pit = _ask_pit(talk, places)
    return plan.Plan(name, False, lanes, sections, grid, finish, pit, _ask_weather(talk))


def _ask_sections(talk: _Asking, lanes: tuple[str, ...]) -> tuple[plan.SectionPlan, ...]:
    sections = [_ask_straight(talk, "S1", lanes)]
    while len(sections) < plan.MOST_SECTIONS:
        corners = sum(section.kind == "corner" for section in sections)
        words = ("corner", "straight", "end") if corners else ("corner", "straight")
        after = "corner" if sections[-1].kind == "straight" else "straight"
        kind = talk.ask(f"Next: {', '.join(words)}", partial(_one_of, words), after)
        if kind == "end":
            break
        if kind == "corner":
            sections.append(_ask_corner(talk, corners + 1, lanes))
        else:
            sections.append(_ask_straight(talk, f"S{len(sections) - corners + 1}", lanes))
    return tuple(sections)


def _ask_straight(talk: _Asking, label: str, lanes: tuple[str, ...]) -> plan.SectionPlan:
    spaces = talk.ask(
        f"{label} straight, spaces of {' '.join(lanes)}", partial(_counts, len(lanes))
    )
    leads = get_args(plan.Lead)
    question = f"{label} the lane that stands farthest ahead: {', '.join(leads)}"
    lead = cast(plan.Lead, talk.ask(question, partial(_one_of, leads)))
    closed = talk.ask(f"{label} lane changes that it lacks, as m22>r23", _changes, "")
    return plan.SectionPlan("straight", label, None, spaces, lead=lead, closed=closed)


def _ask_corner(talk: _Asking, number: int, lanes: tuple[str, ...]) -> plan.SectionPlan:
    label = f"T{number}"
    name = talk.ask(f"{label} corner, its name", _new_text, f"Corner {number}")
    stops = talk.ask(f"{label} stops", partial(_number, 1, plan.MOST_STOPS))
    question = f"{label} turns first to the left or to the right"
    turns = cast(Turn, talk.ask(question, partial(_one_of, get_args(Turn))))
    spaces = talk.ask(f"{label} spaces of {' '.join(lanes)}", partial(_counts, len(lanes)))
    question = f"{label} shortest and longest way as printed, as 3-7"
    low, high = talk.ask(question, partial(_span_or_none, 1, plan.MOST_SPACES), "") or (None, None)
    return plan.SectionPlan(
        "corner", label, name, spaces, stops=stops, turns=turns, shortest=low, longest=high
    )


def _ask_pit(talk: _Asking, places: Reader[tuple[str, ...]]) -> plan.PitPlan | None:
    spaces = talk.ask("Pit lane, its spaces; 0 for none", partial(_number, 0, plan.MOST_SPACES))
    if not spaces:
        return None
    entry = talk.ask("Spaces that lead into the pit lane, as r1 r2", places)
    out = talk.ask("Spaces that the pit lane leads to, as r19 r20", places)
    first, last = talk.ask("Boxes lie beside the pit spaces, as 4-13", partial(_span, 1, spaces))
    return plan.PitPlan(spaces=spaces, entry=entry, exit=out, boxes=tuple(range(first, last + 1)))


def _ask_weather(talk: _Asking) -> dict[str, tuple[int, int]] | None:
    """The weather table; its middle range decides the other two."""
    question = "Weather table: the variable numbers of the black die, as 8-12"
    middle = talk.ask(question, partial(_span_or_none, 2, plan.BLACK_DIE - 1), "")
    if middle is None:
        return None
    low, high = middle
    return {"rain": (1, low - 1), "variable": middle, "fine": (high + 1, plan.BLACK_DIE)}


def _finish(counts: tuple[int, ...], text: str) -> tuple[int, ...]:
    numbers = _counts(len(counts), text)
    if not all(1 <= number <= count for number, count in zip(numbers, counts, strict=True)):
        raise ValueError(f"S1 has {' '.join(map(str, counts))} spaces")
    return numbers


Counts = Mapping[str, tuple[int, ...]]
"""The spaces of each lane, by the label of a section."""


def _places(lanes: tuple[str, ...], counts: Counts, text: str) -> tuple[str, ...]:
    """Spaces of the first section, or of another with its name before: `T8.l9`."""
    for word in _split(text):
        place = plan.parse_place(word)
        section = counts.get(place.label or "S1") if place else None
        if place is None or section is None or place.lane not in lanes:
            raise ValueError(f"{word!r} is no space; spaces are written as l1 or T2.l1")
        count = section[lanes.index(place.lane)]
        if not 1 <= place.number <= count:
            raise ValueError(f"there is no {word}; that lane has {count} spaces there")
    if not _split(text):
        raise ValueError("at least one space is wanted, as l1 or T2.l1")
    return _split(text)


def _split(text: str) -> tuple[str, ...]:
    """Words between blanks, commas or slashes."""
    return tuple(re.findall(r"[^\s,/]+", text))


def _new_text(text: str) -> str:
    if not text or not text.isprintable():
        raise ValueError("a text on one line is wanted")
    return text


def _lanes(text: str) -> tuple[str, ...]:
    lanes = _split(text)
    are_letters = all(len(lane) == 1 and lane.isascii() and lane.islower() for lane in lanes)
    if not are_letters or not 1 <= len(lanes) <= plan.MOST_LANES or len(set(lanes)) < len(lanes):
        raise ValueError(f"1 to {plan.MOST_LANES} different small letters are wanted, as l m r")
    return lanes


def _changes(text: str) -> tuple[str, ...]:
    """Lane changes; whether the board has their spaces is not asked."""
    for change in _split(text):
        if plan.parse_pair(change, ">") is None:
            raise ValueError(f"{change!r} is no lane change; one is written as m22>r23")
    return _split(text)


_NUMBER = re.compile(r"[0-9]{1,3}")


def _counts(lanes: int, text: str) -> tuple[int, ...]:
    """A number of spaces for each lane."""
    words = _split(text)
    if len(words) != lanes or not all(map(_NUMBER.fullmatch, words)):
        raise ValueError(f"{lanes} numbers are wanted, one for each lane")
    if max(map(int, words)) > plan.MOST_SPACES:
        raise ValueError(f"a lane has {plan.MOST_SPACES} spaces at most")
    return tuple(map(int, words))


def _number(low: int, high: int, text: str) -> int:
    if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise ValueError(f"a number from {low} to {high} is wanted")
    return int(text)


def _one_of(words: tuple[str, ...], text: str) -> str:
    """One of a few words, or the beginning of one alone."""
    meant = [word for word in words if text and word.startswith(text.lower())]
    if len(meant) != 1:
        raise ValueError(f"one of these is wanted: {', '.join(words)}")
    return meant[0]


_SPAN = re.compile(r"([0-9]{1,3})(?:\s*[-–]\s*([0-9]{1,3}))?")


def _span(low: int, high: int, text: str) -> tuple[int, int]:
    """A range `4-13`, or one number that is both its ends."""
    match = _SPAN.fullmatch(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not low <= first <= last <= high:
        raise ValueError(f"two numbers within {low}-{high} are wanted, as {low}-{high}")
    return first, last


def _span_or_none(low: int, high: int, text: str) -> tuple[int, int] | None:
    return _span(low, high, text) if text else None
