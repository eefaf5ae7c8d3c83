"""The league: an index of the race records, with what people add to them by hand.

Acts (`acts.py`, what people did to the league) and records (what tables wrote) are the truth and
all that is kept; what stands is folded of them in memory (`stand.py`). `results.py` and
`standings.py` are pure functions over the plain records of `plain.py`; a `View` (`view.py`) is what
pages and commands may ask.

Nothing is imported here: a table that only sends its records to a club must not carry a
database library in its memory.
"""
