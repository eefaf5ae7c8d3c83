"""In and out: the league in the forms of other programs, and printed. `registry.py` names them."""
