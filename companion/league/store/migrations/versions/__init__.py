"""One file a migration, in order of their numbers."""
