"""Games of Downforce: played line by line, as scenes, at random, on a table."""
