"""Measurements: each prints a table that docs/benchmarks.md quotes."""
