"""Bots of Downforce: what a seat bids, plays and bets whose hand is entered."""
