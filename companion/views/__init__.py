"""Views: pure functions from what the table knows to what a seat or the page shows."""
