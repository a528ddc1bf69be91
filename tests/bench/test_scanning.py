"""The benchmark of the job does what it says, on a small space."""

import pytest
from pytest_django.fixtures import Settings

from bench.scanning import measure


@pytest.mark.django_db(transaction=True)
def test_a_small_space_is_filled_and_compared(
    capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    settings.EMBEDDER = "auto"

    measure(60)

    printed = capsys.readouterr().out
    assert "| compare: links, repeats, disagreements |" in printed
    assert "same_path" in printed
    assert "similar" in printed
    assert "Saves meanwhile" in printed
