"""Rows of the memories app."""

from memories.models.activity import Activity, Verb
from memories.models.memory import Author, Kind, Memory, MemorySource, State
from memories.models.review import Question, ReviewItem, ReviewState
from memories.models.version import MemoryVersion, Operation

__all__ = [
    "Activity",
    "Author",
    "Kind",
    "Memory",
    "MemorySource",
    "MemoryVersion",
    "Operation",
    "Question",
    "ReviewItem",
    "ReviewState",
    "State",
    "Verb",
]
