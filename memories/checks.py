"""What Django looks at before it starts: the models that were chosen have to be able to work."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured

from memories.embedders.registry import check_choices
from memories.judges.choices import check_judge_options
from memories.judges.options import WrongJudgeError


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


def check_judge(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001
    **_options: object,
) -> list[CheckMessage]:
    """Refuse a setting of the judge that cannot work; nothing is sent."""
    try:
        check_judge_options()
    except WrongJudgeError as error:
        return [Error(str(error), hint="See docs/operating.md.", id="memories.E002")]
    return []
