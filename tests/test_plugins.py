"""What others add comes through the documented door, and what is wrong with it stops nothing."""

from __future__ import annotations

import ast
import json
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import Queue
from threading import Timer
from typing import Any

import pytest
from flask import Flask
from support.each import in_one
from support.leagues.records import by_hand, do
from support.strangers import GO_ON, HEARD, STUCK
from support.tables.sitting import REFEREE, Room, race_header

from companion.app.league import open_receivers
from companion.app.plugins import (
    LEAST_PAUSE_S,
    MOST_PAUSE_S,
    OFFERS,
    Listeners,
    OutsideSeats,
    TableSeen,
    pause_in,
)
from companion.app.seats import examine_seats, seat_driver, wires_of
from companion.cli import main
from companion.cli.plugin import ARGUMENTS
from companion.league.errors import BadAct, LeagueError
from companion.league.exchange.outside import WANTED, LeagueSeen, forms
from companion.league.hooks import KINDS, Receiver
from companion.league.league import League
from companion.race.boards import Reader, TrackLibrary
from companion.seats.hub import Cabinet
from companion.seats.live import Counting, Sounding
from companion.seats.plan import PlanError, SeatPlan, SeatTrouble, parse_seats, read_plan
from companion.system.plugins import (
    GROUPS,
    SHIPPED,
    Options,
    PluginError,
    plugins,
)
from companion.table.ports import Picture, Reply
from companion_web.league import exports
from companion_web.league.doors import LeagueAccess

ROOT = Path(__file__).parent.parent
DOCS = (ROOT / "docs" / "plugins.md").read_text("utf-8")
SOON_S = 20.0
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a module and its entry points where Python finds packages."""
    made: list[str] = []
    monkeypatch.syspath_prepend(tmp_path)

    def put(code: str, as_name: str = "hello", **entries: str) -> None:
        name = f"stranger_{len(made)}_{tmp_path.name[-6:]}".replace("-", "_")
        made.append(name)
        (tmp_path / f"{name}.py").write_text(code, "utf-8")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = (
            f"[race_companion.{group}]\n{as_name} = {name}:{attribute}\n"
            for group, attribute in entries.items()
        )
        (info / "entry_points.txt").write_text("".join(lines))

    yield put
    for name in made:
        sys.modules.pop(name, None)


class Seats:
    """The table as a driver speaks to it: what it hears waits to be taken."""

    def __init__(self) -> None:
        self.pressed: Queue[tuple[int, int, bool, int | None]] = Queue()
        self.troubles: Queue[tuple[int, str, str | None]] = Queue()

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        self.pressed.put((seat, button, hold, picture))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: object) -> None:
        self.troubles.put((seat, part, None if trouble is None else str(trouble)))


DRIVER = """
class Driver:
    def __init__(self, seats, listener, options):
        self.listener, self.button = listener, options.number("button", 1, 1, 6)
    def show(self, seat, picture):
        self.listener.press(seat, self.button, False, picture.number)
    def close(self):
        pass
"""


def test_a_strangers_driver_is_used_by_its_name_and_a_misspelled_one_is_told_all(
    install: Install,
) -> None:
    install(DRIVER, seats="Driver")
    assert parse_seats("2 hello, 1 phone") == {1: "hello", 2: "hello", 3: "phone"}
    with pytest.raises(PlanError, match="'helo': it is one of phone, hello, keys, pod, wired"):
        parse_seats("1 helo")


def test_entry_points_are_read_as_python_reads_them(tmp_path: Path, install: Install) -> None:
    install(DRIVER)
    (module,) = (file.stem for file in tmp_path.glob("*.py"))
    said = f"""
    # [race_companion.seats]
    [console_scripts]
    no = {module}:Driver
    [race_companion.seats]
    #away = {module}:Driver
    hello simulated={module}:Driver.show [extra]
    ; nothing
    [race_companion.tracks]
    no = {module}:Driver
    """
    (info := tmp_path / "bare-2.0.dist-info").mkdir()
    (info / "entry_points.txt").write_text(said)
    found = {one.name: one for one in plugins("seats").values() if not one.is_ours}
    assert found.keys() == {"hello simulated"}
    one = found["hello simulated"]
    assert (one.package, one.load().__name__) == ("bare-2.0", "show")


def test_a_package_that_cannot_be_read_hides_no_other(install: Install, tmp_path: Path) -> None:
    install(DRIVER, seats="Driver")
    for name, content in (("a", b"\xff"), ("b", None)):
        entries = tmp_path / f"{name}-1.0.dist-info" / "entry_points.txt"
        entries.parent.mkdir()
        entries.mkdir() if content is None else entries.write_bytes(content)
    assert "hello" in plugins("seats")


def test_a_strangers_driver_shows_and_presses_and_has_its_options(install: Install) -> None:
    install(DRIVER, seats="Driver")
    seats = Seats()
    with OutsideSeats(plugins("seats")["hello"], (1, 2), seats, {"button": 4}) as driver:
        assert {seats.troubles.get(timeout=SOON_S) for _ in "12"} == {
            (1, "driver", None),
            (2, "driver", None),
        }
        driver.show(2, Picture(7, bytes(1024)))
        assert seats.pressed.get(timeout=SOON_S) == (2, 4, False, 7)
        with pytest.raises(ValueError, match="button 9 of seat 1: it has 1 to 6 of seats 1, 2"):
            driver.press(1, 9, False)


@pytest.mark.parametrize(
    ("code", "said", "why"),
    [
        ("import nothing_of_this_name", {}, "cannot be imported: ModuleNotFoundError"),
        ("hello = 3", {}, "should be a function or a class"),
        ("def hello(*_): raise OSError('no bus')", {}, "OSError: no bus"),
        ("def hello(*_): pass", {}, "gives None, which has no show and close"),
        ("raise SystemExit(3)", {}, "cannot be imported: SystemExit: 3"),
        (
            DRIVER + "hello = Driver",
            {"button": 7},
            "button = 7 should be a whole number from",
        ),
        (DRIVER + "hello = Driver", {"knob": 1}, r"\[hello\] has 'knob'; its options are: button"),
    ],
)
def test_what_is_wrong_with_a_driver_is_a_sentence_at_its_seats(
    install: Install, code: str, said: dict[str, Any], why: str
) -> None:
    install(code, seats="hello")
    seats = Seats()
    with OutsideSeats(plugins("seats")["hello"], (3,), seats, said):
        seat, part, trouble = seats.troubles.get(timeout=SOON_S)
    assert (seat, part) == (3, "driver")
    assert re.search(why, str(trouble))


def test_a_driver_that_hangs_holds_nobody_up_and_is_told(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.plugins.PATIENCE_S", 0.01)
    monkeypatch.setattr("companion.app.plugins.CLOSING_S", 0.01)
    install("import threading\ndef hello(*_): threading.Event().wait()", seats="hello")
    seats = Seats()
    with OutsideSeats(plugins("seats")["hello"], (1,), seats, {}) as driver:
        driver.show(1, Picture(1, bytes(1024)))
        assert "does not answer within" in str(seats.troubles.get(timeout=SOON_S)[2])


STUCK_SHOW = DRIVER.replace("self.listener.press(seat", "STUCK.set(), GO_ON.wait(), print(seat")


def test_a_picture_that_a_driver_does_not_come_back_from_is_told_at_its_seat_until_it_does(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: list[Any] = []

    class Patient(Timer):
        def __init__(self, _seconds: float, tell: Callable[[], None]) -> None:
            super().__init__(SOON_S, tell)
            late.append(tell)

    monkeypatch.setattr("companion.app.plugins.Timer", Patient)
    GO_ON.clear(), STUCK.clear()
    install(f"from support.strangers import *\n{STUCK_SHOW}", seats="Driver")
    seats = Seats()
    with OutsideSeats(plugins("seats")["hello"], (1,), seats, {}) as driver:
        assert seats.troubles.get(timeout=SOON_S) == (1, "driver", None)
        driver.show(1, Picture(1, bytes(1024)))
        assert STUCK.wait(SOON_S)
        late[-1]()
        assert "does not answer within 5 s" in str(seats.troubles.get(timeout=SOON_S)[2])
        GO_ON.set()
        assert seats.troubles.get(timeout=SOON_S) == (1, "driver", None)


def test_the_last_picture_is_not_lost_as_the_table_closes(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.plugins.CLOSING_S", 0.01)
    GO_ON.clear()
    late = DRIVER.replace(
        "self.listener, self.button", "GO_ON.wait()\n        self.listener, self.button", 1
    )
    install(f"from support.strangers import *\n{late}", seats="Driver")
    seats = Seats()
    with OutsideSeats(plugins("seats")["hello"], (2,), seats, {}) as driver:
        driver.show(2, Picture(7, bytes(1024)))
    GO_ON.set()
    assert seats.pressed.get(timeout=SOON_S) == (2, 1, False, 7)


WHOLE = """
from companion.seats.plan import SeatTrouble
from companion.table.ports import Trouble
class Driver:
    kind = "hand"
    def __init__(self, seats, listener, options):
        if options.flag("dead"):
            raise SeatTrouble("no hand is there", "no-port")
        self.seats, self.listener = seats, listener
    def show(self, seat, picture):
        self.listener.bounce(seat, 2, 7)
        self.listener.edge(seat, 2, 40, True)
        self.listener.health(seat, "buttons", Trouble("unplugged", "hand 3", {}))
    def beep(self, seat, ms):
        self.listener.health(seat, "beep", f"{ms} ms")
    def errors(self, seat):
        return {"slips": seat}
    def glass(self, seat):
        return bytes(1024)
    def lamp(self, seat):
        return None
    def finger(self, seat, button, down):
        self.listener.press(seat, button, down, 0)
    def fault(self, seat, name, on):
        pass
    def close(self):
        pass
def examine(wires, options):
    says = f"hand {options.number('finger', 2, 1, 5)}"
    return [{"says": says, "ok": None, "seat": seat, "what": "hand"} for seat in wires["seats"]]
Driver.examine = examine
"""


class Feeling(Seats):
    """A table that is tested: its troubles keep their keys."""

    def __init__(self) -> None:
        super().__init__()
        self.bounced: Queue[tuple[int, int, int]] = Queue()
        self.seen: Queue[tuple[int, int, int, bool]] = Queue()

    def health(self, seat: int, part: str, trouble: Any) -> None:
        self.troubles.put((seat, part, trouble and f"{trouble.key}: {trouble}"))

    def bounce(self, seat: int, button: int, ms: int) -> None:
        self.bounced.put((seat, button, ms))

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        self.seen.put((seat, button, at_ms, down))


def test_a_driver_may_sound_and_count_and_be_touched_and_its_troubles_have_words(
    install: Install,
) -> None:
    install(WHOLE, as_name="hello simulated", seats="Driver")
    seats = Feeling()
    with seat_driver("hello simulated")((3,), seats, {}) as driver:  # type: ignore[attr-defined]
        driver.begin()
        assert seats.troubles.get(timeout=SOON_S) == (3, "driver", None)
        assert isinstance(driver, Sounding)
        assert isinstance(driver, Counting)
        assert driver.errors(3) == {"slips": 3}
        driver.show(3, Picture(1, bytes(1024)))
        assert seats.bounced.get(timeout=SOON_S) == (3, 2, 7)
        assert seats.seen.get(timeout=SOON_S) == (3, 2, 40, True)
        assert seats.troubles.get(timeout=SOON_S) == (3, "buttons", "unplugged: hand 3")
        driver.beep(3, 40)
        assert seats.troubles.get(timeout=SOON_S) == (3, "beep", "in-words: 40 ms")
        cabinet = Cabinet({3: driver})
        assert [one.kind for one in cabinet.stands()] == ["hand"]
        assert cabinet.press(3, 5, True)
        assert seats.pressed.get(timeout=SOON_S) == (3, 5, True, 0)


def test_a_driver_without_all_that_is_in_no_cabinet_and_has_no_lamp(install: Install) -> None:
    install(DRIVER, seats="Driver")
    with seat_driver("hello")((3,), Seats(), {}) as driver:  # type: ignore[attr-defined]
        driver.begin()
        assert not isinstance(driver, Sounding | Counting)
        assert Cabinet({3: driver}).stands() == []


def test_a_driver_that_cannot_serve_says_so_to_who_tests_it(install: Install) -> None:
    install(WHOLE, seats="Driver")
    seats = Feeling()
    with seat_driver("hello")((3,), seats, {"dead": True}) as driver:  # type: ignore[attr-defined]
        with pytest.raises(SeatTrouble, match="no hand is there"):
            driver.begin()
        assert seats.troubles.get(timeout=SOON_S) == (3, "driver", "no-port: no hand is there")


def test_the_doctor_asks_a_driver_in_the_form_of_a_listener(install: Install) -> None:
    install(WHOLE, seats="Driver", listeners="Driver")
    found = examine_seats(SeatPlan({2: "hello", 3: "hello"}, {"hello": {"finger": 4}}))
    assert [(one.what, one.says, one.ok, one.seat) for one in found] == [
        ("hand", "hand 4", None, 2),
        ("hand", "hand 4", None, 3),
    ]
    as_driver, as_listener = examine_seats(SeatPlan({2: "hello"}, {"hello": {"finger": 9}}))
    assert (as_driver.what, as_driver.ok) == ("hello", False)
    assert "[hello] finger = 9 should be a whole number from 1 to 5" in as_driver.says
    assert as_driver == as_listener
    (unseen,) = examine_seats(SeatPlan({2: "wired simulated"}))
    assert unseen.says == "wired simulated: not looked at, nothing of it is real"


@pytest.mark.parametrize(
    ("tells", "light"), [("{'light': seats}", (2, 3)), ("3", None), ("1 / 0", None)]
)
def test_a_driver_tells_others_of_its_wires_and_nonsense_stops_nobody(
    install: Install, tells: str, light: object
) -> None:
    wires = f"\nDriver.wires = lambda seats, options: {tells}"
    install(WHOLE.replace("\nDriver.examine = examine", wires), seats="Driver")
    told = wires_of(SeatPlan({2: "hello", 3: "hello"}))
    assert told == {"factory": "lgpio", "light": light}


def test_a_driver_that_says_nonsense_to_the_doctor_is_named(install: Install) -> None:
    install(WHOLE.replace('"says": says', '"sagt": says'), seats="Driver")
    (wrong,) = examine_seats(SeatPlan({2: "hello"}))
    assert (wrong.what, wrong.ok) == ("hello", False)


def test_a_simulated_twin_is_named_by_its_driver_and_has_its_options(
    install: Install, tmp_path: Path
) -> None:
    install(WHOLE, as_name="hello simulated", seats="Driver")
    assert parse_seats("2 hellos simulated") == {1: "hello simulated", 2: "hello simulated"}
    install(DRIVER, seats="Driver")
    (file := tmp_path / "companion.toml").write_text("[hello]\nbutton = 3\n")
    assert read_plan(file).options_of("hello simulated") == {"button": 3}
    file.write_text("['hello simulated']\n")
    with pytest.raises(PlanError, match="is none of"):
        read_plan(file)


# -- the names of those that ship -----------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_nobody_elses_plugin_has_the_name_of_one_that_ships(
    install: Install,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    group = SHIPPED[name][1]
    install("def hello(): 1 / 0", as_name=name, **{group: "hello"})
    there = plugins(group).get(name)
    assert there is None or there.is_ours
    says = f"the plugin {name!r} of stranger_0"
    assert f"{says}" in caplog.text
    assert "this is the name of a plugin that ships with the companion" in caplog.text
    plugins(group)
    assert caplog.text.count("this is the name") == 1
    assert main(["plugin", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    theirs = [one for one in listed if one["package"].startswith("stranger")]
    assert [one["name"] for one in theirs if "this is the name of" in one["fault"]] == [name]
    assert not [one["fault"] for one in listed if one not in theirs if one["fault"]]


def test_the_table_of_those_that_ship_is_that_of_their_own_files() -> None:
    shipped = {(name, row[0], group) for name, row in SHIPPED.items() for group in row[1:]}
    told = {
        (name.partition(" ")[0], folder.name, group.removeprefix("race_companion."))
        for folder in (ROOT / "plugins").iterdir()
        for group, names in project_of(folder)["entry-points"].items()
        for name in names
        if folder.name != "template"
    }
    assert shipped == told
    whole = project_of(ROOT)["entry-points"]
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    for folder in {one for _, one, _ in shipped}:
        assert f"plugins/{folder}" in packed["find"]["where"]
        for group, names in project_of(ROOT / "plugins" / folder)["entry-points"].items():
            assert names.items() <= whole[group].items()


def project_of(folder: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    return project


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A companion without the plugins that ship."""
    monkeypatch.setattr("companion.system.plugins.installed", lambda *_, **__: iter(()))


@pytest.mark.usefixtures("bare")
def test_what_a_plugin_that_is_away_would_do_is_told_with_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    how = "comes with the plugin race-companion-pods, which is not installed: .*plugins/pods"
    for seats in ("2 pods", "1 pico simulated"):
        with pytest.raises(PlanError, match=how):
            parse_seats(seats)
    (file := tmp_path / "companion.toml").write_text("[pod]\nbuzzer = true\n")
    with pytest.raises(PlanError, match=how):
        read_plan(file)
    assert main(["pod", "list"]) == 2
    assert re.search(how, capsys.readouterr().err)
    assert main(["league", "export", "calendar", "--data", str(tmp_path)]) == 2
    assert "the plugin race-companion-calendar, which is not" in capsys.readouterr().err
    with pytest.raises(PlanError, match="there is no driver 'light'"):
        parse_seats("1 light")


def test_a_package_of_ours_that_a_plugin_lacks_is_told_with_what_installs_it(
    install: Install,
) -> None:
    install("raise ModuleNotFoundError('no', name='race_companion_wired')", commands="hello")
    with pytest.raises(PluginError, match=r"cannot be imported: .*pip install plugins/wired"):
        plugins("commands")["hello"].load()


def test_an_error_of_a_plugin_s_own_is_told_whatever_it_has_for_a_name(install: Install) -> None:
    install("class Odd(Exception):\n    name = []\nraise Odd('no')", commands="hello")
    with pytest.raises(PluginError, match=r"cannot be imported: Odd: no$"):
        plugins("commands")["hello"].load()


def test_what_is_no_driver_of_a_plugin_that_is_there_is_not_said_to_be_away(
    tmp_path: Path,
) -> None:
    with pytest.raises(PlanError, match="there is no driver 'pico'"):
        parse_seats("1 pico")
    (file := tmp_path / "companion.toml").write_text("[pico]\n")
    with pytest.raises(PlanError, match=r"\[pico\] is none of \[seats\]"):
        read_plan(file)


# -- commands -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bare")
def test_a_shell_is_offered_the_other_commands_where_those_of_plugins_are_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for word, offered in (("", {"race", "engine"}), ("track", set())):
        told = {"_COMPANION_COMPLETE": "bash_complete", "COMP_WORDS": f"companion {word} "}
        for name, said in {**told, "COMP_CWORD": "2" if word else "1"}.items():
            monkeypatch.setenv(name, said)
        assert main([]) == 0
        out, err = capsys.readouterr()
        found = {line.split(",")[1] for line in out.splitlines()}
        assert (offered <= found, found & {"track", "pod"}, err) == (True, set(), "")


COMMAND = """
import click
def hello():
    @click.command("hello", help="Say it aloud. Then be quiet.")
    @click.argument("name")
    def say(name):
        print(f"Hello {name}")
        return 3
    return say
"""


def test_a_strangers_command_is_run_and_stands_in_the_help(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(COMMAND, commands="hello")
    assert main(["hello", "Ana"]) == 3
    assert capsys.readouterr().out == "Hello Ana\n"
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    ours, theirs = capsys.readouterr().out.split("Commands of plugins:")
    assert "hello" not in ours
    assert theirs.split() == ["hello", "Say", "it", "aloud."]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def hello(): return 1 / 0", "fails: ZeroDivisionError"),
        ("def hello(): return 3", "gives 3: it should be a command of click"),
    ],
)
def test_a_command_that_is_broken_is_a_sentence_and_the_others_go_on(
    install: Install, capsys: pytest.CaptureFixture[str], code: str, why: str
) -> None:
    install(code, commands="hello")
    assert main(["hello"]) == 2
    assert "the plugin 'hello' of stranger_0" in (err := capsys.readouterr().err)
    assert why in err
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    assert why in " ".join(capsys.readouterr().out.split())


def test_nobody_elses_command_stands_before_one_of_ours(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(COMMAND, as_name="pin", commands="hello")
    with pytest.raises(SystemExit, match="0"):
        main(["pin", "--help"])
    assert "usage: companion pin" in capsys.readouterr().out
    assert main(["plugin", "list"]) == 0
    assert "the companion itself uses this name" in capsys.readouterr().out


def test_the_help_is_the_same_with_the_plugins_that_ship_and_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for patched in (False, True):
        if patched:
            monkeypatch.setattr("companion.system.plugins.installed", lambda *_, **__: iter(()))
        with pytest.raises(SystemExit, match="0"):
            main(["--help"])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "pods: list them, give them firmware, simulate one" in told[0]


LISTENER = "from support.strangers import HEARD\ndef hello(event): HEARD.put(event)"
GREETER = """
from support.strangers import HEARD
def hello(table, options):
    name = options.text("name", among=("Ana", "Bob"))
    def greet(event):
        HEARD.put((name, event["event"]))
    def changed():
        HEARD.put((table.snapshot()["version"], table.lamps()[1]))
    greet.changed, greet.close = changed, lambda: HEARD.put("closed")
    return greet
"""


@pytest.fixture
def room() -> Iterator[Room]:
    """A table with a race of two; what listeners heard before is forgotten."""
    while not HEARD.empty():
        HEARD.get()
    made = Room()
    made.session.start()
    assert made.session.submit(REFEREE, {"new": race_header(2)}).status == 200
    yield made
    made.session.close()


def says(room: Room, *lines: dict[str, Any]) -> None:
    for line in lines:
        assert room.session.submit(REFEREE, line).status == 200


def test_a_listener_is_told_each_accepted_event_and_what_is_taken_back(
    install: Install, room: Room
) -> None:
    install(LISTENER, listeners="hello")
    with Listeners(room.session, {}) as listeners:
        assert listeners.found.wait(SOON_S)
        says(room, {"seat": 1, "gear": 1})
        told = HEARD.get(timeout=SOON_S)
        assert {key: told[key] for key in ("event", "seat", "gear")} == {
            "event": "GearEngaged",
            "seat": 1,
            "gear": 1,
        }
        says(room, {"undo": 1})
        names = []
        while (names := [*names, HEARD.get(timeout=SOON_S)["event"]])[-1] != "TakenBack":
            pass


def test_a_listener_with_options_is_opened_where_its_heading_is(
    install: Install, room: Room
) -> None:
    install(GREETER, listeners="hello")
    with Listeners(room.session, {"hello": {"name": "Bob"}}) as listeners:
        assert listeners.found.wait(SOON_S)
        says(room, {"seat": 1, "gear": 1})
        # The page may show the race further on than the events that have been told.
        wanted = {("Bob", "GearEngaged"), (room.session.snapshot().version, "on")}
        while wanted:
            wanted.discard(HEARD.get(timeout=SOON_S))
    assert "closed" in iter(partial(HEARD.get, timeout=SOON_S), None)


def test_of_a_listener_that_ships_nothing_is_imported_without_its_heading(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "race_companion_lights", raising=False)
    assert "light" in plugins("listeners")
    with Listeners(room.session, {}) as listeners:
        assert listeners.found.wait(SOON_S)
    assert "race_companion_lights" not in sys.modules


PATIENT = """
from support.strangers import HEARD
def hello(table, options):
    def greet(event):
        pass
    def changed():
        HEARD.put(table.wires()["light"])
        return 0.01
    greet.changed = changed
    return greet
"""


def test_a_listener_may_ask_to_be_called_again_and_for_the_wires(
    install: Install, room: Room
) -> None:
    install(PATIENT, listeners="hello")
    with Listeners(room.session, {"hello": {}}, lambda: {"light": (0, 1)}) as listeners:
        assert listeners.found.wait(SOON_S)
        assert [HEARD.get(timeout=SOON_S) for _ in range(3)] == [(0, 1)] * 3


@in_one(
    ("said", "pause"),
    [
        (2, 2),
        (0.5, 0.5),
        (0, LEAST_PAUSE_S),
        (-1.0, LEAST_PAUSE_S),
        (float("nan"), LEAST_PAUSE_S),
        (float("inf"), MOST_PAUSE_S),
        (None, None),
    ],
)
def test_only_seconds_are_a_pause_and_never_so_few_that_it_spins(
    said: object, pause: float | None
) -> None:
    assert pause_in(said) == pause
    for wrong in (True, "soon"):
        with pytest.raises(ValueError, match="it should be seconds, or None"):
            pause_in(wrong)


CHANGED = """
class Told:
    def __init__(self, *_): pass
    def __call__(self, event): pass
    def changed(self): return "soon"
    def close(self): raise OSError("no file")
def hello(table, options): return Told()
"""


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (LISTENER.replace("HEARD.put(event)", "1 / 0"), "ZeroDivisionError"),
        ("1 / 0", "cannot be imported: ZeroDivisionError"),
        ("def hello(): pass", "takes (); it is called with (event) or (table, options)"),
        ("def hello(table, options): pass", "gives None; it should be a function of an event"),
        (CHANGED, "OSError: no file"),
        (CHANGED.replace('"soon"', "None").replace("pass", "raise KeyError(2)"), "KeyError: 2"),
    ],
)
def test_a_listener_that_fails_is_named_and_the_table_goes_on(
    install: Install, room: Room, caplog: pytest.LogCaptureFixture, code: str, why: str
) -> None:
    install(code, listeners="hello")
    with Listeners(room.session, {"hello": {}}) as listeners:
        assert listeners.found.wait(SOON_S)
        says(room, {"seat": 1, "gear": 1})
        _is_logged(caplog, "the plugin 'hello' of stranger_0")
        assert why in caplog.text
        says(room, {"undo": 1})


def _is_logged(caplog: pytest.LogCaptureFixture, text: str) -> None:
    until_s = time.monotonic() + SOON_S
    while text not in caplog.text:
        assert time.monotonic() < until_s
        time.sleep(0.01)


def test_a_listener_that_hangs_costs_the_table_nothing(
    install: Install,
    room: Room,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    GO_ON.clear(), STUCK.clear()
    monkeypatch.setattr("companion.app.plugins.PATIENCE_S", 0.01)
    monkeypatch.setattr("companion.app.plugins.CLOSING_S", 0.01)
    monkeypatch.setattr("companion.app.plugins.MOST_WAITING", 3)
    code = "from support.strangers import *\ndef hello(event): STUCK.set(); GO_ON.wait()"
    install(code, listeners="hello")
    with Listeners(room.session, {}) as listeners:
        assert listeners.found.wait(SOON_S)
        says(room, {"seat": 1, "gear": 1})
        assert STUCK.wait(SOON_S)
        for _ in range(5):
            says(room, {"undo": 1})
            says(room, {"seat": 1, "gear": 1})
        _is_logged(caplog, "does not answer within 0.01 s")
    GO_ON.set()


BOARDS = "def hello(): return {folder!r}"
RING = ROOT / "plugins" / "template" / "race_companion_hello" / "boards"


def test_boards_of_a_plugin_may_be_raced_like_the_hosts_own(install: Install) -> None:
    install(BOARDS.format(folder=str(RING)), tracks="hello")
    assert "hello-ring.toml" in TrackLibrary(()).names()
    assert TrackLibrary(()).load("hello-ring.toml").name == "Hello Ring"


def test_a_heading_that_two_plugins_share_is_refused_by_neither(install: Install) -> None:
    install(DRIVER, seats="Driver", listeners="Driver")
    seats = Seats()
    with OutsideSeats(plugins("seats")["hello"], (1,), seats, {"button": 4, "name": "Bea"}):
        assert seats.troubles.get(timeout=SOON_S) == (1, "driver", None)


def test_a_broken_plugin_of_boards_is_told_and_the_others_are_there(
    install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    install("def hello(): return 1 / 0", tracks="hello")
    assert "monaco" in TrackLibrary(()).names()
    assert "fails: ZeroDivisionError: division by zero" in caplog.text


def test_a_reader_of_others_boards_is_chosen_by_the_suffix(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = """
class Board:
    doubts = [("grid", "is made up")]
class hello:
    suffix = ".ring"
    def read(self, content, name):
        if content != b"a ring":
            raise ValueError("it has no ring")
        board = Board()
        board.text = TEXT.replace("Hello Ring", name)
        return board
"""
    text = (RING / "hello-ring.toml").read_text("utf-8")
    install(f"TEXT = {text!r}\n{code}", tracks="hello")
    file, out = tmp_path / "club_ring.ring", tmp_path / "out.toml"
    file.write_bytes(b"a ring")
    assert main(["track", "import", str(file), "-o", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["doubts"] == [{"where": "grid", "what": "is made up"}]
    assert 'name = "Club Ring"' in out.read_text("utf-8")
    file.write_bytes(b"a square")
    assert main(["track", "import", str(file), "-o", str(tmp_path / "b.toml")]) == 2
    assert "is no board: it has no ring" in capsys.readouterr().err


def test_a_heading_of_companion_toml_may_be_a_plugins(install: Install, tmp_path: Path) -> None:
    (file := tmp_path / "companion.toml").write_text("[hello]\nname = 'Ana'\n")
    with pytest.raises(PlanError, match=r"\[hello\] is none of \[seats\]"):
        read_plan(file)
    install(LISTENER, listeners="hello")
    assert read_plan(file).options["hello"] == {"name": "Ana"}


def test_the_list_says_of_each_plugin_whether_it_works(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(
        "def hello(one): pass", seats="hello", listeners="hello", tracks="nothing", listener="hello"
    )
    assert main(["plugin", "list", "--json"]) == 0
    listed = {
        one["group"]: one for one in json.loads(capsys.readouterr().out) if one["name"] == "hello"
    }
    assert listed["listeners"]["ok"] is True
    assert "it is called with (seats, listener, options)" in listed["seats"]["fault"]
    assert "has no attribute 'nothing'" in listed["tracks"]["fault"]
    assert "there is no group 'listener'" in listed["listener"]["fault"]
    assert listed["tracks"]["package"].startswith("stranger")


def test_the_template_and_each_plugin_that_ships_are_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    for folder in sorted((ROOT / "plugins").iterdir()):
        assert main(["plugin", "check", str(folder)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("was", "becomes", "status", "said"),
    [
        ("race_companion.seats", "race_companion.chairs", 1, "there is no group 'chairs'"),
        ("hello = ", "phone = ", 1, "the companion itself uses this name"),
        ("hello = ", "pod = ", 1, "this is the name of a plugin that ships with the companion"),
        ("hello = ", "Hello = ", 1, "a name is small letters"),
        (":open_boards", ":Terminal", 1, "it is called with ()"),
        (":Toast", ":open_boards", 1, "it should be what people call it"),
        ("race_companion.", "other.", 2, "has no entry point of race_companion.seats"),
        ("[project]", "[project", 2, "is not TOML"),
        ("[project.entry-points", "[other.entry-points", 2, "has no entry point of"),
        ("hello:open_seats", "hello.open_seats", 1, "should be like 'package.module:function'"),
        ("hello:open_seats", "hello open_seats", 1, "should be like 'package.module:function'"),
    ],
)
def test_the_check_says_what_would_be_accepted(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    was: str,
    becomes: str,
    status: int,
    said: str,
) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "plugins" / "template"), *sys.path])
    text = (ROOT / "plugins" / "template" / "pyproject.toml").read_text("utf-8")
    (tmp_path / "pyproject.toml").write_text(text.replace(was, becomes))
    assert main(["plugin", "check", str(tmp_path)]) == status
    out = capsys.readouterr()
    assert said in (out.out if status == 1 else out.err)


def test_options_are_read_with_their_bounds() -> None:
    options = Options("hello", {"count": True, "name": "Eva", "loud": 1})
    for read, wanted in (
        (
            lambda: options.number("count", 1, 1, 8),
            "count = True should be a whole number from 1",
        ),
        (lambda: options.text("name", among=("Ana", "Bob")), "name = 'Eva' should be one of Ana,"),
        (lambda: options.flag("loud"), "loud = 1 should be true or false"),
    ):
        with pytest.raises(PluginError, match=re.escape(wanted)):
            read()
    options.check()
    assert (options.number("most", 3, 1, 8), options.text("word"), options.flag("quiet")) == (
        3,
        "",
        False,
    )


# -- exports --------------------------------------------------------------------------------------

EXPORT = """
import json
class hello:
    title = about = "greetings"
    of, suffix, address = "either", ".json", "league/at/hello"
    def write(self, league, key):
        return json.dumps(league.season(key)).encode()
    def read(self, content):
        if content != b"a season":
            raise ValueError("it has no season")
        return [{"act": "season", "season": "s", "title": "Summer"}]
    def answer(self, league, path, query, url):
        return {"path": path, "told": {**query}, "url": url} if path == "hi" else None
"""


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """A season of a race; forms of plugins are looked for anew."""
    forms.cache_clear()
    with League(tmp_path / "data", now=lambda: "2026-03-01T12:00:00") as made:
        do(
            made,
            {"act": "season", "season": "s", "title": "Spring"},
            by_hand("r", ("Ana",)),
            by="t",
        )
        do(made, {"act": "round", "race": "r", "season": "s", "round": 1}, by="t")
        yield made
    forms.cache_clear()


def test_a_strangers_form_is_written_and_read_by_its_name(
    install: Install, league: League, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    install(EXPORT, exports="hello")
    where = ["--data", str(tmp_path / "data")]
    assert main(["league", "export", "hello", "s", *where]) == 0
    assert json.loads(capfdbinary.readouterr().out)["title"] == "Spring"
    (tmp_path / "file").write_bytes(b"a season")
    assert main(["league", "import", "hello", str(tmp_path / "file"), *where]) == 0
    (tmp_path / "file").write_bytes(b"a soup")
    assert main(["league", "import", "hello", str(tmp_path / "file"), *where]) == 2
    assert b"it has no season" in capfdbinary.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["league", "export", "helo", "s", *where])
    assert b"'acts', 'bgstats', 'calendar'" in capfdbinary.readouterr().err


def test_a_strangers_form_answers_at_its_address(install: Install, league: League) -> None:
    install(EXPORT, exports="hello")
    app = Flask("companion_web")
    access = LeagueAccess(league.public, league, guard=None)  # type: ignore[arg-type]
    app.register_blueprint(exports.answers_blueprint(access))
    client = app.test_client()
    told = client.get("/league/at/hello/hi?many=2").get_json()
    assert told == {
        "path": "hi",
        "told": {"many": "2"},
        "url": "http://localhost/league/at/hello/hi",
    }


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        ('of, suffix, address = "either"', 'of, suffix, address = "all"', "its of is 'all'"),
        ('".json"', '"json"', "its suffix is 'json'"),
        ("league/at/hello", "api/hello", "its address is 'api/hello'"),
        ("def answer", "def reply", "it has an address, and no answer"),
        ("import json", "import nothing_of_this_name", "cannot be imported"),
        ('about = "greetings"', "about = property(lambda self: 1 / 0)", "fails: ZeroDivisionError"),
    ],
)
def test_an_export_that_is_none_is_named_and_the_others_are_there(
    install: Install,
    league: League,
    caplog: pytest.LogCaptureFixture,
    was: str,
    becomes: str,
    why: str,
) -> None:
    install(EXPORT.replace(was, becomes), exports="hello")
    assert {"ergast", "bgstats", "csv"} <= forms().keys()
    assert "hello" not in forms()
    assert "the plugin 'hello' of stranger_0" in caplog.text
    assert why in caplog.text


def test_an_export_that_fails_later_is_a_sentence(install: Install, league: League) -> None:
    install(EXPORT.replace("json.dumps(", "json.dumps(1 / (key != 's') and "), exports="hello")
    with pytest.raises(LeagueError, match=r"'hello' of .*: fails: ZeroDivisionError"):
        forms()["hello"].writer()(league.queries, "s")
    with pytest.raises(BadAct, match="there is no season 'x'"):
        forms()["hello"].writer()(league.queries, "x")


def test_a_link_that_fails_is_left_out_and_told(
    install: Install, league: League, caplog: pytest.LogCaptureFixture
) -> None:
    is_link = EXPORT.replace("class hello:", "class hello:\n    is_link = True")
    install(is_link.replace("json.dumps(", "json.dumps(1 / 0 and "), exports="hello")
    access = LeagueAccess(league.public, league, guard=None)  # type: ignore[arg-type]
    (race,) = league.queries.races()
    assert "hello" not in [link["form"] for link in exports.links_of(access, race)]
    assert "the plugin 'hello' of stranger_0" in caplog.text


def test_an_export_that_hangs_is_given_up(
    install: Install, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.league.exchange.outside.LONGEST_S", 0.01)
    stuck = EXPORT.replace("json.dumps(", "__import__('threading').Event().wait() or (")
    install(stuck, exports="hello")
    with pytest.raises(LeagueError, match=r"'hello' of .*: does not answer within 0.01 s"):
        forms()["hello"].writer()(league.queries, "s")


def test_an_export_sees_no_hidden_driver_where_strangers_ask(league: League) -> None:
    do(league, {"act": "hide", "driver": "Ana"}, by="t")
    for view, is_hidden in ((league.queries, False), (league.public, True)):
        seen = LeagueSeen(view, "hello")
        whole = json.dumps([seen.season("s"), seen.races(["r"]), seen.standings("s")])
        whole += json.dumps([seen.acts("s"), seen.each("x", lambda season: [season])])
        assert ("ana" in whole.casefold()) is not is_hidden
        assert seen.season("s")["races"][0]["cars"][0]["hidden"] is is_hidden


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def hello(options): raise ValueError('no such lamp')", r"\[hello\] no such lamp"),
        ("def hello(options): return 1 / 0", "the plugin 'hello' of .*: fails: ZeroDivisionError"),
        ("def hello(options): options.number('port', 1, 1, 9)", r"\[hello\] port = 70 should be"),
    ],
)
def test_what_is_wrong_with_a_receiver_is_told_when_the_club_opens(
    install: Install, tmp_path: Path, code: str, why: str
) -> None:
    install(code, receivers="hello")
    (tmp_path / "companion.toml").write_text("[hello]\nport = 70\n")
    with pytest.raises(LeagueError, match=why):
        open_receivers(tmp_path)


def test_what_a_table_alone_is_told_keeps_no_club_shut(install: Install, tmp_path: Path) -> None:
    install("def hello(options): return options.text('to')", receivers="hello")
    said = '[seats]\n9 = "no such driver"\n[soup]\n[hello]\nto = "all"\n'
    (tmp_path / "companion.toml").write_text(said)
    assert open_receivers(tmp_path) == {"hello": "all"}
    (tmp_path / "companion.toml").write_text("hello = 3\n")
    with pytest.raises(LeagueError, match=r"hello = 3 should be the heading of a table: \[hello\]"):
        open_receivers(tmp_path)


def test_a_receiver_is_waited_for_longer_than_other_plugins(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.league.PATIENCE_S", 0.01)
    install("def hello(options): __import__('threading').Event().wait()", receivers="hello")
    (tmp_path / "companion.toml").write_text("[hello]\n")
    with pytest.raises(LeagueError, match=r"does not answer within 0.01 s"):
        open_receivers(tmp_path)


# -- the page that plugins rely on ----------------------------------------------------------------


def test_the_docs_name_every_group_argument_and_call() -> None:
    for group, calls in ARGUMENTS.items():
        assert f"## `race_companion.{group}`: {GROUPS[group]}" in DOCS
        for one in calls:
            assert f"({one})" in DOCS
    named = {
        "options": ("number", "text", "flag", "address"),
        "receiver": ("send", "close"),
        "listener": ("press", "health", "bounce", "edge"),
        "table": tuple(name for name in vars(TableSeen) if not name.startswith("_")),
        "reader": ("read",),
    }
    homes = {
        "options": Options,
        "listener": OutsideSeats,
        "table": TableSeen,
        "reader": Reader,
        "receiver": Receiver,
    }
    for of, names in named.items():
        for name in names:
            assert callable(getattr(homes[of], name))
            assert f"`{of}.{name}(" in DOCS
    assert set(ARGUMENTS) == set(GROUPS)
    assert "`open_greeter.examine(wires, options)`" in DOCS
    for name in OFFERS:
        assert re.search(rf"`driver\.{name}[`(]", DOCS), name
    assert "`options.get(key)`" in DOCS
    for call in ("examine(wires", "wires(seats", "check("):
        assert f"`open_seats.{call}" in DOCS
    told = (ROOT / "docs" / "league.md").read_text("utf-8")
    assert not [kind for kind in KINDS if f"`{kind}`" not in told]


def test_the_docs_name_all_of_an_export_and_of_the_league_that_it_sees(league: League) -> None:
    asked = [name for name in vars(LeagueSeen) if not name.startswith("_")]
    own = [*(name for name, _, _ in WANTED), "is_link", "read", "answer"]
    for of, names in (("league", asked), ("export", own)):
        for name in names:
            assert f"`{of}.{name}" in DOCS, name
    by_hand_ = by_hand("t", (), entries=[{"name": "Ana", "trial": 20, "time": 99}])
    do(league, by_hand_, {"act": "plan", "season": "s", "round": 3}, by="t")
    seen = LeagueSeen(league.queries, "hello")
    season, (race,) = seen.season("s"), seen.races(["t"])
    told = (season, *season["calendar"], race, race["box"], *race["cars"], seen.standings("s"))
    for name in {name for one in (*told, *seen.standings("s")["drivers"]) for name in one}:
        assert re.search(rf"`[a-z_ ]*\b{name}\b[a-z_ ]*`", DOCS), name


def test_plugins_that_ship_use_nothing_but_what_is_documented() -> None:
    for file in (ROOT / "plugins").glob("*/race_companion_*/**/*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("companion"):
                named = [f"{node.module}.{one.name}" for one in node.names]
                assert f"`{node.module}`" in DOCS or all(f"`{one}`" in DOCS for one in named), file
