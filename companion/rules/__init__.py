"""The rules: a pure core without clock, chance, disk, screen, network or thread."""
