"""Formula D and Formule Dé: one body of rules, with tables of numbers and house switches."""
