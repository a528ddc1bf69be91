"""Models that turn text into vectors: one module for each, chosen in `registry`."""
