"""What can be counted over many races: pure, from the plain records, when somebody asks.

`measure.measure` counts one race when it comes in (and again whenever the league is made
again); what it finds is kept with the race and its entries as plain JSON.
"""
