"""Rules packs: how a club plays, as data in the header, and what each fault of one is told."""

from __future__ import annotations

import json
import re
import tomllib
from inspect import getsource
from pathlib import Path
from typing import Any

import clauses as tool
import pytest
from made import stale
from support.each import in_one
from support.formula.drive import play_through
from support.formula.mixtures import Mixture
from support.scenarios.file import every_scenario
from support.tables.sitting import CachedLibrary

from companion.race.boards import PackLibrary
from companion.race.engine import Engine
from companion.race.record import make_header, parse_record, replay
from companion.rules import games, lines, packs
from companion.rules.formula import book
from companion.rules.formula.book import FORMULA_D
from companion.rules.game import Choices, Clash
from companion.rules.games import choices_of
from companion.rules.packs import LARGEST, Pack, clashes, read_pack

CLUB = """\
name = "Our club"
game = "formula-d"
laps = 3
rules = ["build", "tires"]
[house]
slipstream_chain = "one"
corner_ways = "shortest"
"""
SHIPPED = PackLibrary().packs()
SWITCHES = Path(book.__file__).with_name("switches.toml")


def header(text: str = CLUB, name: str = "Our club", **more: Any) -> dict[str, Any]:
    seats = [{"seat": 1, "tires": "hard"}, {"seat": 2, "tires": "hard"}]
    pack = {"name": name, "toml": text}
    return {"game": "formula-d", "track": "monaco", "seats": seats, "pack": pack, **more}


def begun(**more: Any) -> tuple[Engine, dict[str, Any]]:
    engine = Engine(CachedLibrary())
    return engine, engine.handle({"new": header(**more)})


def setup_of(**more: Any) -> Any:
    engine, reply = begun(**more)
    assert reply["ok"], reply
    return engine.moment.setup


def test_a_race_is_as_its_pack_says() -> None:
    setup = setup_of()
    assert (setup.laps, setup.rules) == (3, {"build", "tires"})
    assert (setup.house.slipstream_chain, setup.house.corner_ways, setup.pack) == (
        "one",
        "shortest",
        "Our club",
    )


def test_what_the_header_says_wins_over_the_pack() -> None:
    setup = setup_of(laps=1, rules=["tires"], house={"slipstream_chain": "any"})
    assert (setup.laps, setup.rules) == (1, {"tires"})
    assert (setup.house.slipstream_chain, setup.house.corner_ways) == ("any", "shortest")


def test_a_pack_that_says_nothing_leaves_the_race_as_usual() -> None:
    setup = setup_of(text='name = "Our club"\ngame = "formula-d"')
    assert (setup.laps, setup.rules, setup.house.corner_ways) == (2, frozenset(), "any")


def test_a_switch_between_on_and_off_and_a_number_are_written_as_in_toml() -> None:
    text = 'name = "x"\ngame = "formule-de"\n[house]\nlate_block = false'
    assert read_pack(text).house == {"late_block": "off"}


def test_the_race_says_by_which_pack_it_is_played() -> None:
    _, reply = begun()
    assert reply["events"][0]["pack"] == "Our club"


CLASH = 'repair_lifts = "no"\nstop_restores = "all"'
FAULTS = [
    ("laps = 3", "laps = = 3", "is TOML, and this is none: "),
    ('name = "Our club"\n', "", "the name of a rules pack is a text"),
    ('game = "formula-d"', 'game = "whist"', "game is one of formula-d, formule-de, downforce"),
    ("laps = 3", "laps = 11", "laps is 1 to 10, not 11"),
    ("laps = 3", 'laps = "three"', "laps is a whole number, not 'three'"),
    ("laps = 3", "lap = 3", "a rules pack has no 'lap'; known are about, game, house"),
    ("laps = 3", "about = 3", "about of a rules pack is a line"),
    ('["build", "tires"]', '"build"', "rules is a list of names"),
    ('["build", "tires"]', '["bild"]', "a rule of the pack is one of build, trials, weather"),
    ("slipstream_chain", "slipstreams", "house has no 'slipstreams'; known are"),
    ('"one"', '"two"', "slipstream_chain is one of any, one, none, not 'two'"),
    ('"one"', "1", "slipstream_chain is one of any, one, none, not '1'"),
    ("[house]", "[[house]]", "house is a table of switches"),
    ("laps = 3", "laps = " + "9" * 5000, "this is none: "),
    ("laps = 3", f"# {'x' * LARGEST}", f"up to {LARGEST} characters"),
    ("laps = 3", f"laps = {'[' * 5000}", "this is none: "),
    (
        '"shortest"',
        '"shortest"\nrepair_lifts = "no"\nstop_restores = "all"',
        "contradict each other",
    ),
]
"""What of a sound pack is written otherwise, and a part of the sentence that it is refused with."""


@in_one(("said", "instead", "told"), FAULTS)
def test_a_pack_with_a_fault_is_refused_in_a_sentence(said: str, instead: str, told: str) -> None:
    engine, reply = begun(text=CLUB.replace(said, instead))
    assert said in CLUB
    assert not reply["ok"]
    assert reply["error"]["code"] == "malformed"
    assert told in reply["error"]["message"]
    assert engine.header is None


MISFITS: list[tuple[dict[str, Any], str]] = [
    ({"game": "formule-de"}, "pack-game"),
    ({"game": "downforce", "track": None}, "pack-game"),
    ({"name": "Their club"}, "pack-name"),
    ({"pack": "Our club"}, "pack-form"),
    ({"pack": {"name": "Our club"}}, "pack-form"),
    ({"pack": {"name": "Our club", "toml": CLUB, "more": 1}}, "unknown-key"),
    ({"house": ["one"]}, "house-form"),
]
"""What of a header does not fit its pack, and the key that it is refused with."""


@in_one(("more", "key"), MISFITS)
def test_a_header_that_does_not_fit_its_pack_is_refused(more: dict[str, Any], key: str) -> None:
    _, reply = begun(**more)
    assert (reply["ok"], reply["error"]["key"]) == (False, key)


KEY = r'(?:bad|Malformed)\(\s*"([\w-]+)"'


def kinds_of_fault() -> set[str]:
    """The key of every fault that reading a pack can find."""
    helpers = (lines.one_of, lines.only_keys, lines.read_name, lines.whole)
    # The file goes on with what a header says beside its rules and its pack.
    whole = getsource(packs)
    of_packs = whole[: whole.index("class Dice")]
    read = [*map(getsource, (*helpers, lines.whole_number, games.name_in)), of_packs]
    return {key for part in read for key in re.findall(KEY, part)}


def test_each_kind_of_fault_that_a_pack_can_have_is_among_these() -> None:
    """A kind that is added, and that no pack here has, is found out."""
    replies = [begun(text=CLUB.replace(said, instead))[1] for said, instead, _ in FAULTS]
    met = {reply["error"]["key"] for reply in replies} | {key for _, key in MISFITS}
    assert met == kinds_of_fault()


@in_one("clash", FORMULA_D.choices.clashes, ids=lambda clash: f"{clash.one}-{clash.other}")
def test_a_pack_whose_switches_contradict_each_other_is_refused_by_both_names(
    clash: Clash,
) -> None:
    """Whatever else they need is set so that this pair alone is left."""
    said = "".join(f'{name} = "{value}"\n' for name, value in (clash.one, clash.other))
    _, reply = begun(text=f'name = "Our club"\ngame = "formula-d"\n[house]\n{said}')
    error = reply["error"]
    assert (error["code"], error["key"]) == ("malformed", "switches-clash")
    named = set(error["args"].values())
    assert named & {clash.one[0], clash.other[0]}
    pairs = clashes(dict((clash.one, clash.other)), FORMULA_D.choices)
    assert (clash.one[0], clash.other[0]) in [(one, other) for one, other, _ in pairs]


def test_two_switches_that_contradict_each_other_are_named() -> None:
    choices = Choices(
        (), {"a": ("1", "2"), "b": ("1", "2")}, (Clash(("a", "1"), ("b", "2"), "because"),)
    )
    assert list(clashes({"b": "2"}, choices)) == [("a", "b", "because")]
    assert list(clashes({"b": "2", "a": "2"}, choices)) == []


def test_a_record_carries_its_pack_and_replays_whatever_ships() -> None:
    data = header(text=CLUB.replace("Our", "A lost"), name="A lost club", house={})
    first = make_header(
        data, race="r", name="n", started="", track_text=CachedLibrary().text("monaco")
    )
    lines = [first, {"seat": 1, "black": 7, "at": 0, "by": "seat"}]

    content = "\n".join(json.dumps(line) for line in lines).encode()
    state = replay(parse_record(content)).moment
    assert (state.setup.laps, state.setup.house.slipstream_chain) == (3, "one")


@in_one("name", sorted(SHIPPED))
def test_a_shipped_pack_is_sound_and_its_race_begins(name: str) -> None:
    pack, text = SHIPPED[name]
    assert pack.about
    assert pack.source
    seats = [{"seat": seat, "team": "a", "driver": "x"} for seat in (1, 2)]
    data = {"game": pack.game, "track": "monaco", "seats": seats}
    reply = Engine(CachedLibrary()).handle({"new": {**data, "pack": {"name": name, "toml": text}}})
    assert reply["ok"], reply


def test_every_shipped_file_is_a_pack() -> None:
    assert len(list(PackLibrary().texts())) == len(SHIPPED) > 0


def test_clashes_name_switches_and_values_that_there_are() -> None:
    for game in ("formula-d", "formule-de"):
        choices = choices_of(game)
        for clash in choices.clashes:
            assert all(value in choices.house[name] for name, value in (clash.one, clash.other))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_a_race_by_a_shipped_pack_comes_to_its_end_and_replays(name: str) -> None:
    """Driven at random, answers taken back; every invariant on the way."""
    pack, _ = SHIPPED[name]
    usual = {switch: values[0] for switch, values in FORMULA_D.house.items()}
    rules = frozenset(pack.rules or ())
    house = tuple({**usual, **pack.house}.items())
    for number in range(3):
        mixture = Mixture("formula-d", "monaco", rules, house, pack.laps or 2, seats=4)
        play_through(mixture, number)


def entry_of(name: str) -> dict[str, Any]:
    """All that the file of house switches says of one."""
    told: dict[str, Any] = tomllib.loads(SWITCHES.read_text("utf-8"))[name]
    return told


def clauses(text: str) -> list[str]:
    """Numbers of clauses, such as 12-1-4, at the beginning of a row or after the year."""
    return re.findall(r"\b\d+(?:-\d+)+\b", text.removeprefix("| ").split(" | ")[0])


def test_the_list_of_the_masters_clauses_has_a_switch_where_its_pack_sets_one() -> None:
    """Every switch of the pack says its clauses; beside these and no others stands a switch."""
    text = (Path(__file__).parents[2] / "docs" / "masters.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.count(" | ") == 3 and "**" in line]
    by_switch = {clause for row in rows if "a switch" in row for clause in clauses(row)}
    pack, _ = SHIPPED["Masters 2018"]
    told = {name: entry_of(name).get("source", "") for name in pack.house}
    assert all(source.startswith("2018, ") for source in told.values())
    assert {clause for source in told.values() for clause in clauses(source)} == by_switch
    counts = {mark: sum(f"**{mark}**" in row for row in rows) for mark in ("yes", "table", "no")}
    said = "Of {} clauses {yes} are played, {table} are the table's, {no} are not played"
    assert said.format(len(rows), **counts) in text


BY_HAND = {"1-1-8", "6-3-1 to 6-3-3"}
"""Clauses that a table shows and no line of the engine: who stops the watch, a lever by hand."""


@pytest.mark.slow
def test_the_page_of_the_masters_clauses_is_made_by_playing_them() -> None:
    """Each row that is played names a scenario by its article, which holds by the pack."""
    shown = tool.Shown()
    assert (shown.wrong, stale(tool.texts(shown))) == ([], [])
    text = (Path(__file__).parents[2] / "docs" / "masters.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.count(" | ") == 3 and "**yes**" in line]
    unshown = {row.split("|")[1].strip() for row in rows if "; shown by `" not in row}
    assert unshown == BY_HAND


NEEDS = {
    "wrecks": ("blown_engine", "coast_home", "coast_gears", "block_contact"),
    "blown_engine": ("coast_home", "coast_gears"),
    "coast_home": ("coast_gears",),
}
"""Switches that contradict the pack where another one is not set."""


def without(toml: str, *switches: str) -> str:
    """The text of a pack in which these switches are left as the book has them."""
    return "\n".join(line for line in toml.split("\n") if line.split(" = ")[0] not in switches)


@pytest.mark.slow
def test_each_clause_of_a_switch_fails_where_the_switch_is_not_set() -> None:
    """So what shows it would see it broken."""
    pack, toml = SHIPPED["Masters 2018"]
    names = {name for row in tool.Shown().by_article.values() for name in row}
    paths = [path for path in every_scenario() if path.stem in names]
    seen = {
        switch: any(
            not tool.holds(path, without(toml, switch, *NEEDS.get(switch, ()))) for path in paths
        )
        for switch in pack.house
    }
    assert [switch for switch, is_seen in seen.items() if not is_seen] == []


def test_the_clauses_of_the_other_packs_name_what_they_set() -> None:
    """A section for each pack; every switch that it sets stands beside a clause that is played."""
    text = (Path(__file__).parents[2] / "docs" / "packs.md").read_text("utf-8")
    sections = {part.split("\n", 1)[0]: part for part in text.split("\n## ")[1:]}
    kinds = set(re.findall(r"(?m)^\| (\d+) ", sections.pop("The twenty-five kinds of switches")))
    others = {"24", "21", "22"}  # a season is the league's; of the other two no pack plays any
    played = {entry_of(name).get("kind") for name in FORMULA_D.house} - {None}
    assert set(map(str, played)) == kinds - others
    assert sections.keys() == SHIPPED.keys() - {"Masters 2018"}
    for name, section in sections.items():
        played = " ".join(row for row in section.splitlines() if "**yes**" in row)
        pack, _ = SHIPPED[name]
        assert pack.house.keys() <= set(re.findall(r"`(\w+)`", played)), name


def rows_of_packs() -> list[tuple[str, str]]:
    """The clauses of docs/packs.md that are played, each with its pack; but for the seconds of a
    move, which are the companion's and no line of the engine."""
    text = (Path(__file__).parents[2] / "docs" / "packs.md").read_text("utf-8")
    sections = {part.split("\n", 1)[0]: part for part in text.split("\n## ")[2:]}
    return [(name, row) for name, part in sections.items() for row in part.splitlines()
            if row.startswith("|") and "**yes**" in row and "pace" not in row]  # fmt: skip


def broken(toml: str, row: str, pack: Pack) -> list[str]:
    """The text of a pack in which a clause is not set: its switches, or its rules and laps."""
    switches = [one for one in re.findall(r"`(\w+)`", row) if one in pack.house]
    if switches:
        return [without(toml, one, *NEEDS.get(one, ())) for one in switches]
    laps = f"laps = {(pack.laps or 2) + 1}"
    other = re.sub(r"(?m)^laps = .*", laps, toml)
    rules = 'rules = ["trials"]' if not pack.rules else "rules = []"
    return [other, re.sub(r"(?m)^rules = .*", rules, toml)]


@in_one(("name", "row"), rows_of_packs())
def test_each_clause_of_a_pack_that_is_played_names_a_scenario_that_would_see_it_broken(
    name: str, row: str
) -> None:
    """Played by the pack the table stands as it says, and not where the clause is not set."""
    pack, toml = SHIPPED[name]
    said = re.search(r"; shown by `([\w-]+)` \|$", row)
    assert said, row
    (path,) = (path for path in every_scenario() if path.stem == said[1])
    assert tool.holds(path, toml)
    assert any(not tool.holds(path, one) for one in broken(toml, row, pack)), row
