"""Forms of sign-in and of the account page."""

import unicodedata

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.addresses import EmailAddressError, canonical_address
from accounts.models import User
from accounts.services.changing import Profile, time_zones
from accounts.services.signing_in import DIGITS


class SignInForm(forms.Form):
    email = forms.CharField(
        label=_("E-mail address"),
        max_length=320,
        widget=forms.EmailInput(
            attrs={
                "autocomplete": "username",
                "autocapitalize": "none",
                "spellcheck": "false",
                "autofocus": True,
            }
        ),
    )

    def clean_email(self) -> str:
        try:
            return canonical_address(self.cleaned_data["email"])
        except EmailAddressError as error:
            raise forms.ValidationError(
                _("This is not an e-mail address that mail can be sent to.")
            ) from error


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "inputmode": "numeric",
                "pattern": "[0-9 ]*",
                "maxlength": None,
                "spellcheck": "false",
                "autofocus": True,
                "data-code": True,
            }
        ),
    )

    def clean_code(self) -> str:
        """Take the digits as mail programs copy them: with blanks or a dash between."""
        typed = unicodedata.normalize("NFKC", self.cleaned_data["code"])
        digits = "".join(char for char in typed if not char.isspace() and char != "-")
        if len(digits) != DIGITS or not (digits.isascii() and digits.isdecimal()):
            raise forms.ValidationError(_("The code is the 6 digits in the mail."))
        return digits


class SecondFactorForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "spellcheck": "false", "autofocus": True}
        ),
    )


class SecondFactorSetupForm(forms.Form):
    digits = forms.CharField(
        label=_("The 6 digits that the app shows"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
        ),
    )
    setup_code = forms.CharField(
        label=_("Set-up code"),
        max_length=40,
        help_text=_("Whoever runs the server made it with manage.py make_operator."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_digits(self) -> str:
        """Take the digits as they are shown: often with a blank between."""
        return "".join(self.cleaned_data["digits"].split())


class ProfileForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        required=False,
        help_text=_("What the pages call you. Agents don't see it."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=lambda: settings.LANGUAGES)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=lambda: [(name, name.replace("_", " ")) for name in time_zones()],
    )
    theme = forms.ChoiceField(label=_("Theme"), choices=User.Theme.choices)
    has_shortcuts = forms.BooleanField(
        label=_("Keyboard shortcuts"),
        required=False,
        help_text=_("Single keys that act on a list. They never fire while you type."),
    )

    @classmethod
    def of(cls, user: User) -> "ProfileForm":
        return cls(initial={name: getattr(user, name) for name in cls.base_fields})

    @property
    def profile(self) -> Profile:
        return Profile(**self.cleaned_data)


class DeleteAccountForm(forms.Form):
    email = forms.CharField(
        label=_("Type the e-mail address of this account"),
        max_length=320,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
