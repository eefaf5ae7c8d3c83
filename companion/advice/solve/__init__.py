"""Boards solved for a car alone: the expected turns to the finish from wherever it may stand."""
