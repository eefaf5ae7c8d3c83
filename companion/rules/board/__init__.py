"""The boards: a track file read, checked and compiled into what the rules ask of it."""
