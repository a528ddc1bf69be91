"""Characters that nobody sees and that make a text read as another one."""

import re

# The flags of England, Scotland and Wales are the only emoji written with tags (UTS 51, RGI).
_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(char)) for char in place) + "\U000e007f"
    for place in ("gbeng", "gbsct", "gbwls")
)
_HIDDEN = re.compile(
    # Colours and cursor moves of terminals (ECMA-48, 5.4), as a whole.
    r"\x1b\[[0-?]{0,20}[ -/]{0,5}[@-~]"
    # Control characters, except tab and line ends.
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
    # Bidirectional embeddings, overrides and isolates (UAX 9), and what is deprecated.
    r"|[\u202a-\u202e\u2066-\u206f]"
    # Annotations, tags, and what Unicode keeps free beside them.
    r"|[\ufff9-\ufffb\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    # Variants are for ideographs; and nothing has two of them: whole messages hide in such rows.
    r"|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
    r"|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_FLAG_OR_HIDDEN = re.compile(f"({_FLAGS})|{_HIDDEN.pattern}")
# Kept in text, since scripts and emoji need some of them, but no key is written with them.
_JOINTS = re.compile(r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]")


def without_hidden(text: str) -> tuple[str, int]:
    """Return `text` without hidden characters, and how many were taken out."""
    if not _HIDDEN.search(text):
        return text, 0
    removed = 0

    def kept(match: re.Match[str]) -> str:
        nonlocal removed
        if match[1]:
            return match[1]
        removed += len(match[0])
        return ""

    return _FLAG_OR_HIDDEN.sub(kept, text), removed


def with_hidden_shown(text: str) -> str:
    """Return `text` with the code of each hidden character in its place (U+202E)."""
    if not _HIDDEN.search(text):
        return text
    return _FLAG_OR_HIDDEN.sub(
        lambda match: match[1] or "".join(f"U+{ord(char):04X}" for char in match[0]), text
    )


def hidden_places(text: str) -> tuple[set[int], set[int]]:
    """Return where hidden characters stand, and where tags are the colours of a flag."""
    hidden: set[int] = set()
    flags: set[int] = set()
    for match in _FLAG_OR_HIDDEN.finditer(text):
        (flags if match[1] else hidden).update(range(*match.span()))
    return hidden, flags


def without_joints(text: str) -> str:
    """Return `text` without the invisible characters that could divide a secret in two."""
    return _JOINTS.sub("", text)
