"""What is taken out of every text before it is stored or logged.

`sanitize_write` is the one function; `clean_text` and `clean_line` are for single fields.
"""

from brain.lib.sanitising.fields import Tree, clean_line, clean_text, clean_tree
from brain.lib.sanitising.rules import Rule, SecretRefusedError
from brain.lib.sanitising.sanitize import RULES, Sanitized, sanitize_write, without_secrets

__all__ = [
    "RULES",
    "Rule",
    "Sanitized",
    "SecretRefusedError",
    "Tree",
    "clean_line",
    "clean_text",
    "clean_tree",
    "sanitize_write",
    "without_secrets",
]
