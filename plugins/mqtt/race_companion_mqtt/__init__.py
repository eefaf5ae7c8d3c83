"""Tells a broker what happens in a club: the messages that a webhook has, published by MQTT.

Each is published with QoS 1 and not retained, and is told when the broker has taken it (PUBACK);
the next one waits for that, so that nothing stands in a queue. Where the broker is away, or does
not answer in time, the connection is given up and the club asks again later: a message may come
twice then, with the same `id`.
"""

from __future__ import annotations

import json
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from companion.system.host import how_to_install

TOPIC = "race-companion"
"""Below it stand the kinds of messages, where the configuration names no other."""
PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The usual port, by how a broker is spoken to."""
LONGEST_TOPIC = 200
KEEPALIVE_S = 60
TIMEOUT_S = 10.0


def open_receiver(options: Any) -> Broker:
    """The broker that companion.toml names.

    Raises:
        ValueError: it names none, or says of it what means nothing; or the library is missing.
    """
    address = options.address("address", PORTS)
    topic, user = options.text("topic", TOPIC), options.text("user")
    password = options.text("password")
    parts = urlsplit(address)
    if not address or parts.path.strip("/") or parts.query:
        raise ValueError("has address, that of a broker, such as mqtt://broker.local")
    if password and not user:
        raise ValueError("has user with password")
    if (
        not topic.isprintable()
        or {*"+#"} & {*topic}
        or not 0 < len(topic.encode()) <= LONGEST_TOPIC
    ):
        raise ValueError(f"topic is 1 to {LONGEST_TOPIC} letters without + and #, not {topic!r}")
    return Broker(address, topic=topic, user=user or None, password=password or None)


class Broker:
    """A broker of MQTT 3.1.1, and the topics below which it is told.

    Args:
        address: such as `mqtt://broker.local`, or `mqtts://` with TLS.
        topic: before the kind of a message: `race-companion/race/finished`.

    Raises:
        ValueError: the library is not installed.
    """

    def __init__(
        self,
        address: str,
        *,
        topic: str = TOPIC,
        user: str | None = None,
        password: str | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        try:
            from paho.mqtt import client
        except ModuleNotFoundError as error:
            need = how_to_install("mqtt")
            raise ValueError(f"needs the library {error.name}: {need}") from error
        self.address = f"{address} {topic}"
        self._library: Any = client
        self._parts = urlsplit(address)
        self._topic, self._user, self._password = topic, user, password
        self._timeout_s = timeout_s
        self._client: Any = None

    def send(self, message: str, body: bytes, at: int) -> None:
        """Publish a message, with its id put into it; returns as soon as the broker has it.

        Raises:
            OSError: the broker has not said that it has it.
        """
        told = json.loads(body)
        topic = f"{self._topic}/{told['type'].replace('.', '/')}"
        if self._client is None or not self._client.is_connected():
            self.close()
            self._client = self._connected()
        try:
            sent = self._client.publish(topic, json.dumps({"id": message, **told}), qos=1)
            sent.wait_for_publish(self._timeout_s)
        except (RuntimeError, ValueError) as error:
            self.close()
            raise OSError(f"{self._parts.netloc} is out of reach: {error}") from error
        if not sent.is_published():
            self.close()
            raise OSError(f"{self._parts.netloc} does not say that it has the message")

    def close(self) -> None:
        """Let go of the connection; what it had not handed over is gone. May be called twice."""
        client, self._client = self._client, None
        if client is not None:
            client.disconnect()
            client.loop_stop()

    def _connected(self) -> Any:
        """A connection that the broker has accepted.

        Raises:
            OSError: it is out of reach, or accepts none.
        """
        library, where = self._library, self._parts.netloc
        client = library.Client(library.CallbackAPIVersion.VERSION2)
        client.connect_timeout = self._timeout_s
        client.max_queued_messages_set(1)
        if self._user is not None:
            client.username_pw_set(self._user, self._password)
        if self._parts.scheme == "mqtts":
            client.tls_set()
        answered, answers = Event(), []

        def hear(_client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
            answers.append(reason)
            answered.set()

        client.on_connect = hear
        port = self._parts.port or PORTS[self._parts.scheme]
        try:
            client.connect(self._parts.hostname, port, KEEPALIVE_S)
        except OSError as error:
            raise OSError(f"{where} is out of reach: {error}") from error
        client.loop_start()
        if answered.wait(self._timeout_s) and not answers[0].is_failure:
            return client
        client.disconnect()
        client.loop_stop()
        raise OSError(f"{where} accepts no connection: {answers[0] if answers else 'no answer'}")
