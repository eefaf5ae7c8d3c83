"""What everybody may see of the table, as the page reads it."""
