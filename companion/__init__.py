"""The companion of a racing board game."""
