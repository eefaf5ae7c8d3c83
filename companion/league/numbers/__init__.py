"""What can be counted in a race, and over many: pure, from the events of a replay.

`measure.measure` counts one race when it comes in (and again whenever the league is made
again); what it finds is kept with the race and its entries as plain JSON. All that compares
people or boards (`rivals`, `rating`, `people`, `boards`) is worked out from the plain records
when somebody asks.
"""
