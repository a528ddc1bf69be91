"""Take a space along as a file, and bring such a file in."""
