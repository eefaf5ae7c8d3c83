"""The durable log of a running table."""
