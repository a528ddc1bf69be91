"""What becomes of an installation that grows: python -m bench.growth."""
