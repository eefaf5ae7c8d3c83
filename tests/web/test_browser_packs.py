"""A rules pack chosen on the page of the lobby, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running, add

pytestmark = NEEDS_CHROMIUM


def test_a_pack_is_chosen_on_the_page_and_says_what_it_is(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    add(table)
    table.get_by_role("button", name="House rules").click()
    table.get_by_text("Rules of the box").click()
    table.get_by_label("Rules pack").select_option("Masters 2018")
    expect(table.get_by_text("The competition rules of the French federation")).to_be_visible()
    expect(table.get_by_role("checkbox", name="Time trials")).to_be_checked()
    table.get_by_role("button", name="Done").click()
    expect(table.get_by_role("button", name="House rules")).to_contain_text("Masters 2018")


def test_a_host_keeps_the_settings_of_the_page_as_a_pack_and_replaces_it_when_asked(
    run: Callable[..., Running], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    add(table)
    table.get_by_role("button", name="House rules").click()
    table.get_by_text("Rules of the box").click()
    table.get_by_role("checkbox", name="Time trials").check()
    name, save = table.get_by_label("Name of a pack"), table.get_by_text("Save as a pack")
    name.fill("masters 2018")
    save.click()
    expect(table.get_by_text("ships with the companion")).to_be_visible()
    name.fill("Our club")
    save.click()
    expect(table.get_by_label("Rules pack")).to_have_value("Our club")
    expect(name).to_have_value("")
    (file,) = tmp_path.rglob("packs/*.toml")
    assert 'rules = ["trials"]' in file.read_text("utf-8")
    table.get_by_role("checkbox", name="Tires").check()
    name.fill("Our club")
    save.click()
    expect(table.get_by_text("There is a pack Our club already.")).to_be_visible()
    assert "tires" not in file.read_text("utf-8")
    table.get_by_text("Replace that pack").click()
    expect(name).to_have_value("")
    assert '"tires"' in file.read_text("utf-8")
    again = open_page(f"{running.url}/#pin={running.pin}")
    expect(again.get_by_role("button", name="House rules")).to_contain_text("Our club")
