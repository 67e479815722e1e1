"""What the engine's documentation promises, measured: speed, memory, kept prefixes, two at once, faults."""
