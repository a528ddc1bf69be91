"""Find the sentences of refusals: people read them too, translated when they are shown.

Rules and services raise a `DomainError` with plain sentences, since agents are answered in English;
`DomainError.sentence` translates them for whoever reads a page.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = "DomainError"


def sentences(trees: Mapping[Path, ast.Module]) -> Iterator[tuple[Path, int, str]]:
    """Return every sentence with its place: messages and hints of errors, and what they name."""
    errors = _errors(trees.values())
    for path, tree in trees.items():
        for node in ast.walk(tree):
            for text in _texts(node, errors):
                yield path, text.lineno, str(text.value)


def _texts(node: ast.AST, errors: set[str]) -> Iterator[ast.Constant]:
    found: list[ast.expr] = []
    if isinstance(node, ast.ClassDef) and node.name in errors:
        found += [
            each.value for each in node.body if _is_hint(each) and isinstance(each, ast.Assign)
        ]
    elif isinstance(node, ast.Call) and _name(node.func) in errors:
        found += [*node.args[:1], *(each.value for each in node.keywords if each.arg == "hint")]
    elif isinstance(node, ast.Call):
        # What a refusal names: "The source" has too many characters.
        found += [each.value for each in node.keywords if each.arg == "what"]
    for each in found:
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value:
            yield each


def _is_hint(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and [_name(each) for each in node.targets] == ["hint"]


def _errors(trees: Iterable[ast.Module]) -> set[str]:
    """Return the names of all classes that are domain errors, however many steps below."""
    bases = {
        node.name: {_name(base) for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    errors = {ROOT}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    return errors


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
