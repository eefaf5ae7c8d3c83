"""A simulated pod and the table's link, both in simulated time."""

from __future__ import annotations

from dataclasses import dataclass, field

from race_companion_pods.link import Event, Link, Pressed
from race_companion_pods.simulator import Simulator


@dataclass
class Bench:
    """A simulated pod and a link, both in the simulated time."""

    pod: Simulator
    link: Link = field(default_factory=Link)
    now_ms: float = 0.0

    def run(self, ms: float, step_ms: float = 1) -> list[Event]:
        """Let time pass; the events of the link."""
        events: list[Event] = []
        for _ in range(round(ms / step_ms)):
            self.begin_step(step_ms)
            events += self.end_step(step_ms)
        return events

    def begin_step(self, step_ms: float) -> None:
        """Several benches may begin before the first one ends."""
        self.pod.begin_run(step_ms, self.link.to_send(self.now_ms))

    def end_step(self, step_ms: float) -> list[Event]:
        """The step is over; the events of the link."""
        self.now_ms += step_ms
        return self.link.receive(self.pod.end_run(), self.now_ms)

    def presses(self, ms: int = 200) -> list[Pressed]:
        """The presses that arrive in so much time."""
        return [event for event in self.run(ms) if isinstance(event, Pressed)]

    def tap(self, button: int, held_ms: int = 30) -> list[Pressed]:
        """Press a button and let it go; what arrives of it."""
        self.pod.press(button)
        early = self.presses(held_ms)
        self.pod.release(button)
        return early + self.presses(50)
