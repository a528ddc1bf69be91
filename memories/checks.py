"""What Django looks at before it starts: the choice of a model has to be one that can work."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured

from memories.embedders.registry import check_choices


def check_embedder(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001
    **_options: object,
) -> list[CheckMessage]:
    """Refuse a setting of the embedder that cannot work, without loading any model."""
    try:
        check_choices()
    except ImproperlyConfigured as error:
        return [Error(str(error), hint="See docs/operating.md.", id="memories.E001")]
    return []
