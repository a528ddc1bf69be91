"""Who may write what: the person, an agent, or what a tool said."""

from brain.lib.errors import DomainError

RULE_KINDS = frozenset({"decision", "preference"})


class UnsourcedError(DomainError):
    code = "unsourced"


class ToolAuthorError(DomainError):
    code = "tool_author"
    hint = (
        "Save it as an observation; when the person confirms it, save the decision with "
        "author 'agent', source and rationale."
    )


def check_authorship(*, kind: str, author: str, source: str, rationale: str) -> None:
    """Refuse a rule of an agent without its reason, and a rule that only a tool stated."""
    if author == "tool" and kind in RULE_KINDS | {"pointer"}:
        raise ToolAuthorError(f"What a page or a tool said is an observation, never a {kind}.")
    if author == "agent" and kind in RULE_KINDS and not (source and rationale):
        missing = " and ".join(
            name for name, text in (("source", source), ("rationale", rationale)) if not text
        )
        raise UnsourcedError(
            f"A {kind} needs {missing}.",
            hint="Say who decided it or where it was read (source) and why (rationale).",
        )
