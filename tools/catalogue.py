"""Find every text for people in the sources; without xgettext, which few machines have."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from django.utils.translation.template import templatize

from tools.refusals import sentences

ROOT = Path(__file__).parent.parent
APPS = ("accounts", "brain", "mcp_gateway", "memories", "spaces")
KEYWORDS = (
    "_ gettext gettext_lazy gettext_noop ngettext ngettext_lazy pgettext pgettext_lazy npgettext"
).split()
_TEXT = r"""(u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))"""
_CALL = re.compile(rf"\b(n?p?gettext|_)\({_TEXT}(?:,\s*{_TEXT})?(?:,\s*{_TEXT})?")


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it stands in a source; `plural` and `context` are empty where there is none."""

    singular: str
    place: str
    line: int
    plural: str = ""
    context: str = ""


def texts() -> Iterator[Text]:
    """Return every text of the product, in the order of files and lines."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            yield from _in_python(path)
    for path in sorted((ROOT / "templates").rglob("*.*")):
        yield from _in_template(path)
    trees = {
        path: ast.parse(path.read_bytes())
        for app in APPS
        for path in sorted((ROOT / app).rglob("*.py"))
    }
    for path, line, sentence in sentences(trees):
        yield Text(sentence, path.relative_to(ROOT).as_posix(), line)


def catalogue() -> Catalog:
    """Return a catalogue of all texts, with nothing translated."""
    found = Catalog(fuzzy=False)
    for text in texts():
        name = (text.singular, text.plural) if text.plural else text.singular
        found.add(name, locations=[(text.place, text.line)], context=text.context or None)
    return found


def _in_python(path: Path) -> Iterator[Text]:
    place = path.relative_to(ROOT).as_posix()
    with path.open("rb") as file:
        found = extract_python(file, dict.fromkeys(KEYWORDS), [], {})
        for line, function, message, _comments in found:
            said: object = message
            parts = list(said) if isinstance(said, tuple | list) else [said]
            yield _text(str(function), [str(part or "") for part in parts], place, line)


def _in_template(path: Path) -> Iterator[Text]:
    place = path.relative_to(ROOT).as_posix()
    for number, line in enumerate(templatize(path.read_text()).splitlines(), start=1):
        for function, *quoted in _CALL.findall(line):
            parts = [str(ast.literal_eval(each)) for each in quoted if each]
            yield _text(function, parts, place, number)


def _text(function: str, parts: list[str], place: str, line: int) -> Text:
    name = function.removesuffix("_lazy").removesuffix("_noop")
    context = parts.pop(0) if "pgettext" in name else ""
    plural = parts[1] if name.startswith("n") else ""
    return Text(parts[0], place, line, plural, context)
