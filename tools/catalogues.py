"""Renew the gettext catalogues: `python tools/catalogues.py` (make locale).

Finds every message in the sources (modules, templates, scripts, and tables of texts in TOML),
writes `companion.pot`, merges it into the `.po` of each language and compiles these, as
`tools/msgfmt.py` does. English needs no catalogue. With `--check` nothing is written; the status is
1 where a file would change or a message has no translation.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import polib
from jinja2 import Environment, nodes
from made import renew
from msgfmt import compile_stale

from companion_web.assets import messages_in

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "companion" / "locale"
SOURCES = ("companion", "web/companion_web")
PLURALS = {
    "fr": "nplurals=2; plural=(n > 1);",
    "de": "nplurals=2; plural=(n != 1);",
}
SINGLE = {"say", "phrase", "sentence"}
SEVERAL = {"phrases", "keyed"}
"""Markers of messages with " | " between them."""
TEXTS = {
    **dict.fromkeys(("WearWords", "Says"), 0),
    **dict.fromkeys(("Option", "Switch", "Value", "Driver"), 1),
}
"""Classes that are made of messages, from this argument on."""
OF_KINDS = {"called", "go", "done"}
"""What a kind of act says of itself at the head of its class."""


@dataclass(frozen=True)
class Message:
    """A message as the sources have it; `other` is its plural."""

    text: str
    other: str = ""


def name_of(node: ast.expr) -> str:
    """The last part of a name: `say` of `say` and of `talk.say`."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def message_of(call: ast.Call) -> Message | None:
    """The message that a call asks for, or None."""
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if not texts:
        return None
    if name_of(call.func) in SINGLE:
        return Message(texts[0])
    if not isinstance(call.func, ast.Attribute) or name_of(call.func.value) not in SINGLE:
        return None
    if call.func.attr == "fitting":
        return Message(texts[0])
    return Message(texts[0], texts[1]) if call.func.attr == "many" else None


def texts_of(call: ast.Call) -> list[str]:
    """The messages that a call of a marker or of a class of texts is made of."""
    name = name_of(call.func)
    args = call.args[TEXTS[name] :] if name in TEXTS else call.args if name in SEVERAL else []
    texts = [arg.value for arg in args if isinstance(arg, ast.Constant) and arg.value]
    return [one for text in texts if isinstance(text, str) for one in text.split(" | ")]


def in_module(source: str) -> Iterator[Message]:
    """Every message of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            found = message_of(node)
            yield from (found,) if found else map(Message, texts_of(node))
        elif isinstance(node, ast.ClassDef):
            yield from (Message(one.value.value) for one in node.keywords if one.arg in OF_KINDS)


def in_template(source: str) -> Iterator[Message]:
    """Every message of a template: of a page by `_("…")`, of print by `say` or `say.many`."""
    for call in Environment().parse(source).find_all(nodes.Call):
        texts = [one.value for one in call.args if isinstance(one, nodes.Const)]
        if isinstance(call.node, nodes.Name) and call.node.name in ("_", "say") and texts:
            yield Message(texts[0])
        elif isinstance(call.node, nodes.Getattr) and call.node.attr == "many":
            yield Message(texts[0], texts[1])


def in_script(source: str) -> Iterator[Message]:
    """Every message of a script."""
    return map(Message, messages_in(source))


def in_rules(source: str) -> Iterator[Message]:
    """What stands in tables of texts: rules, readings and chapters, the story, refusals."""
    tables = (table for table in tomllib.loads(source).values() if isinstance(table, dict))
    texts = (text for table in tables for text in table.values())
    return (Message(text) for text in texts if isinstance(text, str))


def in_switches(source: str) -> Iterator[Message]:
    """Title, question, group, labels, sentences and refusals of each house switch."""
    for switch in tomllib.loads(source).values():
        texts = (text for row in switch["values"] for text in row[1:3])
        once = (switch[key] for key in ("title", "asks", "group") if key in switch)
        yield from map(Message, (*once, *texts, *switch.get("refused", {}).values()))


FINDERS: dict[str, Callable[[str], Iterator[Message]]] = {
    "**/*.py": in_module,
    "**/templates/**/*.html": in_template,
    "static/*.js": in_script,
    "static/js/**/*.js": in_script,
    "rules/[rb]*.toml": in_rules,
    "rules/formula/why.toml": in_rules,
    "views/*/*.toml": in_rules,
    "rules/formula/switches.toml": in_switches,
}
"""What finds the messages of a kind of source, by the pattern of its files."""


def template() -> polib.POFile:
    """The messages of all sources, in the order of the alphabet."""
    found: dict[Message, set[str]] = {}
    for folder in SOURCES:
        for pattern, finder in FINDERS.items():
            for path in (ROOT / folder).glob(pattern):
                for message in finder(path.read_text(encoding="utf-8")):
                    found.setdefault(message, set()).add(path.relative_to(ROOT).as_posix())
    pot = polib.POFile(wrapwidth=100)
    pot.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for message in sorted(found, key=lambda m: (m.text, m.other)):
        pot.append(
            polib.POEntry(
                msgid=message.text,
                msgid_plural=message.other,
                msgstr_plural={0: "", 1: ""} if message.other else {},
                occurrences=[(place, "") for place in sorted(found[message])],
                flags=["python-brace-format"] if "{" in message.text else [],
            )
        )
    return pot


def merged(language: str, pot: polib.POFile, known: polib.POFile) -> polib.POFile:
    """The catalogue of a language: the template's messages with the translations known."""
    old = {(entry.msgid, bool(entry.msgid_plural)): entry for entry in known}
    fresh = polib.POFile(wrapwidth=100)
    fresh.metadata = pot.metadata | {"Language": language, "Plural-Forms": PLURALS[language]}
    for entry in deepcopy(list(pot)):
        if before := old.get((entry.msgid, bool(entry.msgid_plural))):
            entry.msgstr, entry.msgstr_plural = before.msgstr, before.msgstr_plural
        fresh.append(entry)
    return fresh


def wanted() -> dict[Path, str]:
    """Every file of the catalogues as it should be."""
    pot = template()
    files = {LOCALE / "companion.pot": str(pot)}
    for language in PLURALS:
        source = LOCALE / language / "LC_MESSAGES" / "companion.po"
        known = polib.pofile(str(source)) if source.exists() else polib.POFile()
        files[source] = f"{merged(language, pot, known)}\n"
    return files


def main() -> int:
    """Write or check; the status for the shell."""
    files = wanted()
    gaps = (
        f"{path.parent.parent.name}: not translated: {entry.msgid!r}"
        for path, text in files.items() if path.suffix == ".po"
        for entry in polib.pofile(text) if not entry.translated()
    )  # fmt: skip
    status = renew(files, gaps)
    if "--check" not in sys.argv:
        compile_stale(ROOT)
    return status


if __name__ == "__main__":
    sys.exit(main())
