"""What can be wrong with the computer itself: disk, clock, power, heat, network, service."""
