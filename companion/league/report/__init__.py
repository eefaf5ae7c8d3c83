"""A season or a race on paper: PDF by fpdf2, in the language of the reader (extra `league`)."""
