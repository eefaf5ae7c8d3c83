"""The ways of a move over the board, and where they may end."""
