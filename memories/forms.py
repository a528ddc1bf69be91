"""What a person fills in about memories."""

from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from brain.lib.errors import DomainError
from memories.filters import DayInput
from memories.models import Author, Kind, Memory
from memories.queries.search import as_id
from memories.rules.paths import MAX_LENGTH
from memories.services.cleaning import CONTENT_MAX, RATIONALE_MAX, REASON_MAX, SOURCE_MAX
from memories.services.reviewing import Wording
from memories.services.revising import Revision
from memories.services.saving import Draft

WRITABLE = [choice for choice in Kind.choices if choice[0] != Kind.CHECKPOINT]
# No memory has as many versions as a number with so many digits.
MAX_DIGITS = 9
FIELD_OF = {
    "bad_content": "content",
    "bad_kind": "kind",
    "bad_path": "path",
    "bad_expiry": "expires_at",
}


class LinesField(forms.CharField):
    """Text as it was typed; browsers send other line ends than they were given."""

    def to_python(self, value: Any) -> str:
        text: str = super().to_python(value) or ""
        return text.replace("\r\n", "\n")


class MemoryForm(forms.Form):
    """One memory, as the person states it."""

    content = LinesField(
        label=_("What should be remembered"),
        max_length=CONTENT_MAX,
        strip=False,
        help_text=_("One fact, in words that make sense by themselves a year from now."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=WRITABLE)
    path = forms.CharField(
        label=_("Path"),
        max_length=MAX_LENGTH,
        help_text=_("Where it belongs, such as Project.Auth.Strategy."),
        widget=forms.TextInput(
            attrs={"list": "paths", "autocomplete": "off", "autocapitalize": "off"}
        ),
    )
    source = forms.CharField(
        label=_("Source"),
        max_length=SOURCE_MAX,
        required=False,
        help_text=_("Who said it, or where it can be read."),
    )
    rationale = LinesField(
        label=_("Rationale"),
        max_length=RATIONALE_MAX,
        required=False,
        help_text=_("Why it is so."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    expires_at = forms.DateField(
        label=_("Holds until"),
        required=False,
        help_text=_("Only observations have a date; without one they hold for a month."),
        widget=DayInput,
    )

    @property
    def draft(self) -> Draft:
        texts = {name: self.cleaned_data[name] for name in _TEXTS}
        return Draft(**texts, author=Author.USER, expires_at=self.chosen_date)

    @property
    def chosen_date(self) -> str:
        """Return the last second of the chosen day where the person lives, or nothing."""
        day: date | None = self.cleaned_data["expires_at"]
        return _end_of(day) if day else ""

    def refuse(self, error: DomainError) -> None:
        """Show a refusal at the field that it is about."""
        self.add_error(FIELD_OF.get(error.code), error.sentence)


_TEXTS = ("content", "kind", "path", "source", "rationale")


class EditForm(MemoryForm):
    """Another text for a memory, based on the version that the person saw."""

    reason = forms.CharField(
        label=_("Why it changed"),
        max_length=REASON_MAX,
        required=False,
        help_text=_("Stands next to the new version."),
    )
    expected_version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    @classmethod
    def of(cls, memory: Memory) -> "EditForm":
        texts = {name: getattr(memory, name) for name in _TEXTS}
        dates = {"expires_at": _local_day(memory), "expected_version": memory.version}
        return cls(initial=texts | dates)

    def clean(self) -> None:
        if "expected_version" in self.errors:
            # The field is hidden, and so would be what is wrong with it.
            raise forms.ValidationError(gettext("This form is incomplete: open the page again."))

    def revision(self, memory: Memory) -> Revision:
        """Return what differs from `memory`, whose version the form need not have seen."""
        texts = {name: self.cleaned_data[name] for name in _TEXTS}
        # Line ends that only the browser changed are no change.
        if texts["content"] == memory.content.replace("\r\n", "\n"):
            texts["content"] = memory.content
        has_new_date = self.cleaned_data["expires_at"] not in {None, _local_day(memory)}
        return Revision(
            **texts,
            expires_at=self.chosen_date if has_new_date else None,
            reason=self.cleaned_data["reason"],
            expected_version=self.cleaned_data["expected_version"],
        )


class CompareForm(forms.Form):
    """Which two versions are compared; comes with the address."""

    def number(self, name: str) -> int:
        """Return the number that was sent; what makes no sense is none."""
        sent = str(self.data.get(name, ""))
        return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < MAX_DIGITS else 0


class ValidityForm(forms.Form):
    """Until when a memory holds, and nothing else of it."""

    expires_at = forms.DateField(
        label=_("Holds until"),
        widget=DayInput,
    )

    @classmethod
    def of(cls, memory: Memory) -> "ValidityForm":
        return cls(initial={"expires_at": _local_day(memory)})

    @property
    def revision(self) -> Revision:
        return Revision(expires_at=_end_of(self.cleaned_data["expires_at"]))


class ForgetForm(forms.Form):
    reason = forms.CharField(label=_("Why"), max_length=REASON_MAX, required=False)


class EraseForm(forms.Form):
    """The word that must be typed, so that nothing is erased by a slip."""

    confirmation = forms.CharField(
        max_length=20, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label = gettext("Type “%(word)s” to go on")
        self.fields["confirmation"].label = label % {"word": self.word}

    @property
    def word(self) -> str:
        return gettext("erase")

    def clean_confirmation(self) -> str:
        typed: str = self.cleaned_data["confirmation"]
        if typed.casefold() != self.word.casefold():
            raise forms.ValidationError(gettext("This is not the word."))
        return typed


def _end_of(day: date) -> str:
    return datetime.combine(
        day, time(23, 59, 59, tzinfo=timezone.get_current_timezone())
    ).isoformat()


def _local_day(memory: Memory) -> date | None:
    if memory.expires_at is None:
        return None
    return timezone.localtime(memory.expires_at).date()


class InboxForm(forms.Form):
    """Which queue of the review is open, and which question is put; comes with the address."""

    queue = forms.CharField(required=False)
    item = forms.UUIDField(required=False)
    done = forms.UUIDField(required=False)

    def text(self, name: str) -> str:
        """Return what was sent; what makes no sense is as if it had not been sent."""
        return str(self._given(name) or "")

    def id(self, name: str) -> UUID | None:
        given = self._given(name)
        return given if isinstance(given, UUID) else None

    def _given(self, name: str) -> object:
        self.full_clean()
        return self.cleaned_data.get(name)


class AnswerForm(InboxForm):
    """One answer; `seen` names the versions that the person had before them."""

    answer = forms.CharField(required=False)
    seen = forms.CharField(required=False)
    next = forms.UUIDField(required=False)
    decision = forms.UUIDField(required=False)
    content = LinesField(required=False, strip=False)
    source = forms.CharField(required=False)
    rationale = LinesField(required=False)

    @property
    def wording(self) -> Wording:
        return Wording(*(self.text(name) for name in ("content", "source", "rationale")))

    @property
    def selected(self) -> list[UUID]:
        """Return the ids of the questions that were ticked."""
        assert isinstance(self.data, QueryDict)
        return [item_id for each in self.data.getlist("item") if (item_id := as_id(each))]
