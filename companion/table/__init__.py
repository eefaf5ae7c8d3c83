"""The running table: the one thread that owns the state, and the ports it is reached by."""
