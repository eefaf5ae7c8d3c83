"""A table sends its finished records to a club: each until the club has it, however the network
behaves. Nothing in here needs a database; the running table may import it."""
