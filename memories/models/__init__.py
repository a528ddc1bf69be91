"""Rows of the memories app."""

from memories.models.activity import Activity, Verb
from memories.models.common_words import CommonWords
from memories.models.kept_answer import KeptAnswer
from memories.models.link import MemoryLink, Reason
from memories.models.memory import Author, Kind, Memory, MemorySource, State
from memories.models.recall import Recall, Way
from memories.models.review import PAIRS, Answer, Question, ReviewItem, ReviewState
from memories.models.transfer import (
    AT_WORK,
    ItemVerdict,
    Stage,
    Transfer,
    TransferItem,
    TransferPart,
)
from memories.models.undoing import Undoing
from memories.models.vector import MemoryVector
from memories.models.version import MemoryVersion, Operation

__all__ = [
    "AT_WORK",
    "PAIRS",
    "Activity",
    "Answer",
    "Author",
    "CommonWords",
    "ItemVerdict",
    "KeptAnswer",
    "Kind",
    "Memory",
    "MemoryLink",
    "MemorySource",
    "MemoryVector",
    "MemoryVersion",
    "Operation",
    "Question",
    "Reason",
    "Recall",
    "ReviewItem",
    "ReviewState",
    "Stage",
    "State",
    "Transfer",
    "TransferItem",
    "TransferPart",
    "Undoing",
    "Verb",
    "Way",
]
