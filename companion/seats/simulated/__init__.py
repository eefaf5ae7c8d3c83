"""Stand-ins for the hardware of wired seats, at the level of the wires.

They ship with the product: a table can be tried on a laptop, and the tests play on them. What
is shown here was never shown by a real board; docs/bench-checklist.md lists what only that can.
"""
