"""Rules in plain Python: no Django, no database, no clock."""
