"""Bring the catalogues in locale/ up to date: `make messages`, then translate what is new."""

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tools.catalogue import ROOT, catalogue

LOCALE = ROOT / "locale"
# Written into both files; a moving date would make every run a change.
_DATED = datetime(2026, 11, 30, tzinfo=UTC)
# One and many are enough: CLDR's third form, for whole millions, needs a text of its own nowhere.
_PLURALS = {"pt_BR": "nplurals=2; plural=(n > 1);"}


def po_files() -> list[Path]:
    """Return the catalogue of every language."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def read(po: Path) -> Catalog:
    """Return what a catalogue holds."""
    with po.open("rb") as file:
        return read_po(file, locale=po.parent.parent.name)


def compiled(catalog: Catalog) -> bytes:
    """Return the catalogue as Django reads it when it runs."""
    output = io.BytesIO()
    write_mo(output, catalog)
    return output.getvalue()


def texts_of(catalog: Catalog) -> Iterator[Message]:
    """Return the messages of a catalogue, without its header."""
    return (message for message in catalog if message.id)


def lacking(catalog: Catalog) -> list[str]:
    """Return the texts that have no translation, or not in every plural form."""
    return [
        str(message.id)
        for message in texts_of(catalog)
        if message.fuzzy or not all(forms(message.string) or [""])
    ]


def forms(text: "str | list[str] | tuple[str, ...] | None") -> list[str]:
    """Return the plural forms of a text, or the one that it has."""
    return [text or ""] if isinstance(text, str | None) else list(text)


def updated(po: Path) -> Catalog:
    """Return the catalogue with exactly the texts of the sources, and what is known of them."""
    known = {(message.context, message.id): message.string for message in texts_of(read(po))}
    fresh = Catalog(
        locale=po.parent.parent.name,
        project="Agents Brain",
        version="1",
        msgid_bugs_address="none",
        header_comment="# Texts of Agents Brain. `make messages` keeps them; see GLOSSARY.md.",
        creation_date=_DATED,
        revision_date=_DATED,
        last_translator="Agents Brain",
        language_team="Agents Brain",
        fuzzy=False,
    )
    if plurals := _PLURALS.get(po.parent.parent.name):
        fresh.mime_headers = [("Plural-Forms", plurals)]
    for message in texts_of(catalogue()):
        fresh.add(
            message.id,
            known.get((message.context, message.id), ""),
            locations=message.locations,
            context=message.context,
        )
    return fresh


def main() -> int:
    """Write every catalogue and its compiled form; say what is still to be translated."""
    left = 0
    for po in po_files():
        catalog = updated(po)
        with po.open("wb") as file:
            write_po(file, catalog, width=100, include_lineno=False)
        po.with_suffix(".mo").write_bytes(compiled(catalog))
        missing = lacking(catalog)
        sys.stdout.writelines(f"{po.relative_to(ROOT)}: {text}\n" for text in missing)
        left += len(missing)
    sys.stdout.write(f"{left} to translate.\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
