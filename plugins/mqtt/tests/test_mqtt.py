"""What a club tells a broker: the messages of the webhooks, by MQTT."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.leagues.broker import SmallBroker
from support.leagues.club import until
from support.leagues.records import by_hand, do

from companion.app.league import open_receivers
from companion.league.errors import LeagueError
from companion.league.hooks import Club, Teller
from companion.league.league import League
from companion.league.plain import LiveTable
from race_companion_mqtt import Broker

BODY = json.dumps({"type": "race.finished", "timestamp": "2026-03-01T12:00:00Z", "data": {}})


class NoTables:
    def tables(self) -> list[LiveTable]:
        return []


@pytest.fixture
def broker() -> Iterator[SmallBroker]:
    pytest.importorskip("paho.mqtt")
    one = SmallBroker()
    yield one
    one.stop()


@pytest.fixture
def tell(broker: SmallBroker) -> Iterator[Callable[..., Broker]]:
    opened: list[Broker] = []

    def make(**more: Any) -> Broker:
        opened.append(Broker(f"mqtt://127.0.0.1:{broker.port}", **{"timeout_s": 2.0} | more))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
        one.close()


def test_a_message_is_published_once_below_the_topic_and_not_retained(
    broker: SmallBroker, tell: Callable[..., Broker]
) -> None:
    one = tell(topic="club/live", user="bot", password="geheim")
    one.send("msg_1", BODY.encode(), 7)
    one.send("msg_2", BODY.encode(), 8)
    first, second = broker.taken
    assert (first.topic, first.qos, first.is_retained) == ("club/live/race/finished", 1, False)
    assert first.body == {"id": "msg_1", **json.loads(BODY)}
    assert second.body["id"] == "msg_2"
    assert broker.logins == [("bot", "geheim")], "one connection for both"
    assert "geheim" not in one.address


@pytest.mark.slow
def test_a_broker_that_is_away_is_said_to_be_and_connected_to_when_it_is_back(
    broker: SmallBroker, tell: Callable[..., Broker]
) -> None:
    one = tell()
    one.send("msg_1", BODY.encode(), 7)
    broker.stop()
    with pytest.raises(OSError, match=r"127\.0\.0\.1:\d+ "):
        one.send("msg_2", BODY.encode(), 8)
    with pytest.raises(OSError, match=r"127\.0\.0\.1:\d+ is out of reach"):
        one.send("msg_2", BODY.encode(), 8)
    broker.start()
    one.send("msg_2", BODY.encode(), 9)
    assert broker.taken[-1].body["id"] == "msg_2"


def test_a_broker_that_does_not_say_that_it_has_a_message_is_asked_again_later(
    broker: SmallBroker, tell: Callable[..., Broker]
) -> None:
    one = tell(timeout_s=0.3)
    broker.is_silent = True
    with pytest.raises(OSError, match="does not say that it has the message"):
        one.send("msg_1", BODY.encode(), 7)
    broker.is_silent = False
    one.send("msg_1", BODY.encode(), 8)
    assert [told.body["id"] for told in broker.taken] == ["msg_1", "msg_1"]


@pytest.mark.slow
def test_a_broker_that_accepts_no_connection_is_named_with_its_reason(
    broker: SmallBroker, tell: Callable[..., Broker]
) -> None:
    broker.refusal = 5
    with pytest.raises(OSError, match="accepts no connection: Not authorized"):
        tell().send("msg_1", BODY.encode(), 7)
    assert broker.taken == []


def test_a_club_tells_its_races_and_standings_and_remembers_beside_the_webhook(
    broker: SmallBroker, tell: Callable[..., Broker], tmp_path: Path
) -> None:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        do(league, {"act": "season", "season": "winter", "title": "Winter", "open": True}, by="t")
        club = Club(league.public, NoTables(), league.catch_up)
        pace = {"pause": lambda _: 0.02, "look_s": 0.02, "league_every": 1}
        with Teller(club, "mqtt", tell(timeout_s=1.0), league.folder.acts, **pace):
            until((league.folder.acts / "told-mqtt.json").exists)
            broker.stop()
            place = {"act": "round", "race": "new", "season": "winter"}
            do(league, by_hand("new", ("Ana", "Bea")), place, by="t")
            broker.start()
            until(lambda: len(broker.taken) >= 2)
        topics = [told.topic for told in broker.taken]
        assert topics == ["race-companion/race/finished", "race-companion/standings/changed"]
        assert broker.taken[0].body["data"]["race"] == "new"
        with Teller(club, "mqtt", tell(), league.folder.acts, **pace):
            do(league, {"act": "strike", "race": "new", "reason": "x"}, by="t")
            until(lambda: len(broker.taken) == 4)
        assert broker.taken[2].topic == "race-companion/race/struck"


def test_who_has_not_the_library_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt", None)
    with pytest.raises(ValueError, match=r"pip install '.\[mqtt\]'"):
        Broker("mqtt://broker.local")


def test_without_a_broker_in_the_configuration_the_library_is_not_imported() -> None:
    code = "import sys, companion.app.league; print('paho' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ({"mqtt": "broker.local"}, "address should be an address such as mqtt://"),
        ({"mqtt": "http://broker.local"}, "should be an address such as"),
        ({"mqtt": "mqtt://broker.local/topic"}, "such as mqtt://broker.local"),
        ({"mqtt": "mqtt://u:secret@broker.local"}, "without a user before its host"),
        ({"mqtt": "mqtt://b", "mqtt_topic": "club/#"}, r"without \+ and #"),
        ({"mqtt": "mqtt://b", "mqtt_password": "p"}, "user with password"),
        ({"mqtt": "mqtt://b", "mqtt_port": "9"}, r"\[mqtt\] has 'port'; its options are: address"),
        ({"mqtt_topic": "club"}, "has address, that of a broker"),
        ({"mqtt": 7}, "mqtt is a text"),
        ({"mqtd": "mqtt://b"}, "may say database, club, key, .*mqtt.* not 'mqtd'"),
    ],
)
def test_what_the_configuration_says_wrong_of_a_broker_is_told(
    tmp_path: Path, says: dict[str, object], message: str
) -> None:
    pytest.importorskip("paho.mqtt")
    with pytest.raises(LeagueError, match=message) as told:
        opened(tmp_path, "league", says)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("heading", ["league", "mqtt"])
def test_the_configuration_names_a_broker(tmp_path: Path, heading: str) -> None:
    pytest.importorskip("paho.mqtt")
    own = {"address": "mqtts://b:8884", "topic": "club", "user": "u", "password": "p"}
    if heading == "league":
        own = {"mqtt": own.pop("address"), **{f"mqtt_{name}": own[name] for name in own}}
    assert opened(tmp_path, heading, own)["mqtt"].address == "mqtts://b:8884 club"


def opened(folder: Path, heading: str, says: Mapping[str, object]) -> dict[str, Any]:
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in says.items())
    (folder / "companion.toml").write_text(f"[{heading}]\n{lines}")
    return {**open_receivers(folder)}
