"""Drivers of seats: what turns buttons into presses and pictures into lit dots."""
