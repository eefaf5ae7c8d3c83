"""Downforce as seats and page show it: the six buttons of a seat are the six cars."""
