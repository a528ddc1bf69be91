"""What can be done with keys and connections."""
