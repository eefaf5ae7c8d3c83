"""A seat in the terminal, a listener that greets, a board, a toast to who leads, a command."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Thread

import click


def open_seats(seats, listener, options):
    """Start the driver of these seats."""
    return Terminal(seats[0], listener, letter=options.text("letter", "#"))


class Terminal:
    """A seat whose screen is the terminal, and whose six buttons are the digits."""

    def __init__(self, seat, listener, letter):
        self.seat, self.listener, self.letter = seat, listener, letter
        self.number = None
        Thread(target=self.read, daemon=True).start()

    def show(self, seat, picture):
        """Draw a picture, every second row of it, so that it is not too tall."""
        self.number = picture.number
        for row in range(0, 64, 2):
            bits = (picture.bitmap[row // 8 * 128 + x] >> row % 8 & 1 for x in range(128))
            print("".join(self.letter if bit else " " for bit in bits).rstrip())

    def read(self):
        """Press what is typed."""
        for line in sys.stdin:
            if line.strip() in tuple("123456"):
                self.listener.press(self.seat, int(line), False, self.number)

    def close(self):
        """Nothing is left open."""


def open_greeter(table, options):
    """Give the function that is told each event."""
    name = options.text("name", "everybody")

    def greet(event):
        if event["event"] == "RaceSet":
            print(f"Hello {name}, {len(table.snapshot()['seats'])} cars are at the start.")

    return greet


def open_boards():
    """Give the folder with the boards."""
    return Path(__file__).parent / "boards"


class Toast:
    """A line of text about a season."""

    title = about = "a toast to who leads"
    of = "season"
    suffix = ".txt"

    def write(self, league, key):
        """Say who leads."""
        for line in league.standings(key)["drivers"]:
            return f"To {line['name']}, with {line['points']} points!\n".encode()
        raise ValueError("nobody has driven yet")


def open_command():
    """Give the command `companion hello`."""

    @click.command("hello")
    @click.argument("name", default="everybody")
    def hello(name):
        """Greet somebody."""
        print(f"Hello {name}!")

    return hello
