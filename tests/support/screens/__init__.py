"""Seats' screens: the presses that give an answer, what fits where, dots as text."""
