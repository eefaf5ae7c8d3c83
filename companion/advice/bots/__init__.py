"""Bots: levels of play, each a way to answer what a seat is asked. Dice are never theirs."""
