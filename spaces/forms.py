"""Forms of a space: what describes it, and its end."""

from django import forms
from django.utils.translation import gettext_lazy as _

from spaces.models import Space
from spaces.services.creating import RETENTION_MAX, RETENTION_MIN, SpaceDetails


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

    @property
    def details(self) -> SpaceDetails:
        return SpaceDetails(**self.cleaned_data)


class SettingsForm(SpaceForm):
    """The same for a space that is there, with what it keeps.

    `asks_twice` is the sentence that the person must agree to before it is saved.
    """

    keeps_queries = forms.BooleanField(
        label=_("Note what was searched for"),
        required=False,
        help_text=_(
            "Beside each read stands the query that led to it, without passwords and keys. When "
            "you switch it off, what was noted before is removed."
        ),
    )
    retention_days = forms.IntegerField(
        label=_("Erase what ended after so many days"),
        required=False,
        min_value=RETENTION_MIN,
        max_value=RETENTION_MAX,
        help_text=_(
            "Leave it empty to keep everything. With a number, what was forgotten, replaced or "
            "has lapsed for so long loses its text and its versions for good; an agent may then "
            "save it again without asking you. That it was there, and what was done with it, stays."
        ),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    is_sure = forms.BooleanField(
        label=_("Yes, erase them for good"),
        required=False,
        help_text=_("Nobody can bring them back, not even from this page."),
    )
    asks_twice = ""

    @classmethod
    def of(cls, space: Space) -> "SettingsForm":
        names = [name for name in cls.base_fields if name != "is_sure"]
        return cls(initial={name: getattr(space, name) for name in names})

    @property
    def details(self) -> SpaceDetails:
        given = {name: value for name, value in self.cleaned_data.items() if name != "is_sure"}
        return SpaceDetails(**given)


class DeleteSpaceForm(forms.Form):
    name = forms.CharField(
        label=_("Type the name of this space"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
