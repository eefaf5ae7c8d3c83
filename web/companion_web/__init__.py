"""The page of the table: a Flask app that knows the table by its ports only."""
