"""A season or a race on paper and as a picture, in the language of the reader."""
