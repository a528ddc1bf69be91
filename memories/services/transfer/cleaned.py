"""A record of a file as it may be stored here: without secrets, with paths as they are written."""

from typing import Any

from memories.rules.client_keys import client_key_here
from memories.rules.facts import sha256
from memories.rules.paths import path
from memories.rules.transfer import Client, MemoryRecord, Source, Version
from memories.rules.transfer_reading import RecordError
from memories.services.cleaning import Cleaner

_WORDS = ("source", "rationale")
# The record was checked for its length; a marker may make a text longer again.
_LIMIT = 1_000_000


class RecordCleaner:
    """Cleans the records of one file; raises a DomainError where a rule refuses a text."""

    def __init__(self, cleaner: Cleaner, *, origin: str, here: str) -> None:
        self._cleaner, self._origin, self._here = cleaner, origin, here

    def memory(self, record: MemoryRecord) -> MemoryRecord:
        fields = {
            **self._said(record),
            "client": self._client(record.client),
            "sources": [self._source(each) for each in record.sources],
            "versions": [self._version(each) for each in record.versions],
        }
        return record.model_copy(update=fields)

    def _version(self, version: Version) -> Version:
        more = {"client": self._client(version.client), "reason": self._text(version.reason)}
        return version.model_copy(update=self._said(version) | more)

    def _said(self, record: MemoryRecord | Version) -> dict[str, Any]:
        clean: dict[str, Any] = {name: self._text(getattr(record, name)) for name in _WORDS}
        clean["checkpoint"] = {
            self._text(name): self._text(text) for name, text in record.checkpoint.items()
        }
        if record.erased_at is not None:
            return clean | {"path": "", "content": "", "content_sha256": ""}
        content = self._text(record.content)
        if not content:
            raise RecordError("content: Nothing that can be seen is in it.")
        return clean | {
            "path": path(self._cleaner.path(record.path)).text,
            "content": content,
            "content_sha256": sha256(content),
        }

    def _source(self, source: Source) -> Source:
        name = self._text(source.client_name)
        return source.model_copy(update={"text": self._text(source.text), "client_name": name})

    def _client(self, client: Client) -> Client:
        key = client_key_here(client.key, origin=self._origin, here=self._here)
        return Client(
            key=self._text(key), name=self._text(client.name), instance=self._text(client.instance)
        )

    def _text(self, text: str) -> str:
        if not text:
            return ""
        return self._cleaner.text(text, limit=_LIMIT, what="A text")
