"""Rows of the memories app."""

from memories.models.activity import Activity, Verb
from memories.models.link import MemoryLink, Reason
from memories.models.memory import Author, Kind, Memory, MemorySource, State
from memories.models.review import PAIRS, Answer, Question, ReviewItem, ReviewState
from memories.models.undoing import Undoing
from memories.models.vector import MemoryVector
from memories.models.version import MemoryVersion, Operation

__all__ = [
    "PAIRS",
    "Activity",
    "Answer",
    "Author",
    "Kind",
    "Memory",
    "MemoryLink",
    "MemorySource",
    "MemoryVector",
    "MemoryVersion",
    "Operation",
    "Question",
    "Reason",
    "ReviewItem",
    "ReviewState",
    "State",
    "Undoing",
    "Verb",
]
