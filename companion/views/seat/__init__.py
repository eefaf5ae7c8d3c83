"""A seat: what its screen shows and what its six buttons do, from one table of pages."""
