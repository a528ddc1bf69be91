"""Show what agents and pages wrote, so that nothing in it hides."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from memories.rules.display import pieces
from memories.rules.marking import Piece

register = template.Library()


@register.filter
def seen(text: str) -> SafeString:
    """Escape `text`, with a mark that has the code of each character that nobody could see."""
    return format_html_join(
        "",
        "{}{}{}",
        (
            (
                SafeString('<mark class="mono">' if is_unseen else ""),
                f"U+{ord(piece):04X}" if is_unseen else piece,
                SafeString("</mark>" if is_unseen else ""),
            )
            for piece, is_unseen in pieces(text)
        ),
    )


@register.filter
def marked(text: Iterable[Piece]) -> SafeString:
    """Show the pieces of a text one after the other, with a mark around what was searched for."""
    return format_html_join(
        "",
        "{}{}{}",
        (
            (
                SafeString("<mark>" if piece.is_match else ""),
                seen(piece.text),
                SafeString("</mark>" if piece.is_match else ""),
            )
            for piece in text
        ),
    )
