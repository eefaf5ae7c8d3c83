"""A real browser on a real companion."""
