"""What the page itself refuses, told as the engine protocol tells a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Response, json, request

from companion.views.words import LANGUAGES, words
from companion.views.words.refusals import refusal_text


class Problem(Exception):
    """A request that the page refuses before the table hears of it."""

    def __init__(self, status: HTTPStatus, key: str, message: str, **arguments: object) -> None:
        super().__init__(message)
        self.status = status
        self.key = key
        self.message = message
        self.arguments = arguments

    def as_json(self) -> dict[str, object]:
        """The reply of the engine protocol: `illegal` is who or when, `malformed` is what."""
        is_about_caller = self.status in (
            HTTPStatus.UNAUTHORIZED,
            HTTPStatus.FORBIDDEN,
            HTTPStatus.CONFLICT,
            HTTPStatus.TOO_MANY_REQUESTS,
        )
        error = {
            "code": "illegal" if is_about_caller else "malformed",
            "rule": None,
            "key": self.key,
            "args": self.arguments,
            "message": self.message,
        }
        return {"ok": False, "error": error, "asks": []}


def malformed(key: str, message: str, **arguments: object) -> Problem:
    """The problem of a body that says nothing that the page understands."""
    return Problem(HTTPStatus.BAD_REQUEST, key, message, **arguments)


def reply_json(body: Mapping[str, object], status: int = HTTPStatus.OK) -> Response:
    """A JSON answer with a status.

    Our own pages say in `X-Language` which language they speak: a refusal then comes with
    its sentence in it as `say`. Other programs get the engine protocol and nothing more.
    """
    language, error = request.headers.get("X-Language"), body.get("error")
    if language in LANGUAGES and isinstance(error, Mapping):
        body = {**body, "say": refusal_text(error, words(language))}
    return Response(json.dumps(body) + "\n", status, mimetype="application/json")


def reply_problem(problem: Problem) -> Response:
    """The answer to a request that was refused."""
    response = reply_json(problem.as_json(), problem.status)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="table"'
    if problem.status == HTTPStatus.TOO_MANY_REQUESTS:
        response.headers["Retry-After"] = "1"
    return response
