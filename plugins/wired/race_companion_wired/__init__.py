"""Seats wired to the Pi: six buttons on GPIO lines, a screen of 128×64 dots on I2C.

    pins → edges (backend's thread) → queue → debounce → presses (one thread) → table
    table → latest picture → changed spans (one thread a bus) → screen

A seat fails by itself: a screen that does not answer is marked, tried again and painted anew,
and a line that cannot be read takes its seat out of reach, no other.
"""
