"""By which names a page may be asked for: those of its machine, and what the configuration adds.

A page of somebody else may let its own name lead to this machine (DNS rebinding) and read and
post as if it were ours. It cannot make the browser leave its name out of the request.

Phones that have joined the machine's own network come by foreign names too: they ask a name of
their maker whether it leads anywhere. There it leads here; they are told the way to the page
(`Portal`), and offer to open it.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from flask import Response

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOOK_AGAIN_S: Final = 30.0
MOST_KNOWN: Final = 64
Way = Callable[[bool], str | None]
"""Where a phone comes in, with the key to a free seat or without; None: no network is open."""


class Hosts:
    """The names by which this machine is asked for.

    Args:
        more: what `[page] hosts` of companion.toml adds, without ports.
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._more = {name.lower().rstrip(".") for name in more}
        self._addresses: dict[str, tuple[bool, float]] = {}

    def admits(self, header: str | None) -> bool:
        """Whether a request with this `Host` is for us; one without comes from no browser.

        >>> Hosts(["Table.Example"]).admits("table.example:443"), Hosts().admits("evil.example")
        (True, False)
        """
        if not header:
            return True
        name = _without_port(header)
        return name in self._more or name in _names() or self._is_own_address(name)

    def _is_own_address(self, name: str) -> bool:
        now = time.monotonic()
        known, until = self._addresses.get(name, (False, 0.0))
        if now < until:
            return known
        if len(self._addresses) >= MOST_KNOWN:
            self._addresses.clear()
        self._addresses[name] = (_is_own_address(name), now + LOOK_AGAIN_S)
        return self._addresses[name][0]


class Portal:
    """The app of a house with a portal before it.

    Args:
        house: answers what is asked by our own names, and everything where no network is open.
        way: asked only when somebody comes by a foreign name.
    """

    def __init__(self, house: WSGIApplication, hosts: Hosts, way: Way) -> None:
        self._house, self._hosts, self._way = house, hosts, way

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if environ["REQUEST_METHOD"] == "GET" and not self._hosts.admits(environ.get("HTTP_HOST")):
            to = self._way(_is_through_port_80(environ))
            if to is not None:
                response = Response("", HTTPStatus.FOUND, {"Location": to})
                response.headers["Cache-Control"] = "no-store"
                return response(environ, start)
        return self._house(environ, start)


def _without_port(header: str) -> str:
    """The name in a `Host`.

    >>> [_without_port(host) for host in ("Pi.Local.:8000", "[::1]:8000", "::1")]
    ['pi.local', '::1', '::1']
    """
    host = header.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    # More than one colon is an address of IPv6 without its brackets.
    return (host.partition(":")[0] if host.count(":") == 1 else host).rstrip(".")


def _names() -> set[str]:
    full = socket.gethostname().lower()
    short = full.partition(".")[0]
    return {"localhost", full, short, f"{short}.local"}


def _is_own_address(name: str) -> bool:
    """Whether this machine has an address: only then the system gives a socket to it."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    if address.is_unspecified or address.is_multicast:
        return False
    if address.version == 4:
        return _can_bind(socket.AF_INET, (str(address), 0))
    # An address of one link needs its link; any of them may be meant.
    links = [number for number, _ in socket.if_nameindex()] if address.is_link_local else [0]
    return any(_can_bind(socket.AF_INET6, (str(address), 0, 0, link)) for link in links)


def _can_bind(family: int, address: tuple[object, ...]) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind(address)
    except OSError:
        return False
    return True


def _is_through_port_80(environ: WSGIEnvironment) -> bool:
    """Only the socket of the machine's own network speaks from here by a foreign name.

    Whoever knows its password reads the code on the television too; a page elsewhere that leads
    its own name to us does not get the key.
    """
    try:
        return ipaddress.ip_address(str(environ.get("REMOTE_ADDR", ""))).is_loopback
    except ValueError:
        return False
