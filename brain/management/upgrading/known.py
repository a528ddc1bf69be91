"""What migrations with SQL of their own do, in words: that is not for a program to guess.

`tests/upgrades/test_migrations.py` fails for one that is missing here, and for a line that
nothing needs.
"""

from collections.abc import Mapping

from brain.management.upgrading.effects import Effect, Weight

KNOWN: Mapping[tuple[str, str], Effect] = {
    ("memories", "0001_search_words"): Effect(
        Weight.NOTHING, "makes the dictionaries that search reads by"
    ),
    ("memories", "0007_vector_index"): Effect(
        Weight.WAITS, "builds the index over vectors", "memories_memoryvector"
    ),
    ("memories", "0012_ids_within_spaces"): Effect(
        Weight.REWRITES, "makes ids of memories unique within their space", "memories_memory"
    ),
    ("memories", "0015_word_index_at_once"): Effect(
        Weight.BRIEF, "empties the waiting list of the index of words", "memories_memory"
    ),
}
