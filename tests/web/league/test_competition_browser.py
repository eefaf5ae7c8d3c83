"""A whole competition on the page alone, and the same by the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM

from companion.cli import main
from companion.league.acts import OF_FEDERATIONS
from companion.league.league import League
from companion.league.standings import standings, team_standings
from companion_web.door import Door, listen

from .conftest import PIN, pages_of

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.long]

OpenPage = Callable[..., Page]
Fields = dict[str, Any]
# By hand, 10 8 6 and 3 2 1 of the sprint; round 2 is called off.
#        1  sprint  3
# Bea    8    3    10  − 2 = 19
# Cai    6    1     8        15
# Ana   10    2     –        12, relegated
# Rae    –    –     6         6, a reserve for Ana
DRIVERS = {"Bea": 19, "Cai": 15, "Ana": 12, "Rae": 6}
# Red: Ana 10 + 2, Rae for her 6, Bea from round 3 on 10, less 1. Blue: Bea 8 + 3.
TEAMS = {"Red": 27, "Blue": 11}
STAGES = {
    "upper": {"stage": "division", "points": "10,8,6", "step": 1, "tier": 1},
    "lower": {"stage": "division", "points": "10,8,6", "step": 1, "tier": 2},
    "upper-next": {"stage": "division", "points": "10,8,6", "step": 2, "tier": 1},
    "lower-next": {"stage": "division", "points": "10,8,6", "step": 2, "tier": 2},
}
ORGANISED: list[tuple[str, Fields]] = [
    ("enter", {"driver": "Ana", "number": 1, "color": "red", "team": "Red"}),
    ("enter", {"driver": "Bea", "number": 2, "color": "blue", "team": "Blue"}),
    ("enter", {"driver": "Rae", "role": "reserve"}),
    ("plan", {"round": 2, "date": "2026-02-08", "board": "Monza"}),
    ("plan", {"round": 2, "cancelled": "snow"}),
    ("team", {"driver": "Bea", "team": "Red", "since": 3}),
    ("path", {"first": 1, "last": -2, "into": "upper-next"}),
    ("path", {"first": -1, "last": -1, "into": "lower-next"}),
]
LOWER: list[tuple[str, Fields]] = [
    ("path", {"first": 1, "last": 1, "into": "upper-next"}),
    ("path", {"first": 2, "last": -1, "into": "lower-next"}),
]
RACES = (
    ("upper", "2026-02-01", "Ana Bea Cai"),
    ("upper", "2026-02-02", "Bea Ana Cai"),
    ("upper", "2026-02-15", "Bea Cai Rae"),
    ("lower", "2026-02-01", "Dot Eve"),
)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[League]:
    """A league with nothing in it."""
    with League(tmp_path / "page", now=lambda: "2026-03-01T12:00:00") as league:
        yield league


def send(page: Page, form: Any, **fields: Any) -> None:
    """Fill a form and send it, opened where it is folded; the page is read again."""
    form.evaluate(
        "one => { for (; one; one = one.parentElement) if (one.open === false) one.open = true; }"
    )
    for name, value in fields.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(f"{value}")
        else:
            field.fill(f"{value}")
    with page.expect_navigation():
        form.locator("button.go").click()
    expect(page.locator("#toast")).to_contain_text("in the league now")


def with_field(page: Page, act: str, fields: Fields) -> Any:
    """The form of an act that has these fields."""
    forms = page.locator(f"form[data-act={act}]")
    for name in fields:
        forms = forms.filter(has=page.locator(f"[name={name}]:not([type=hidden])"))
    return forms.first


def race_ids(league: League) -> list[str]:
    races = {(race.season, race.date): race.id for race in league.queries.races()}
    return [races[season, day] for season, day, _ in RACES]


def enter_races(page: Page, address: str, league: League) -> None:
    page.goto(f"{address}/enter")
    form = page.locator("form[data-form=race]")
    for n, (season, day, order) in enumerate(RACES, 1):
        form.locator("[name=order]").fill(order.replace(" ", "\n"))
        form.locator("[name=date]").fill(day)
        form.locator("[name=season]").select_option(season)
        form.locator("button.go").click()
        expect(form.locator("[name=order]")).to_have_value("")
        assert len(league.queries.races()) == n


def page_of(act: str) -> str:
    """The page of a season on which there is a form of this act."""
    return "entries" if act in OF_FEDERATIONS else "organise"


def on_the_page(page: Page, address: str, league: League) -> None:
    send(page, page.locator("form[data-act=competition]"), competition="Club", ranking="stages")
    page.goto(f"{address}/competitions/club")
    for key, fields in STAGES.items():
        send(page, page.locator("form[data-act=season]").first, season=key, **fields)
    for stage, steps in (("upper", ORGANISED), ("lower", LOWER)):
        for act, fields in steps:
            page.goto(f"{address}/seasons/{stage}/{page_of(act)}")
            send(page, with_field(page, act, fields), **fields)
    enter_races(page, address, league)
    _first, sprint, last, lower = race_ids(league)
    page.goto(f"{address}/races/{sprint}/amend")
    send(page, page.locator("form[data-act=round]"), round=1, points="3,2,1")
    page.goto(f"{address}/races/{last}/amend")
    send(page, page.locator("form[data-act=round]"), round=3)
    send(page, page.locator("form[data-act=penalty]"), driver="Bea", points=2, reason="late")
    page.goto(f"{address}/seasons/upper/entries")
    stand_in = with_field(page, "stand-in", {"driver": 0, "absent": 0})
    send(page, stand_in, round=3, driver="Rae", absent="Ana")
    page.goto(f"{address}/seasons/upper/organise")
    send(page, page.locator("form[data-act=penalty]"), team="Red", points=1, reason="paint")
    bring_second_to_first(page, f"{address}/races/{lower}/amend")
    for stage in ("upper", "lower"):
        page.goto(f"{address}/seasons/{stage}/entries")
        send(page, page.locator("form[data-post$=qualify]"))


def bring_second_to_first(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#amend .place").nth(1).click()
    page.locator("#places [data-to='1']").click()
    page.locator("#then [name=reason]").fill("told wrongly")
    with page.expect_navigation():
        page.get_by_role("button", name="Amend it").click()


def by_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> Any:
        assert main(["league", *words, "--data", str(folder), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    def do(act: str, **fields: Any) -> None:
        run("do", json.dumps({"act": act, **fields}))

    run("competition", "Club", "--ranking", "stages")
    for key, fields in STAGES.items():
        options = [word for name, value in fields.items() for word in (f"--{name}", f"{value}")]
        run("new", key, "--competition", "club", "--closed", *options)
    for stage, steps in (("upper", ORGANISED), ("lower", LOWER)):
        for act, more in steps:
            do(act, season=stage, **more)
    ids = []
    for season, day, order in RACES:
        told = ("--order", order.replace(" ", ","), "--date", day, "--season", season)
        ids += run("add", *told)["races"]
    _, sprint, last, lower = ids
    do("round", race=sprint, season="upper", round=1, points="3,2,1")
    do("round", race=last, season="upper", round=3)
    do("penalty", race=last, driver="Bea", points=2, reason="late")
    do("stand-in", season="upper", round=3, driver="Rae", absent="Ana")
    do("penalty", season="upper", team="Red", points=1, reason="paint")
    entries = [{"seat": 2, "name": "Eve", "place": 1}, {"seat": 1, "name": "Dot", "place": 2}]
    do("amend", race=lower, reason="told wrongly", entries=entries)
    run("qualify", "upper")
    run("qualify", "lower")


def all_of(league: League) -> dict[str, Any]:
    """The competition as a league answers, but for the numbers of its acts."""
    told: dict[str, Any] = {"cup": league.queries.competitions()}
    for stage in league.queries.stages("club"):
        races = league.queries.races(season=stage.key)
        lines = standings(stage, races)
        teams = {line.name: line.points for line in team_standings(stage, races)}
        ways = [(one.into, one.first, one.last, one.by) for one in stage.paths]
        told[stage.key] = (
            {line.name: line.points for line in lines},
            teams,
            stage.entrants,
            stage.calendar,
            stage.moves,
            stage.stand_ins,
            ways,
        )
    return told


def test_two_divisions_are_run_on_the_page_alone_and_the_same_by_commands(
    bare: League,
    open_page: OpenPage,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Door(pages_of(bare).application, listen("127.0.0.1", 0)) as door:
        address = f"http://127.0.0.1:{door.port}/league"
        page = open_page(f"{address}/competitions#pin={PIN}")
        on_the_page(page, address, bare)
        page.goto(f"{address}/competitions/club")
        names = page.locator(".standings").first.locator("tbody th.name")
        expect(names).to_have_text(["Bea", "Cai", "Eve", "Ana", "Dot", "Rae"])
    told = all_of(bare)
    assert (told["upper"][0], told["upper"][1]) == (DRIVERS, TEAMS)
    assert [one.name for one in told["upper-next"][2]] == ["Bea", "Cai", "Eve"]
    assert [one.name for one in told["lower-next"][2]] == ["Ana", "Dot"]
    by_commands(tmp_path / "commands", capsys)
    with League(tmp_path / "commands", now=lambda: "2026-03-01T12:00:00") as other:
        assert all_of(other) == told
