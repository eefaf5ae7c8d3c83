"""Helpers of the tests: drivers, headers, scripted races."""
