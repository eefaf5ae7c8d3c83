"""Whole tables: in memory, as a process, with seats of every kind."""
