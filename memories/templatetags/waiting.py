"""How many questions wait for the person, for the parts of a space above every page."""

from django import template

from memories.queries.review import Inbox, waiting_count
from spaces.models import Space

register = template.Library()


@register.simple_tag
def questions_waiting(space: Space, inbox: object = None) -> int:
    """Return their number; a page that shows the inbox has counted them already."""
    return inbox.waiting if isinstance(inbox, Inbox) else waiting_count(space)
