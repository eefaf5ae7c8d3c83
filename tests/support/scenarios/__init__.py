"""Scenario files: read, played on an engine, compared."""
