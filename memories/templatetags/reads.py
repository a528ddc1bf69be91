"""Who has read a memory, for its page."""

from django import template

from memories.models import Memory
from memories.queries.recalls import ReadBy, read_by
from spaces.models import Space

register = template.Library()


@register.simple_tag
def readers(space: Space, memory: Memory) -> ReadBy:
    """Return how often the memory was read, and the newest lines about it."""
    return read_by(space, memory.pk)
