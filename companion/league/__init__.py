"""The league: an index of the race records, with what people add to them by hand.

Two kinds of files are the truth: the records (`DATA/records/*.jsonl`, written by the table)
and the acts (`acts.py`, what people did to the league). The database is made from the two,
can be thrown away at any time and is then made again. `results.py` and
`standings.py` are pure functions over the plain records of `plain.py`; `ports.py` is what
pages and commands may ask.

Nothing is imported here: a table that only sends its records to a club must not carry a
database library in its memory.
"""
