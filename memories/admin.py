"""Nothing of this app is in the admin, on purpose.

Operators run the service; what people and agents remember is not theirs to read, and row-level
security shows nothing outside an entered space anyway. Counts come from `manage.py doctor`.
"""
