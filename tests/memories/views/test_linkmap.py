from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actors import Actor
from memories.queries import linkmap
from memories.rules.checkpoints import CheckpointFields
from memories.services.checkpointing import checkpoint_task
from spaces.models import Space
from tests.factories import make_memory


def url(space: Space) -> str:
    return reverse("memories:map", args=[space.pk])


def test_each_memory_is_a_link_with_a_name_and_each_link_a_line(
    space: Space, signed_in: Client
) -> None:
    first = make_memory(space, "We deploy on Fridays at noon.", path="Shop.Deploy")
    second = make_memory(space, f"Not on Sundays, see {first.pk}.", path="Team", kind="preference")

    page = signed_in.get(url(space)).content.decode()

    assert f'href="{first.get_absolute_url()}" data-place="0" data-kind="decision"' in page
    assert f'href="{second.get_absolute_url()}" data-place="1" data-kind="preference"' in page
    assert "Decision · Shop.Deploy · 1 link\nWe deploy on Fridays at noon." in page
    assert 'data-reason="mentions" data-said="mentions" data-ends="1 0"' in page
    assert "2 memories that hold." in page


def test_the_same_is_there_as_a_list_with_the_reason_of_every_link(
    space: Space, signed_in: Client, agent: Actor
) -> None:
    first = make_memory(space, "We deploy on Fridays at noon.", path="Shop.Deploy")
    make_memory(space, f"Not on Sundays, see {first.pk}.", path="Team")
    fields = CheckpointFields(task="Ship", goal="Release", next_step="Write")
    for _ in range(2):
        checkpoint_task(space=space, actor=agent, fields=fields)

    page = signed_in.get(url(space), {"as": "list", "replaced": "yes"}).content.decode()

    for text in ("mentions:", "mentioned by:", "replaced by:", "took the place of:"):
        assert text in page
    assert "map-drawing" not in page


def test_the_drawing_is_as_wide_as_the_page_asks(space: Space, signed_in: Client) -> None:
    make_memory(space)

    for asked, width in (("328", 328), ("20", 300), ("9999", 1600), ("²", 1062), ("", 1062)):
        response = signed_in.get(url(space), {"width": asked}, headers={"HX-Request": "true"})
        page = response.content.decode()
        assert f'data-width="{width}"' in page
        assert "<html" not in page


def test_filters_stay_in_the_form_and_a_bad_path_is_refused(
    space: Space, signed_in: Client
) -> None:
    make_memory(space, "Tokens last for one hour.", path="Shop.Auth")
    make_memory(space, "We deploy on Fridays at noon.", path="Deploy")

    page = signed_in.get(url(space), {"path": "shop", "kind": "decision"}).content.decode()
    refused = signed_in.get(url(space), {"path": "a..b"})

    assert "Tokens last" in page
    assert "We deploy" not in page
    assert refused.status_code == 422
    assert "The path has an empty segment." in refused.content.decode()


def test_nothing_yet_is_another_text_than_nothing_matches(space: Space, signed_in: Client) -> None:
    assert "There is nothing to draw yet" in signed_in.get(url(space)).content.decode()
    make_memory(space)

    page = signed_in.get(url(space), {"kind": "pointer"}).content.decode()

    assert "Nothing matches" in page


def test_a_full_map_shows_a_card_for_each_path(
    space: Space, signed_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linkmap, "MAX_MARKS", 2)
    monkeypatch.setattr(linkmap, "MAX_CLUSTERS", 2)
    first = make_memory(space, "Tokens last for one hour.", path="Shop.Auth")
    make_memory(space, f"See {first.pk} for the hour.", path="Team.Auth")
    make_memory(space, "We deploy on Fridays at noon.", path="Team")
    make_memory(space, "We deploy on Mondays at noon.", path="Z")

    page = signed_in.get(url(space), {"as": "list"}).content.decode()

    assert "too many to draw each" in page
    assert "Team · 2 memories (Decision: 2)" in page
    assert "Many small paths · 2 memories (Decision: 2)" in page
    assert f'href="{url(space)}?path=Team"' in page


def test_text_of_a_memory_is_text_on_the_map(space: Space, signed_in: Client) -> None:
    make_memory(space, "</title><script>alert(1)</script> is what it says.")

    assert "<script>alert" not in signed_in.get(url(space)).content.decode()


def test_strangers_and_other_methods_get_nothing(
    space: Space, signed_in: Client, stranger: Client
) -> None:
    assert stranger.get(url(space)).status_code == 404
    assert signed_in.get(reverse("memories:map", args=[uuid4()])).status_code == 404
    assert signed_in.post(url(space)).status_code == 405
    assert Client().get(url(space)).status_code == 302
