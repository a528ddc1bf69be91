"""What the card says, in the language of the person whose space it is."""

from django.utils import translation
from django.utils.translation import gettext as _

from mcp_gateway.tools.definition import Json
from mcp_gateway.tools.search import DISAGREE, NOTHING_CLOSE
from memories.models import Author, Kind


def words(*, language: str) -> Json:
    """Return the texts by the names that the card's script knows them by."""
    with translation.override(language):
        return {
            "title": _("From memory"),
            "waiting": _("Searching the memory …"),
            "cancelled": _("The search was cancelled."),
            "nothing": _("Nothing was found."),
            "notices": {
                NOTHING_CLOSE: _("Nothing close is remembered."),
                DISAGREE: _("Some of these disagree with each other. Which one holds?"),
            },
            "more": _("More that were left out:"),
            "preview": _("This is the beginning of a longer memory."),
            "by": _("Author:"),
            "source": _("Source:"),
            "because": _("Why:"),
            "updated": _("Changed:"),
            "lapses": _("Holds until:"),
            "confirm": _("Confirm"),
            "confirmed": _("Confirmed."),
            "saved": _("It had changed meanwhile, so what you confirmed was saved beside it."),
            "held": _("It waits for you in Review: you forgot the same before."),
            "changed": _("It has changed meanwhile. This is what it says now."),
            "gone": _("It no longer holds, so there is nothing to confirm."),
            "forget": _("Forget"),
            "reallyForget": _("Yes, forget it"),
            "keep": _("Keep it"),
            "forgotten": _("Forgotten. You can still read and restore it in Agents Brain."),
            "failed": _("That did not work:"),
            "personSaid": _("The person confirmed it on a card of search results."),
            "personForgot": _("The person forgot it on a card of search results."),
            "kinds": {kind.value: str(kind.label) for kind in Kind},
            "authors": {author.value: str(author.label) for author in Author},
        }
