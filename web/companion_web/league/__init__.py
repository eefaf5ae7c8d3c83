"""The league on the page, and what a club's tables send to it."""
