"""The words of the page of the live test."""

from __future__ import annotations

from companion.views.words import phrase, words

LIVE = {
    "title": phrase("Test of the seats"),
    "about": phrase(
        "Every glass shows the number of its seat, a frame and a checkerboard. One after the other "
        "asks for its six buttons: press what the glass says, below that glass."
    ),
    "pin": phrase("PIN"),
    "unlock": phrase("Unlock"),
    "wrong-pin": phrase("This is not the PIN."),
    "no-answer": phrase("The table does not answer."),
    "start": phrase("Start the test"),
    "again": phrase("Test again"),
    "stop": phrase("Stop: give the seats back"),
    "skip": phrase("It does not come: go on"),
    "now": phrase("Look for the glass that shows {seat}, and press button {button} below it now."),
    "idle": phrase("The seats are the table's."),
    "done": phrase("All were asked. Keys go on lighting up; try lamp and buzzer, then give back."),
    "seat": phrase("Seat {n}"),
    "screen": phrase("What the glass of seat {n} should show"),
    "key": phrase("Button {n}"),
    "bounce": phrase("{n} ms"),
    "lamp": phrase("Lamp"),
    "buzzer": phrase("Buzzer"),
    "no-lamp": phrase("has neither lamp nor buzzer"),
    "i2c": phrase("I2C errors: {n}"),
    "starts": phrase("starts of the screen: {n}"),
    "line": phrase("damaged on the line: {n}"),
    "times": phrase("{what} ({n} times)"),
    "found": phrase("What was found"),
    "bounces": phrase("Below each button: the longest that its contact bounced; – is not told."),
    "live-racing": phrase("A race is running: pause it first, or wait until it is over."),
    "live-no-seats": phrase("No seat has buttons of its own: all are phones."),
    "live-not-on": phrase("The seats are not under test."),
    "live-no-lamp": phrase("This seat has neither lamp nor buzzer."),
    "to-table": phrase("To the table"),
}


def live_words(language: str) -> dict[str, str]:
    """Every word of the page by its key."""
    say = words(language)
    return {key: say(text) for key, text in LIVE.items()}
