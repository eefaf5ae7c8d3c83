"""Printed parts and what stands in them, as solids."""
