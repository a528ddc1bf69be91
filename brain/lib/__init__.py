"""Plain helpers that every app may use."""
