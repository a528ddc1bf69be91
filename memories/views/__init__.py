"""Pages of memories."""
