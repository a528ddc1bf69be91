"""The shared fragments of templates/_parts."""

import re

import pytest
from django import forms
from django.template.loader import render_to_string


class NameForm(forms.Form):
    name = forms.CharField(label="Name", help_text="As on the door.", max_length=5)
    motto = forms.CharField(label="Motto", required=False)


def _field(form: NameForm, name: str) -> str:
    return render_to_string("_parts/field.html", {"field": form[name]})


def test_a_refused_field_points_at_its_help_and_its_error() -> None:
    form = NameForm({"name": "far too long"})

    page = _field(form, "name")

    described = re.search(r'aria-describedby="([^"]+)"', page)
    assert described is not None
    assert described[1].split() == ["id_name_helptext", "id_name_error"]
    assert all(f'id="{name}"' in page for name in described[1].split())
    assert 'aria-invalid="true"' in page
    assert '<label for="id_name">' in page


def test_a_field_that_may_stay_empty_says_so() -> None:
    form = NameForm()

    assert "(optional)" in _field(form, "motto")
    assert "(optional)" not in _field(form, "name")


def test_what_a_person_typed_is_escaped() -> None:
    form = NameForm({"name": '"><b>'})

    assert "<b>" not in _field(form, "name")


@pytest.mark.parametrize("state", ["active", "expired", "superseded", "forgotten"])
def test_a_state_is_a_word_and_a_shape(state: str) -> None:
    page = render_to_string("_parts/state.html", {"state": state})

    assert state.capitalize() in page
    assert f"icons.svg#{state}" in page


def test_a_kind_is_a_word_and_a_shape() -> None:
    page = render_to_string("_parts/kind.html", {"kind": "decision", "label": "Decision"})

    assert "Decision</span>" in page
    assert "icons.svg#decision" in page


def test_the_last_page_has_nothing_to_load() -> None:
    assert render_to_string("_parts/pager.html", {"next_url": ""}).strip() == ""


def test_loading_more_is_a_link_too() -> None:
    page = render_to_string(
        "_parts/pager.html", {"next_url": "/?after=7", "shown": 25, "total": 31}
    )

    assert 'href="/?after=7"' in page
    assert 'hx-get="/?after=7"' in page
    assert "25 of 31" in page


def test_a_copy_button_names_what_it_copies() -> None:
    page = render_to_string(
        "_parts/copy_line.html", {"id": "address", "text": "https://x.test/<1>", "label": "address"}
    )

    assert '<code id="address">https://x.test/&lt;1&gt;</code>' in page
    assert 'data-copy="address"' in page


def test_a_toast_can_travel_with_a_fragment() -> None:
    page = render_to_string("_parts/toast.html", {"text": "Saved.", "tone": "success", "oob": True})

    assert 'hx-swap-oob="beforeend:#toasts"' in page
    assert "Saved." in page


def test_the_page_of_a_broken_server_needs_no_context() -> None:
    page = render_to_string("500.html")

    assert "<h1>" in page
    assert "/static/brain/css/tokens.css" in page
