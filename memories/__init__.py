"""What is remembered: rules, rows, services, search."""
