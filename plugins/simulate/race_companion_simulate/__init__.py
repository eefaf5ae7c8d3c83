"""Races of bots by the thousand: `companion simulate`, a plugin that ships."""
