"""Pages of spaces."""
