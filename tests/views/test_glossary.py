"""One vocabulary: what docs/glossary.md says, and the words that no catalogue has."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import polib
import pytest
from support.each import in_one

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = (ROOT / "docs/glossary.md").read_text("utf-8")
TRANSLATED = sorted((ROOT / "docs").glob("*.??.md"))
RESUMED = r"repren|reprise [dn]e"
"""What a French screen says of undoing only, and a page of a race that goes on too."""

FORBIDDEN = {
    "en": {
        r"^told$": "corrected, agreed, said",
        r"\bmotor\b": "engine",
        r"[Ee]verybody who is asked": "whom it is asked of",
        r"\b[Ii]t stands elsewhere": "the car stands elsewhere",
        r"[Tt]o take along": "downloads",
        r"[Aa]nswers taken back": "answers undone",
    },
    "fr": {
        r"\b[Tt]u\b|\b[Tt]oi\b|\b[Tt](?:on|a|es)\b(?! de)|\bt['’]": "vous",
        r"\b(?:Appuie|Choisis|Annule|Essaie|Attends|Prends|Scanne|Touche)\b": "vous",
        RESUMED: "annuler; reprendre is to resume",
        r"sorties? de virage|\bcases? de sortie": "dépassement",
        r"[Tt]our de (?:jeu|table)": "manche, coup",
        r"\b1e\b(?!-)|\{gear\}e\b": "1re",
        r"[Àà] emporter": "télécharger",
        r"\b[Pp]oste\b(?! de police)|\b[Pp]lace \{(?:seat|n)\}(?! \?)": "siège; place is the rank",
        r"\b[Dd]érive|\bdrift\b": "dérapage",
        r"[Rr]aconte": "rapporte",
        r"accroche .* avec \{": "avec un",
    },
    "de": {
        r"\b(?:Sie|Ihnen)\b(?! (?:ist|sind|steht|wird|hat|fährt|kommt|bleibt))": "du",
        r"\bIhre?[mnrs]?\b": "dein",
        r"[Rr]ückgängig|[Ww]iderruf": "zurücknehmen; fortsetzen is to resume",
        r"\b[Ff]ortfahren\b|\b[Ww]eitermachen\b|wieder aufnehmen": "fortsetzen",
        r"Lebenspunkt|Schadenspunkt|Verschleiß": "Strukturpunkte",
        r"[Ll]enkung|[Hh]andling|[Ff]ahrwerk|[Ss]traßenhaftung": "Straßenlage",
        r"Gangschaltung|\bSchaltung\b": "Getriebe",
        r"\bKarosse\b|\bChassis\b": "Karosserie",
        r"[Ss]chleuder|Pirouette": "Dreher",
        r"[Kk]ollision|Zusammenstoß|\bUnfall": "Rempler",
        r"\bSchutt\b|Wrackteil|Bruchstück": "Trümmer",
        r"Kästchen|\bZelle": "Feld",
        r"Fahrbahn|Fahrstreifen": "Spur",
        r"\bHalte?s?\b(?=[.,:]|$)|Anhalten": "Stopp",
        r"Schiedsrichter|\bReferee\b": "Rennleitung",
        r"Slipstream|\bSog\b": "Windschatten",
        r"Überschieß|Hinausschieß": "Überfahrt",
        r"[Aa]usgeschieden|[Aa]usscheiden": "aus; aufgeben by the player's wish",
        r"Boxenstraße|\bPit\b": "Box, Boxengasse",
        r"Spielrunde|Rennrunde|Durchgang|[Rr]unde \{round\}": "Umlauf; Runde is a lap",
        r"Zeitfahren|Qualifi|Qualifying": "Zeittraining",
        r"[Dd]ownload|herunter laden": "herunterladen",
        r"\b[Pp]latz \{seat\}": "Sitz; Platz is the rank",
        r"Versteigerungsobjekt|\bPosten\b": "Los",
    },
}
"""By language: what is not said, and what is said instead."""


@cache
def messages(language: str) -> list[tuple[str, str]]:
    folder = ROOT / "companion" / "locale"
    is_english = language == "en"
    name = "companion.pot" if is_english else f"{language}/LC_MESSAGES/companion.po"
    return [
        (entry.msgid, text)
        for entry in polib.pofile(str(folder / name))
        for text in (
            (entry.msgid, entry.msgid_plural)
            if is_english
            else (entry.msgstr, *entry.msgstr_plural.values())
        )
    ]


@pytest.mark.parametrize("language", FORBIDDEN)
def test_no_catalogue_says_a_word_that_the_glossary_has_another_for(language: str) -> None:
    found = [
        (text, better)
        for pattern, better in FORBIDDEN[language].items()
        for _, text in messages(language)
        if re.search(pattern, text)
    ]
    assert found == []


@in_one("page", TRANSLATED, ids=lambda path: path.name)
def test_no_translated_page_says_a_word_that_the_glossary_has_another_for(page: Path) -> None:
    language, text = page.name.split(".")[1], re.sub(r"`[^`]*`", "", page.read_text("utf-8"))
    patterns = FORBIDDEN[language].keys() - {RESUMED}
    assert [found[0] for pattern in patterns for found in re.finditer(pattern, text)] == []


@in_one(
    ("language", "text"),
    [("fr", "Tu suis"), ("fr", "Choisis encore."), ("fr", "reste en 1e"), ("en", "the motor"),
     ("de", "Drücken Sie 1"), ("de", "rückgängig"), ("de", "Spielrunde 3"), ("de", "Platz {seat}"),
     ("de", "Ihre Kurven"), ("de", "eine Kollision")],
)  # fmt: skip
def test_a_forbidden_word_is_found(language: str, text: str) -> None:
    assert any(re.search(pattern, text) for pattern in FORBIDDEN[language])


def rows() -> dict[str, list[str]]:
    """The rows of the glossary's tables by their first cell."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in GLOSSARY.splitlines()
        if line.startswith("| ")
    ]
    return {row[0]: row[1:] for row in cells}


def test_the_glossary_has_the_words_of_the_issue() -> None:
    """Each with its French (and German) beside it."""
    found = rows()
    for word in ("undo", "resume", "retire, out", "overshoot", "round", "lap", "turn", "seat"):
        assert word in found, word
