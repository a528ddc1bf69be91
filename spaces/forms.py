"""Forms of a space: what describes it, and its end."""

from django import forms
from django.utils.translation import gettext_lazy as _

from spaces.models import Space
from spaces.services.creating import SpaceDetails


class SpaceForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        help_text=_("The project or the part of your life that it is for."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=1000,
        required=False,
        help_text=_("Agents read it when they connect: what belongs here, and what does not."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    language = forms.ChoiceField(
        label=_("Language of the memories"),
        choices=Space.Language.choices,
        help_text=_("Decides how words are searched and in which language agents are instructed."),
    )
    auto_redact_pii = forms.BooleanField(
        label=_("Redact personal data"),
        required=False,
        help_text=_(
            "Replaces e-mail addresses, numbers of phones, cards and accounts, and national ids in "
            "what is saved from now on. Passwords and keys are always replaced."
        ),
    )

    @classmethod
    def of(cls, space: Space) -> "SpaceForm":
        return cls(initial={name: getattr(space, name) for name in cls.base_fields})

    @property
    def details(self) -> SpaceDetails:
        return SpaceDetails(**self.cleaned_data)


class DeleteSpaceForm(forms.Form):
    name = forms.CharField(
        label=_("Type the name of this space"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
