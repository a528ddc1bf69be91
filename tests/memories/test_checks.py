"""A wrong choice of a model stops the start."""

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from pytest_django.fixtures import Settings

from memories.embedders import registry


def test_a_model_that_does_not_exist_stops_the_start(settings: Settings) -> None:
    settings.EMBEDDER = "word2vec"

    with pytest.raises(SystemCheckError, match="There is no embedder 'word2vec'"):
        call_command("check")


def test_a_size_that_the_model_does_not_have_stops_the_start(settings: Settings) -> None:
    settings.EMBEDDER = "builtin-e5"
    settings.EMBEDDER_DIMENSIONS = 768

    with pytest.raises(SystemCheckError, match="BRAIN_EMBEDDER_DIMENSIONS is 768"):
        call_command("check")


@pytest.mark.parametrize("name", ["auto", "none", "builtin-use", "fastembed:some/model"])
def test_a_choice_that_can_work_passes_and_loads_nothing(settings: Settings, name: str) -> None:
    settings.EMBEDDER = name
    registry.forget_loaded()

    assert run_checks() == []
    assert not registry.search_status().is_loaded
