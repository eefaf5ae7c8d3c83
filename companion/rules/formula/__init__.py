"""Formula D: one body of rules, told by tables of numbers and small switches."""
