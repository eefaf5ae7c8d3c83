"""Tells programs elsewhere what happens in a club: signed messages to an address (webhooks)."""
