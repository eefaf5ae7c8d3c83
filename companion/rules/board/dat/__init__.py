"""Boards of the public editor format: a `.dat` file read into a plan of ours.

Such a file is a drawing with meaning: spaces at pixels of a picture, each with a kind, and one
arrow for every step forward. What it leaves out, lanes and sections first of all, follows in
four steps, a module each: the text (source.py), how far along the lap each space lies
(distances.py), the lanes (lanes.py), and the plan with all that is in doubt (plan.py).

No board is made up: what the file does not say (weather, names, the way a corner turns where
neither counts nor drawing tell) is named as a doubt, with section and lane, for a person who
has the board to look at.
"""
