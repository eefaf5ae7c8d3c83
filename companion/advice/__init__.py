"""Advice: solved boards, odds, bots, the review of a race. Pure: it imports the rules only."""
