"""Spaces: one isolated memory each, and who may use it."""
