"""`companion boot`: lines in config.txt, changed once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from race_companion_wired.boot import with_block
from race_companion_wired.pinmap import layouts

OWN = "# mine\ndtoverlay=vc4-kms-v3d\n[pi4]\nmax_framebuffers=2\n"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.txt"
    path.write_text(OWN)
    return path


def laid(config: Path, layout: str, capsys: pytest.CaptureFixture[str]) -> bool:
    assert main(["boot", layout, "--file", str(config), "--json"]) == 0
    return bool(json.loads(capsys.readouterr().out)["changed"])


@pytest.mark.parametrize("layout", sorted(layouts()))
def test_lines_are_written_once_and_for_every_model(
    config: Path, layout: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert laid(config, layout, capsys)
    text = config.read_text()
    assert text.startswith(OWN)
    added = text.removeprefix(OWN).split()
    assert added.index("[all]") < added.index(layouts()[layout].config[0])
    assert not laid(config, layout, capsys)
    assert config.read_text() == text


def test_another_layout_takes_the_place_of_the_first_and_none_leaves_what_was(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for layout in ("header", "expanded"):
        assert laid(config, layout, capsys)
    assert config.read_text() == with_block(OWN, layouts()["expanded"].config)
    assert laid(config, "none", capsys)
    assert not laid(config, "none", capsys)
    assert config.read_text() == OWN
    assert config.with_name("config.txt.before-companion").read_text() == OWN


@pytest.mark.parametrize("layout", ["none", "pair", "header"])
def test_lights_get_their_line_and_spi_is_not_switched_off_beside_it(
    config: Path, layout: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["boot", layout, "--light", "--file", str(config)]) == 0
    capsys.readouterr()
    added = config.read_text().removeprefix(OWN).split()
    assert "dtoverlay=spi0-0cs,no_miso" in added
    assert "dtparam=spi=off" not in added
    assert laid(config, layout, capsys)
    assert "spi0-0cs" not in config.read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["round"], "layout is one of"),
        (["header", "--file", "/nowhere/config.txt"], "cannot be read"),
        (["header", "--file", "/dev"], "is no file"),
    ],
)
def test_what_cannot_be_written_is_said_in_a_sentence(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["boot", *words]) == 2
    assert says in capsys.readouterr().err


def test_a_link_stays_one_and_nothing_but_a_file_is_written(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever tries it with a device as root still has the device afterwards."""
    link, device = tmp_path / "link", tmp_path / "device"
    link.symlink_to(config)
    assert laid(link, "header", capsys)
    assert link.is_symlink()
    assert config.read_text() == with_block(OWN, layouts()["header"].config)
    device.symlink_to("/dev/null")
    assert main(["boot", "header", "--file", str(device)]) == 2
    assert f"{device} is no file; name a config.txt" in capsys.readouterr().err
    assert device.is_symlink()
    assert device.is_char_device()


def test_lines_behind_the_block_stay(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert laid(config, "pair", capsys)
    config.write_text(config.read_text() + "gpu_mem=16\n")
    assert laid(config, "header", capsys)
    assert "gpu_mem=16" in config.read_text()
    assert not laid(config, "header", capsys)
