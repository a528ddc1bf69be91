"""Show what agents and pages wrote, so that nothing in it hides."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from memories.rules.display import pieces

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
