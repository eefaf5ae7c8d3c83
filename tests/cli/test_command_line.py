"""The command line as a whole: every command's help, wrong words, completion, quick starts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from companion.cli import COMPANION, COMPLETION, main
from companion.cli.tools import Group


def commands(group: Group, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command under a group, by the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield (*words, name), found
        if isinstance(found, Group):
            yield from commands(found, *words, name)


ALL = dict(commands(COMPANION))


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_says_what_it_does_and_what_each_of_its_words_is(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as done:
        main([*words, "--help"])
    assert done.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: companion {' '.join(words)} ")
    assert ALL[words].help
    nameless = [param.name for param in ALL[words].params if not getattr(param, "help", None)]
    assert nameless == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Missing command; see companion --help"),
        (["fly"], "No such command 'fly'; see companion --help"),
        (["track", "fly"], "No such command 'fly'; see companion track --help"),
        (["track", "show"], "Missing argument 'NAME'; see companion track show --help"),
        (["track", "list", "--fly"], "No such option '--fly'; see companion track list --help"),
        (["race", "--new", "a", "--resume", "b"], "--new and --resume exclude each other; see "),
        (["league", "standings", "--championship", "a"], "see companion league standings --help"),
        (
            ["league", "export"],
            "Missing argument 'FORM'. Choose from: acts, ",
        ),
    ],
)
def test_wrong_words_are_told_in_one_sentence_with_status_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(words)
    assert refused.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("companion: ")
    assert sentence in err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("", {"race", "engine", "league"}),
        ("league ex", {"export"}),
        ("pod flash --o", {"--only-set-up"}),
    ],
)
def test_a_shell_is_told_what_may_come_next(
    typed: str,
    offered: set[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = f"companion {typed}".split(" ")
    monkeypatch.setenv(COMPLETION, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert main([]) == 0
    found = {line.split(",")[1] for line in capsys.readouterr().out.splitlines()}
    assert offered <= found


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (["--help"], ["companion.race.engine", "companion.app.table", "flask"]),
        (["league", "--help"], ["companion.league", "companion.app.table"]),
        (
            ["engine"],
            ["companion.app.table", "companion.table", "companion.views", "flask"],
        ),
    ],
)
def test_a_command_imports_only_what_it_needs(words: list[str], unneeded: list[str]) -> None:
    code = (
        "import sys; from companion.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], input="", capture_output=True, text=True, check=True
    )
    assert "companion.cli" in done.stderr.split()
    assert sorted({*unneeded} & {*done.stderr.split()}) == []
