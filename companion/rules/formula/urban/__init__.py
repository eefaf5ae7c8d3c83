"""Urban races: the streets at night, and the ten drivers (FD-URBAN, FD-DRV)."""
