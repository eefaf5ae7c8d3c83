"""Coming in by one code: the page that it opens, and the seat that is taken there."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, request

from companion.table.ports import AccessPort, TablePort
from companion_web.bodies import read_object
from companion_web.guard import TABLE, Guard
from companion_web.machine import MachinePort
from companion_web.pages import reply_page
from companion_web.problems import malformed, reply_json
from companion_web.qr import format_qr

KEYS = frozenset({"name", "color"})


def blueprint(
    table: TablePort, access: AccessPort, guard: Guard, machine: MachinePort
) -> Blueprint:
    """`/join`, and what it asks."""
    joining = Blueprint("joining", __name__)

    @joining.get("/join")
    def show_join() -> Response:
        return reply_page("join.html")

    @joining.get("/api/join")
    def tell_join() -> Response:
        """The code, for whoever shows it to the room: it is a key to a free seat."""
        guard.referee(request)
        link = access.link(TABLE)
        told: dict[str, object] = {"link": link, "qr": format_qr(link), "wifi": None}
        if network := machine.hotspot():
            name, password = network["name"], network["password"]
            qr = format_qr(network["code"])
            told["wifi"] = {"name": name, "password": password, "qr": qr}
        return reply_json(told)

    @joining.post("/api/join")
    def join() -> Response:
        caller = guard.caller(request)
        body = read_object(request)
        if not set(body) <= KEYS:
            raise malformed("bad-join", "the body may have a name and a color")
        reply = table.submit(caller, {"table": "sit", "value": body})
        told = dict(reply.body)
        if reply.status == HTTPStatus.OK:
            told["link"] = access.link(int(told["seat"]))
        return reply_json(told, reply.status)

    return joining
