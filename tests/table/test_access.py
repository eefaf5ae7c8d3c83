"""Who holds which key."""

from __future__ import annotations

from support.tables.sitting import ListJournal

from companion.table.lobby import SEATS
from companion.table.ports import Caller, Snapshot
from companion.table.state import PIN_DIGITS, Access


class FakeTable:
    """A table of which only the host's seat is known."""

    def __init__(self, host: int | None) -> None:
        self.host = host

    def snapshot(self) -> Snapshot:
        return Snapshot(1, bytes, host=self.host)


def access(journal: ListJournal | None = None, host: int | None = 1) -> Access:
    made = Access(journal or ListJournal())
    made.serve_at(lambda: "http://table:8000", FakeTable(host))
    return made


def test_every_seat_has_a_token_of_its_own() -> None:
    keys = access()
    assert len({keys.token(seat) for seat in SEATS}) == len(SEATS)
    for seat in SEATS:
        assert keys.who(keys.token(seat)) == Caller(seat=seat, host=seat == 1)


def test_the_pin_is_the_referees_and_no_default() -> None:
    one, other = access(), access()
    assert one.who(one.pin) == Caller(referee=True, by="referee")
    assert len(one.pin) == PIN_DIGITS
    assert one.pin.isdigit()
    assert one.pin != other.pin


def test_a_stranger_is_nobody_whatever_is_guessed() -> None:
    keys = access()
    for guess in ("", "0", keys.pin[:-1], keys.token(1) + "x", "é\udcff", keys.token(1).upper()):
        assert keys.who(guess) is None


def test_keys_are_the_same_after_a_restart() -> None:
    journal = ListJournal()
    first = access(journal)
    again = access(journal)
    assert first.is_new
    assert not again.is_new
    assert (again.pin, again.link(3)) == (first.pin, first.link(3))


def test_the_token_of_a_link_is_in_its_fragment() -> None:
    keys = access()
    assert keys.link(3) == f"http://table:8000/seat/3#{keys.token(3)}"


def test_without_anybody_at_the_table_there_is_no_host() -> None:
    keys = access(host=None)
    caller = keys.who(keys.token(1))
    assert caller is not None
    assert not caller.host
