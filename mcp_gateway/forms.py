"""Forms of the pages about keys."""

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from mcp_gateway.scopes import READ, WRITE
from mcp_gateway.services.api_keys import KeyDetails


class ApiKeyForm(forms.Form):
    """What a new key is for, what it may do, and for how long."""

    label = forms.CharField(
        label=_("What is it for?"),
        max_length=80,
        help_text=_("The history shows this name, such as “nightly report”."),
    )
    access = forms.ChoiceField(
        label=_("What may it do?"),
        choices=[("read", _("Read only")), ("write", _("Read and write"))],
        initial="read",
        widget=forms.RadioSelect,
    )
    days = forms.TypedChoiceField(
        label=_("How long does it work?"),
        choices=[
            ("30", _("30 days")),
            ("90", _("90 days")),
            ("365", _("1 year")),
            ("0", _("Until it is revoked")),
        ],
        initial="90",
        coerce=int,
    )

    def details(self) -> KeyDetails:
        """Return the answers as the service takes them."""
        days: int = self.cleaned_data["days"]
        scopes = [READ, WRITE] if self.cleaned_data["access"] == "write" else [READ]
        return KeyDetails(scopes, self.cleaned_data["label"], _moment(days))


def _moment(days: int) -> datetime | None:
    return timezone.now() + timedelta(days=days) if days else None
