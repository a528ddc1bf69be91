"""Identifiers: ordered for rows, random for addresses."""

import uuid

import uuid_utils.compat


def new_id() -> uuid.UUID:
    """Return a UUIDv7 (RFC 9562, 5.7): ordered by creation, 74 random bits."""
    return uuid_utils.compat.uuid7()
