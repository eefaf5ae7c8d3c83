"""Languages of the pages."""

from __future__ import annotations

from flask import Request

from companion.views.words import LANGUAGES


def choose_language(request: Request) -> str:
    """The language of a page: the one asked for, else the one chosen before, else the browser's."""
    for chosen in (request.args.get("lang"), request.cookies.get("lang")):
        if chosen in LANGUAGES:
            return chosen
    primary = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in primary if tag in LANGUAGES), "en")


def page_words(language: str) -> dict[str, str]:
    return {}
