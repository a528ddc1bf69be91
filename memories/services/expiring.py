"""The lifetimes that this installation is set to."""

from datetime import timedelta

from django.conf import settings

from memories.rules.lifetimes import Lifetimes


def lifetimes() -> Lifetimes:
    return Lifetimes(
        observation=timedelta(days=settings.OBSERVATION_DAYS),
        checkpoint=timedelta(days=settings.CHECKPOINT_DAYS),
    )
