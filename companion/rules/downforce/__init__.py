"""Downforce: the auction, the order of turns, the secret bets and the money."""
