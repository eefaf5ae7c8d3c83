"""Races of the Formula games: on the engine, as scenes of rules, driven at random."""
