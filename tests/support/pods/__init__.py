"""Pods: on paper, on a bench in simulated time, with what must be true of their firmware."""
