"""Whether two statements are one fact, cannot both hold, or only share a subject.

Plain text in, a verdict with reasons out: no model, no clock, no database. English and
Portuguese have a vocabulary (`data/`); other languages are compared by what needs none.
"""
