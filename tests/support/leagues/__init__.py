"""Records to build leagues from, and a way to a club on which things go wrong."""
