"""What of a space the list and the map show, as their addresses say it."""

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.translation import gettext_lazy as _

from memories.models import Author, Kind
from memories.queries.concerns import Concern
from memories.queries.finding import Mode
from memories.queries.linkmap import MapFilter
from memories.queries.places import Writer
from memories.queries.sorting import Sort
from memories.queries.standings import Standing
from memories.queries.wanted import Wanted


class PlaceForm(forms.Form):
    """A kind and a place; what no page has is as if it had not been asked."""

    kind = forms.ChoiceField(
        label=_("Kind"), choices=[("", _("All kinds")), *Kind.choices], required=False
    )
    path = forms.CharField(
        label=_("Path"),
        required=False,
        widget=forms.TextInput(
            attrs={
                "list": "paths",
                "autocomplete": "off",
                "autocapitalize": "off",
                "placeholder": _("All paths"),
            }
        ),
    )

    @property
    def given(self) -> Mapping[str, str]:
        """Return what was asked for and makes sense."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}


class MapForm(PlaceForm):
    replaced = forms.BooleanField(
        label=_("Also what was replaced"),
        required=False,
        widget=forms.CheckboxInput(attrs={"value": "yes"}),
    )

    @property
    def wanted(self) -> MapFilter:
        given = self.given
        return MapFilter(
            kind=given.get("kind", ""),
            path=given.get("path", ""),
            has_replaced=bool(given.get("replaced")),
        )


class ListForm(PlaceForm):
    q = forms.CharField(required=False)
    mode = forms.ChoiceField(choices=Mode.choices, required=False)
    state = forms.ChoiceField(choices=Standing.choices, required=False)
    author = forms.ChoiceField(
        label=_("Written by"), choices=[("", _("Anybody")), *Author.choices], required=False
    )
    client = forms.CharField(label=_("App"), required=False, max_length=80, widget=forms.Select)
    only = forms.ChoiceField(choices=Concern.choices, required=False)
    sort = forms.ChoiceField(label=_("Sort by"), choices=Sort.choices, required=False)
    after = forms.CharField(required=False)

    @property
    def filters(self) -> list[forms.BoundField]:
        return [self[name] for name in ("kind", "author", "client", "path", "sort")]

    def offer(self, writers: Sequence[Writer], *, wanted: Wanted) -> None:
        """Let the person choose among those who wrote here, and among the orders there are."""
        apps = [("", _("All apps")), *((each.key, each.name) for each in writers)]
        # An address may name an app that wrote nothing that is left.
        if wanted.client and wanted.client not in dict(apps):
            apps.append((wanted.client, wanted.client))
        usual = Sort.BEST if wanted.is_by_meaning else Sort.UPDATED
        others = [(sort.value, sort.label) for sort in Sort if sort not in {usual, Sort.BEST}]
        orders = [("", usual.label), *others]
        for name, choices in (("client", apps), ("sort", orders)):
            widget = self.fields[name].widget
            assert isinstance(widget, forms.Select)
            widget.choices = choices

    @property
    def wanted(self) -> Wanted:
        given = self.given
        return Wanted(
            query=given.get("q", ""),
            mode=given.get("mode", Mode.MEANING.value),
            standing=given.get("state", Standing.ACTIVE.value),
            kind=given.get("kind", ""),
            author=given.get("author", ""),
            client=given.get("client", ""),
            path=given.get("path", ""),
            only=given.get("only", ""),
            sort=given.get("sort", ""),
            after=given.get("after", ""),
        )
