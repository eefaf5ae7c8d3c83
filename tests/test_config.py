"""What the configuration file says of the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.seats.plan import read_plan
from companion.system.config import ConfigError, advice_of, data_folder, read_hosts


def test_a_file_may_add_names_or_say_nothing(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    assert read_hosts(file) == ()
    file.write_text("[league]\n")
    assert read_hosts(file) == ()
    file.write_text('[page]\nhosts = ["table.example"]\n')
    assert read_hosts(file) == ("table.example",)


@pytest.mark.parametrize(
    "text", ["[page", "page = 1", "[page]\nhosts = 1", "[page]\nhosts = [1]", "[page]\nhost = []"]
)
def test_what_means_nothing_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"companion\.toml"):
        read_hosts(file)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_hosts(tmp_path)


def test_a_table_may_be_without_advice_and_says_so_above_all_tables(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    assert advice_of(file)
    file.write_text('advice = false\n[seats]\n1 = "phone"\n')
    assert not advice_of(file)
    assert read_plan(file).drivers == {1: "phone"}
    file.write_text('advice = "no"\n')
    with pytest.raises(ConfigError, match="true or false"):
        advice_of(file)


def test_a_service_whose_user_has_no_home_still_has_a_folder_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nobody(_: int) -> None:
        raise KeyError("getpwuid(): uid not found")

    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    assert data_folder() == Path("/.local/share/race-companion")
    monkeypatch.setenv("XDG_DATA_HOME", "/srv")
    assert data_folder() == Path("/srv/race-companion")
