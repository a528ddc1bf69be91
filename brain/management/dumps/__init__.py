"""The whole database in one file, and back: with PostgreSQL's own programs."""
