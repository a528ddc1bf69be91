"""What `resources/read` answers: quotations with author and source, as the tools give them."""

import mcp.types as mcp_types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from brain.lib.errors import DomainError
from mcp_gateway.cards.resource import CARD_URI, card
from mcp_gateway.context import Caller
from mcp_gateway.presenters import QUOTATIONS, disagreement_line, gone_sentence, memory_lines
from mcp_gateway.resources.addresses import MOST_CHARACTERS, Address, read_address
from mcp_gateway.resources.listing import MIME_TYPE
from memories.models import Way
from memories.queries.reading import Reading, read_memory, read_path
from memories.rules.budgets import fit
from memories.services.recalling import Received, note_reads

# Revisions before 2026-07-28 have a code of their own for a resource that is not there.
NOT_FOUND_BEFORE_2026 = -32002
DISAGREE = "Some of these disagree with each other; ask the person which one holds."
NOTHING_THERE = (
    "Nothing that holds now is remembered there. List the resources, or search in other words."
)


def read(caller: Caller, uri: str, *, protocol_version: str) -> mcp_types.ReadResourceResult:
    """Return what the address names, and note it in the ledger of reads; raises MCPError."""
    if uri == CARD_URI:
        return card(caller)
    address = read_address(uri)
    try:
        found = _found(caller, address) if address else Reading()
    except DomainError as error:
        raise not_found(uri, error.sentence, protocol_version=protocol_version) from None
    if not found.memories:
        sentence = gone_sentence(found.gone) if found.gone else NOTHING_THERE
        raise not_found(uri, sentence, protocol_version=protocol_version)
    assert address is not None
    contents = mcp_types.TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=_text(found))
    note_reads(space=caller.space, actor=caller.actor, received=_received(found, address))
    # A memory can change or lapse at any moment: nobody keeps the answer.
    return mcp_types.ReadResourceResult(contents=[contents], ttl_ms=0, cache_scope="private")


def not_found(uri: str, sentence: str, *, protocol_version: str) -> MCPError:
    """Return the error that the client's revision of the protocol has for it."""
    is_modern = protocol_version in MODERN_PROTOCOL_VERSIONS
    return MCPError(
        code=mcp_types.INVALID_PARAMS if is_modern else NOT_FOUND_BEFORE_2026,
        message=sentence,
        data={"uri": uri[:MOST_CHARACTERS]},
    )


def _found(caller: Caller, address: Address) -> Reading:
    if address.memory_id is not None:
        return read_memory(caller.space, address.memory_id)
    return read_path(caller.space, address.path)


def _received(found: Reading, address: Address) -> Received:
    ids = [memory.pk for memory in found.memories]
    if address.memory_id is not None:
        return Received(ids, Way.LOOKED_UP)
    return Received(ids, Way.LISTED, query=address.path)


def _text(found: Reading) -> str:
    excerpts = fit([memory.content for memory in found.memories])
    lines = [DISAGREE] if found.disagreements else []
    lines.append(QUOTATIONS)
    for memory, excerpt in zip(found.memories, excerpts, strict=True):
        lines += memory_lines(memory, excerpt)
    if found.more:
        lines.append(f"{found.more} more lie here and below; read a longer path, or search.")
    return "\n".join([*lines, *disagreement_line(found.disagreements)])
