"""What of a space a page shows, as its address says it."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import Verb
from memories.queries.activity import PERSON, App, Lines
from memories.queries.recalls import Reader, Wanted
from memories.queries.undoing import Work


class DayInput(forms.DateInput):
    """A day, in the one form that browsers accept whatever the language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class MomentInput(forms.DateTimeInput):
    """A moment on the person's clock, to the minute, however it was written in the address."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")

    def format_value(self, value: Any) -> str | None:
        """Return what browsers accept; what is no moment is not shown at all."""
        if isinstance(value, str):
            try:
                value = timezone.localtime(forms.DateTimeField().clean(value))
            except forms.ValidationError:
                return ""
        return super().format_value(value)


def _offer(field: forms.Field, *choices: tuple[str, str]) -> None:
    assert isinstance(field.widget, forms.Select)
    field.widget.choices = choices


class ActivityForm(forms.Form):
    """Which lines of the activity log are shown; comes with the address."""

    app = forms.CharField(label=_("Who"), required=False, max_length=80, widget=forms.Select)
    verb = forms.ChoiceField(
        label=_("What"), choices=[("", _("Everything")), *Verb.choices], required=False
    )
    since = forms.DateField(label=_("From"), required=False, widget=DayInput)
    until = forms.DateField(label=_("Up to"), required=False, widget=DayInput)

    def offer(self, apps: Sequence[App]) -> None:
        """Let the person choose among those who did something here."""
        everybody, person = ("", gettext("Everybody")), (PERSON, gettext("You"))
        _offer(self.fields["app"], everybody, person, *((app.key, app.name) for app in apps))

    @property
    def wanted(self) -> Lines:
        """Return what was asked for; the last day is included."""
        self.full_clean()
        given = self.cleaned_data
        until = given.get("until")
        return Lines(
            app=given.get("app", ""),
            verb=given.get("verb", ""),
            since=_start_of(given.get("since")),
            until=_start_of(until + timedelta(days=1) if until and until < date.max else None),
        )


class ReadsForm(forms.Form):
    """Which lines of the ledger of reads are shown; comes with the address."""

    client = forms.CharField(label=_("Who"), required=False, max_length=80, widget=forms.Select)
    since = forms.DateField(label=_("From"), required=False, widget=DayInput)
    until = forms.DateField(label=_("Up to"), required=False, widget=DayInput)
    memory = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def offer(self, readers: Sequence[Reader]) -> None:
        """Let the person choose among those who read something here."""
        everybody = ("", gettext("Every client"))
        _offer(self.fields["client"], everybody, *((each.key, each.name) for each in readers))

    @property
    def wanted(self) -> Wanted:
        """Return what was asked for; the last day is included."""
        self.full_clean()
        given = self.cleaned_data
        until = given.get("until")
        return Wanted(
            client=given.get("client", ""),
            memory=given.get("memory"),
            since=_start_of(given.get("since")),
            until=_start_of(until + timedelta(days=1) if until and until < date.max else None),
        )


class UndoForm(forms.Form):
    """Whose work shall be undone, and since when."""

    app = forms.CharField(label=_("App"), max_length=80, widget=forms.Select)
    since = forms.DateTimeField(
        label=_("Everything since"),
        widget=MomentInput,
        help_text=_("What it did at this moment or later."),
    )
    instance = forms.CharField(
        label=_("Only this instance"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("The id that one running agent sends along, as the activity shows it."),
    )

    def offer(self, apps: Sequence[App]) -> None:
        nobody = ("", gettext("Choose an app"))
        _offer(self.fields["app"], nobody, *((app.key, app.name) for app in apps))

    @property
    def work(self) -> Work | None:
        """Return what is asked for, if the form says it completely."""
        if not self.is_bound:
            return None
        self.is_valid()
        given = self.cleaned_data
        if not given.get("app") or not given.get("since"):
            return None
        return Work(given["app"], given["since"], given.get("instance", ""))


def _start_of(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None
