"""Boardless races: the companion does everything but positions, which seats report."""
