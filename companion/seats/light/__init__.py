"""A chain of lights for the whole table: one or more a seat, and five for the race."""
